"""Faults in one value: exact slips, and values that nobody asks for."""

from typing import Any

import pytest

from benchmarks.contract.mutants.faults.values import (
    next_id,
    wrong_date,
    wrong_entity,
    wrong_enum,
    wrong_number,
    wrong_text,
)
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.variant import Variant
from tests.benchmarks.contract.making import call, contract, effect, exact, rollout, tool
from tests.benchmarks.contract.mutants.probing import arguments, made, original, said, verdicts

FAMILIES = (wrong_entity, wrong_number, wrong_text, wrong_enum, wrong_date)


def one_argument(matcher: dict[str, Any], value: Any, **more: Any) -> Original:
    demand = contract(effect("send-email", to=matcher))
    return original(demand, rollout(call("send-email", to=value)), **more)


def values(found: list[Variant]) -> list[Any]:
    return [one["to"] for one in arguments(found)]


@pytest.mark.parametrize(
    ("value", "slips"),
    [
        (11, [12, 10, 110, -11, 711]),
        (-5, [-4, -6, -50, 5, -75]),
        (0, [1, -1, 70]),
        (2.5, [3.5, 1.5, 25, -2.5, 72.5]),
        ("25", ["26", "24", "250", "-25", "725"]),
    ],
)
def test_the_slips_of_a_number(value: Any, slips: list[Any]) -> None:
    source = one_argument({"match": "number", "value": value}, value)
    found = made(wrong_number, source)
    assert values(found) == slips
    assert [type(one) for one in values(found)] == [type(one) for one in slips]
    assert verdicts(source, found) == {0}


def test_a_slip_within_the_tolerance_is_none():
    source = one_argument({"match": "number", "value": 11, "tolerance": 3}, 11)
    found = made(wrong_number, source)
    assert values(found) == [110, -11, 711]
    assert verdicts(source, found) == {0}


def test_another_entity_of_the_same_shape_that_was_seen():
    source = one_argument(exact("A-7"), "A-7", values={"to": ["A-7", "B-8", "LONGER-12", "C-9"]})
    found = made(wrong_entity, source)
    assert sorted(values(found)) == ["B-8", "C-9"]
    assert not any(one.invented for one in found)
    assert verdicts(source, found) == {0}


def test_without_one_of_the_shape_another_of_the_name():
    source = one_argument(exact("A-7"), "A-7", values={"to": ["A-7", "ORD-12", "a word"]})
    assert values(made(wrong_entity, source)) == ["ORD-12"]


def test_an_entity_that_nobody_has_seen_is_broken():
    [found] = made(wrong_entity, one_argument(exact("A-79"), "A-79"))
    assert found.observed.calls[0].arguments == {"to": "A-80"}
    assert found.invented


@pytest.mark.parametrize(("value", "other"), [("A-79", "A-80"), ("ABA", "ABB"), ("XYZ", "XYA")])
def test_an_id_of_the_same_shape_is_made_up(value: str, other: str) -> None:
    assert next_id(value) == other


def test_what_the_world_made_is_an_entity_too():
    demand = contract(
        effect("create-ticket", "o1", title={"match": "any"}),
        effect("close-ticket", "o2", ticket_id={"match": "ref", "entry": "o1", "path": "/id"}),
    )
    observed = rollout(
        call("create-ticket", {"id": "T-3"}, title="x"), call("close-ticket", ticket_id="T-3")
    )
    source = original(demand, observed, values={"ticket_id": ["T-3", "T-4"]})
    found = made(wrong_entity, source)
    assert arguments(found) == [{"ticket_id": "T-4"}]
    assert verdicts(source, found) == {0}


def test_another_text_that_was_seen_else_a_longer_one():
    text = {"match": "text", "value": "Kim Lee"}
    source = one_argument(text, "Kim Lee", values={"to": ["KIM  LEE", "Mia"]})
    assert values(made(wrong_text, source)) == ["Mia"]
    alone = one_argument(text, "Kim Lee")
    found = made(wrong_text, alone)
    assert values(found) == ["Kim Lee other"]
    assert verdicts(alone, found) == {0}


def test_the_other_choices_of_a_list():
    kind = tool("send-email", to={"enum": ["low", "high", None]}, properties={
        "to": {"enum": ["low", "high", None]},
    })  # fmt: skip
    source = one_argument(exact("low"), "low", tools=[kind], values={"to": ["B-8"]})
    found = made(wrong_enum, source)
    assert values(found) == ["high"]
    assert verdicts(source, found) == {0}
    assert made(wrong_text, source) == made(wrong_entity, source) == []


def test_a_flag_is_turned_over():
    source = one_argument(exact(True), True)
    found = made(wrong_enum, source)
    assert values(found) == [False]
    assert verdicts(source, found) == {0}


@pytest.mark.parametrize(
    ("value", "days"),
    [
        ("2024-02-28", ["2024-02-29", "2024-02-27"]),
        ("2024-12-31T09:30:00Z", ["2025-01-01T09:30:00Z", "2024-12-30T09:30:00Z"]),
        ("9999-12-31", ["9999-12-30"]),
    ],
)
def test_the_day_after_and_the_day_before(value: str, days: list[str]) -> None:
    source = one_argument({"match": "date", "value": value}, value)
    found = made(wrong_date, source)
    assert values(found) == days
    assert verdicts(source, found) == {0}


def test_a_default_that_was_left_out_may_not_be_another():
    matcher = {"match": "exact", "value": True, "optional": True}
    source = original(contract(effect("send-email", urgent=matcher)), rollout(call("send-email")))
    found = made(wrong_enum, source)
    assert arguments(found) == [{"urgent": False}]
    assert said(found) == ["send-email (o1) with urgent false"]
    assert verdicts(source, found) == {0}


@pytest.mark.parametrize("matcher", [{"match": "any"}, {"match": "prose", "value": "Hello Kim."}])
def test_what_is_not_compared_has_no_wrong_value(matcher: dict[str, Any]) -> None:
    source = one_argument(matcher, "Hello Kim.", values={"to": ["Mia", "B-8"]})
    assert [made(family, source) for family in FAMILIES] == [[]] * len(FAMILIES)


def test_an_option_that_would_do_as_well_is_no_fault():
    matcher = {"match": "one_of", "options": [exact("A-7"), exact("B-8")]}
    source = one_argument(matcher, "A-7", values={"to": ["A-7", "B-8", "C-9"]})
    found = made(wrong_entity, source)
    assert values(found) == ["C-9"]
    assert verdicts(source, found) == {0}


def test_a_value_that_another_entry_asks_for_is_no_fault():
    group = [
        {**effect("send-email", "o1", to=exact("A-7")), "any_of": "g"},
        {**effect("send-email", "o2", to=exact("B-8")), "any_of": "g"},
    ]
    source = original(
        contract(*group), rollout(call("send-email", to="A-7")), values={"to": ["B-8", "C-9"]}
    )
    assert values(made(wrong_entity, source)) == ["C-9"]


def test_values_deep_inside_lists_and_objects_are_reached():
    person = {"match": "object", "fields": {"name": {"match": "text", "value": "Kim"}}}
    matcher = {"match": "set", "items": [person]}
    source = one_argument(matcher, [{"name": "Kim"}], values={"name": ["Mia"]})
    found = made(wrong_text, source)
    assert values(found) == [[{"name": "Mia"}]]
    assert said(found) == ['send-email (o1) with to.0.name "Mia" instead of "Kim"']
    assert verdicts(source, found) == {0}


def test_a_list_that_is_text_stays_text():
    matcher = {"match": "set", "value": [1, 2], "of": "number"}
    source = one_argument(matcher, "[1, 2]")
    found = made(wrong_number, source)
    assert values(found)[:2] == ["[2, 2]", "[0, 2]"]
    assert verdicts(source, found) == {0}
