"""Faults in what must not happen."""

from benchmarks.contract.mutants.faults.conduct import forbidden
from tests.benchmarks.contract.making import call, contract, exact, rollout
from tests.benchmarks.contract.mutants.probing import (
    ANSWERED,
    arguments,
    finals,
    made,
    offered,
    original,
    said,
    verdicts,
)

TOOLS = offered("issue_refund", "cancel_order", "close-ticket", "get_order")
LOOKED = call("get_order", order_id="A-7")


def test_a_forbidden_call_is_made_with_its_own_arguments():
    entry = {"id": "x1", "type": "forbidden", "tool": "cancel_order"}
    source = original(
        contract(ANSWERED, forbidden=[{**entry, "arguments": {"order_id": exact("A-7")}}]),
        rollout(LOOKED),
        tools=TOOLS,
    )
    found = made(forbidden, source)
    assert said(found) == ['cancel_order with {order_id: "A-7"} besides']
    assert [one.obligation_id for one in found] == ["x1"]
    assert verdicts(source, found) == {0}


def test_a_forbidden_value_is_said_and_sent():
    entry = {"id": "x1", "type": "forbidden_value", "value": 4711}
    source = original(contract(ANSWERED, forbidden=[entry]), rollout(LOOKED), tools=TOOLS)
    found = made(forbidden, source)
    assert said(found) == ['says "4711"', 'sends "4711" to get_order']
    assert finals(found) == ["Done. 4711", "Done."]
    assert arguments(found) == [{"order_id": "A-7"}, {"order_id": "A-7", "note": 4711}]
    assert verdicts(source, found) == {0}


def test_a_forbidden_value_is_put_where_it_is_forbidden():
    for where, say in (("final_response", "says"), ("tool_args", "sends")):
        entry = {"id": "x1", "type": "forbidden_value", "value": "A-9", "where": where}
        source = original(contract(ANSWERED, forbidden=[entry]), rollout(LOOKED), tools=TOOLS)
        [found] = made(forbidden, source)
        assert found.say.startswith(say)
        assert verdicts(source, [found]) == {0}


def test_what_is_preserved_is_written_by_every_tool_of_its_kind():
    entry = {"id": "p1", "type": "preserved", "entity": {"type": "order", "id": "A-8"}}
    source = original(contract(ANSWERED, preserved=[entry]), rollout(LOOKED), tools=TOOLS)
    found = made(forbidden, source)
    assert [one.observed.calls[-1].tool for one in found] == ["cancel_order", "issue_refund"]
    assert arguments(found) == [{"order_id": "A-8"}] * 2
    assert verdicts(source, found) == {0}


def test_a_preserved_tool_is_called():
    entry = {"id": "p1", "type": "preserved", "tool": "close-ticket"}
    source = original(contract(ANSWERED, preserved=[entry]), rollout(LOOKED), tools=TOOLS)
    found = made(forbidden, source)
    assert [one.observed.calls[-1].tool for one in found] == ["close-ticket"]
    assert verdicts(source, found) == {0}
