import pytest

from benchmarks.foundry.ids import category_id
from benchmarks.foundry.taxonomy import Sorted, categories_of, category_name, difficulty
from benchmarks.records.tool_policy import EffectSource

EFFECTS = {
    "get_order": EffectSource(effect="read"),
    "find_user": EffectSource(effect="read"),
    "issue_refund": EffectSource(effect="write"),
    "cancel": EffectSource(effect="write"),
    "hand_over": EffectSource(effect="read", role="handoff"),
    "sync": EffectSource(effect="unknown"),
}


def sorted_task(name: str, *surface: str, required: int = 1, outcomes: tuple = ()) -> Sorted:
    return Sorted(name, f"Title {name}", surface, EFFECTS, required, outcomes, (f"k-{name}",))


@pytest.mark.parametrize(
    ("surface", "name"),
    [
        (("issue_refund", "get_order", "cancel"), "cancel + issue_refund"),
        (("get_order", "find_user"), "look-up: find_user + get_order"),
        (("get_order", "hand_over"), "look-up: get_order"),
        (("hand_over",), "hand_over"),
        (("sync", "mystery"), "mystery + sync"),
        ((), "tool-free task"),
    ],
)
def test_a_category_is_named_for_what_it_changes(surface: tuple[str, ...], name: str) -> None:
    assert category_name(surface, EFFECTS) == name


@pytest.mark.parametrize(
    ("outcomes", "required", "expected"),
    [
        ((True, True, True, True, False), 9, "easy"),
        ((True, True, False, False, False), 1, "medium"),
        ((True, False, False), 1, "hard"),
        ((), 1, "easy"),
        ((), 3, "medium"),
        ((), 4, "hard"),
    ],
)
def test_difficulty_is_measured_where_trials_exist(
    outcomes: tuple[bool, ...], required: int, expected: str
) -> None:
    assert difficulty([sorted_task("a", outcomes=outcomes, required=required)]) == expected


def test_one_category_per_surface_whatever_its_order() -> None:
    found = categories_of([
        sorted_task("a", "get_order", "issue_refund"),
        sorted_task("b", "issue_refund", "get_order"),
        sorted_task("c", "get_order"),
    ])
    assert [category.category_id for category in found] == [
        "cap-25c02cd40838",
        category_id(["get_order"]),
    ]
    assert found[0].derived_from == {
        "tool_signature": ["get_order", "issue_refund"],
        "intent_summary": "Title a",
        "source_trace_ids": ["k-a", "k-b"],
    }
    assert found[0].description == "Title a"
