from typing import Any

import pytest

from benchmarks.intake.dialects.smolagents import SmolagentsRun, SmolagentsSteps
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

STEPS = SmolagentsSteps()
RUN = SmolagentsRun()
SYSTEM = {"system_prompt": "You help."}
TASK = {"task": "Weather?", "task_images": None}


def step(number: int, name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    call = {"id": f"c{number}", "type": "function",
            "function": {"name": name, "arguments": arguments}}  # fmt: skip
    return {
        "step_number": number, "tool_calls": [call], "error": None, "model_output": "",
        "observations": "rain", "action_output": None, "code_action": None,
        "timing": {"start_time": 1_777_629_600.25 + number, "end_time": None},
        "token_usage": {"input_tokens": 10 * number, "output_tokens": 5}, **more,
    }  # fmt: skip


ALL = [
    SYSTEM,
    TASK,
    step(1, "look", {"city": "Oslo"}, model_output="I look."),
    step(2, "python", "print(1)", error={"type": "E", "message": "no such name"}),
    step(3, "final_answer", {"answer": "Rain."}, observations="", action_output="Rain."),
]
WHOLE = [
    ("system", "You help.", [], []),
    ("user", "Weather?", [], []),
    ("assistant", "I look.", ["look"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "", ["python"], []),
    ("tool", "", [], ["error"]),
    ("assistant", "", ["final_answer"], []),
    ("tool", "", [], ["ok"]),
]


def test_steps_are_calls_and_what_was_seen_of_them() -> None:
    got = reading_of(pieces_of(STEPS, *ALL))
    found = got.conversation
    assert shape(found) == WHOLE
    assert calls_in(found) == [
        ("c1", {"city": "Oslo"}), ("c2", {"code": "print(1)"}), ("c3", {"answer": "Rain."}),
    ]  # fmt: skip
    assert results_in(found) == [
        ((2, 1), "rain"), ((4, 0), "no such name"), ((6, 0), "Rain."),
    ]  # fmt: skip
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (60, 15, 3)
    assert (found.turns[2].at, got.frame.captured_at) == (
        "2026-05-01T10:00:01.250Z", "2026-05-01T10:00:01.250Z",
    )  # fmt: skip
    assert (found.end.reason, found.end.detail) == ("finish", "final_answer")
    assert (found.dialect, found.issues) == ("smolagents", [])


@pytest.mark.parametrize(
    "record",
    [{"steps": ALL, "output": "Rain."}, {"steps": ALL[1:], "system_prompt": "You help."},
     {"steps": ALL[2:], "task": "Weather?", "system_prompt": "You help."}],
)  # fmt: skip
def test_a_run_in_one_record_is_read_like_its_steps(record: dict[str, Any]) -> None:
    assert RUN.detect(record)
    assert shape(reading_of(list(RUN.read(record))).conversation) == WHOLE


def test_a_run_without_its_task_begins_with_what_the_first_step_was_told() -> None:
    heard = [{"role": "system", "content": [{"type": "text", "text": "You help."}]},
             {"role": "user", "content": [{"type": "text", "text": "Weather?"}]}]  # fmt: skip
    first = {**ALL[2], "model_input_messages": heard}
    later = {**ALL[3], "model_input_messages": heard}
    found = reading_of(pieces_of(STEPS, first, later, ALL[4])).conversation
    assert shape(found) == WHOLE


def test_the_last_error_is_the_end() -> None:
    found = reading_of(pieces_of(STEPS, *ALL[:4])).conversation
    assert (found.end.reason, found.end.detail) == ("error", "no such name")


def test_steps_without_a_word_are_no_conversation() -> None:
    (piece,) = pieces_of(STEPS, SYSTEM)
    assert piece.result == Refused(Reason.NO_MESSAGES, "steps without a word")


@pytest.mark.parametrize(
    "record",
    [{}, [], {"step_number": 1}, {"task": "x"}, {"task": 3, "task_images": None},
     {"system_prompt": "x", "model": "m"}, {"system_prompt": 3}, {"steps": []},
     {"steps": [{"step": 1}]}, {"steps": [3]}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not STEPS.detect(record)
    assert not RUN.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(ALL):
        for key in one.keys() | {"model_input_messages"}:
            assert pieces_of(STEPS, *ALL[:place], {**one, key: odd}, *ALL[place + 1 :])
    call = {"id": odd, "function": {"name": odd, "arguments": odd}}
    assert list(RUN.read({"steps": [TASK, {**ALL[2], "tool_calls": [call, odd]}, odd]}))
