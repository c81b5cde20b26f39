"""Sessions of Anthropic's managed agents: the events that were sent and those that came back.

Lines are `["client.beta.sessions...", payload]` as a recorder writes them, or bare events. Every
sent event comes back in the stream: it is one event, the one of the stream, which has its time.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.anthropic_blocks import block_pieces
from benchmarks.intake.drafting.draft import CallFound, ResultFound
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.runs import Runs
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.tools import anthropic_tools
from benchmarks.intake.wires.usage import anthropic_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Reasoning, Stop, Text
from benchmarks.records.times import stamp

NAME = "anthropic_managed"
CLIENT = "client.beta.sessions"
SENT = frozenset({
    "user.message", "user.custom_tool_result", "user.tool_confirmation", "user.interrupt",
    "user.define_outcome",
})  # fmt: skip
TOLD = ("agent.", "session.", "span.model_request_")
CALLS = frozenset({"agent.tool_use", "agent.mcp_tool_use", "agent.custom_tool_use"})
RESULTS = frozenset({"agent.tool_result", "agent.mcp_tool_result", "user.custom_tool_result"})
CALL_KEYS = ("custom_tool_use_id", "mcp_tool_use_id", "tool_use_id")
STOPS = {"end_turn": "end", "retries_exhausted": "error"}
REFUSED = "the user refused the call"


class AnthropicManaged(GroupDialect):
    """The events of one file."""

    name = NAME
    lacks = "an event type such as agent.message"

    def detect(self, record: Any) -> bool:
        """Whether a record is an event, or a call of the client that sends or receives some."""
        if isinstance(record, list):
            return len(record) == 2 and str(record[0]).startswith(CLIENT)
        return isinstance(record, dict) and _is_event(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The file: events of the stream do not name their session."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of every session of a file; each begins where it is created."""
        for number, (start, own) in enumerate(_sessions([found.record for found in records])):
            name = key if number == 0 else f"{key} {number + 1}"
            digests = [found.record_sha256 for found in records[start : start + len(own)]]
            yield Piece(_read(name, own), at=start, made_from=digests)


def _is_event(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str):
        return False
    has_id = isinstance(record.get("id"), str) or "processed_at" in record
    return kind in SENT or (kind.startswith(TOLD) and has_id)


def _sessions(records: Sequence[Any]) -> Iterator[tuple[int, list[Any]]]:
    """The records of each session, with the place of its first."""
    start = 0
    for at, record in enumerate(records):
        if at > start and _created(record) is not None:
            yield start, list(records[start:at])
            start = at
    yield start, list(records[start:])


def _created(record: Any) -> JsonObject | None:
    """The session that a call of the client created or looked up."""
    payload = record[1] if isinstance(record, list) else None
    return payload if isinstance(payload, dict) and isinstance(payload.get("agent"), dict) else None


def _events(records: Iterable[Any]) -> list[JsonObject]:
    """Every event once, in order."""
    told: list[tuple[bool, JsonObject]] = []
    for record in records:
        payload = record[1] if isinstance(record, list) else record
        told += [(was_sent, event) for was_sent, event in _in_payload(payload)]
    came_back = Counter(_name(event) for was_sent, event in told if not was_sent)
    events: list[JsonObject] = []
    seen: set[str] = set()
    for was_sent, event in told:
        if was_sent and came_back[_name(event)] > 0:
            came_back[_name(event)] -= 1
            continue
        event_id = word(event.get("id"))
        if event_id is None or event_id not in seen:
            events.append(event)
        seen.add(event_id or "")
    return events


def _in_payload(payload: Any) -> Iterator[tuple[bool, JsonObject]]:
    """The events in what was sent or received, and whether they were sent."""
    if isinstance(payload, list):
        for item in payload:
            inner = item.get("events") if isinstance(item, dict) else None
            yield from ((True, event) for event in objects(inner))
    elif isinstance(payload, dict) and isinstance(payload.get("data"), list):
        yield from ((False, event) for event in objects(payload["data"]))
    elif isinstance(payload, dict) and isinstance(payload.get("events"), list):
        yield from ((True, event) for event in objects(payload["events"]))
    elif isinstance(payload, dict) and _is_event(payload):
        yield "processed_at" not in payload and "id" not in payload, payload


def _name(event: Mapping[str, Any]) -> str:
    """What an event that was sent and its copy in the stream have in common."""
    said = [event.get(key) for key in ("type", "content", "result", *CALL_KEYS)]
    return json.dumps(said, sort_keys=True, default=str)


@dataclass(slots=True)
class _Telling:
    """The session as far as its events have told it."""

    model: str | None
    runs: Runs = field(default_factory=Runs)
    stop: Stop = field(default_factory=lambda: Stop(reason="unknown"))
    failed: str = ""
    started_at: str | None = None
    answered: set[str] = field(default_factory=set)
    """The calls that a result tells of."""

    def take(self, event: JsonObject, position: int) -> None:
        """Go on with one event."""
        kind = str(event.get("type"))
        moment = read_moment(event.get("processed_at"))
        at = stamp(moment) if moment else None
        self.started_at = self.started_at or at
        about: dict[str, Any] = {"source_index": position, "at": at}
        if kind == "user.message":
            pieces = block_pieces(self.runs.draft, event.get("content"))
            self.runs.turn("user", pieces, id=word(event.get("id")), **about)
        elif kind in CALLS or kind in {"agent.message", "agent.thinking"}:
            self._say(kind, event, about)
        elif kind in RESULTS:
            self._result(event, about)
        elif kind == "user.tool_confirmation":
            self._confirmed(event, about)
        else:
            self._note(kind, event)

    def _say(self, kind: str, event: JsonObject, about: dict[str, Any]) -> None:
        if kind in CALLS:
            is_own = kind == "agent.custom_tool_use"
            call = CallFound(
                word(event.get("id")),
                word(event.get("name")),
                event.get("input"),
                executed_by=None if is_own else "provider",
                server=word(event.get("mcp_server_name")),
            )
            self.runs.say([call], model=self.model, **about)
        elif kind == "agent.thinking":
            texts = [word(event.get("thinking")), word(event.get("text"))]
            text = next((text for text in texts if text is not None), None)
            thought = Reasoning(text=text) if text else Reasoning(encrypted=True)
            self.runs.say([thought], model=self.model, **about)
        else:
            pieces = block_pieces(self.runs.draft, event.get("content"))
            self.runs.say(pieces, model=self.model, id=word(event.get("id")), **about)

    def _result(self, event: JsonObject, about: dict[str, Any]) -> None:
        block = {**event, "type": "tool_result", "tool_use_id": _call_id(event)}
        self.runs.turn("tool", block_pieces(self.runs.draft, [block]), **about)

    def _confirmed(self, event: JsonObject, about: dict[str, Any]) -> None:
        """The user's yes is no turn; a no is the call's result, unless one tells of it."""
        call_id = _call_id(event)
        if event.get("result") != "deny" or call_id in self.answered:
            return
        said = word(event.get("deny_message")) or REFUSED
        found = ResultFound(call_id, None, [Text(text=said)], failed=True)
        self.runs.turn("tool", [found], **about)

    def _note(self, kind: str, event: JsonObject) -> None:
        if kind == "span.model_request_start":
            self.runs.pause()
            self.failed = ""
        elif kind == "span.model_request_end":
            self.runs.note(usage=anthropic_usage(event.get("model_usage")).usage)
            self.failed = "the model request failed" if event.get("is_error") is True else ""
        elif kind == "session.status_idle":
            reason = event.get("stop_reason")
            raw = word(reason.get("type")) if isinstance(reason, dict) else None
            self.stop = Stop(reason=STOPS.get(raw or "", "unknown"), raw=raw)
        elif kind == "session.error":
            error = event.get("error")
            told = word(error.get("message")) if isinstance(error, dict) else None
            self.failed = told or "session.error"


def _call_id(event: Mapping[str, Any]) -> str | None:
    return next((found for key in CALL_KEYS if (found := word(event.get(key)))), None)


def _read(key: str, records: Sequence[Any]) -> Reading | Refused:
    session = next((found for one in records if (found := _created(one)) is not None), {})
    agent = session.get("agent")
    agent = agent if isinstance(agent, dict) else {}
    model = agent.get("model")
    model = word(model.get("id")) if isinstance(model, dict) else word(model)
    events = _events(records)
    told = _Telling(model)
    told.answered = {_call_id(one) or "" for one in events if word(one.get("type")) in RESULTS}
    told.runs.turn("system", block_pieces(told.runs.draft, agent.get("system")))
    for position, event in enumerate(events):
        told.take(event, position)
    told.runs.pause()
    draft = told.runs.draft
    session_id = word(session.get("id")) or _named(records)
    if not any(turn.role != "system" for turn in draft.turns):
        return Refused(Reason.NOT_A_CAPTURE, f"session {session_id or key} holds no message")
    draft.close()
    parts = SessionParts(
        NAME,
        end=end_of(draft.turns, failed=told.failed),
        tools=anthropic_tools(agent),
        stop=told.stop,
    )
    frame = Frame(
        identity=Identity(session_id=session_id),
        routing=Routing(provider="anthropic", requested_model=model, upstream_model=model),
        captured_at=told.started_at,
        capture_id=session_id or key,
    )
    return session_reading(draft, frame, parts)


def _named(records: Iterable[Any]) -> str | None:
    """The session that sent events name."""
    for record in records:
        payload = record[1] if isinstance(record, list) else record
        if isinstance(payload, list) and payload and word(payload[0]) is not None:
            return word(payload[0])
        if isinstance(payload, dict) and word(payload.get("session_id")) is not None:
            return word(payload["session_id"])
    return None
