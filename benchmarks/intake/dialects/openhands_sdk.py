"""The OpenHands SDK: the events of a conversation, a file for each, or in one list.

Every event names its `kind`. Actions of one answer of the model share the answer's id and are one
turn; results name the call. What an answer cost stands in the state beside the events.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.dialects.openhands import LIMIT_WORDS, outcome_said
from benchmarks.intake.dialects.openhands_sdk_events import (
    asked_in,
    outside_call,
    outside_result,
    result_in,
    said_in,
    system_in,
    tools_in,
    usage_by_answer,
)
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of, role_by_name
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.rows import holds_rows
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Tool
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Role as ToolRole

NAME = "openhands_sdk"
SOURCES = frozenset({"user", "agent", "environment", "hook"})
OTHER_KINDS = frozenset({"UserRejectObservation", "Condensation", "CondensationRequest"})
"""Kinds of events whose names do not end in the word."""
RESULTS = frozenset({"ObservationEvent", "UserRejectObservation", "AgentErrorEvent"})
ACTIONS = frozenset({"ActionEvent", "NonExecutableActionEvent"})
LIMIT_KIND = "ConversationIterationLimitEvent"
FINISH = "FinishAction"
LIST_KEYS = ("history", "items", "events")
"""Where one record holds all events: an evaluation's line, a page of the server, an export."""
ONE_EVENT = re.compile(r"(?:(.*)/)?events/[^/]+\.json|(?:(.*)/)?event-\d+[^/]*\.json")
"""The path of a file that holds one event, up to the conversation that it is of."""


class OpenHandsSdkEvents(GroupDialect):
    """Events, one a record, and the state beside them: those of one conversation's folder."""

    name = NAME
    lacks = "kind and source"

    def detect(self, record: Any) -> bool:
        """Whether a record is one event, or the state of a conversation."""
        return _is_event(record) or _is_state(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The folder of the conversation; for a file of many events the file."""
        path = found.local_path
        if _is_state(found.record):
            return [f"{path.rpartition('/')[0]}/"]
        alone = ONE_EVENT.fullmatch(path)
        return [f"{alone[1] or alone[2] or ''}/"] if alone else [path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a folder or of a file."""
        events = [found.record for found in records if not _is_state(found.record)]
        states = [found.record for found in records if _is_state(found.record)]
        if not events:
            return [Piece(Refused(Reason.NOT_A_CAPTURE, "a conversation's state without events"))]
        return [Piece(_reading(events, states[-1] if states else {}))]


class OpenHandsSdkList(RecordDialect):
    """All events of a conversation in one record: an evaluation's line, or a page of a server."""

    name = NAME
    lacks = "history[] of kind and source"

    def detect(self, record: Any) -> bool:
        """Whether a record holds a list of events."""
        return not _is_event(record) and holds_rows(record, _is_event, LIST_KEYS)

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation of the record."""
        events = next(
            listed
            for key in LIST_KEYS
            if (listed := objects(record.get(key))) and _is_event(listed[0])
        )
        return [Piece(_reading(events, record))]


def _is_event(value: Any) -> bool:
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or not (kind.endswith("Event") or kind in OTHER_KINDS):
        return False
    return word(value.get("source")) in SOURCES


def _is_state(value: Any) -> bool:
    if not isinstance(value, dict) or "execution_status" not in value or "kind" in value:
        return False
    return isinstance(value.get("agent"), dict) and "stats" in value


def _reading(events: Sequence[JsonObject], around: JsonObject) -> Reading | Refused:
    """The conversation of some events, with what stands around them."""
    session = _Session(list(_distinct(events)), around)
    for position, event in enumerate(session.events):
        session.add(event, position)
    draft = session.draft
    if not any(turn.role != "system" for turn in draft.turns):
        return Refused(Reason.NO_MESSAGES, "events of the program's own state only")
    draft.close()
    return session.reading()


def _distinct(events: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """The events, one that was written twice once."""
    seen: set[str] = set()
    for event in events:
        event_id = id_text(event.get("id"))
        if event_id is None or event_id not in seen:
            yield event
        if event_id is not None:
            seen.add(event_id)


def _moment(event: Mapping[str, Any]) -> str | None:
    moment = read_moment(event.get("timestamp"))
    return stamp(moment) if moment else None


class _Session:
    """Events in order, becoming turns."""

    def __init__(self, events: Sequence[JsonObject], around: JsonObject) -> None:
        self.events = events
        self.around = around
        self.draft = Draft()
        self.tools: list[Tool] = []
        self.model: str | None = None
        self.failed = ""
        self.limit = ""
        self.finish: str | None = None
        """The name of the call that ended the conversation."""
        self.together = _by_answer(events)
        self.outside = {word(event.get("tool_call_id")): event for event in _outside(events)}
        self.spent = _spent(events, around)
        self.told: set[str] = set()
        """The answers that are a turn already."""

    def add(self, event: JsonObject, position: int) -> None:
        """Take in one event; one of the program's own state is no turn."""
        kind = word(event.get("kind")) or ""
        about: dict[str, Any] = {"source_index": position, "at": _moment(event)}
        if kind == "SystemPromptEvent":
            self.tools += tools_in(event, self._called())
            self._say("system", system_in(self.draft, event), about)
        elif kind == "MessageEvent":
            self._message(event, about)
        elif kind in ACTIONS:
            self._act(event, about)
        elif kind in RESULTS:
            self.draft.add("tool", [result_in(self.draft, event)], **about)
        elif kind == "ACPToolCallEvent":
            self._act_outside(event, about)
        elif kind == "ConversationErrorEvent" or kind == LIMIT_KIND:
            self._break(event, kind)

    def _called(self) -> Iterator[str]:
        """The names of the tools that were called."""
        return (name for event in self.events if (name := word(event.get("tool_name"))))

    def _say(self, role: Any, pieces: Sequence[Any], about: dict[str, Any]) -> None:
        if pieces:
            self.draft.add(role, pieces, **about)

    def _message(self, event: JsonObject, about: dict[str, Any]) -> None:
        pieces = said_in(self.draft, event)
        is_agent = event.get("source") == "agent"
        if is_agent:
            self.failed = self.limit = ""
            about |= self._cost(word(event.get("llm_response_id")))
        self._say("assistant" if is_agent else "user", pieces, about)

    def _act(self, event: JsonObject, about: dict[str, Any]) -> None:
        answer_id = word(event.get("llm_response_id"))
        action = one_object(event.get("action"))
        if action.get("kind") == FINISH:
            self.finish = word(event.get("tool_name"))
        if answer_id in self.told:
            return
        self.failed = self.limit = ""
        events = self.together[answer_id] if answer_id is not None else [event]
        if answer_id is not None:
            self.told.add(answer_id)
        about |= self._cost(answer_id)
        self._say("assistant", asked_in(self.draft, events), about)

    def _act_outside(self, event: JsonObject, about: dict[str, Any]) -> None:
        """A call of another agent's server: told when it starts, and again as it goes on."""
        raw_id = word(event.get("tool_call_id"))
        name = f"outside {raw_id}"
        if raw_id is None or name in self.told:
            return
        self.told.add(name)
        last = self.outside[raw_id]
        self.draft.add("assistant", [outside_call(last)], **about)
        found = outside_result(self.draft, last)
        if found is not None:
            self.draft.add("tool", [found], **about)

    def _cost(self, answer_id: str | None) -> dict[str, Any]:
        """What an answer cost, once, and which model gave it."""
        usage, model = self.spent.pop(answer_id or "", (None, None))
        self.model = model or self.model
        found = {"id": answer_id, "usage": usage, "model": model}
        return {name: value for name, value in found.items() if value is not None}

    def _break(self, event: JsonObject, kind: str) -> None:
        said = [word(event.get("code")), word(event.get("detail"))]
        text = ": ".join(part for part in said if part) or kind
        plain = text.lower().replace("iterationsreached", " iterations reached")
        is_limit = kind == LIMIT_KIND or any(words in plain for words in LIMIT_WORDS)
        self.limit = text if is_limit else self.limit
        self.failed = text

    def reading(self) -> Reading:
        """The conversation that all events together are."""
        failure = word(self.around.get("error")) or self.failed
        is_limit = any(words in failure.lower() for words in LIMIT_WORDS)
        end = end_of(
            self.draft.turns,
            limit=self.limit or (failure if is_limit else ""),
            failed=failure,
            role_of=lambda name: ToolRole.FINISH if name == self.finish else role_by_name(name),
        )
        frame = Frame(
            identity=Identity(
                task_id=id_text(self.around.get("instance_id")),
                session_id=id_text(self.around.get("id")),
            ),
            routing=Routing(requested_model=self._asked_model(), upstream_model=self.model),
            captured_at=next((at for event in self.events if (at := _moment(event))), None),
        )
        outcome = outcome_said(self.around, failure) if "instance_id" in self.around else None
        parts = SessionParts(dialect=NAME, end=end, tools=self.tools, outcome=outcome)
        return session_reading(self.draft, frame, parts)

    def _asked_model(self) -> str | None:
        holders = (one_object(self.around.get("agent")), one_object(self.around.get("metadata")))
        found = (word(one_object(holder.get("llm")).get("model")) for holder in holders)
        return next((model for model in found if model), None)


def _by_answer(events: Iterable[JsonObject]) -> dict[str, list[JsonObject]]:
    """The actions that one answer of the model made, by its id."""
    found: dict[str, list[JsonObject]] = {}
    for event in events:
        answer_id = word(event.get("llm_response_id"))
        if word(event.get("kind")) in ACTIONS and answer_id is not None:
            found.setdefault(answer_id, []).append(event)
    return found


def _outside(events: Iterable[JsonObject]) -> Iterator[JsonObject]:
    return (event for event in events if event.get("kind") == "ACPToolCallEvent")


def _spent(
    events: Iterable[JsonObject], around: Mapping[str, Any]
) -> dict[str, tuple[Usage, str | None]]:
    """What each answer cost: as an event of the state says it, else the state or the metrics."""
    found = {**usage_by_answer(around.get("metrics")), **usage_by_answer(around.get("stats"))}
    for event in events:
        if event.get("kind") == "ConversationStateUpdateEvent":
            value = event.get("value")
            held = value if event.get("key") == "stats" else one_object(value).get("stats")
            found |= usage_by_answer(held)
    return found
