"""Rollouts of Codex: `{timestamp, type, payload}` lines, one file a session.

The items of the Responses API tell the conversation; events repeat it and are read only for what
no item says. A running total of tokens is told again and again: the last one counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.codex_items import (
    call_id,
    call_of,
    is_call,
    is_item,
    is_output,
    reasoning_of,
    result_of,
    said_in,
    typed_in,
    unknown_of,
)
from benchmarks.intake.drafting.draft import CallFound, Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.runs import Runs
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import number, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.session_usage import codex_usage
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Reasoning, Text
from benchmarks.records.times import stamp

NAME = "codex"
KINDS = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
EVENT_CALLS = ("tool_call", "mcp_tool_call_end", "exec_command_end")
"""Events that are calls where no item of their id is."""
ERRORS = frozenset({"error", "stream_error", "turn_aborted"})


class Codex(GroupDialect):
    """The lines of one rollout file."""

    name = NAME
    lacks = "type and payload"

    def detect(self, record: Any) -> bool:
        """Whether a record is a line of a rollout, or an item of one from before there were any."""
        if not isinstance(record, dict):
            return False
        if "payload" in record:
            return word(record.get("type")) in KINDS
        return is_item(record) or _is_old_note(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The file: only its first line names the session."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a session."""
        session = _Session(key)
        lines = [_unpacked(found.record) for found in records]
        session.look_at(lines)
        for at, line in _kept(lines):
            session.take(at, line)
        return [Piece(session.reading())]


def _is_old_note(record: Mapping[str, Any]) -> bool:
    """Whether a record heads an old rollout, or notes its state."""
    if record.get("record_type") == "state":
        return True
    return record.keys() - {"git"} == {"id", "timestamp", "instructions"}


def _unpacked(record: JsonObject) -> JsonObject:
    """A line of a new rollout, whatever version wrote it."""
    if "payload" in record:
        return record
    if is_item(record):
        return {"type": "response_item", "payload": record}
    return {**record, "type": "session_meta", "payload": record}


def _kept(lines: Iterable[JsonObject]) -> list[tuple[int, JsonObject]]:
    """The lines with their places, without the turns that the user took back.

    What these cost was spent.
    """
    kept: list[tuple[int, JsonObject]] = []
    turns: list[int] = []
    for at, line in enumerate(lines):
        payload = line.get("payload")
        payload = payload if isinstance(payload, dict) else {}
        if payload.get("type") == "thread_rolled_back":
            taken = number(payload.get("num_turns"))
            back = min(int(taken or 0), len(turns))
            if back > 0:
                gone = kept[turns[-back] :]
                del kept[turns[-back] :], turns[-back:]
                kept += [one for one in gone if _is_count(one[1])]
            continue
        is_user = line.get("type") == "response_item" and payload.get("role") == "user"
        if is_user and typed_in(Draft(), payload):
            turns.append(len(kept))
        kept.append((at, line))
    return kept


def _is_count(line: JsonObject) -> bool:
    payload = line.get("payload")
    return isinstance(payload, dict) and payload.get("type") == "token_count"


@dataclass(slots=True)
class _Session:
    """What is known of a session so far."""

    key: str
    runs: Runs = field(default_factory=Runs)
    meta: JsonObject = field(default_factory=dict)
    model: str | None = None
    started_at: str | None = None
    failed: str = ""
    usage: UsageRead = field(default_factory=lambda: UsageRead(None))
    totals: list[Any] = field(default_factory=list)
    spoken: set[str] = field(default_factory=set)
    """The roles whose words stand in items."""
    called: set[str] = field(default_factory=set)
    """The ids of the calls that are items."""

    def look_at(self, lines: Iterable[JsonObject]) -> None:
        """What items say, so that no event says it again."""
        for line in lines:
            item = line.get("payload")
            if line.get("type") != "response_item" or not isinstance(item, dict):
                continue
            if item.get("type") == "message":
                self.spoken.add(str(item.get("role")))
            elif is_call(item):
                self.called.add(call_id(item) or "")
            elif item.get("type") == "reasoning":
                self.spoken.add("reasoning")

    def take(self, at: int, line: JsonObject) -> None:
        """Go on with one line."""
        payload = line.get("payload")
        if not isinstance(payload, dict):
            return
        moment = read_moment(line.get("timestamp"))
        about: dict[str, Any] = {"source_index": at, "at": stamp(moment) if moment else None}
        kind = word(line.get("type"))
        if kind == "session_meta":
            self._start(payload, about)
        elif kind == "turn_context":
            self.model = word(payload.get("model")) or self.model
        elif kind == "response_item":
            self._item(payload, about)
        elif kind == "event_msg":
            self._event(payload, about)
        self.started_at = self.started_at or about["at"]

    def _start(self, meta: JsonObject, about: dict[str, Any]) -> None:
        if self.meta:
            return
        self.meta = meta
        base = meta.get("base_instructions")
        text = base.get("text") if isinstance(base, dict) else base
        text = text or meta.get("instructions")
        if isinstance(text, str) and text.strip():
            self.runs.turn("system", [Text(text=text)], **about)

    def _item(self, item: JsonObject, about: dict[str, Any]) -> None:
        kind = word(item.get("type"))
        if kind == "message":
            self._message(item, about)
        elif kind == "reasoning":
            self.runs.say(reasoning_of(item), model=self.model, **about)
        elif is_call(item):
            self.runs.say([call_of(item)], model=self.model, **about)
        elif is_output(item):
            self._result(call_id(item), None, item.get("output"), about)
        else:
            self.runs.say(unknown_of(item), model=self.model, **about)

    def _message(self, item: JsonObject, about: dict[str, Any]) -> None:
        role = word(item.get("role"))
        draft = self.runs.draft
        if role == "assistant":
            self.failed = ""
            self.runs.say(said_in(draft, item), model=self.model, id=word(item.get("id")), **about)
        elif role in {"function", "tool"}:
            raw_id = word(item.get("call_id")) or word(item.get("tool_call_id"))
            self._result(raw_id, word(item.get("name")), item.get("content"), about)
        elif role in {"system", "developer"}:
            self.runs.turn("system", said_in(draft, item), **about)
        else:
            pieces = typed_in(draft, item)
            if pieces:
                self.runs.turn("user", pieces, **about)

    def _result(
        self, raw_id: str | None, name: str | None, output: Any, about: dict[str, Any]
    ) -> None:
        # The call has to be open before its result is joined to it.
        self.runs.turn("tool", [result_of(self.runs.draft, raw_id, name, output)], **about)

    def _event(self, event: JsonObject, about: dict[str, Any]) -> None:
        kind = word(event.get("type"))
        if kind == "token_count":
            self._count(event)
        elif kind == "user_message" and "user" not in self.spoken:
            self.runs.turn("user", typed_in(self.runs.draft, _as_message(event)), **about)
        elif kind == "agent_message" and "assistant" not in self.spoken:
            self.runs.say([Text(text=text) for text in _text(event, "message")], **about)
        elif kind == "agent_reasoning" and "reasoning" not in self.spoken:
            self.runs.say([Reasoning(text=text) for text in _text(event, "text")], **about)
        elif kind in EVENT_CALLS and (call_id(event) or "") not in self.called:
            self._event_call(event, about)
        elif kind in ERRORS:
            self.failed = next(iter(_text(event, "message")), "") or str(kind)

    def _event_call(self, event: JsonObject, about: dict[str, Any]) -> None:
        """A call that only an event tells of, and its result where the event has one."""
        inner = event.get("invocation")
        told = inner if isinstance(inner, dict) else event
        name = word(told.get("tool")) or word(told.get("name")) or word(told.get("tool_name"))
        if name is None and event.get("type") == "exec_command_end":
            name = "shell"
        arguments = _first(told, ("arguments", "input", "params"))
        if arguments is None and "command" in told:
            arguments = {"command": told["command"]}
        server = word(told.get("server"))
        call = CallFound(call_id(event), name, arguments, server=server)
        self.runs.say([call], model=self.model, **about)
        output = _first(event, ("output", "result", "aggregated_output", "formatted_output"))
        if isinstance(output, dict) and output.keys() & {"Ok", "Err"}:
            found = result_of(self.runs.draft, call.raw_id, name, _first(output, ("Ok", "Err")))
            self.runs.turn("tool", [replace(found, failed="Err" in output or None)], **about)
        elif output is not None:
            self._result(call.raw_id, name, output, about)

    def _count(self, event: JsonObject) -> None:
        info = event.get("info")
        total = info.get("total_token_usage") if isinstance(info, dict) else None
        if total is not None and (not self.totals or self.totals[-1] != total):
            self.totals.append(total)
            self.usage = codex_usage(total)

    def reading(self) -> Reading | Refused:
        """The conversation that all lines together are."""
        self.runs.pause()
        draft = self.runs.draft
        session = word(self.meta.get("id"))
        if not any(turn.role != "system" for turn in draft.turns):
            return Refused(Reason.NOT_A_CAPTURE, f"session {session or self.key} holds no message")
        draft.close()
        if self.usage.issue:
            draft.note(self.usage.issue, None, None, self.usage.detail)
        usage = self.usage.usage
        frame = Frame(
            identity=Identity(session_id=session),
            routing=Routing(
                provider=word(self.meta.get("model_provider")),
                requested_model=self.model,
                upstream_model=self.model,
            ),
            captured_at=self.started_at,
            capture_id=session or self.key,
        )
        parts = SessionParts(NAME, end=end_of(draft.turns, failed=self.failed))
        found = session_reading(draft, frame, parts)
        usage = usage.with_(calls=len(self.totals)) if usage is not None else None
        return replace(found, conversation=found.conversation.with_(usage=usage))


def _as_message(event: Mapping[str, Any]) -> JsonObject:
    return {"content": "\n".join(_text(event, "message"))}


def _text(event: Mapping[str, Any], key: str) -> list[str]:
    text = word(event.get(key))
    return [text] if text is not None else []


def _first(found: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((found[key] for key in keys if found.get(key) is not None), None)
