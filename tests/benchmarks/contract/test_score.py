"""The one scorer beyond the worked cases: formulas, ids, ties, validity, reasons."""

from time import perf_counter
from typing import Any

import pytest

from benchmarks.contract.mutating import effective_policy
from benchmarks.contract.observed import ObservedCall
from benchmarks.contract.score import score
from benchmarks.records.contract import Contract
from tests.benchmarks.contract.making import (
    POLICY,
    call,
    contract,
    effect,
    exact,
    judged,
    rejected,
    response,
    rollout,
    said_value,
    tool,
)

CLOSE = effect("close-ticket", ticket_id=exact("T-1"))
CLOSED = call("close-ticket", ticket_id="T-1")


def test_the_score_is_the_mean_of_recall_precision_and_policy() -> None:
    demand = contract(CLOSE, effect("send-email", "o2", to=exact("kim")))
    observed = rollout(CLOSED, call("create-ticket", title="x"))
    result = judged(demand, observed).score
    assert (result.recall, result.precision, result.policy) == (0.5, 0.5, 1)
    assert result.score == pytest.approx(2 / 3)


def test_precision_without_a_write_is_one_only_where_no_effect_is_wanted() -> None:
    assert judged(contract(CLOSE), rollout()).score.precision == 0
    assert judged(contract(response("answered")), rollout()).score.precision == 1


def test_a_read_that_fills_an_entry_counts_for_recall_and_not_as_a_write() -> None:
    demand = contract(effect("get_order", order_id=exact("A-7")))
    result = judged(demand, rollout(call("get_order", order_id="A-7"))).score
    assert (result.strict, result.recall, result.precision) == (1, 1, 1)


def test_each_call_fills_one_entry_by_maximum_matching() -> None:
    anyone = effect("send-email", "o1", to={"match": "any"})
    kim = effect("send-email", "o2", to=exact("kim"))
    observed = rollout(call("send-email", to="kim"), call("send-email", to="lee"))
    result = judged(contract(anyone, kim), observed)
    assert result.score.strict == 1
    assert result.matched == {"o1": 1, "o2": 0}


def test_extra_writes_may_be_allowed() -> None:
    observed = rollout(CLOSED, call("send-email", to="kim"))
    result = judged(contract(CLOSE, writes="allow"), observed)
    assert (result.score.strict, result.score.unexpected_writes) == (1, 1)
    assert result.unexpected == (1,)


def test_a_contract_that_does_not_say_allows_extra_writes() -> None:
    older = Contract.read({"status": "machine_proposed", "required": [CLOSE]})
    observed = rollout(CLOSED, call("send-email", to="kim"))
    assert score(older, observed, POLICY).score.strict == 1


def test_read_obligations_need_one_accepted_call() -> None:
    demand = contract({
        "id": "o1", "type": "read_obligation", "tool": "get_order",
        "arguments": {"order_id": exact("A-7")},
    })  # fmt: skip
    assert judged(demand, rollout(call("get_order", order_id="A-7"))).score.strict == 1
    assert judged(demand, rollout(rejected("get_order", order_id="A-7"))).score.strict == 0
    assert judged(demand, rollout(call("get_order", order_id="A-8"))).reasons == {
        "o1": 'call 1 to get_order is nearest: order_id is "A-8", wanted "A-7"'
    }


def test_one_of_a_group_suffices_and_the_group_counts_once() -> None:
    demand = contract(
        {**effect("close-ticket", "o1", ticket_id=exact("T-1")), "any_of": "end"},
        {**effect("cancel_order", "o2", order_id=exact("A-7")), "any_of": "end"},
        effect("send-email", "o3", to=exact("kim")),
    )
    mail = call("send-email", to="kim")
    one = judged(demand, rollout(CLOSED, mail)).score
    assert (one.strict, one.recall, one.unmet) == (1, 1, [])
    both = judged(demand, rollout(CLOSED, call("cancel_order", order_id="A-7"), mail)).score
    assert (both.strict, both.unexpected_writes) == (1, 0)
    none = judged(demand, rollout(mail)).score
    assert (none.strict, none.recall, none.unmet) == (0, 0.5, ["o1", "o2"])


def test_an_optional_write_is_matched_never_required_never_unexpected() -> None:
    optional = {**effect("send-email", "o2", to=exact("kim")), "optional": True}
    demand = contract(CLOSE, optional)
    assert judged(demand, rollout(CLOSED)).score.strict == 1
    with_it = judged(demand, rollout(CLOSED, call("send-email", to="kim"))).score
    assert (with_it.strict, with_it.precision, with_it.unexpected_writes) == (1, 1, 0)
    assert judged(demand, rollout(CLOSED, call("send-email", to="lee"))).score.strict == 0


def test_an_optional_entry_never_takes_the_call_of_a_required_one() -> None:
    optional = {**effect("send-email", "o1", to={"match": "any"}), "optional": True}
    demand = contract(optional, effect("send-email", "o2", to=exact("kim")))
    assert judged(demand, rollout(call("send-email", to="kim"))).matched == {"o2": 0}


def test_nothing_but_optional_entries_is_not_judgeable() -> None:
    assert judged(contract({**CLOSE, "optional": True}), rollout()).problem == "empty_contract"


REGEX = {"match": "regex", "value": "x"}


@pytest.mark.parametrize(
    "extra",
    [
        effect("create-ticket", "o2", title=REGEX),
        effect("create-ticket", "o2", list={"match": "set", "items": [REGEX]}),
        {"id": "o2", "type": "state_effect"},
        {"id": "o2", "type": "vibe_check"},
        response("feels_right", "o2"),
        response("value", "o2", at="/a", matcher=REGEX),
        response("value", "o2", at="somewhere", matcher=exact(1)),
        response("contains_category", "o2"),
        said_value("x", "o2", **{"as": "fuzzy"}),
        said_value("x", "o2", must_reach={"kind": "thoughts"}),
        said_value(None, "o2"),
        response("token_f1", "o2"),
        effect("create-ticket", "o2", title={"match": "set", "value": "a"}),
        effect("close-ticket", "o2", ticket_id={"match": "ref", "entry": "o9", "path": ""}),
    ],
)
def test_an_unknown_word_anywhere_makes_the_contract_not_judgeable(extra: dict[str, Any]) -> None:
    result = judged(contract(CLOSE, extra), rollout(CLOSED))
    assert result.problem == "unknown_obligation"
    assert (result.score.judgeable, result.score.strict) == (False, None)
    assert result.reasons["contract"].startswith("unknown_obligation: o2")


@pytest.mark.parametrize(
    "rest",
    [
        {"preserved": [{"id": "p1", "type": "kept"}]},
        {"preserved": [{"id": "p1", "type": "preserved"}]},
        {"forbidden": [{"id": "x1", "type": "taboo"}]},
        {"forbidden": [{"id": "x1", "tool": "send-email", "arguments": {"to": REGEX}}]},
        {"forbidden": [{"id": "x1", "type": "forbidden_value", "value": 1, "where": "dreams"}]},
        {"forbidden": [{"id": "x1", "type": "forbidden_value", "value": 1, "as": "vibe"}]},
        {"writes": "maybe"},
    ],
)
def test_so_does_one_in_what_must_not_happen(rest: dict[str, Any]) -> None:
    assert judged(contract(CLOSE, **rest), rollout(CLOSED)).problem == "unknown_obligation"


def test_equal_entries_on_an_idempotent_tool_could_never_both_be_met() -> None:
    twice = contract(CLOSE, {**CLOSE, "id": "o2"})
    result = judged(twice, rollout(CLOSED, CLOSED))
    assert result.problem == "duplicate_obligation"
    assert result.reasons["contract"].endswith("o1 and o2 ask for the same close-ticket")


def test_another_tools_write_on_the_entity_keeps_repeats_apart() -> None:
    status = effect("set-status", "o3", ticket_id=exact("T-1"), status=exact("open"))
    demand = contract(CLOSE, {**CLOSE, "id": "o2"}, status)
    opened = call("set-status", ticket_id="T-1", status="open")
    assert judged(demand, rollout(CLOSED, opened, CLOSED)).score.strict == 1
    elsewhere = {**status, "arguments": {**status["arguments"], "ticket_id": exact("T-2")}}
    assert judged(contract(CLOSE, {**CLOSE, "id": "o2"}, elsewhere), rollout()).problem == (
        "duplicate_obligation"
    )


def test_equal_entries_of_one_group_are_no_duplicates() -> None:
    demand = contract({**CLOSE, "any_of": "g"}, {**CLOSE, "id": "o2", "any_of": "g"})
    assert judged(demand, rollout(CLOSED)).score.strict == 1


def test_f18_names_of_arguments_matter() -> None:
    demand = contract(effect("create-ticket", id=exact(7)))
    assert judged(demand, rollout(call("create-ticket", record_id=7))).score.strict == 0


def test_f19_a_regex_matcher_is_unknown_where_no_call_reaches_it() -> None:
    demand = contract(effect("create-ticket", title=REGEX))
    assert judged(demand, rollout(said="Nothing done.")).problem == "unknown_obligation"


def test_f20_an_empty_required_list_loads_and_is_not_judgeable() -> None:
    empty = Contract.read({"status": "machine_proposed", "required": []})
    assert score(empty, rollout(CLOSED), POLICY).problem == "empty_contract"


def older(**entry: Any) -> Contract:
    return Contract.read({
        "status": "machine_proposed",
        "required": [{"tool": "x_update", **entry}],
    })


@pytest.mark.parametrize(
    "entry",
    [
        {"observed_arguments": {"record_id": "r-1", "amount": 25}},
        {"observed_arguments": '{"record_id": "r-1", "amount": 25}'},
        {
            "observed_arguments": {"zip": 1},
            "arguments_semantic": {"record_id": "r-1", "amount": 25},
        },
        {"observed_arguments": {"record_id": "r-1", "amount": 25}, "arguments_semantic": {}},
    ],
)
def test_matchers_of_an_older_file_are_derived_in_memory(entry: dict[str, Any]) -> None:
    policy = effective_policy(None, [tool("x_update", ["record_id", "amount"])])
    right = rollout(call("x_update", record_id="r-1", amount="25.0"))
    wrong = rollout(call("x_update", record_id="R-1", amount=25))
    assert score(older(**entry), right, policy).score.strict == 1
    assert score(older(**entry), wrong, policy).score.strict == 0


def test_an_entry_without_an_id_is_named_by_its_place() -> None:
    demand = contract({"tool": "close-ticket", "arguments": {}}, {"tool": "send-email"})
    assert judged(demand, rollout(CLOSED)).score.met == ["o1"]


def test_references_may_run_in_a_circle_without_end() -> None:
    first = effect("close-ticket", "o1", ticket_id={"match": "ref", "entry": "o2", "path": ""})
    second = effect("cancel_order", "o2", order_id={"match": "ref", "entry": "o1", "path": ""})
    observed = rollout(CLOSED, call("cancel_order", result="T-1", order_id="T-1"))
    assert judged(contract(first, second), observed).score.met == []


def test_a_reference_reads_the_calls_that_were_folded_too() -> None:
    made = call("close-ticket", result="closed as C-1", ticket_id="T-1")
    again = call("close-ticket", result="closed as C-2", ticket_id="T-1")
    ref = {"match": "ref", "entry": "o1", "path": ""}
    demand = contract(CLOSE, effect("send-email", "o2", to=ref))
    assert judged(demand, rollout(made, again, call("send-email", to="C-2"))).score.strict == 1


def test_a_call_whose_arguments_did_not_parse_meets_only_what_is_free() -> None:
    raw = ObservedCall("close-ticket", arguments_raw="{oops")
    assert judged(contract(effect("close-ticket")), rollout(raw)).score.strict == 1
    assert judged(contract(CLOSE), rollout(raw)).score.strict == 0


def test_no_state_change_may_name_its_tools() -> None:
    demand = contract({"id": "n1", "type": "no_state_change", "tools": ["cancel_order"]},
                      writes="allow")  # fmt: skip
    assert judged(demand, rollout(CLOSED)).score.strict == 1
    cancelled = judged(demand, rollout(call("cancel_order", order_id="A")))
    assert cancelled.reasons == {"n1": "call 1 to cancel_order changed something"}


def test_reasons_name_the_first_difference_and_what_was_taken() -> None:
    twice = contract(
        effect("send-email", "o1", to=exact("kim")), effect("send-email", "o2", to=exact("kim"))
    )
    assert judged(twice, rollout(call("send-email", to="kim"))).reasons == {
        "o2": "each call to send-email fills another entry"
    }
    assert judged(twice, rollout()).reasons == {
        "o1": "send-email was not called",
        "o2": "send-email was not called",
    }


def test_subscores_of_a_row() -> None:
    assert judged(contract(CLOSE), rollout(CLOSED)).subscores() == {
        "final_state": 1,
        "final_state_partial_credit": 1,
        "recall": 1,
        "precision": 1,
        "policy": 1,
        "dense": 1,
        "unexpected_writes": 0,
        "unclassified_calls": 0,
    }


def test_a_small_rollout_is_scored_well_under_a_millisecond() -> None:
    demand = contract(CLOSE, response("answered"), said_value("T-1"))
    observed = rollout(*[call("get_order", order_id=str(n)) for n in range(10)], CLOSED, said="T-1")
    timings = []
    for _ in range(50):
        started = perf_counter()
        judged(demand, observed)
        timings.append(perf_counter() - started)
    assert min(timings) < 0.001
