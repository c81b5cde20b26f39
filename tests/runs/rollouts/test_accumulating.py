from typing import Any

from benchmarks.contract.observed import observed_from_trajectory
from benchmarks.records.contract import Contract
from runs.rollouts.accumulating import accumulate
from tests.runs.rollouts.kept import call, calling, text, trajectory
from tests.runs.rollouts.test_marking import ANSWERED, POLICY, READ, REFUND, contract, refunding


def accumulated(demand: Contract, kept: Any) -> Any:
    return accumulate(demand, observed_from_trajectory(kept), POLICY)


def closed(amount: float = 25) -> Any:
    return refunding(amount).with_(final_response="Done.")


def test_each_entry_is_met_at_a_step_and_the_credit_grows_with_it() -> None:
    found = accumulated(contract(REFUND, READ, ANSWERED), closed())
    assert [(each["id"], each["met_at"], each["met_at_call"]) for each in found["required"]] == [
        ("o1", 1, 1),
        ("o2", 0, 0),
        ("o3", 2, 2),
    ]
    told = [
        (each["event"], each["tool"], each["satisfies"], each["met_count"], each["partial_credit"])
        for each in found["steps"]
    ]
    assert told == [
        ("call", "get_order", [1], 1, 0.333333),
        ("call", "issue_refund", [0], 2, 0.666667),
        ("final_response", "final response", [2], 3, 1.0),
    ]
    assert [each["mutating"] for each in found["steps"]] == [False, True, False]
    assert found["verdict"]["task_completed_correctly"] is True
    assert (found["verdict"]["strict"], found["verdict"]["score"]) == (1, 1)


def test_what_the_reference_answers_stands_under_its_keys() -> None:
    found = accumulated(contract(REFUND), closed())
    assert set(found) == {"required", "forbidden_tools", "forbidden_values", "steps", "verdict"}
    assert set(found["required"][0]) >= {"kind", "label", "tool", "observed_arguments", "met_at"}
    assert set(found["steps"][0]) >= {
        *("index", "tool", "event", "arguments", "mutating", "satisfies"),
        *("forbidden_violation", "met_count", "partial_credit"),
    }
    verdict = {"recall", "precision", "policy", "strict", "score", "task_completed_correctly"}
    assert set(found["verdict"]) >= verdict
    assert found["required"][0]["label"] == "issue_refund order_id=A-1007 amount=25"
    assert found["required"][0]["observed_arguments"] == REFUND["arguments"]


def test_an_entry_that_no_step_meets_has_none_and_the_verdict_is_the_scorers() -> None:
    found = accumulated(contract(REFUND), closed(amount=99))
    assert found["required"][0]["met_at"] is None
    assert [each["met_count"] for each in found["steps"]] == [0, 0, 0]
    assert (found["verdict"]["strict"], found["verdict"]["unexpected_writes"]) == (0, 1)


def test_something_forbidden_takes_the_credit_away_at_the_step_that_does_it() -> None:
    demand = contract(REFUND).with_(
        forbidden=[
            {"id": "x1", "type": "forbidden", "tool": "issue_refund", "reason": "no"},
            {"id": "x2", "type": "forbidden_value", "value": "secret", "reason": "no"},
        ]
    )
    found = accumulated(demand, closed())
    assert [each["forbidden_violation"] for each in found["steps"]] == [False, True, False]
    assert [each["partial_credit"] for each in found["steps"]] == [0.0, 0.0, 0.0]
    assert (found["forbidden_tools"], found["forbidden_values"]) == (["issue_refund"], 1)


def test_an_any_of_group_counts_once() -> None:
    other = {**READ, "id": "o5", "any_of": "look", "arguments": {}}
    found = accumulated(contract(REFUND, {**READ, "any_of": "look"}, other), closed())
    assert [each["partial_credit"] for each in found["steps"]] == [0.5, 1.0, 1.0]
    assert found["verdict"]["recall"] == 1


def test_what_cannot_be_judged_has_steps_and_no_number() -> None:
    found = accumulated(contract({"id": "o1", "type": "telepathy"}), closed())
    assert [each["partial_credit"] for each in found["steps"]] == [None, None, None]
    assert (found["verdict"]["judgeable"], found["verdict"]["score"]) == (False, None)
    assert found["verdict"]["problem"] == "unknown_obligation"


def test_a_rollout_that_did_nothing_has_no_steps() -> None:
    found = accumulated(contract(REFUND), trajectory())
    assert found["steps"] == []
    assert found["required"][0]["met_at"] is None


def test_words_before_the_last_are_texts_of_their_own() -> None:
    kept = trajectory(
        turns=[calling(0, "get_order", words="Looking."), text(1, "assistant", "Done.")],
        calls=[call(0, "get_order", {"order_id": "A-1007"}, call_id="c00", turn=0)],
        final_response="Done.",
    )
    found = accumulated(contract(READ), kept)
    assert [(each["event"], each["arguments"]) for each in found["steps"]] == [
        ("text", "Looking."),
        ("call", {"order_id": "A-1007"}),
        ("final_response", "Done."),
    ]
