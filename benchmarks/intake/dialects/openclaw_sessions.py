"""One session of OpenClaw: the history that its agent is given, and what happens after it.

The history is told again at each start, whole or only what is new. What happened since the last
telling is told by events alone: the prompt, calls without their results, and what was sent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.intake.dialects.messages import usage_said
from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound, Role
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_messages import add_loose_message, said_by
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Text
from benchmarks.records.times import stamp

NAME = "openclaw"


@dataclass(slots=True)
class Session:
    """What is known of one session up to an event."""

    key: str
    agent: str
    helper: bool
    part: int = 1
    """Counts up when the session begins anew under its key."""
    events: list[int] = field(default_factory=list)
    system: str = ""
    history: list[JsonObject] = field(default_factory=list)
    since: list[tuple[Role, list[Piece]]] = field(default_factory=list)
    """Who did what after the history: a user asks, an assistant calls and says, a tool answers."""
    calling: bool = False
    """Whether the last that happened is a call that is not through: the next is beside it."""
    failed: str = ""

    @property
    def name(self) -> str:
        """What its conversation is known by."""
        return self.key if self.part == 1 else f"{self.key} {self.part}"

    def start(self, event: JsonObject, prompt: str) -> "Session | None":
        """The agent starts on a prompt; the session as it was, where its history is another now."""
        older = self._tell(event, prompt)
        self.failed = ""
        self.ask(prompt)
        return older

    def ask(self, prompt: str) -> None:
        """A user, or the program in his place, asks; a start is told twice."""
        if prompt and not self._ends_in("user", prompt):
            self._add("user", Text(text=prompt))

    def say(self, text: str) -> None:
        """The agent sends an answer; what is about to be sent and was sent is told apart."""
        if text and not self._ends_in("assistant", text):
            self._add("assistant", Text(text=text))

    def call(self, event: JsonObject) -> None:
        """The agent calls a tool."""
        found = CallFound(
            word(event.get("toolCallId")), word(event.get("toolName")), event.get("params")
        )
        if self.calling:
            self.since[-1][1].append(found)
        else:
            self._add("assistant", found)
        self.calling = True

    def called(self, event: JsonObject) -> None:
        """A tool is through: only what went wrong is told of what came back."""
        self.calling = False
        error = event.get("error")
        failed = event.get("success") is False or bool(error)
        parts = result_parts(Draft(), error if failed else event.get("result"))
        if parts or failed:
            ids = word(event.get("toolCallId")), word(event.get("toolName"))
            self._add("tool", ResultFound(*ids, parts, failed=failed or None))

    def finish(self, event: JsonObject) -> None:
        """The agent is through."""
        if event.get("success") is False:
            self.failed = word(event.get("error")) or "the agent failed"
        grown = self._told(event)
        if grown is not None and self._goes_on(grown):
            self._grow(grown)

    def _add(self, role: Role, piece: Piece) -> None:
        self.since.append((role, [piece]))
        self.calling = False

    def _tell(self, event: JsonObject, prompt: str) -> "Session | None":
        told = self._told(event)
        if told is None or told == self.history:
            return None
        if self._goes_on(told):
            self._grow(told)
            return None
        if self._ends_in("user", prompt):
            self.since.pop()
        older = replace(self, events=self.events[:-1])
        self.part += 1
        self.events = self.events[-1:]
        self._grow(told)
        return older if older.history or older.since else None

    def _told(self, event: JsonObject) -> list[JsonObject] | None:
        """The history as an event tells it; None where it tells none."""
        if isinstance(event.get("messages"), list):
            return objects(event["messages"])
        if not isinstance(event.get("newMessages"), list):
            return None
        new = objects(event["newMessages"])
        return new if event.get("contextReset") is True else [*self.history, *new]

    def _goes_on(self, told: Sequence[JsonObject]) -> bool:
        count = len(self.history)
        return len(told) > count and [*told[:count]] == self.history

    def _grow(self, told: list[JsonObject]) -> None:
        """The history took in what had happened since."""
        self.history = told
        self.since = []
        self.calling = False

    def _ends_in(self, role: str, text: str) -> bool:
        """Whether the last that was said is a text of somebody."""
        if self.since:
            return self.since[-1] == (role, [Text(text=text)])
        if not self.history:
            return False
        who, said = said_by(self.history[-1])
        parts = loose_pieces(Draft(), said)
        return who == role and [one.text for one in parts if isinstance(one, Text)] == [text]


def reading_of(session: Session) -> Reading | Refused:
    """The conversation of a session, or why there is none."""
    draft = Draft()
    if session.system:
        draft.add("system", [Text(text=session.system)])
    for position, message in enumerate(session.history):
        _add_message(draft, message, position, session)
    about: dict[str, Any] = {"agent": session.key} if session.helper else {}
    for role, pieces in session.since:
        draft.add(role, pieces, **about)
    draft.close()
    roles = {turn.role for turn in draft.turns}
    if "assistant" not in roles:
        why = Reason.NO_RESPONSE if "user" in roles else Reason.NO_MESSAGES
        return Refused(why, f"session {session.key}: no answer")
    parts = SessionParts(NAME, end=end_of(draft.turns, failed=session.failed))
    return session_reading(draft, _frame(session, draft), parts)


def _add_message(draft: Draft, message: JsonObject, position: int, session: Session) -> None:
    found = unwrapped(message)
    about: dict[str, Any] = {"agent": session.key} if session.helper else {}
    moment = read_moment(found.get("timestamp"))
    if moment is not None:
        about["at"] = stamp(moment)
    usage = usage_said(found)
    if usage is not None:
        about["usage"] = usage
    model = word(found.get("responseModel")) or word(found.get("model"))
    if model is not None:
        about["model"] = model
    add_loose_message(draft, found, source_index=position, **about)


def _frame(session: Session, draft: Draft) -> Frame:
    model = next((turn.model for turn in draft.turns if turn.model is not None), None)
    providers = (word(message.get("provider")) for message in session.history)
    return Frame(
        identity=Identity(session_id=session.key or None),
        routing=Routing(
            provider=next(filter(None, providers), None),
            requested_model=model,
            upstream_model=model,
        ),
        captured_at=next((turn.at for turn in draft.turns if turn.at is not None), None),
        capture_id=session.name or None,
    )
