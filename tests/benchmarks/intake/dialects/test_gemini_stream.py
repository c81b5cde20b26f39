from typing import Any

import pytest

from benchmarks.intake.dialects.gemini_stream import GeminiStream
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = GeminiStream()


def event(kind: str, second: int, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "timestamp": f"2026-05-01T10:00:{second:02d}.250Z", **fields}


def piece(second: int, words: str) -> dict[str, Any]:
    return event("message", second, role="assistant", content=words, delta=True)


def came(second: int, call_id: str, status: str, **more: Any) -> dict[str, Any]:
    return event("tool_result", second, tool_id=call_id, status=status, **more)


def use(second: int, call_id: str) -> dict[str, Any]:
    return event("tool_use", second, tool_name="read", tool_id=call_id, parameters={"path": "a"})


STATS = {"total_tokens": 30, "input_tokens": 20, "output_tokens": 10, "cached": 4}
ALL = [
    event("init", 0, session_id="s-1", model="g-1"),
    event("message", 1, role="user", content="Read a."),
    piece(2, "I "), piece(2, "read."), use(3, "t1"), came(4, "t1", "success", output="hello"),
    use(5, "t2"), came(6, "t2", "error", error={"type": "E", "message": "no file"}),
    piece(7, "It says"), piece(7, " hello."),
    event("result", 8, status="success", stats=STATS),
]  # fmt: skip
WHOLE = [
    ("user", "Read a.", [], []),
    ("assistant", "I read.", ["read"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "", ["read"], []),
    ("tool", "", [], ["error"]),
    ("assistant", "It says hello.", [], []),
]


def test_pieces_of_an_answer_are_one_turn_with_the_call_behind_them() -> None:
    got = reading_of(pieces_of(DIALECT, *ALL))
    found = got.conversation
    assert shape(found) == WHOLE
    assert calls_in(found) == [("t1", {"path": "a"}), ("t2", {"path": "a"})]
    assert results_in(found) == [((1, 1), "hello"), ((3, 0), "no file")]
    assert (found.usage.input_tokens, found.usage.cache_read_tokens) == (20, 4)
    assert (found.turns[1].model, found.turns[2].at) == ("g-1", "2026-05-01T10:00:04.250Z")
    assert (got.frame.identity.session_id, got.frame.captured_at) == (
        "s-1", "2026-05-01T10:00:00.250Z",
    )  # fmt: skip
    assert (found.dialect, found.end.reason, found.issues) == ("gemini_stream", "reply", [])


def test_a_run_that_failed_ends_so() -> None:
    broken = event("result", 8, status="error", stats={}, error={"message": "quota"})
    end = reading_of(pieces_of(DIALECT, *ALL[:2], broken)).conversation.end
    assert (end.reason, end.detail) == ("error", "quota")


def test_a_session_without_a_message_is_no_conversation() -> None:
    (found,) = pieces_of(DIALECT, ALL[0])
    assert found.result == Refused(Reason.NO_MESSAGES, "a session without a message")


@pytest.mark.parametrize(
    "record",
    [{}, [], {"type": "tool_use", "tool_name": "n", "tool_id": "i"},
     {"type": "message", "timestamp": "t", "role": "user", "content": []},
     {"type": "message", "timestamp": "t", "role": "user"}, {**ALL[1], "uuid": "u"},
     {"type": ["init"], "timestamp": "t"}, {"type": "user", "timestamp": "t"}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(ALL):
        for key in one.keys() - {"type"}:
            changed = {**one, key: odd}
            assert pieces_of(DIALECT, *ALL[:place], changed, *ALL[place + 1 :])
