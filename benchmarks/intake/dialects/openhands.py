"""OpenHands: the events of one session, or the `history` of one line of an evaluation.

An action is a call and the observation that names it as its cause is the result. The model's own
answer stands in `tool_call_metadata`, once at each of its actions and once at each observation of
them: it makes one turn and is paid once. Ids have gaps, so order is the order of the events.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.drafting.chat import add_message, content_parts
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound, Role
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of, role_by_name
from benchmarks.intake.drafting.media import data_url_media
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, number, objects, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.intake.wires.usage import chat_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Outcome, Text, Tool
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Role as ToolRole

NAME = "openhands"
STATES = frozenset({
    "recall", "null", "agent_state_changed", "change_agent_state", "condensation",
    "condensation_request", "initialize", "start", "server_ready", "loop_detection_recovery",
})  # fmt: skip
"""Actions and observations that are no turns: what the program does with itself."""
SOURCES = ("user", "agent", "environment")
NOT_ARGUMENTS = frozenset({"thought"})
LIMIT_WORDS = ("maximum iteration", "max iteration", "maximum budget", "max budget")
FAILED_KINDS = frozenset({"error", "user_rejected"})
ONE_EVENT = re.compile(r"(?:.*/)?events/\d+\.json")
"""The path of a file that holds one event, on one line or on many."""
STILL_RUNNING = -1
"""The exit code of a command that has not ended."""


class OpenHandsEvents(GroupDialect):
    """Events, one a record: those of one file, or of a folder with a file for each."""

    name = NAME
    lacks = "source and action or observation"

    def detect(self, record: Any) -> bool:
        """Whether a record is one event."""
        return _is_event(record) and "id" in record

    def keys(self, found: Found) -> Iterable[str]:
        """The file; for a file that is one event its folder."""
        is_alone = found.pointer.endswith("#") or ONE_EVENT.fullmatch(found.local_path)
        return [_folder(found.local_path) if is_alone else found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The sessions of a file: ids that start anew start another."""
        ordered = list(enumerate(records))
        if key.endswith("/"):
            ordered.sort(key=lambda item: _order(item[1].record))
        for session in _sessions(ordered):
            result = _read_events([found.record for _, found in session], {})
            digests = [found.record_sha256 for _, found in session]
            yield Piece(result, at=session[0][0], made_from=digests)


class OpenHandsOutput(RecordDialect):
    """One line of an evaluation's output, with the events of its session inside."""

    name = NAME
    lacks = "history[] of events"

    def detect(self, record: Any) -> bool:
        """Whether a record holds a history of events, bare or in pairs of action and result."""
        if not isinstance(record, dict):
            return False
        history = record.get("history")
        if not isinstance(history, list) or not history:
            return False
        first = history[0]
        return _is_event(first[0] if isinstance(first, list) and first else first)

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation of the line."""
        return [Piece(_read_events(list(_flat(record["history"])), record))]


def _is_event(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("source") not in SOURCES:
        return False
    return any(isinstance(value.get(key), str) for key in ("action", "observation"))


def _folder(local_path: str) -> str:
    return f"{local_path.rpartition('/')[0]}/"


def _order(event: Any) -> float:
    found = number(event.get("id")) if isinstance(event, dict) else None
    return float("inf") if found is None else float(found)


def _sessions(
    ordered: Iterable[tuple[int, Found]],
) -> Iterator[list[tuple[int, Found]]]:
    session: list[tuple[int, Found]] = []
    last = float("-inf")
    for place, found in ordered:
        position = _order(found.record)
        if session and position < last:
            yield session
            session = []
        session.append((place, found))
        last = position
    if session:
        yield session


def _flat(history: Any) -> Iterator[JsonObject]:
    for item in history:
        yield from objects(item if isinstance(item, list) else [item])


def _read_events(events: Sequence[JsonObject], output: JsonObject) -> Reading | Refused:
    """The conversation of some events, with what a line of output says around them."""
    session = _Session()
    for position, event in enumerate(events):
        session.add(event, position)
    draft = session.draft
    if not draft.turns:
        return Refused(Reason.NO_MESSAGES, "events of the program's own state only")
    draft.close()
    failure = word(output.get("error")) or ""
    is_limit = any(words in failure.lower() for words in LIMIT_WORDS)
    end = end_of(
        draft.turns,
        limit=failure if is_limit else "",
        failed=failure,
        role_of=lambda name: ToolRole.FINISH if name == session.finish else role_by_name(name),
    )
    frame = Frame(
        identity=Identity(task_id=id_text(output.get("instance_id"))),
        routing=Routing(requested_model=_asked_model(output), upstream_model=session.model),
        captured_at=next((moment for event in events if (moment := _moment(event))), None),
    )
    parts = SessionParts(
        dialect=NAME, end=end, tools=session.tools, outcome=outcome_said(output, failure)
    )
    return session_reading(draft, frame, parts)


def outcome_said(output: JsonObject, failure: str) -> Outcome | None:
    """What the evaluation of a run says.

    Without one nobody knows whether a patch is right; a run that broke off with none has failed.
    """
    tested = one_object(output.get("test_result"))
    for holder in (output, output.get("report"), tested.get("report")):
        resolved = one_object(holder).get("resolved")
        if isinstance(resolved, bool):
            return Outcome(success=resolved, source="resolved")
    if word(tested.get("git_patch")):
        return Outcome(source="git_patch")
    return Outcome(success=False, source="error") if failure else None


def _asked_model(output: Mapping[str, Any]) -> str | None:
    about = output.get("metadata")
    config = about.get("llm_config") if isinstance(about, dict) else None
    return word(config.get("model")) if isinstance(config, dict) else None


def _moment(event: Mapping[str, Any]) -> str | None:
    moment = read_moment(event.get("timestamp"))
    return stamp(moment) if moment else None


@dataclass(slots=True)
class _Session:
    """Events in order, becoming turns."""

    draft: Draft = field(default_factory=Draft)
    tools: list[Tool] = field(default_factory=list)
    model: str | None = None
    finish: str | None = None
    """The name of the call that ended the session."""
    call_ids: dict[str, str] = field(default_factory=dict)
    """The raw id of the call that an event made."""
    answers: dict[str, frozenset[str]] = field(default_factory=dict)
    """The ids of the calls in each of the model's answers that is a turn already."""

    def add(self, event: JsonObject, position: int) -> None:
        """Take in one event; one of the program's own state is no turn."""
        action, observation = word(event.get("action")), word(event.get("observation"))
        if action is not None:
            self._act(action, event, position)
        elif observation is not None and observation not in STATES:
            self._observe(observation, event, position)

    def _act(self, action: str, event: JsonObject, position: int) -> None:
        arguments = event.get("args")
        details: JsonObject = arguments if isinstance(arguments, dict) else {}
        if action in STATES:
            return
        if action == "system":
            self.tools += chat_tools(details)
            self._say("system", event, details, position)
        elif action == "message":
            self._say(_speaker(event), event, details, position)
        else:
            self._call(action, event, details, position)

    def _say(self, role: Role, event: JsonObject, details: JsonObject, position: int) -> None:
        content = details.get("content")
        pieces: list[TurnPiece] = [
            *content_parts(self.draft, event.get("message") if content is None else content)
        ]
        urls = details.get("image_urls")
        for url in urls if isinstance(urls, list) else []:
            if isinstance(url, str):
                pieces.append(data_url_media(self.draft.blobs, "image", url))
        if pieces:
            self.draft.add(role, pieces, source_index=position, at=_moment(event))

    def _call(self, action: str, event: JsonObject, details: JsonObject, position: int) -> None:
        about = event.get("tool_call_metadata")
        asked: JsonObject = about if isinstance(about, dict) else {}
        raw_id = word(asked.get("tool_call_id")) or id_text(event.get("id"))
        event_id = id_text(event.get("id"))
        if event_id is not None and raw_id is not None:
            self.call_ids[event_id] = raw_id
        if not self._is_answered(asked, raw_id, event, position):
            thought = word(details.get("thought"))
            pieces: list[TurnPiece] = [Text(text=thought)] if thought else []
            name = word(asked.get("function_name")) or action
            given = {key: details[key] for key in details if key not in NOT_ARGUMENTS}
            pieces.append(CallFound(raw_id, name, given))
            self.draft.add(_speaker(event), pieces, source_index=position, at=_moment(event))
        if action == "finish":
            self.finish = word(asked.get("function_name")) or action

    def _is_answered(
        self, asked: JsonObject, raw_id: str | None, event: JsonObject, position: int
    ) -> bool:
        """Whether the model's whole answer holds the call; at its first action it is a turn."""
        response = asked.get("model_response")
        message = _message(response)
        if not isinstance(response, dict) or message is None:
            return False
        answer_id = word(response.get("id"))
        known = self.answers.get(answer_id) if answer_id else None
        if known is not None:
            return raw_id in known
        ids = frozenset(
            i for call in objects(message.get("tool_calls")) if (i := word(call.get("id")))
        )
        if raw_id not in ids:
            return False
        model = word(response.get("model"))
        self.model = model or self.model
        add_message(
            self.draft,
            {**message, "role": "assistant"},
            source_index=position,
            id=answer_id,
            at=_moment(event),
            model=model,
            usage=chat_usage(response.get("usage")).usage,
        )
        if answer_id:
            self.answers[answer_id] = ids
        return True

    def _observe(self, observation: str, event: JsonObject, position: int) -> None:
        cause = id_text(event.get("cause"))
        raw_id = self.call_ids.get(cause) if cause is not None else None
        about = event.get("tool_call_metadata")
        asked: JsonObject = about if isinstance(about, dict) else {}
        parts = content_parts(self.draft, event.get("content"))
        found = ResultFound(
            raw_id or word(asked.get("tool_call_id")) or (f"event {cause}" if cause else None),
            word(asked.get("function_name")) or (None if raw_id else observation),
            parts,
            failed=_failed(observation, event),
        )
        self.draft.add("tool", [found], source_index=position, at=_moment(event))


def _speaker(event: Mapping[str, Any]) -> Role:
    return "assistant" if event.get("source") == "agent" else "user"


def _message(response: Any) -> JsonObject | None:
    choices = objects(response.get("choices")) if isinstance(response, dict) else []
    message = choices[0].get("message") if choices else None
    return message if isinstance(message, dict) else None


def _failed(observation: str, event: Mapping[str, Any]) -> bool | None:
    """The source's own word on a result, None where it says nothing."""
    if observation in FAILED_KINDS:
        return True
    if isinstance(event.get("success"), bool):
        return event["success"] is False
    extras = event.get("extras")
    held: Any = extras.get("metadata", extras) if isinstance(extras, dict) else None
    code = number(held.get("exit_code")) if isinstance(held, dict) else None
    return None if code is None else code not in {0, STILL_RUNNING}
