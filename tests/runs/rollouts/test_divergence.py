from typing import Any

from benchmarks.records.trajectory import Call
from runs.rollouts.divergence import obligations_side_by_side, tool_sequence
from tests.runs.rollouts.kept import call


def calls(*made: tuple[str, Any]) -> list[Call]:
    return [Call.read(call(index, tool, said)) for index, (tool, said) in enumerate(made)]


def test_the_first_call_of_another_tool_is_where_they_part() -> None:
    a = calls(("find", {}), ("read", {}), ("think", {}), ("refund", {"x": 1}), ("mail", {}))
    b = calls(("find", {}), ("read", {}), ("think", {}), ("mail", {}))
    found = tool_sequence(a, b)
    assert (found["diverges_at"], found["common_prefix"]) == (3, 3)
    assert found["arguments_diverge_at"] is None
    assert [step["tool"] for step in found["a_from_divergence"]] == ["refund", "mail"]
    assert found["b_from_divergence"] == [
        {"index": 3, "tool": "mail", "arguments": {}, "status": "ok"}
    ]


def test_arguments_may_part_before_the_tools_do() -> None:
    a = calls(("find", {"q": 1}), ("read", {}))
    b = calls(("find", {"q": 2}), ("mail", {}))
    found = tool_sequence(a, b)
    assert (found["diverges_at"], found["arguments_diverge_at"]) == (1, 0)


def test_the_same_tools_with_other_arguments_part_only_there() -> None:
    a, b = calls(("find", {}), ("pay", {"usd": 25})), calls(("find", {}), ("pay", {"usd": 26}))
    found = tool_sequence(a, b)
    assert (found["diverges_at"], found["arguments_diverge_at"]) == (None, 1)
    assert [step["arguments"] for step in found["a_from_divergence"]] == [{"usd": 25}]


def test_equal_numbers_and_another_order_of_keys_are_no_difference() -> None:
    a, b = calls(("pay", {"a": 25, "b": 1})), calls(("pay", {"b": 1.0, "a": 25.0}))
    assert tool_sequence(a, b) == {
        "diverges_at": None,
        "arguments_diverge_at": None,
        "common_prefix": 1,
        "a_from_divergence": [],
        "b_from_divergence": [],
    }


def test_a_rollout_that_stops_early_parts_at_its_end() -> None:
    a, b = calls(("find", {}), ("pay", {})), calls(("find", {}))
    found = tool_sequence(a, b)
    assert (found["diverges_at"], found["common_prefix"]) == (1, 1)
    assert [step["tool"] for step in found["a_from_divergence"]] == ["pay"]
    assert found["b_from_divergence"] == []


def mark(name: str, met: bool, at: int | None = None) -> dict[str, Any]:
    return {"id": name, "label": f"label {name}", "kind": "state_effect", "met": met, "met_at": at}


def test_obligations_stand_side_by_side() -> None:
    found = obligations_side_by_side(
        [mark("o1", True, 3), mark("o2", True, 4)], [mark("o1", False), mark("o2", True, 1)]
    )
    assert found == [
        {
            "id": "o1",
            "label": "label o1",
            "kind": "state_effect",
            "a": {"met": True, "met_at": 3},
            "b": {"met": False, "met_at": None},
            "same": False,
        },
        {
            "id": "o2",
            "label": "label o2",
            "kind": "state_effect",
            "a": {"met": True, "met_at": 4},
            "b": {"met": True, "met_at": 1},
            "same": True,
        },
    ]


def test_an_obligation_that_one_side_does_not_have_is_not_the_same() -> None:
    found = obligations_side_by_side([mark("o1", True, 0)], [])
    assert found[0]["b"] == {"met": None, "met_at": None}
    assert found[0]["same"] is False
