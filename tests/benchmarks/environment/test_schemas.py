"""What is known of a tool comes from its definition and all of its records."""

from typing import Any

import pytest

from benchmarks.contract.mutating import effective_policy
from benchmarks.environment.prestate import judge_calls
from benchmarks.environment.schemas import tool_schemas
from benchmarks.records.conversation import Tool
from benchmarks.records.environment import ToolSchema
from tests.benchmarks.environment.hotel import conversation, tool


def schema(definition: Tool, *calls: tuple[dict[str, Any], Any]) -> ToolSchema:
    policy = effective_policy(None, [definition])
    spoken = conversation(*[(definition.name, *call) for call in calls], tools=[definition])
    found = tool_schemas({definition.name: definition}, judge_calls(spoken, policy), policy)
    return found[definition.name]


SUMS = [("1 + 1", "2.0"), ("10 / 4", "2.5"), ("2 * 3", "6.0"), ("9 - 4", "5.0"), ("1 / 3", "0.33")]


def sums(*more: tuple[str, str]) -> list[tuple[dict[str, Any], Any]]:
    return [({"expression": text}, result) for text, result in [*SUMS, *more]]


def test_calculator_is_known_by_its_records_whatever_its_name() -> None:
    for name in ("compute_total", "get_thing"):
        found = schema(tool(name, expression="string"), *sums())
        assert found.builtin == "arithmetic"
        assert found.builtin_format == {"decimals": 2, "style": "float"}


@pytest.mark.parametrize(
    "records",
    [
        sums(("1 + 2", "4.0")),
        sums(("one", "1.0")),
        sums()[:4],
        [(call | {"digits": 2}, result) for call, result in sums()],
        sums(("1 + 2", "Error: out of order")),
    ],
)
def test_one_exception_is_no_calculator(records: list[Any]) -> None:
    assert schema(tool("calculate", expression="string"), *records).builtin is None


def test_error_for_what_is_no_sum_is_no_exception() -> None:
    records = sums(("one", "Error: invalid characters"))
    assert schema(tool("calculate", expression="string"), *records).builtin == "arithmetic"


def test_write_tool_is_never_a_calculator() -> None:
    assert schema(tool("send_sum", expression="string"), *sums()).builtin is None


def test_constant_needs_five_equal_records() -> None:
    rules = tool("get_rules", topic="string")
    same = [({"topic": str(n)}, "No pets.") for n in range(5)]
    assert schema(rules, *same).constant is True
    assert schema(rules, *same[:4]).constant is None
    assert schema(rules, *same, ({"topic": "x"}, "Pets.")).constant is None
    assert schema(rules, *same, ({"topic": "x"}, "Error: none")).constant is None


def test_write_tool_is_never_constant() -> None:
    same = [({"text": str(n)}, "ok") for n in range(5)]
    assert schema(tool("send_note", text="string"), *same).constant is None


def test_rule_that_a_recorded_call_breaks_is_not_enforced() -> None:
    definition = tool("get_room", ("floor",), floor="integer", view={"enum": ["sea"]})
    found = schema(definition, ({"floor": "third", "view": "garden"}, {"n": 1}), ({}, {"n": 2}))
    assert found.unenforced == ["enum:view", "missing_required:floor", "type:floor"]


def test_rejected_call_lifts_no_rule() -> None:
    definition = tool("get_room", floor="integer")
    assert schema(definition, ({"floor": "third"}, "Error: a number, please")).unenforced is None


def test_example_error_only_of_a_read_tool() -> None:
    read = schema(tool("get_room", floor="string"), ({"floor": "9"}, "Error: no such floor"))
    assert read.observed_error_example == "Error: no such floor"
    assert read.rejection_style == "string"
    write = schema(tool("book_room", floor="string"), ({"floor": "9"}, {"error": "full"}))
    assert write.observed_error_example is None
    assert write.rejection_style == "error"


def test_example_error_only_from_the_pre_state() -> None:
    both = [tool("get_room", room_id="string"), tool("cancel_room", room_id="string")]
    policy = effective_policy(None, both)
    spoken = conversation(
        ("cancel_room", {"room_id": "r-1"}, "Cancelled."),
        ("get_room", {"room_id": "r-1"}, "Error: r-1 was cancelled"),
        tools=both,
    )
    found = tool_schemas({one.name: one for one in both}, judge_calls(spoken, policy), policy)
    assert found["get_room"].observed_error_example is None
    assert found["get_room"].rejection_style == "string"


def test_ids_are_known_by_their_newness() -> None:
    definition = tool("create_note", text="string")
    found = schema(
        definition,
        ({"text": "a"}, {"note_id": "n-1", "state": "S1"}),
        ({"text": "b"}, {"note_id": "n-2", "state": "S1"}),
    )
    assert found.reply_shape is not None
    assert found.reply_shape["ids"] == {"/note_id": "n-"}


def test_reply_that_names_what_was_given_makes_no_id() -> None:
    found = schema(tool("close_note", note_id="string"), ({"note_id": "n-1"}, {"note_id": "n-1"}))
    assert found.id_prefix is None


def test_inferred_definition_is_said_to_be_one() -> None:
    found = schema(tool("get_room", floor="string").with_(inferred=True))
    assert (found.inferred, found.observed_n, found.reply_shape) == (True, 0, None)
