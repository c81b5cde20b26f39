"""OpenCode: an exported session, or the messages that its server lists, each `{info, parts}`.

A message of the model holds its steps one after the other: what it says and calls in one, with
what came back, then the next. Each step is a turn and costs by itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Reasoning, Text, UnknownPart
from benchmarks.records.times import stamp

NAME = "opencode"
ROLES = ("user", "assistant")
COUNTS = {
    "input_tokens": ("input",),
    "output_tokens": ("output",),
    "cache_read_tokens": ("read",),
    "cache_write_tokens": ("write",),
    "reasoning_tokens": ("reasoning",),
}
STATES = frozenset({
    "snapshot", "patch", "step-start", "step-finish", "retry", "compaction", "agent",
})  # fmt: skip
"""Parts that are nobody's words: what the program notes of itself."""


class OpenCodeMessages(GroupDialect):
    """One message a record: those of one session."""

    name = NAME
    lacks = "info and parts[]"

    def detect(self, record: Any) -> bool:
        """Whether a record is one message with its parts."""
        return _is_message(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The session that the message names, else its file."""
        return [id_text(found.record["info"].get("sessionID")) or found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a session."""
        return [Piece(_reading([found.record for found in records], {}))]


class OpenCodeExport(RecordDialect):
    """A whole session in one record."""

    name = NAME
    lacks = "info and messages[] of info and parts"

    def detect(self, record: Any) -> bool:
        """Whether a record is a session with its messages."""
        if not isinstance(record, dict) or not isinstance(record.get("info"), dict):
            return False
        listed = record.get("messages")
        return isinstance(listed, list) and bool(listed) and _is_message(listed[0])

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation of the record."""
        messages = [item for item in objects(record["messages"]) if _is_message(item)]
        return [Piece(_reading(messages, record["info"]))]


class OpenCodeRun(GroupDialect):
    """What a run prints: one part a record, those of one session."""

    name = NAME
    lacks = "sessionID and part"

    def detect(self, record: Any) -> bool:
        """Whether a record is one printed part."""
        if not isinstance(record, dict) or "sessionID" not in record:
            return False
        return word(one_object(record.get("part")).get("type")) is not None

    def keys(self, found: Found) -> Iterable[str]:
        """The session, in its file."""
        return [f"{found.local_path} {id_text(found.record['sessionID']) or ''}"]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a session: parts of one message are that message."""
        messages: dict[str, JsonObject] = {}
        for found in records:
            part, time = found.record["part"], {"created": found.record.get("timestamp")}
            name = id_text(part.get("messageID")) or "message"
            about = {"role": "assistant", "id": name, "time": time}
            messages.setdefault(name, {"info": about, "parts": []})["parts"].append(part)
        session = {"id": records[0].record["sessionID"]}
        return [Piece(_reading(list(messages.values()), session))]


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("parts"), list):
        return False
    return one_object(value.get("info")).get("role") in ROLES


def _reading(messages: Sequence[JsonObject], session: JsonObject) -> Reading | Refused:
    draft = Draft()
    last: JsonObject = {}
    told: list[Any] = []
    # An answer says what the model was told before it was asked.
    _tell_system(draft, _first_told(messages), told, 0)
    for position, message in enumerate(messages):
        about = message["info"]
        _tell_system(draft, about, told, position)
        if about["role"] == "user":
            pieces = [p for part in objects(message["parts"]) for p in _asked(draft, part)]
            if pieces:
                draft.add("user", pieces, source_index=position, at=_moment(about))
            continue
        last = about
        steps = list(_steps(objects(message["parts"])))
        for place, step in enumerate(steps):
            _add_step(draft, step, about, position, is_last=place == len(steps) - 1)
    if not any(turn.role != "system" for turn in draft.turns):
        return Refused(Reason.NO_MESSAGES, "a session without a message")
    draft.close()
    first = messages[0]["info"] if messages else {}
    frame = Frame(
        identity=Identity(
            session_id=id_text(session.get("id")) or id_text(first.get("sessionID")),
        ),
        routing=Routing(provider=word(last.get("providerID")), upstream_model=_model(last)),
        captured_at=_moment(first) or _moment(session),
    )
    end = end_of(draft.turns, failed=_failure(last))
    return session_reading(draft, frame, SessionParts(NAME, end=end))


def _tell_system(draft: Draft, about: JsonObject, told: list[Any], position: int) -> None:
    """What the model was told before all else, once until it changes."""
    found = about.get("system")
    if found and found not in told:
        told.append(found)
        pieces = loose_pieces(draft, found)
        draft.add("system", pieces, source_index=position)


def _first_told(messages: Iterable[JsonObject]) -> JsonObject:
    return next((one["info"] for one in messages if one["info"].get("system")), {})


def _steps(parts: Iterable[JsonObject]) -> Iterator[list[JsonObject]]:
    """The parts of each step of an answer; those of older sessions are not told apart."""
    step: list[JsonObject] = []
    for part in parts:
        if part.get("type") == "step-start" and step:
            yield step
            step = []
        step.append(part)
    if step:
        yield step


def _add_step(
    draft: Draft, step: Sequence[JsonObject], info: JsonObject, position: int, *, is_last: bool
) -> None:
    """One answer of the model as a turn, then every result as one."""
    pieces = [piece for part in step for piece in _said(draft, part)]
    read = _usage(step, info, is_last=is_last)
    about: dict[str, Any] = {
        "usage": read.usage if read else None,
        "model": _model(info),
        "id": word(info.get("id")),
    }
    at = _moment(info)
    about = {name: value for name, value in about.items() if value is not None}
    if not pieces and "usage" not in about:
        return
    turn = draft.add("assistant", pieces, source_index=position, at=at, **about)
    if read is not None and read.issue == "bad_usage":
        draft.note(read.issue, turn.index, None, read.detail)
    for part in step:
        result = _result(draft, part)
        if result is not None:
            draft.add("tool", [result], source_index=position, at=at)


def _usage(step: Sequence[JsonObject], info: JsonObject, *, is_last: bool) -> UsageRead | None:
    """What a step cost; where none says it the message does, at its last."""
    end = next((part for part in step if part.get("type") == "step-finish"), None)
    holder = end if end is not None else info if is_last else {}
    tokens = one_object(holder.get("tokens"))
    if not tokens:
        return None
    counts = {**tokens, **one_object(tokens.get("cache"))}
    read = inclusive_usage(counts, COUNTS, cost=holder.get("cost"))
    usage = read.usage
    if usage is None or usage.input_tokens is None:
        return read
    cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    # The input is told without what was cached.
    return UsageRead(usage.with_(input_tokens=usage.input_tokens + cached))


def _asked(draft: Draft, part: JsonObject) -> list[TurnPiece]:
    kind = word(part.get("type")) or "unknown"
    if kind == "file":
        return loose_pieces(draft, {**part, "mime_type": part.get("mime")})
    return _said(draft, part)


def _said(draft: Draft, part: JsonObject) -> list[TurnPiece]:
    """What a part says; what the program notes of itself is nothing."""
    kind = word(part.get("type")) or "unknown"
    text = word(part.get("text"))
    if kind in STATES:
        return []
    if kind == "text":
        return [Text(text=text)] if text else []
    if kind == "reasoning":
        return [Reasoning(text=text)] if text else []
    if kind == "tool":
        state = one_object(part.get("state"))
        return [CallFound(id_text(part.get("callID")), word(part.get("tool")), state.get("input"))]
    return [UnknownPart(source_type=kind, value=part)]


def _result(draft: Draft, part: JsonObject) -> ResultFound | None:
    """What came back of a call that has ended."""
    state = one_object(part.get("state"))
    status = state.get("status")
    if part.get("type") != "tool" or status not in ("completed", "error"):
        return None
    failed = status == "error"
    parts = result_parts(draft, state.get("error" if failed else "output"))
    raw_id, name = id_text(part.get("callID")), word(part.get("tool"))
    return ResultFound(raw_id, name, parts, failed=failed or None)


def _model(info: Mapping[str, Any]) -> str | None:
    return word(info.get("modelID")) or word(one_object(info.get("model")).get("modelID"))


def _failure(info: Mapping[str, Any]) -> str:
    """What the last answer failed with."""
    error = one_object(info.get("error"))
    said = word(one_object(error.get("data")).get("message"))
    return said or word(error.get("name")) or ""


def _moment(info: Mapping[str, Any]) -> str | None:
    moment = read_moment(one_object(info.get("time")).get("created"))
    return stamp(moment) if moment else None
