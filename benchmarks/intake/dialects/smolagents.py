"""smolagents: the memory of a run, step by step, one a record or in a list of `steps`.

A step holds what the model was told and said, what it called, and what it saw of it. One without
calls of tools wrote code, which is then what it called.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_messages import spoken
from benchmarks.intake.drafting.loose_parts import result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Text
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Role as ToolRole

NAME = "smolagents"
ACTION_KEYS = frozenset({"observations", "action_output", "code_action", "model_output"})
FINAL = "final_answer"
COUNTS = {"input_tokens": ("input_tokens",), "output_tokens": ("output_tokens",)}


class SmolagentsSteps(GroupDialect):
    """One step a record: those of a file are a conversation."""

    name = NAME
    lacks = "step_number and observations"

    def detect(self, record: Any) -> bool:
        """Whether a record is one step."""
        return _is_step(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The file."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a file."""
        return [Piece(_reading([found.record for found in records]))]


class SmolagentsRun(RecordDialect):
    """A whole run in one record."""

    name = NAME
    lacks = "steps[] of step_number and observations"

    def detect(self, record: Any) -> bool:
        """Whether a record holds the steps of a run."""
        listed = record.get("steps") if isinstance(record, dict) else None
        return isinstance(listed, list) and bool(listed) and _is_step(listed[0])

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation of the record."""
        return [Piece(_reading([record, *objects(record["steps"])]))]


def _is_step(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if "step_number" in value:
        return bool(value.keys() & ACTION_KEYS)
    is_task = "task_images" in value and isinstance(value.get("task"), str)
    return is_task or (
        value.keys() == {"system_prompt"} and isinstance(value["system_prompt"], str)
    )


def _reading(steps: Sequence[JsonObject]) -> Reading | Refused:
    draft = Draft()
    failed = ""
    for position, step in enumerate(steps):
        if "step_number" in step:
            _act(draft, step, position)
            failed = word(one_object(step.get("error")).get("message")) or ""
            continue
        told = word(step.get("system_prompt"))
        if told and position < 2:
            draft.add("system", [Text(text=told)], source_index=position)
        asked = word(step.get("task"))
        if asked:
            draft.add("user", [Text(text=asked)], source_index=position)
    if not any(turn.role != "system" for turn in draft.turns):
        return Refused(Reason.NO_MESSAGES, "steps without a word")
    draft.close()
    end = end_of(
        draft.turns,
        failed=failed,
        role_of=lambda name: ToolRole.FINISH if name == FINAL else None,
    )
    frame = Frame(captured_at=next((at for step in steps if (at := _moment(step))), None))
    return session_reading(draft, frame, SessionParts(NAME, end=end))


def _act(draft: Draft, step: JsonObject, position: int) -> None:
    """One step: what the first was told, what the model said and called, and what it saw."""
    if not draft.turns:
        for message in objects(step.get("model_input_messages")):
            role, told = spoken(draft, message)
            draft.add(role, told, source_index=position)
    calls = [_call(item) for item in objects(step.get("tool_calls"))]
    text = _said(step)
    pieces: list[TurnPiece] = [Text(text=text)] if text else []
    about: dict[str, Any] = {
        "usage": inclusive_usage(one_object(step.get("token_usage")), COUNTS).usage,
        "at": _moment(step),
    }
    about = {name: value for name, value in about.items() if value is not None}
    if pieces or calls:
        draft.add("assistant", [*pieces, *calls], source_index=position, **about)
    result = _result(draft, step, calls)
    if result is not None:
        draft.add("tool", [result], source_index=position)


def _said(step: Mapping[str, Any]) -> str | None:
    """The words of the model, without the text that repeats its calls."""
    output = step.get("model_output")
    return word(output) if isinstance(output, str) and output.strip() else None


def _call(item: JsonObject) -> CallFound:
    function = one_object(item.get("function"))
    arguments = function.get("arguments")
    is_code = isinstance(arguments, str) and arguments[:1] != "{"
    given = {"code": arguments} if is_code else arguments
    return CallFound(id_text(item.get("id")), word(function.get("name")), given)


def _result(draft: Draft, step: JsonObject, calls: Sequence[CallFound]) -> ResultFound | None:
    """What the model saw of its calls: a step tells it once for all of them."""
    error = word(one_object(step.get("error")).get("message"))
    seen = step.get("observations")
    value = error or seen or (step.get("action_output") if calls else None)
    if not calls or value is None or value == "":
        return None
    parts = result_parts(draft, value)
    return ResultFound(calls[0].raw_id, calls[0].name, parts, failed=True if error else None)


def _moment(step: Mapping[str, Any]) -> str | None:
    moment = read_moment(one_object(step.get("timing")).get("start_time"))
    return stamp(moment) if moment else None
