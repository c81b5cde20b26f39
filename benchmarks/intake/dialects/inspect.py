"""Inspect logs: every finished sample is a conversation, its epoch a trial.

A sample's own messages count; where it has none, its model events do. A log without samples holds
nothing, and that is said.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.dialects.inspect_events import (
    Conversations,
    Conversed,
    Reply,
    Said,
    is_event,
)
from benchmarks.intake.dialects.inspect_histories import expanded
from benchmarks.intake.dialects.inspect_messages import (
    add_inspect_message,
    inspect_usage,
    resolved,
    role_of,
)
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import id_text, number, objects, word
from benchmarks.intake.wires.calls import stop_of
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Outcome, Stop
from benchmarks.records.times import stamp

NAME = "inspect"
NEWEST_VERSION = 2
NEWER = "newer_version"
DETAIL_CHARS = 200
STOPS: Mapping[str, str] = {
    "stop": "end",
    "tool_calls": "tool_use",
    "max_tokens": "length",
    "model_length": "length",
    "length": "length",
    "content_filter": "content_filter",
}
GRADES: Mapping[str, bool] = {"c": True, "i": False, "n": False, "pass": True, "fail": False}
PARTIAL = "p"


class Inspect(RecordDialect):
    """A log, one sample of a log, or the events of one."""

    name = NAME
    lacks = "version, eval and plan"

    def detect(self, record: Any) -> bool:
        """Whether a record is a log, a sample or a transcript."""
        return isinstance(record, dict) and (
            _is_log(record) or _is_sample(record) or _is_transcript(record)
        )

    def read(self, record: Any) -> Iterable[Piece]:
        """The conversations of every sample."""
        if _is_log(record):
            return list(_log_pieces(record))
        about = _Log({}, ())
        return _sample_pieces(record, about, "") if _is_sample(record) else _loose(record)


@dataclass(frozen=True, slots=True)
class _Log:
    """What a log says of all of its samples."""

    spec: JsonObject
    warnings: tuple[str, ...]

    def task_id(self, sample: Mapping[str, Any]) -> str | None:
        """The sample's id, under the name of the evaluation that it belongs to."""
        found = id_text(sample.get("id"))
        task = word(self.spec.get("task"))
        return f"{task}/{found}" if found and task else found


def _is_log(record: Mapping[str, Any]) -> bool:
    return (
        "version" in record
        and isinstance(record.get("eval"), dict)
        and bool(record.keys() & {"plan", "samples", "results"})
    )


def _is_sample(record: Mapping[str, Any]) -> bool:
    return {"id", "epoch", "input", "target"} <= record.keys() and (
        isinstance(record.get("messages"), list) or isinstance(record.get("events"), list)
    )


def _is_transcript(record: Mapping[str, Any]) -> bool:
    events = record.get("events")
    return isinstance(events, list) and bool(events) and all(map(is_event, events))


def _log_pieces(record: JsonObject) -> Iterator[Piece]:
    about = _Log(record["eval"], _warnings(record.get("version")))
    samples = record.get("samples")
    if isinstance(samples, list):
        samples = {str(at): sample for at, sample in enumerate(samples)}
    listed = list(samples.items()) if isinstance(samples, dict) else []
    listed = [(name, sample) for name, sample in listed if isinstance(sample, dict)]
    if not listed:
        status = f" (status {record['status']})" if word(record.get("status")) else ""
        yield Piece(Refused(Reason.NOT_A_CAPTURE, f"an Inspect log without samples{status}"))
    offset = 0
    for name, sample in listed:
        within = f"/samples/{name.replace('~', '~0').replace('/', '~1')}"
        pieces = _sample_pieces(sample, about, within)
        yield from (_moved(piece, offset) for piece in pieces)
        offset += len(pieces)


def _warnings(version: Any) -> tuple[str, ...]:
    found = number(version)
    return (NEWER,) if found is not None and found > NEWEST_VERSION else ()


def _moved(piece: Piece, offset: int) -> Piece:
    return piece if piece.parent is None else replace(piece, parent=piece.parent + offset)


def _sample_pieces(sample: JsonObject, about: _Log, within: str) -> list[Piece]:
    """The conversation of one sample; several where only its events tell."""
    older = sample.get("transcript")
    older = older if isinstance(older, dict) else {}
    attachments = sample.get("attachments") or older.get("content")
    attachments = attachments if isinstance(attachments, dict) else {}
    pool = resolved(_pool(sample), attachments)
    among = Conversations(attachments, pool).read(sample.get("events") or older.get("events"))
    messages = resolved(objects(sample.get("messages")), attachments)
    messages = messages or expanded(sample.get("message_refs"), pool)
    if messages:
        said = _with_replies(messages, among.replies())
        own = [one for one in among.found if one.parent is None]
        tools = {name: tool for one in own for name, tool in one.tools.items()}
        main = Piece(_reading(said, tools, _Part(sample, about)), within)
        helpers = [one for one in among.found if one.parent is not None]
        return [main, *_helper_pieces(helpers, {}, within, first=1)]
    if not among.found:
        return [Piece(_without_messages(among, "a sample"), within)]
    return _conversed_pieces(among.found, _Part(sample, about), within)


def _pool(sample: Mapping[str, Any]) -> list[JsonObject]:
    """The messages that a newer log keeps once, for its events to refer to."""
    data = sample.get("events_data")
    pool = data.get("messages") if isinstance(data, dict) else sample.get("message_pool")
    items = pool if isinstance(pool, list) else []
    return [item if isinstance(item, dict) else {} for item in items]


def _loose(record: JsonObject) -> list[Piece]:
    """The conversations of events that stand without a sample."""
    among = Conversations({}).read(record["events"])
    if among.found:
        return _conversed_pieces(among.found, None, "")
    if among.empty or among.failures:
        return [Piece(_without_messages(among, "events"))]
    return [Piece(Refused(Reason.NOT_A_CAPTURE, "events of Inspect without a model's"))]


def _without_messages(among: Conversations, what: str) -> Refused:
    if among.failures:
        said = among.failures[0].strip().partition("\n")[0][:DETAIL_CHARS]
        return Refused(Reason.FAILED_CALL, f"{what} whose calls failed: {said}")
    return Refused(Reason.NO_MESSAGES, f"{what} without a message: {among.empty} empty model calls")


@dataclass(frozen=True, slots=True)
class _Part:
    """The sample that a conversation is of: only its first one is judged by its scores."""

    sample: JsonObject
    about: _Log


def _conversed_pieces(found: Sequence[Conversed], part: _Part | None, within: str) -> list[Piece]:
    """Every conversation of a transcript; the first is the sample itself."""
    if part is None:
        return _helper_pieces(found, {}, "", first=0)
    main = Piece(_conversed(found[0], part), within)
    return [main, *_helper_pieces(found[1:], {id(found[0]): 0}, within, first=1)]


def _helper_pieces(
    found: Sequence[Conversed], places: dict[int, int], within: str, *, first: int
) -> list[Piece]:
    """Conversations that stand at their first event, each after the one that started it."""
    pieces = []
    for at, one in enumerate(found, first):
        # Where the sample tells its own messages, those are what a helper was started from.
        parent = None if one.parent is None else places.get(id(one.parent), 0)
        places[id(one)] = at
        pieces.append(
            Piece(
                _conversed(one, None),
                within=f"{within}{one.pointer}",
                parent=parent,
                call_id=one.call_id,
            )
        )
    return pieces


def _conversed(one: Conversed, part: _Part | None) -> Reading:
    said = [*one.said, *map(Said, one.take_answers([]))]
    return _reading(said, one.tools, part, stitched=one.stitched)


def _with_replies(messages: Sequence[JsonObject], replies: Sequence[Said]) -> list[Said]:
    """Messages with what their calls cost: by id, and those without one in order."""
    by_id = {said.message["id"]: said.reply for said in replies if word(said.message.get("id"))}
    nameless = [said.reply for said in replies if not word(said.message.get("id"))]
    answers = [
        at
        for at, message in enumerate(messages)
        if role_of(message) == "assistant" and _id(message) not in by_id
    ]
    in_order = dict(zip(answers, nameless, strict=True)) if len(answers) == len(nameless) else {}
    return [
        Said(message, by_id.get(_id(message)) or in_order.get(at))
        for at, message in enumerate(messages)
    ]


def _id(message: Mapping[str, Any]) -> str:
    return word(message.get("id")) or ""


def _reading(
    said: Sequence[Said],
    tools: Mapping[str, JsonObject],
    part: _Part | None,
    *,
    stitched: bool = False,
) -> Reading:
    """The reading of one conversation; without a part it is a helper's, or nobody's."""
    draft = Draft()
    for position, one in enumerate(said):
        _add(draft, one, position)
    draft.close()
    if stitched:
        draft.note("stitched", None, None, "an input without the history before it")
    sample = part.sample if part else {}
    stop = _stop(sample, said)
    ended = end_of(draft.turns, limit=_limit(sample, stop), failed=_failure(sample))
    parts = SessionParts(
        dialect=NAME,
        end=ended,
        tools=chat_tools({"tools": list(tools.values())}),
        stop=stop,
        outcome=_outcome(sample),
    )
    reading = session_reading(draft, _frame(part, said), parts)
    return _with_usage(reading, sample) if part else reading


def _add(draft: Draft, one: Said, position: int) -> None:
    message, reply = one.message, one.reply
    usage = reply.usage if reply else None
    turn = add_inspect_message(
        draft,
        message,
        source_index=position,
        id=word(message.get("id")),
        model=word(message.get("model")) or (reply.model if reply else None),
        at=_moment(reply.at) if reply else None,
        latency_ms=reply.latency_ms if reply else None,
        usage=usage.usage if usage else None,
    )
    if usage is not None and usage.issue not in {"", "missing_usage"}:
        draft.note(usage.issue, turn.index, None, usage.detail)


def _with_usage(reading: Reading, sample: Mapping[str, Any]) -> Reading:
    """The usage of the sample's last answer where no event tells of any."""
    conversation = reading.conversation
    if conversation.usage is not None:
        return reading
    output = sample.get("output")
    answers = sum(turn.role == "assistant" for turn in conversation.turns)
    found = inspect_usage(output.get("usage") if isinstance(output, dict) else None).usage
    if found is None:
        return reading
    if answers > 1:
        found = found.with_(unreported_calls=answers - 1)
    return replace(reading, conversation=conversation.with_(usage=found))


def _stop(sample: Mapping[str, Any], said: Sequence[Said]) -> Stop:
    output = sample.get("output")
    choices = objects(output.get("choices")) if isinstance(output, dict) else []
    raw = choices[0].get("stop_reason") if choices else None
    last = next((one.reply.stop for one in reversed(said) if one.reply), None)
    return stop_of(raw or last, STOPS)


def _limit(sample: Mapping[str, Any], stop: Stop) -> str:
    limit = sample.get("limit")
    if isinstance(limit, dict):
        size = limit.get("limit")
        return f"{limit.get('type')} limit{'' if size is None else f' {size}'}"
    return "the answer was cut for length" if stop.reason == "length" else ""


def _failure(sample: Mapping[str, Any]) -> str:
    error = sample.get("error")
    said = error.get("message") if isinstance(error, dict) else error
    return str(said).strip().partition("\n")[0][:DETAIL_CHARS] if said else ""


def _frame(part: _Part | None, said: Sequence[Said]) -> Frame:
    replies: list[Reply] = [one.reply for one in said if one.reply]
    if part is None:
        times = [reply.at for reply in replies[:1]]
        return Frame(
            captured_at=_moment(times[0]) if times else None, routing=_routing({}, replies)
        )
    sample, spec = part.sample, part.about.spec
    times = [word(sample.get("started_at")), *(reply.at for reply in replies[:1])]
    times.append(word(spec.get("created")))
    written = next((time for time in times if time), None)
    moment = _moment(written)
    return Frame(
        identity=Identity(
            session_id=word(sample.get("uuid")),
            task_id=part.about.task_id(sample),
            trial=id_text(sample.get("epoch")),
        ),
        routing=_routing(spec, replies),
        captured_at=moment,
        unread_time=written if moment is None else None,
        warnings=part.about.warnings,
    )


def _routing(spec: Mapping[str, Any], replies: Sequence[Reply]) -> Routing:
    asked = word(spec.get("model"))
    provider, slash, _ = (asked or "").partition("/")
    return Routing(
        provider=provider if slash else None,
        requested_model=asked,
        upstream_model=next((reply.model for reply in replies if reply.model), None),
    )


def _moment(written: str | None) -> str | None:
    found = read_moment(written) if written else None
    return stamp(found) if found else None


def _outcome(sample: Mapping[str, Any]) -> Outcome | None:
    """What the first score says that can be read as a success or a number."""
    scores = sample.get("scores")
    named = list(scores.items()) if isinstance(scores, dict) else []
    if sample.get("score") is not None:
        named.append(("score", sample["score"]))
    for name, score in named:
        value = score.get("value") if isinstance(score, dict) else score
        found = _graded(value, str(name))
        if found is not None:
            return found
    return None


def _graded(value: Any, name: str) -> Outcome | None:
    source = f"scores.{name}"
    if isinstance(value, bool):
        return Outcome(success=value, source=source)
    if isinstance(value, str):
        grade = value.strip().lower()
        if grade == PARTIAL:
            return Outcome(success=False, reward=0.5, source=source)
        known = GRADES.get(grade, {"true": True, "false": False}.get(grade))
        return None if known is None else Outcome(success=known, source=source)
    reward = number(value)
    return None if reward is None else Outcome(reward=reward, source=source)
