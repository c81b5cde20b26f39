"""Telemetry of OpenClaw: what its agents were told, what they called and what they sent.

One file holds every session of a gateway. A session that an agent starts is a conversation, a
helper's too. A tool may name its session by the channel that it serves: no agent starts under that
key, so it belongs to the session that the agent started last.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.openclaw_sessions import NAME, Session, reading_of
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Text, ToolResult

AGENT = frozenset({"agent.start", "agent.end", "system.prompt", "llm.input", "llm.usage"})
TOOL = frozenset({"tool.start", "tool.end"})
IN, OUT = "message.in", frozenset({"message.sending", "message.out"})
HELPER = ":subagent:"
"""Stands in the key of a session that another started."""
RECENT = 32
"""How many messages may have come in before the agent starts on one of them."""


class OpenClaw(GroupDialect):
    """The events of one file."""

    name = NAME
    lacks = "sessionKey and an event type such as agent.start"

    def detect(self, record: Any) -> bool:
        """Whether a record is an event of an agent, of its tools or of its channels."""
        if not isinstance(record, dict) or not isinstance(record.get("type"), str):
            return False
        kind = record["type"]
        if kind in AGENT:
            return "sessionKey" in record
        if kind in TOOL:
            return "toolName" in record and ("sessionKey" in record or "agentId" in record)
        return (kind == IN or kind in OUT) and "channel" in record and "content" in record

    def keys(self, found: Found) -> Iterable[str]:
        """The file: what is sent over a channel does not name its session."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every session of the file in the order of their starts: a helper after its parent."""
        gateway = _Gateway(_started(records))
        for at, found in enumerate(records):
            gateway.take(at, found)
        pieces: list[Piece] = []
        for session in gateway.all_sessions():
            result = reading_of(session)
            parent, call = _parent(session, pieces) if session.helper else (None, None)
            digests = [records[at].record_sha256 for at in session.events]
            pieces.append(
                Piece(
                    result,
                    at=session.events[0],
                    made_from=[session.name, digests],
                    parent=parent,
                    call_id=call,
                )
            )
        return pieces or [Piece(Refused(Reason.NOT_A_CAPTURE, "telemetry of no session"))]


def _started(records: Iterable[Found]) -> set[str]:
    """The keys under which an agent starts."""
    starts = (one.record for one in records if one.record.get("type") == "agent.start")
    return {key for start in starts if (key := word(start.get("sessionKey")))}


@dataclass(slots=True)
class _Gateway:
    """The sessions as events come in, and what was received that no agent was told yet."""

    started: set[str]
    sessions: dict[str, Session] = field(default_factory=dict)
    closed: list[Session] = field(default_factory=list)
    current: dict[str, str] = field(default_factory=dict)
    """The session that each agent started last, its helpers' aside."""
    received: list[tuple[int, JsonObject]] = field(default_factory=list)
    missed: list[tuple[int, JsonObject]] = field(default_factory=list)
    """What was received so long ago that no agent will start on it."""

    def take(self, at: int, found: Found) -> None:
        """Take in one event."""
        event = found.record
        kind = event["type"]
        if kind == IN:
            self.received.append((at, event))
            if len(self.received) > RECENT:
                self.missed.append(self.received.pop(0))
            return
        session = self._session_of(event)
        session.events.append(at)
        if kind == "agent.start":
            self._start(session, event)
        elif kind == "agent.end":
            session.finish(event)
        elif kind == "system.prompt":
            session.system = word(event.get("text")) or session.system
        elif kind == "tool.start":
            session.call(event)
        elif kind == "tool.end":
            session.called(event)
        elif kind in OUT:
            session.say(word(event.get("content")) or "")

    def all_sessions(self) -> list[Session]:
        """Every session, in the order of their starts; what was only received asks its own."""
        for at, event in (*self.missed, *self.received):
            session = self._session_of(event)
            session.events.append(at)
            session.ask(word(event.get("content")) or "")
        found = [*self.closed, *self.sessions.values()]
        return sorted(found, key=lambda session: session.events[0])

    def _start(self, session: Session, event: JsonObject) -> None:
        prompt = word(event.get("prompt")) or ""
        told = {at for at, one in self.received if (word(one.get("content")) or "") in prompt}
        self.received = [(at, one) for at, one in self.received if at not in told]
        session.events.extend(sorted(told))
        older = session.start(event, prompt)
        if older is not None:
            self.closed.append(older)
        if not session.helper:
            self.current[session.agent] = session.key
            self.current[""] = session.key

    def _session_of(self, event: Mapping[str, Any]) -> Session:
        """The session that an event names; one that names none is of the agent's last."""
        agent = word(event.get("agentId")) or ""
        key = word(event.get("sessionKey")) or ""
        if key not in self.started:
            key = self.current.get(agent) or key or agent
        if key not in self.sessions:
            self.sessions[key] = Session(key, agent, helper=HELPER in key)
        return self.sessions[key]


def _parent(session: Session, pieces: Sequence[Piece]) -> tuple[int | None, str | None]:
    """The place of the conversation, and its call, whose result names a helper's session."""
    for place, piece in enumerate(pieces):
        if not isinstance(piece.result, Reading):
            continue
        for turn in piece.result.conversation.turns:
            for part in turn.parts:
                if isinstance(part, ToolResult) and _names(part, session.key):
                    return place, part.call_id
    return None, None


def _names(result: ToolResult, key: str) -> bool:
    texts = (part.text for part in result.parts if isinstance(part, Text))
    return any(HELPER in text and key in text for text in texts)
