from typing import Any

import pytest

from benchmarks.intake.dialects.codex_exec import CodexExec
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = CodexExec()


def item(name: str, kind: str, event: str = "completed", **fields: Any) -> dict[str, Any]:
    return {"type": f"item.{event}", "item": {"id": name, "type": kind, **fields}}


def done(spent: int) -> dict[str, Any]:
    usage = {"input_tokens": spent, "cached_input_tokens": 4, "output_tokens": 5}
    return {"type": "turn.completed", "usage": usage}


START = {"type": "thread.started", "thread_id": "th-1"}
RAN = {"command": "ls", "aggregated_output": "a\n", "exit_code": 0, "status": "completed"}
BEGUN = {"command": "ls", "aggregated_output": "", "exit_code": None, "status": "in_progress"}
EVENTS = [
    START,
    {"type": "turn.started"},
    item("i0", "reasoning", text="hm"),
    item("i1", "command_execution", "started", **BEGUN),
    item("i1", "command_execution", **RAN),
    item("i2", "command_execution", **{**RAN, "exit_code": 2, "status": "failed"}),
    item("i3", "todo_list", items=[]),
    item(
        "i4",
        "mcp_tool_call",
        server="docs",
        tool="find",
        arguments={"q": "x"},
        result={"content": [{"type": "text", "text": "y"}]},
        error=None,
        status="completed",
    ),
    item("i5", "file_change", changes=[{"path": "a", "kind": "add"}], status="completed"),
    item("i6", "agent_message", text="Done."),
    done(100),
]
WHOLE = [
    ("assistant", "", ["command_execution"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "", ["command_execution"], []),
    ("tool", "", [], ["error"]),
    ("assistant", "", ["find"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "", ["file_change"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "Done.", [], []),
]


def test_items_that_are_done_are_turns_and_those_that_are_begun_are_told_once() -> None:
    got = reading_of(pieces_of(DIALECT, *EVENTS))
    found = got.conversation
    assert shape(found) == WHOLE
    assert calls_in(found) == [
        ("i1", {"command": "ls"}), ("i2", {"command": "ls"}), ("i4", {"q": "x"}),
        ("i5", {"changes": [{"path": "a", "kind": "add"}]}),
    ]  # fmt: skip
    assert results_in(found) == [
        ((0, 1), "a\n"), ((2, 0), "a\n"), ((4, 0), "y"), ((6, 0), "completed"),
    ]  # fmt: skip
    assert (found.turns[0].parts[0].text, found.turns[4].calls()[0].server) == ("hm", "docs")
    assert (found.dialect, found.end.reason, found.issues) == ("codex_exec", "reply", [])
    assert got.frame.identity.session_id == "th-1"


def test_what_turns_cost_is_the_usage_of_the_thread() -> None:
    usage = reading_of(pieces_of(DIALECT, *EVENTS, done(50))).conversation.usage
    assert (usage.input_tokens, usage.cache_read_tokens, usage.output_tokens, usage.calls) == (
        150, 8, 10, 2,
    )  # fmt: skip


def test_threads_in_one_file_are_told_apart() -> None:
    first, second = pieces_of(DIALECT, *EVENTS, {**START, "thread_id": "th-2"}, EVENTS[9])
    assert shape(first.result.conversation) == WHOLE
    assert (second.at, shape(second.result.conversation)) == (11, WHOLE[-1:])
    assert second.result.frame.identity.session_id == "th-2"


def test_an_item_that_is_never_done_is_an_open_call_and_a_turn_that_failed_the_end() -> None:
    failed = {"type": "turn.failed", "error": {"message": "quota"}}
    found = reading_of(pieces_of(DIALECT, START, EVENTS[3], failed)).conversation
    assert shape(found) == [("assistant", "", ["command_execution"], [])]
    assert (found.end.reason, found.end.detail) == ("error", "quota")


def test_a_server_that_failed_makes_an_error_and_older_names_are_read() -> None:
    broken = item("i1", "mcp_tool_call", tool="find", arguments={}, error={"message": "down"},
                  result=None, status="failed")  # fmt: skip
    older = {
        "type": "item.completed",
        "item": {"id": "i2", "item_type": "assistant_message", "text": "Hi."},
    }
    found = reading_of(pieces_of(DIALECT, broken, older)).conversation
    assert shape(found)[1:] == [("tool", "", [], ["error"]), ("assistant", "Hi.", [], [])]


def test_an_item_that_says_nothing_is_kept_whole_and_an_empty_thread_is_none() -> None:
    found = reading_of(pieces_of(DIALECT, item("i1", "new_kind"))).conversation
    assert found.turns[0].parts[0].source_type == "new_kind"
    (piece,) = pieces_of(DIALECT, START)
    assert piece.result == Refused(Reason.NO_MESSAGES, "thread th-1 says nothing")


@pytest.mark.parametrize(
    "record",
    [{}, [], {"type": "thread.started"}, {"type": "item.completed"},
     {"type": "item.completed", "item": {"id": "x"}}, {"type": "item.completed", "item": 3},
     {"type": "turn.completed", "turn": {}}, {"type": ["turn.started"]}, {"type": "turn"}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(EVENTS):
        for key in one.keys() - {"type"}:
            assert pieces_of(DIALECT, *EVENTS[:place], {**one, key: odd})
        for key in one.get("item", {}):
            changed = {**one, "item": {**one["item"], key: odd}}
            assert pieces_of(DIALECT, *EVENTS[:place], changed)
