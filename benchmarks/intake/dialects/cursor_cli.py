"""Cursor's command line: what an agent prints, one event a line; calls are events of their own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.draft import CallFound, ResultFound
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.runs import Runs
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.times import stamp

NAME = "cursor_cli"
OTHERS_KEYS = ("uuid", "parent_tool_use_id", "tools", "num_turns", "total_cost_usd")
"""What lines of another agent hold whose events are called alike."""
SPOKEN = ("user", "assistant")
CALL_END = "ToolCall"
FAILED = ("error", "rejected", "failure")


class CursorCli(GroupDialect):
    """The events of one session."""

    name = NAME
    lacks = "session_id and tool_call"

    def detect(self, record: Any) -> bool:
        """Whether a record is one event."""
        if not isinstance(record, dict) or "session_id" not in record:
            return False
        if any(key in record for key in OTHERS_KEYS):
            return False
        kind = record.get("type")
        if kind == "tool_call":
            return isinstance(record.get("tool_call"), dict)
        if kind in SPOKEN:
            return isinstance(one_object(record.get("message")).get("content"), list)
        if kind == "result":
            return "is_error" in record
        return kind == "system" and "apiKeySource" in record and "permissionMode" in record

    def keys(self, found: Found) -> Iterable[str]:
        """The file and the session."""
        return [f"{found.local_path} {id_text(found.record['session_id']) or ''}"]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a session."""
        return [Piece(_reading([found.record for found in records]))]


def _reading(events: Sequence[JsonObject]) -> Reading | Refused:
    runs = Runs()
    head: JsonObject = next((one for one in events if one.get("type") == "system"), {})
    model = word(head.get("model"))
    done = {id_text(one.get("call_id")) for one in events if one.get("subtype") == "completed"}
    for at, event in enumerate(events):
        about: dict[str, Any] = {"source_index": at, "at": _moment(event)}
        if event.get("type") == "tool_call":
            _act(runs, event, done, {**about, "model": model})
        elif event.get("type") in SPOKEN:
            pieces = loose_pieces(runs.draft, one_object(event.get("message")).get("content"))
            if event["type"] == "user":
                runs.turn("user", pieces, **about)
            else:
                runs.say(pieces, **about, model=model)
    runs.pause()
    if not runs.draft.turns:
        return Refused(Reason.NO_MESSAGES, "a session without a message")
    runs.draft.close()
    frame = Frame(
        identity=Identity(session_id=id_text(events[0].get("session_id"))),
        routing=Routing(requested_model=model, upstream_model=model),
        captured_at=next((turn.at for turn in runs.draft.turns if turn.at), None),
    )
    last = events[-1]
    failed = word(last.get("result")) or "the run failed" if last.get("is_error") is True else ""
    end = end_of(runs.draft.turns, failed=failed)
    return session_reading(runs.draft, frame, SessionParts(NAME, end=end))


def _act(runs: Runs, event: JsonObject, done: set[str | None], about: dict[str, Any]) -> None:
    """One call: told when it starts and when it is done, and once here."""
    call_id = id_text(event.get("call_id"))
    is_done = event.get("subtype") == "completed"
    if not is_done and call_id in done:
        return
    kind, inner = next(
        ((key, one_object(value)) for key, value in event["tool_call"].items()), ("", {})
    )
    name = word(inner.get("name")) or kind.removesuffix(CALL_END) or None
    given = inner.get("arguments") if "arguments" in inner else inner.get("args")
    runs.say([CallFound(call_id, name, given)], **about)
    if not is_done:
        return
    found = inner.get("result")
    state, value = next(iter(found.items()), ("", None)) if isinstance(found, dict) else ("", found)
    parts = result_parts(runs.draft, value)
    result = ResultFound(call_id, name, parts, failed=state in FAILED or None)
    runs.turn("tool", [result], source_index=about["source_index"], at=about["at"])


def _moment(event: Mapping[str, Any]) -> str | None:
    moment = read_moment(event.get("timestamp_ms"))
    return stamp(moment) if moment else None
