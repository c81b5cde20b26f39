from typing import Any

import pytest

from benchmarks.intake.dialects.cursor_cli import CursorCli
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = CursorCli()


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "session_id": "s-1", **fields}


def said(role: str, words: str) -> dict[str, Any]:
    content = [{"type": "text", "text": words}]
    return event(role, message={"role": role, "content": content})


def call(call_id: str, state: str, **inner: Any) -> dict[str, Any]:
    return event("tool_call", subtype=state, call_id=call_id,
                 timestamp_ms=1_777_629_600_250, tool_call={"readToolCall": inner})  # fmt: skip


HEAD = event("system", subtype="init", apiKeySource="login", permissionMode="default", model="M")
ARGS = {"path": "a"}
END = event("result", subtype="success", is_error=False, result="It says hello.")
ALL = [
    HEAD,
    said("user", "Read both."),
    said("assistant", "I read."),
    call("t1", "started", args=ARGS),
    call("t1", "completed", args=ARGS, result={"success": {"text": "hello"}}),
    call("t2", "completed", args=ARGS, result={"error": {"errorMessage": "no file"}}),
    said("assistant", "One says hello."),
    END,
]
WHOLE = [
    ("user", "Read both.", [], []),
    ("assistant", "I read.", ["read"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "", ["read"], []),
    ("tool", "", [], ["error"]),
    ("assistant", "One says hello.", [], []),
]


def test_what_is_said_and_called_is_told_once() -> None:
    got = reading_of(pieces_of(DIALECT, *ALL))
    found = got.conversation
    assert shape(found) == WHOLE
    assert calls_in(found) == [("t1", ARGS), ("t2", ARGS)]
    assert results_in(found) == [
        ((1, 1), {"text": "hello"}), ((3, 0), {"errorMessage": "no file"}),
    ]  # fmt: skip
    assert (found.turns[1].model, found.turns[2].at) == ("M", "2026-05-01T10:00:00.250Z")
    assert (got.frame.identity.session_id, got.frame.routing.requested_model) == ("s-1", "M")
    assert (found.dialect, found.end.reason, found.issues) == ("cursor_cli", "reply", [])


def test_a_call_that_was_never_done_is_open_and_a_run_that_failed_ends_so() -> None:
    broken = {**END, "is_error": True, "result": "no quota"}
    found = reading_of(pieces_of(DIALECT, *ALL[:4], broken)).conversation
    assert shape(found) == WHOLE[:2]
    assert (found.end.reason, found.end.detail) == ("error", "no quota")


def test_a_tool_may_bear_its_name_and_its_arguments_under_others_keys() -> None:
    named = event(
        "tool_call",
        subtype="completed",
        call_id="t",
        tool_call={"function": {"name": "find", "arguments": '{"q": 1}', "result": "x"}},
    )
    found = reading_of(pieces_of(DIALECT, ALL[1], named)).conversation
    assert (shape(found)[1][2], calls_in(found), results_in(found)) == (
        ["find"], [("t", {"q": 1})], [((1, 0), "x")],
    )  # fmt: skip


def test_a_session_without_a_message_is_no_conversation() -> None:
    (piece,) = pieces_of(DIALECT, HEAD)
    assert piece.result == Refused(Reason.NO_MESSAGES, "a session without a message")


@pytest.mark.parametrize(
    "record",
    [{}, [], {"type": "tool_call", "tool_call": {}}, {**ALL[1], "uuid": "u"},
     {**ALL[1], "parent_tool_use_id": None}, {**HEAD, "tools": []}, {**END, "num_turns": 3},
     {"type": "user", "session_id": "s", "message": {"content": "x"}},
     {"type": "system", "session_id": "s"}, {"type": ["user"], "session_id": "s"}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(ALL):
        for key in one.keys() - {"type", "tool_call"}:
            assert pieces_of(DIALECT, *ALL[:place], {**one, key: odd}, *ALL[place + 1 :])
    for inner in (odd, {"args": odd, "result": odd, "name": odd}, {"result": {"error": odd}}):
        changed = {**ALL[4], "tool_call": {"readToolCall": inner}}
        assert pieces_of(DIALECT, ALL[1], changed, {**changed, "tool_call": {}})
