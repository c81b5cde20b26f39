"""Langfuse's traces, observations and scores, in whichever form they were exported."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import either, id_text, number, objects, word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Outcome

OBSERVATION_TYPES = frozenset({
    "GENERATION", "SPAN", "TOOL", "AGENT", "EVENT", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING",
    "GUARDRAIL",
})  # fmt: skip
TRACE_KEYS = frozenset({"id", "timestamp", "input", "output"})
OWN_TRACE_KEYS = frozenset({"projectId", "project_id", "htmlPath", "sessionId", "session_id"})
SUCCESS_WORDS = frozenset({
    "success", "successful", "correct", "correctness", "accuracy", "passed", "pass", "reward",
    "resolved", "solved", "completed", "completion", "feedback", "thumbs",
})  # fmt: skip
"""Words of a score's name that say: more of it is better, and one is a success."""
HUMAN_SOURCES = frozenset({"ANNOTATION", "API"})


def is_observation(record: Any) -> bool:
    """Whether a record is one observation."""
    if not isinstance(record, dict) or either(record, "traceId") is None:
        return False
    kind = record.get("type")
    return isinstance(kind, str) and kind.upper() in OBSERVATION_TYPES


def is_trace(record: Any) -> bool:
    """Whether a record is a trace, with its observations or without."""
    if not isinstance(record, dict):
        return False
    listed = record.get("observations")
    if isinstance(listed, list) and (not listed or _is_listed(listed[0]) or "trace" in record):
        return True
    return record.keys() >= TRACE_KEYS and bool(record.keys() & OWN_TRACE_KEYS)


def _is_listed(item: Any) -> bool:
    return isinstance(item, str) or (isinstance(item, dict) and ("type" in item or "id" in item))


def is_score(record: Any) -> bool:
    """Whether a record is a score of a trace."""
    if not isinstance(record, dict) or not {"name", "value"} <= record.keys():
        return False
    return word(either(record, "traceId")) is not None and either(record, "dataType") is not None


def is_page(record: Any) -> bool:
    """Whether a record is an answer of the API that lists observations or traces."""
    listed = record.get("data") if isinstance(record, dict) else None
    return (
        isinstance(listed, list)
        and bool(listed)
        and (is_observation(listed[0]) or is_trace(listed[0]))
    )


@dataclass(slots=True)
class TraceParts:
    """All that is known of one trace."""

    trace: JsonObject = field(default_factory=dict)
    observations: list[tuple[int, JsonObject]] = field(default_factory=list)
    """Each with the record of the group that it stands in, each id once."""
    scores: list[JsonObject] = field(default_factory=list)


def trace_ids(record: Any) -> list[str]:
    """The ids of the traces that a record tells of."""
    found = [trace_id for trace_id, _, _ in _told(record)]
    return list(dict.fromkeys(found))


def gathered(key: str, records: Sequence[Found]) -> TraceParts:
    """What the records say about one trace; the later of two forms of an observation counts."""
    parts = TraceParts()
    places: dict[str, int] = {}
    for at, found in enumerate(records):
        for trace_id, what, value in _told(found.record):
            if trace_id != key:
                continue
            if what == "observation":
                _keep(parts, places, at, value)
            elif what == "score":
                parts.scores.append(value)
            else:
                parts.trace = {**parts.trace, **_with_values(value)}
                parts.scores += objects(value.get("scores"))
    return parts


def _keep(parts: TraceParts, places: dict[str, int], at: int, value: JsonObject) -> None:
    name = id_text(value.get("id"))
    if name is None or name not in places:
        places[name or f" {len(parts.observations)}"] = len(parts.observations)
        parts.observations.append((at, value))
        return
    before = parts.observations[places[name]]
    parts.observations[places[name]] = (before[0], {**before[1], **_with_values(value)})


def _with_values(found: Mapping[str, Any]) -> JsonObject:
    return {key: value for key, value in found.items() if value is not None}


def _told(record: Any) -> Iterator[tuple[str, str, JsonObject]]:
    """Everything in a record: the trace it belongs to, what it is, and itself."""
    if is_page(record):
        for item in objects(record["data"]):
            yield from _told(item)
    elif is_observation(record):
        yield str(either(record, "traceId")), "observation", record
    elif is_trace(record):
        yield from _told_trace(record)
    elif is_score(record):
        yield str(either(record, "traceId")), "score", record


def _told_trace(record: JsonObject) -> Iterator[tuple[str, str, JsonObject]]:
    """A trace with its own observations, or an export that holds both side by side."""
    inner = record.get("trace")
    trace = inner if isinstance(inner, dict) else record if "trace" not in record else {}
    own = id_text(trace.get("id"))
    listed = objects(record.get("observations")) or objects(trace.get("observations"))
    if own is not None:
        yield own, "trace", trace
    for item in listed:
        trace_id = id_text(either(item, "traceId")) or own
        if trace_id is not None:
            yield trace_id, "observation", item


def outcome_of(scores: Iterable[JsonObject]) -> Outcome | None:
    """What the scores of a whole trace say about its success; a person's word comes first."""
    telling = [score for score in scores if _tells(score)]
    if not telling:
        return None
    telling.sort(key=lambda score: (word(score.get("source")) in HUMAN_SOURCES, _time(score)))
    score = telling[-1]
    source = f"score {score['name']}"
    value = score["value"]
    is_boolean = isinstance(value, bool) or either(score, "dataType") == "BOOLEAN"
    if is_boolean:
        return Outcome(success=bool(value), source=source)
    return Outcome(reward=float(value), source=source)


def _tells(score: Mapping[str, Any]) -> bool:
    name = word(score.get("name"))
    if name is None or either(score, "observationId") is not None:
        return False
    if either(score, "dataType") not in (None, "NUMERIC", "BOOLEAN"):
        return False
    value = score.get("value")
    known = isinstance(value, bool) or number(value) is not None
    spoken = name.lower().replace("-", "_").replace(" ", "_").replace(".", "_").split("_")
    return known and bool(SUCCESS_WORDS & set(spoken))


def _time(score: Mapping[str, Any]) -> str:
    return word(score.get("timestamp")) or ""
