"""verifiers results: lines of `prompt` and `completion`, and traces whose messages are `nodes`.

A tool call may be a text that holds JSON; a result is the text that the tool printed, reprs of
Python too, and is kept as that. Lines that share an `example_id` are trials of one task. Reward and
metrics are the outcome, never shown and never compiled.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.drafting.chat import add_message
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import id_text, number, objects, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.intake.wires.usage import chat_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import End, Outcome, Tool
from benchmarks.records.times import stamp

NAME = "verifiers"
RESULT_KEYS = ("example_id", "reward", "metrics")
TRACE_KEYS = frozenset({"rewards", "reward", "metrics", "calls", "task"})
TASK_KEYS = ("key", "example_id", "idx", "id", "hash")
TRIAL_KEYS = ("rollout_idx", "rollout_index", "rollout_id", "trial")
TOOL_KEYS = ("tool_defs", "tools", "oai_tools")
LIMIT_STARTS = ("max_", "prompt_too_long", "timeout")
MAX_WAYS = 64


class Verifiers(RecordDialect):
    """One rollout a record; a trace that forks is one conversation for each way through it."""

    name = NAME
    lacks = "prompt, completion, example_id"

    def detect(self, record: Any) -> bool:
        """Whether a record is a line of results, or a trace of nodes."""
        if not isinstance(record, dict):
            return False
        if "prompt" in record and "completion" in record:
            return any(key in record for key in RESULT_KEYS)
        return _is_trace(record)

    def read(self, record: Any) -> Iterable[Piece]:
        """The conversation of a line; those of a trace, the way it went on last first."""
        if "prompt" in record and "completion" in record:
            return [Piece(_read(_of_line(record), record))]
        return list(_of_trace(record))


def _is_trace(record: Mapping[str, Any]) -> bool:
    nodes = record.get("nodes")
    return (
        isinstance(nodes, list)
        and bool(nodes)
        and all(isinstance(node, dict) and isinstance(node.get("message"), dict) for node in nodes)
        and bool(record.keys() & TRACE_KEYS)
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """One message, where it stands, and what its call cost."""

    message: JsonObject
    place: int
    about: dict[str, Any] = field(default_factory=dict)


def _of_line(record: Mapping[str, Any]) -> list[_Said]:
    """What was asked, then what came of it; an answer may tell the question again."""
    asked = _messages(record["prompt"], "user")
    answered = _messages(record["completion"], "assistant")
    if asked and list(map(_told, answered[: len(asked)])) == list(map(_told, asked)):
        answered = answered[len(asked) :]
    return [_Said(message, place) for place, message in enumerate([*asked, *answered])]


def _messages(value: Any, speaker: str) -> list[JsonObject]:
    found = decoded(value) if isinstance(value, str) else value
    messages = [item for item in objects(found) if "role" in item]
    if messages:
        return messages
    return [{"role": speaker, "content": value}] if isinstance(value, str) and value else []


def _told(message: Mapping[str, Any]) -> tuple[Any, Any]:
    return message.get("role"), message.get("content")


def _of_trace(record: JsonObject) -> Iterator[Piece]:
    """Each way from a root to a leaf; the last is the record's own, others stand at their leaf."""
    nodes = objects(record["nodes"])
    parents = [_parent(node, place) for place, node in enumerate(nodes)]
    going_on = set(parents)
    leaves = [place for place in range(len(nodes)) if place not in going_on]
    calls = {place: call for call in objects(record.get("calls")) if (place := _node(call)) >= 0}
    for rank, leaf in enumerate(reversed(leaves)):
        within = f"/nodes/{leaf}" if rank else ""
        if rank == MAX_WAYS:
            detail = f"{len(leaves)} ways through one trace, at most {MAX_WAYS} are read"
            yield Piece(Refused(Reason.TOO_LONG, detail), within)
            return
        way = [
            _Said(nodes[place]["message"], place, _call_facts(calls.get(place)))
            for place in _way(parents, leaf)
        ]
        yield Piece(_read(way, record), within)


def _parent(node: Mapping[str, Any], place: int) -> int | None:
    """The place of the message before; one that does not come earlier is none."""
    parent = node.get("parent")
    is_place = isinstance(parent, int) and not isinstance(parent, bool) and 0 <= parent < place
    return parent if is_place else None


def _node(call: Mapping[str, Any]) -> int:
    place = call.get("node")
    return place if isinstance(place, int) and not isinstance(place, bool) else -1


def _way(parents: Sequence[int | None], leaf: int) -> list[int]:
    way: list[int] = []
    place: int | None = leaf
    while place is not None:
        way.append(place)
        place = parents[place]
    return way[::-1]


def _call_facts(call: JsonObject | None) -> dict[str, Any]:
    if call is None:
        return {}
    return {
        "usage": chat_usage(call.get("usage")).usage,
        "model": word(call.get("model")),
        "stop": word(call.get("finish_reason")),
    }


def _read(said: list[_Said], record: JsonObject) -> Reading | Refused:
    draft = Draft()
    waiting: list[str | None] = []
    for one in said:
        message = _with_calls(one.message)
        calls = objects(message.get("tool_calls"))
        if message.get("role") == "assistant":
            waiting = [id_text(call.get("id")) for call in calls]
        elif message.get("role") == "tool":
            message = _answering(message, waiting)
        add_message(draft, message, source_index=one.place, **one.about)
    if not draft.turns:
        return Refused(Reason.NO_MESSAGES, "neither a prompt nor a completion")
    draft.close()
    parts = SessionParts(
        dialect=NAME,
        end=_end(draft, record),
        tools=_tools(record),
        outcome=_outcome(record),
        usage=_counted(record),
    )
    return session_reading(draft, _frame(draft, record), parts)


def _with_calls(message: JsonObject) -> JsonObject:
    """The message with its calls as objects; a text that holds none is an unread call."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list) or not any(isinstance(call, str) for call in calls):
        return message
    found = [decoded(call) for call in calls]
    read = [call if isinstance(call, dict) else {"arguments": call} for call in found]
    return {**message, "tool_calls": read}


def _answering(message: JsonObject, waiting: list[str | None]) -> JsonObject:
    """A result; one that names no call is that of the first call before it without one."""
    raw_id = id_text(message.get("tool_call_id"))
    if raw_id in waiting:
        waiting.remove(raw_id)
    elif raw_id is None and waiting:
        raw_id = waiting.pop(0)
    return {**message, "tool_call_id": raw_id}


def _end(draft: Draft, record: Mapping[str, Any]) -> End:
    condition = word(record.get("stop_condition")) or ""
    is_cut = condition.startswith(LIMIT_STARTS) or record.get("is_truncated") is True
    return end_of(
        draft.turns,
        limit=(condition or "truncated") if is_cut else "",
        failed=_failure(record),
    )


def _failure(record: Mapping[str, Any]) -> str:
    """What the rollout failed with, in its own words."""
    errors = objects(record.get("errors"))
    error = errors[-1] if errors else record.get("error")
    if isinstance(error, dict):
        error = error.get("message") or error.get("error")
    return error if isinstance(error, str) else ""


def _tools(record: Mapping[str, Any]) -> list[Tool]:
    holders = (record, record.get("info"))
    for holder in holders:
        for key in TOOL_KEYS:
            found = decoded(holder.get(key)) if isinstance(holder, dict) else None
            items = [decoded(item) for item in found] if isinstance(found, list) else []
            tools = chat_tools({"tools": items})
            if tools:
                return tools
    return []


def _outcome(record: Mapping[str, Any]) -> Outcome | None:
    """The reward; the weighted sum of named rewards; the one metric that there is."""
    reward = number(record.get("reward"))
    if reward is not None:
        return Outcome(reward=reward, source="reward")
    named = record.get("rewards")
    scores = [_weighted(score) for score in named.values()] if isinstance(named, dict) else []
    known = [score for score in scores if score is not None]
    if known:
        return Outcome(reward=number(sum(known)), source="rewards")
    metrics = record.get("metrics")
    values = metrics.items() if isinstance(metrics, dict) else ()
    found = [(name, value) for name, value in values if number(value) is not None]
    if len(found) != 1:
        return None
    return Outcome(reward=number(found[0][1]), source=f"metrics.{found[0][0]}")


def _weighted(score: Any) -> float | None:
    if not isinstance(score, dict):
        return number(score)
    value, weight = number(score.get("score")), number(score.get("weight", 1))
    return None if value is None or weight is None else number(value * weight)


def _counted(record: Mapping[str, Any]) -> Usage | None:
    """What the line says that the whole rollout cost."""
    found = record.get("token_usage")
    if not isinstance(found, dict):
        return None
    counts = {
        "prompt_tokens": found.get("input_tokens"),
        "completion_tokens": found.get("output_tokens"),
    }
    usage = chat_usage(counts).usage
    return usage.with_(calls=None) if usage is not None else None


def _frame(draft: Draft, record: Mapping[str, Any]) -> Frame:
    timing = record.get("timing")
    held: JsonObject = timing if isinstance(timing, dict) else {}
    moment = read_moment(held.get("start_time", held.get("start")))
    models = [turn.model for turn in draft.turns if turn.model]
    trial = next((found for key in TRIAL_KEYS if (found := id_text(record.get(key)))), None)
    return Frame(
        identity=Identity(task_id=_task_id(record), trial=trial),
        routing=Routing(requested_model=models[-1] if models else word(record.get("model"))),
        captured_at=stamp(moment) if moment is not None else None,
    )


def _task_id(record: Mapping[str, Any]) -> str | None:
    found = id_text(record.get("example_id"))
    task = record.get("task")
    if found is not None or not isinstance(task, dict):
        return found
    data = task.get("data")
    for holder in (task, data):
        for key in TASK_KEYS:
            known = id_text(holder.get(key)) if isinstance(holder, dict) else None
            if known is not None:
                return known
    return None
