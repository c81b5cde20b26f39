"""Faults in what is done, on contracts of one or two writes."""

from benchmarks.contract.mutants.faults.writes import (
    APOLOGY,
    drop_reply,
    drop_write,
    duplicate_write,
    extra_write,
    refuse,
    reject_write,
)
from benchmarks.records.vocabulary import Termination
from tests.benchmarks.contract.making import (
    call,
    contract,
    effect,
    exact,
    rejected,
    response,
    rollout,
    said_value,
)
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

REFUND = effect("issue_refund", order_id=exact("A-7"), amount={"match": "number", "value": 25})
CLOSE = effect("close-ticket", "o2", ticket_id=exact("T-1"))
REFUNDED = call("issue_refund", order_id="A-7", amount=25)
CLOSED = call("close-ticket", ticket_id="T-1")
NO_CHANGE = {"id": "n1", "type": "no_state_change"}


def test_each_required_write_is_dropped_in_turn():
    source = original(contract(REFUND, CLOSE), rollout(REFUNDED, CLOSED))
    found = made(drop_write, source)
    assert said(found) == ["without issue_refund (o1)", "without close-ticket (o2)"]
    assert [one.observed.calls for one in found] == [(CLOSED,), (REFUNDED,)]
    assert [one.obligation_id for one in found] == ["o1", "o2"]
    assert verdicts(source, found) == {0}


def test_repeats_that_fold_are_dropped_together():
    source = original(contract(CLOSE), rollout(CLOSED, call("get_order", order_id="A-7"), CLOSED))
    [found] = made(drop_write, source)
    assert [one.tool for one in found.observed.calls] == ["get_order"]
    assert verdicts(source, [found]) == {0}


def test_a_required_read_is_dropped_like_a_write():
    look = {"id": "r1", "type": "read_obligation", "tool": "get_order", "arguments": {}}
    other = call("find_user", email="a@b.c")
    source = original(contract(look), rollout(call("get_order"), call("get_order"), other))
    [found] = made(drop_write, source)
    assert found.observed.calls == (other,)
    assert verdicts(source, [found]) == {0}


def test_an_optional_write_may_be_missing_and_is_not_dropped():
    source = original(contract(REFUND, {**CLOSE, "optional": True}), rollout(REFUNDED, CLOSED))
    assert said(made(drop_write, source)) == ["without issue_refund (o1)"]


def test_of_alternatives_that_are_both_met_neither_is_dropped():
    group = [{**REFUND, "any_of": "g"}, {**CLOSE, "any_of": "g"}]
    both = original(contract(*group), rollout(REFUNDED, CLOSED))
    assert made(drop_write, both) == []
    one = original(contract(*group), rollout(CLOSED))
    assert said(made(drop_write, one)) == ["without close-ticket (o2)"]


def test_the_final_text_is_the_closing_act():
    source = original(contract(REFUND, ANSWERED), rollout(REFUNDED, said=["A moment.", "Done."]))
    [found] = made(drop_reply, source)
    assert found.observed.texts == ("A moment.",)
    assert found.observed.final_response is None
    assert found.observed.termination == Termination.MAX_TURNS
    assert found.obligation_id == "a1"
    assert verdicts(source, [found]) == {0}


def test_a_hand_off_is_the_closing_act_and_words_stay():
    handed = call("transfer_to_human_agents", summary="angry")
    source = original(contract(REFUND, ANSWERED), rollout(REFUNDED, handed, said="One moment."))
    [found] = made(drop_reply, source)
    assert found.observed.calls == (REFUNDED,)
    assert found.observed.texts == ("One moment.",)
    assert verdicts(source, [found]) == {0}


def test_what_never_ended_has_no_closing_act():
    source = original(contract(REFUND), rollout(REFUNDED, termination=Termination.MAX_TURNS))
    assert made(drop_reply, source) == []


def test_the_right_call_is_rejected():
    source = original(contract(REFUND), rollout(rejected("issue_refund"), REFUNDED))
    [found] = made(reject_write, source)
    assert [one.status for one in found.observed.calls] == ["error", "error"]
    assert verdicts(source, [found]) == {0}


def test_only_a_write_that_counts_each_time_is_made_twice():
    source = original(contract(REFUND, CLOSE), rollout(REFUNDED, CLOSED))
    [found] = made(duplicate_write, source)
    assert found.observed.calls == (REFUNDED, REFUNDED, CLOSED)
    assert verdicts(source, [found]) == {0}


def test_nothing_is_too_much_where_extra_writes_are_allowed():
    tools = offered("issue_refund", "cancel_order")
    source = original(contract(REFUND, writes="allow"), rollout(REFUNDED), tools=tools)
    assert made(duplicate_write, source) == made(extra_write, source) == []


def test_a_second_call_that_an_optional_entry_takes_is_not_too_much():
    again = {**REFUND, "id": "o2", "optional": True}
    source = original(contract(REFUND, again), rollout(REFUNDED), tools=offered("issue_refund"))
    assert made(duplicate_write, source) == []


def test_one_more_write_of_each_other_tool_on_another_entity():
    tools = offered("issue_refund", "cancel_order", "close-ticket", "get_order")
    source = original(
        contract(REFUND, ANSWERED),
        rollout(REFUNDED, call("transfer_to_human_agents", summary="x")),
        tools=tools,
        values={"order_id": ["A-7", "B-8"], "ticket_id": ["T-1"]},
    )
    found = made(extra_write, source)
    assert [one.observed.calls[1].tool for one in found] == ["cancel_order", "close-ticket"]
    assert arguments(found, 1) in (
        [{"order_id": "A-7"}, {"ticket_id": "T-1"}],
        [{"order_id": "B-8"}, {"ticket_id": "T-1"}],
    )
    assert all(one.observed.calls[2].tool == "transfer_to_human_agents" for one in found)
    assert verdicts(source, found) == {0}


def test_the_only_write_tool_is_used_on_another_entity():
    source = original(
        contract(REFUND),
        rollout(REFUNDED),
        tools=offered("issue_refund"),
        values={"order_id": ["A-7", "B-8"]},
    )
    [found] = made(extra_write, source)
    assert found.observed.calls[1].arguments == {"order_id": "B-8", "amount": 25}
    assert not found.invented
    assert verdicts(source, [found]) == {0}


def test_an_entity_that_nobody_has_seen_is_made_up():
    source = original(contract(REFUND), rollout(REFUNDED), tools=offered("issue_refund"))
    [found] = made(extra_write, source)
    assert found.invented
    assert found.observed.calls[1].arguments == {"order_id": "made-up-0", "amount": 25}


def test_where_nothing_may_change_every_write_is_too_much():
    source = original(
        contract(NO_CHANGE, ANSWERED, writes="allow"),
        rollout(call("get_order", order_id="A-7")),
        tools=offered("issue_refund", "cancel_order"),
    )
    found = made(extra_write, source)
    assert [one.observed.calls[1].tool for one in found] == ["cancel_order", "issue_refund"]
    assert {one.obligation_id for one in found} == {"n1"}
    assert verdicts(source, found) == {0}


def test_a_limited_no_state_change_forbids_its_own_tools_only():
    source = original(
        contract({**NO_CHANGE, "tools": ["cancel_order"]}, ANSWERED, writes="allow"),
        rollout(),
        tools=offered("issue_refund", "cancel_order"),
    )
    assert [one.observed.calls[0].tool for one in made(extra_write, source)] == ["cancel_order"]


def test_a_refusal_is_a_fault_where_something_had_to_be_done_or_said():
    for entry, observed in (
        (REFUND, rollout(REFUNDED)),
        (said_value(7), rollout(said="7 bags")),
        (response("consulted"), rollout(call("get_order"))),
        (response("contains_category", expected="spam", labels=["spam"]), rollout(said="spam")),
    ):
        source = original(contract(entry), observed)
        found = made(refuse, source)
        assert finals(found) == [APOLOGY]
        assert found[0].observed.calls == ()
        assert verdicts(source, found) == {0}


def test_a_refusal_is_no_fault_where_it_was_right():
    source = original(contract(NO_CHANGE, ANSWERED), rollout())
    assert made(refuse, source) == []
