"""Harmless in what is done: the verifier accepts each."""

from benchmarks.contract.mutants.harmless.calls import (
    extra_failed_read,
    extra_read,
    reorder_writes,
    repeat_idempotent,
    retry,
)
from tests.benchmarks.contract.making import call, contract, effect, exact, rollout
from tests.benchmarks.contract.mutants.probing import (
    ANSWERED,
    made,
    offered,
    original,
    said,
    verdicts,
)

REFUND = effect("issue_refund", order_id=exact("A-7"))
CLOSE = effect("close-ticket", "o2", ticket_id=exact("T-1"))
REFUNDED = call("issue_refund", order_id="A-7")
CLOSED = call("close-ticket", ticket_id="T-1")
LOOKED = call("get_order", {"status": "paid"}, order_id="A-7")
HANDED = call("transfer_to_human_agents", summary="x")


def test_a_read_more_at_the_start_and_just_before_the_closing_act():
    source = original(
        contract(REFUND, ANSWERED), rollout(LOOKED, REFUNDED, HANDED), tools=offered("get_order")
    )
    found = made(extra_read, source)
    assert [one.observed.calls for one in found] == [
        (LOOKED, LOOKED, REFUNDED, HANDED),
        (LOOKED, REFUNDED, LOOKED, HANDED),
    ]
    assert verdicts(source, found) == {1}


def test_reads_of_tools_that_were_never_called_are_made_up():
    source = original(
        contract(REFUND), rollout(REFUNDED), tools=offered("get_order", "issue_refund")
    )
    found = made(extra_read, source)
    assert [[two.tool for two in one.observed.calls] for one in found] == [
        ["get_order", "issue_refund"],
        ["issue_refund", "get_order"],
    ]
    assert verdicts(source, found) == {1}


def test_no_read_more_is_one_that_is_forbidden():
    for entry in (
        {"id": "x1", "type": "forbidden", "tool": "get_order"},
        {"id": "x1", "type": "forbidden_value", "value": "A-9"},
    ):
        source = original(
            contract(REFUND, forbidden=[entry]), rollout(REFUNDED), tools=offered("get_order")
        )
        found = made(extra_read, source)
        assert verdicts(source, found) <= {1}
        assert (found == []) is (entry["type"] == "forbidden")


def test_a_read_in_vain_changes_nothing():
    source = original(contract(REFUND), rollout(LOOKED, REFUNDED), tools=offered("get_order"))
    found = made(extra_failed_read, source)
    assert [[one.status for one in two.observed.calls] for two in found] == [
        ["error", "ok", "ok"],
        ["ok", "ok", "error"],
    ]
    assert verdicts(source, found) == {1}


def test_writes_on_different_things_change_places():
    source = original(contract(REFUND, CLOSE), rollout(REFUNDED, LOOKED, CLOSED))
    found = made(reorder_writes, source)
    assert [one.observed.calls for one in found] == [(CLOSED, LOOKED, REFUNDED)]
    assert said(found) == ["close-ticket (call 3) before issue_refund (call 1)"]
    assert verdicts(source, found) == {1}


def test_a_write_that_needs_what_another_made_stays_behind_it():
    demand = contract(
        effect("create-ticket", "o1", title={"match": "any"}),
        effect("close-ticket", "o2", ticket_id={"match": "ref", "entry": "o1", "path": "/id"}),
    )
    observed = rollout(
        call("create-ticket", {"id": "T-3"}, title="x"), call("close-ticket", ticket_id="T-3")
    )
    assert made(reorder_writes, original(demand, observed)) == []


def test_writes_that_supersede_each_other_keep_their_order():
    low = call("set-priority", ticket_id="T-1", priority="low")
    high = call("set-priority", ticket_id="T-1", priority="high")
    demand = effect("set-priority", ticket_id=exact("T-1"), priority=exact("high"))
    assert made(reorder_writes, original(contract(demand), rollout(low, high))) == []


def test_only_what_folds_may_be_done_again():
    source = original(contract(REFUND, CLOSE), rollout(REFUNDED, CLOSED))
    found = made(repeat_idempotent, source)
    assert [one.observed.calls for one in found] == [(REFUNDED, CLOSED, CLOSED)]
    assert verdicts(source, found) == {1}


def test_a_call_may_be_rejected_first():
    source = original(contract(REFUND), rollout(REFUNDED))
    [found] = made(retry, source)
    assert [one.status for one in found.observed.calls] == ["error", "ok"]
    assert verdicts(source, [found]) == {1}
