"""Faults in where values stand."""

from benchmarks.contract.mutants.faults.shape import (
    long_list,
    short_list,
    swap_values,
    wrong_key,
)
from tests.benchmarks.contract.making import call, contract, effect, exact, rollout, tool
from tests.benchmarks.contract.mutants.probing import arguments, made, original, said, verdicts

NUMBERS = {"match": "set", "value": [1, 2], "of": "number"}


def test_each_judged_value_is_given_under_another_name():
    kind = tool("issue_refund", ["order_id", "amount", "note", "memo"])
    demand = effect(
        "issue_refund",
        order_id=exact("A-7"),
        amount={"match": "any"},
        note={"match": "text", "value": "x", "optional": True},
    )
    observed = rollout(call("issue_refund", order_id="A-7", amount=25, note="x"))
    source = original(contract(demand), observed, tools=[kind])
    found = made(wrong_key, source)
    assert arguments(found) == [{"amount": 25, "note": "x", "memo": "A-7"}]
    assert said(found) == ["issue_refund (o1) with order_id given as memo"]
    assert verdicts(source, found) == {0}


def test_a_name_of_no_argument_where_none_is_free():
    source = original(
        contract(effect("close-ticket", ticket_id=exact("T-1"))),
        rollout(call("close-ticket", ticket_id="T-1")),
    )
    found = made(wrong_key, source)
    assert arguments(found) == [{"other_ticket_id": "T-1"}]
    assert verdicts(source, found) == {0}


def test_a_field_inside_an_object_is_renamed_there():
    person = {"match": "object", "fields": {"dob": {"match": "date", "value": "1990-01-02"}}}
    source = original(
        contract(effect("send-email", to={"match": "set", "items": [person]})),
        rollout(call("send-email", to=[{"dob": "1990-01-02"}])),
    )
    found = made(wrong_key, source)
    assert arguments(found) == [
        {"other_to": [{"dob": "1990-01-02"}]},
        {"to": [{"other_dob": "1990-01-02"}]},
    ]
    assert verdicts(source, found) == {0}


def test_values_are_exchanged_between_two_required_calls():
    low, high = {"match": "text", "value": "low"}, {"match": "text", "value": "high"}
    demand = contract(
        effect("set-priority", "o1", ticket_id=exact("T-1"), priority=low),
        effect("set-priority", "o2", ticket_id=exact("T-2"), priority=high),
    )
    observed = rollout(
        call("set-priority", ticket_id="T-1", priority="low"),
        call("set-priority", ticket_id="T-2", priority="high"),
    )
    source = original(demand, observed)
    found = made(swap_values, source)
    assert said(found) == [
        "priority exchanged between o1 and o2",
        "ticket_id exchanged between o1 and o2",
    ]
    assert arguments(found, 0) == [
        {"ticket_id": "T-1", "priority": "high"},
        {"ticket_id": "T-2", "priority": "low"},
    ]
    assert verdicts(source, found) == {0}


def test_calls_that_differ_in_nothing_else_have_nothing_to_exchange():
    body = {"match": "prose", "value": "Hi."}
    demand = contract(
        effect("send-email", "o1", to=exact("a@b.c"), body=body),
        effect("send-email", "o2", to=exact("d@e.f"), body=body),
    )
    observed = rollout(
        call("send-email", to="a@b.c", body="Hello."), call("send-email", to="d@e.f", body="Bye.")
    )
    assert made(swap_values, original(demand, observed)) == []


def test_a_list_with_one_element_less_and_one_more():
    source = original(
        contract(effect("send-email", to=NUMBERS)),
        rollout(call("send-email", to=[1, 2])),
        values={"to": [1, 2, 9]},
    )
    shorter, longer = made(short_list, source), made(long_list, source)
    assert arguments(shorter) == [{"to": [2]}, {"to": [1]}]
    assert arguments(longer) == [{"to": [1, 2, 9]}]
    assert verdicts(source, [*shorter, *longer]) == {0}


def test_an_own_element_again_where_no_other_was_seen():
    source = original(
        contract(effect("send-email", to=NUMBERS)), rollout(call("send-email", to="[1, 2]"))
    )
    found = made(long_list, source)
    assert arguments(found) == [{"to": "[1, 2, 1]"}]
    assert verdicts(source, found) == {0}


def test_a_list_that_may_hold_more_is_never_too_long():
    source = original(
        contract(effect("send-email", to={**NUMBERS, "contains": True})),
        rollout(call("send-email", to=[1, 2])),
    )
    assert made(long_list, source) == []
    assert verdicts(source, made(short_list, source)) == {0}


def test_a_list_that_was_left_out_may_hold_nothing():
    nothing = {"match": "set", "value": [], "of": "exact", "optional": True}
    source = original(contract(effect("send-email", to=nothing)), rollout(call("send-email")))
    found = made(long_list, source)
    assert arguments(found) == [{"to": ["another"]}]
    assert verdicts(source, found) == {0}
