"""SWE-agent: trajectory files (`history`, `trajectory`, `info`) and the lists of its small sister.

`history` says everything that was said and comes first; `trajectory` fills in where there is no
history, and the observation of a last command that history leaves out. A command that was no tool
call stands in the text: it becomes the call `shell {command}`, the next observation its result.
Text is kept to the letter, carriage returns and progress bars too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.drafting.chat import add_message, content_parts
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of, last_call, role_by_name
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.usage import chat_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import End, JsonPart, Outcome, Text
from benchmarks.records.vocabulary import Role

NAME = "swe_agent"
SHELL = "shell"
ROLES = ("system", "user", "assistant", "tool", "exit")
OWN_KEYS = frozenset({"agent", "message_type", "action", "thought", "is_demo"})
"""What an entry of `history` has beside who speaks and what is said."""
OBSERVED = "<returncode>"
"""How the small sister's observations begin."""
FENCE = re.compile(r"```(?:bash|mswea_bash_command)[ \t]*\r?\n")
FENCE_END = "\n```"
LIMIT_WORDS = ("cost", "context", "limit", "timeout", "execution_time")
SUBMITTED = "submitted"
SUBMIT = "submit"
FINAL_OUTPUT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""The word of the small sister's command that hands the work in."""


class SweAgent(RecordDialect):
    """One run a record."""

    name = NAME
    lacks = "history or trajectory, and info"

    def detect(self, record: Any) -> bool:
        """Whether a record is a run, or a bare list of messages whose commands stand in fences."""
        if isinstance(record, list):
            return _is_fenced_list(record)
        if not isinstance(record, dict):
            return False
        if isinstance(record.get("trajectory_format"), str):
            return isinstance(record.get("messages"), list)
        if not (_has_steps(record) or isinstance(record.get("history"), list)):
            return False
        return isinstance(record.get("info"), dict) or "environment" in record or _is_own(record)

    def read(self, record: Any) -> Iterable[Piece]:
        """The conversation of the run."""
        run: JsonObject = record if isinstance(record, dict) else {"messages": record}
        return [Piece(_read(run))]


def _has_steps(record: Mapping[str, Any]) -> bool:
    steps = record.get("trajectory")
    return isinstance(steps, list) and all("action" in step for step in objects(steps))


def _is_own(record: Mapping[str, Any]) -> bool:
    """Whether a history that stands alone is of this program."""
    entries = objects(record.get("history"))
    return bool(entries) and all("role" in entry and entry.keys() & OWN_KEYS for entry in entries)


def _is_fenced_list(items: list[Any]) -> bool:
    """Whether messages alternate so that a command in a fence is followed by its observation."""
    if not items or not all(
        isinstance(item, dict) and item.get("role") in ROLES and "content" in item for item in items
    ):
        return False
    pairs = zip(items, items[1:], strict=False)
    return any(
        (first["role"], then["role"]) == ("assistant", "user")
        and len(commands_in(_text(first["content"]))) == 1
        and _text(then["content"]).lstrip().startswith(OBSERVED)
        for first, then in pairs
    )


def commands_in(text: str) -> list[str]:
    """The commands in the fenced blocks of a text."""
    found: list[str] = []
    at = 0
    while (opening := FENCE.search(text, at)) is not None:
        close = text.find(FENCE_END, opening.end() - 1)
        if close < 0:
            break
        found.append(text[opening.end() : close].rstrip("\r"))
        at = close + len(FENCE_END)
    return found


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = (part.get("text") for part in objects(content))
    return "\n".join(text for text in texts if isinstance(text, str))


def _read(record: JsonObject) -> Reading | Refused:
    entries = objects(record.get("history")) or objects(record.get("messages"))
    steps = objects(record.get("trajectory"))
    run = _Run()
    for position, entry in enumerate(entries):
        run.add(entry, position)
    if entries:
        run.add_last_observation(steps)
    else:
        run.add_steps(steps)
    draft = run.draft
    if not draft.turns:
        return Refused(Reason.NO_MESSAGES, "neither a history nor a trajectory")
    draft.close()
    info = {**run.exit_info, **one_object(record.get("info"))}
    frame = Frame(
        identity=Identity(task_id=_task_id(record, info)),
        routing=Routing(requested_model=_asked_model(info), upstream_model=run.model),
    )
    end = _end(draft, info)
    return session_reading(draft, frame, SessionParts(NAME, end, outcome=_outcome(info)))


def _task_id(record: Mapping[str, Any], info: Mapping[str, Any]) -> str | None:
    return id_text(record.get("instance_id")) or id_text(info.get("instance_id"))


def _asked_model(info: Mapping[str, Any]) -> str | None:
    config = one_object(info.get("config"))
    return word(one_object(config.get("model")).get("model_name"))


def _end(draft: Draft, info: Mapping[str, Any]) -> End:
    """How the run ended: the program's own word on a submission, a limit or a crash."""
    status = word(info.get("exit_status")) or ""
    submitted = status.lower().startswith(SUBMITTED) if status else _submits_last(draft)
    stopped = status if status and not submitted else ""
    is_limit = any(words in stopped.lower() for words in LIMIT_WORDS)
    return end_of(
        draft.turns,
        limit=stopped if is_limit else "",
        failed=stopped,
        role_of=lambda name: Role.FINISH if submitted else role_by_name(name),
    )


def _submits_last(draft: Draft) -> bool:
    """Whether a history that stands alone ends with the command that hands the work in."""
    found = last_call(draft.turns)
    if found is None:
        return False
    call, _ = found
    command = (call.arguments or {}).get("command")
    words = command.split() if isinstance(command, str) and call.name == SHELL else []
    return call.name == SUBMIT or words[:1] == [SUBMIT] or FINAL_OUTPUT in words


def _outcome(info: Mapping[str, Any]) -> Outcome | None:
    """What the run says of itself; whether what it submitted is right it does not know."""
    status = word(info.get("exit_status"))
    if status is None:
        return None
    has_submitted = status.lower().startswith(SUBMITTED) or word(info.get("submission")) is not None
    return Outcome(success=None if has_submitted else False, source=f"exit_status {status}")


@dataclass(slots=True)
class _Run:
    """Entries in order, becoming turns."""

    draft: Draft = field(default_factory=Draft)
    command: str | None = None
    """The command of the last turn, while it waits for its observation."""
    command_id: str | None = None
    model: str | None = None
    exit_info: JsonObject = field(default_factory=dict)

    def add(self, entry: JsonObject, position: int) -> None:
        """Take in one entry of the history, or one message."""
        role = entry.get("role")
        if role == "exit":
            self.exit_info = one_object(entry.get("extra"))
        elif entry.get("is_demo") is True:
            self._add_demonstration(entry, position)
        elif role == "assistant":
            self._answer(entry, position)
        elif role == "user" and self.command_id is not None:
            self._observe(content_parts(self.draft, entry.get("content")), position)
        elif role == "tool":
            add_message(self.draft, _with_call_id(entry), source_index=position)
        else:
            self.command_id = None
            add_message(self.draft, _without_own(entry), source_index=position)

    def _add_demonstration(self, entry: JsonObject, position: int) -> None:
        """A demonstration is part of the prompt, whoever seems to speak in it."""
        pieces: list[TurnPiece] = [*content_parts(self.draft, entry.get("content"))]
        calls = entry.get("tool_calls")
        if calls:
            pieces.append(JsonPart(value=calls))
        if pieces:
            self.draft.add("system", pieces, source_index=position)

    def _answer(self, entry: JsonObject, position: int) -> None:
        self.command_id = self.command = None
        response = one_object(one_object(entry.get("extra")).get("response"))
        model = word(response.get("model"))
        self.model = model or self.model
        usage = chat_usage(response["usage"]).usage if "usage" in response else None
        about: dict[str, Any] = {"model": model, "usage": usage}
        command = None if objects(entry.get("tool_calls")) else _command(entry)
        if command is None:
            add_message(self.draft, _without_own(entry), source_index=position, **about)
        else:
            pieces = [*content_parts(self.draft, entry.get("content"))]
            self._run_command(command, pieces, position, **about)

    def _run_command(
        self, command: str, pieces: Sequence[TurnPiece], position: int, **about: Any
    ) -> None:
        self.command, self.command_id = command, f"{SHELL}-{position}"
        call = CallFound(self.command_id, SHELL, {"command": command})
        self.draft.add("assistant", [*pieces, call], source_index=position, **about)

    def _observe(self, parts: Any, position: int | None) -> None:
        self.draft.add("tool", [ResultFound(self.command_id, SHELL, parts)], source_index=position)
        self.command_id = self.command = None

    def add_last_observation(self, steps: list[JsonObject]) -> None:
        """The observation of the last command, where only the trajectory has it."""
        if self.command is None or not steps or steps[-1].get("action") != self.command:
            return
        parts = content_parts(self.draft, steps[-1].get("observation"))
        if parts:
            self._observe(parts, None)

    def add_steps(self, steps: list[JsonObject]) -> None:
        """A run that left its steps only: what the model was asked first, then each step."""
        for position, message in enumerate(objects(steps[0].get("query")) if steps else []):
            self.add(message, position)
        for position, step in enumerate(steps):
            said = word(step.get("response")) or word(step.get("thought"))
            pieces: list[TurnPiece] = [Text(text=said)] if said else []
            action = word(step.get("action"))
            if action is not None:
                self._run_command(action, pieces, position)
                self._observe(content_parts(self.draft, step.get("observation")), position)
            elif pieces:
                self.draft.add("assistant", pieces, source_index=position)


def _command(entry: Mapping[str, Any]) -> str | None:
    """The command of an answer: its action, else the one fenced block of its text."""
    action = entry.get("action")
    if isinstance(action, str):
        return action if action.strip() else None
    found = commands_in(_text(entry.get("content")))
    return found[0] if len(found) == 1 else None


def _with_call_id(entry: JsonObject) -> JsonObject:
    """A tool's message in the form of chat; the ids of its calls may stand in a list."""
    ids = entry.get("tool_call_ids")
    first = id_text(ids[0]) if isinstance(ids, list) and ids else None
    return {**entry, "tool_call_id": id_text(entry.get("tool_call_id")) or first}


def _without_own(entry: JsonObject) -> JsonObject:
    return {key: value for key, value in entry.items() if key not in OWN_KEYS}
