from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import UnknownTask
from benchmarks.records.environment import Gold, GoldTask
from runs.services.replaying import replay_task
from tests.reviews.desks import add_rows
from tests.reviews.factories import make_row
from tests.runs.services.test_rollouts import keep, refund

CALL: dict[str, Any] = {
    "call_id": "c1",
    "tool": "issue_refund",
    "arguments": {"order_id": "A-1007"},
    "status": "ok",
    "write": True,
    "content": "ok",
    "turn": 1,
}


def record(located: Located, *calls: dict[str, Any], task_id: str = "t1") -> None:
    gold = GoldTask.read({
        "task_id": task_id,
        "calls": list(calls),
        "texts": ["Done."],
        "text_turns": [3],
        "final_response": "Done.",
        "termination": "finished",
    })
    located.directory.replace(layout.GOLD, Gold(tasks=[gold]))


def test_the_recorded_run_meets_its_own_contract_step_by_step(proposal: Located) -> None:
    record(proposal, CALL)
    found = replay_task(located=proposal, task_id="t1")
    assert [(step["event"], step["satisfies"]) for step in found["steps"]] == [
        ("call", [0]),
        ("final_response", []),
    ]
    assert found["verdict"]["task_completed_correctly"] is True
    assert (found["stage"], found["spine_missing"]) == ("proposed", False)
    assert found["contract"]["required"][0]["tool"] == "issue_refund"
    assert found["contract_in_words"][0].startswith("issue_refund with order_id")


def test_a_rejected_call_of_the_recorded_run_is_shown_and_meets_nothing(proposal: Located) -> None:
    record(proposal, {**CALL, "status": "error"}, CALL)
    steps = replay_task(located=proposal, task_id="t1")["steps"]
    assert [(step["status"], step["satisfies"]) for step in steps[:2]] == [
        ("error", []),
        ("ok", [0]),
    ]


def test_a_task_without_a_recorded_run_says_so(proposal: Located) -> None:
    record(proposal, CALL, task_id="t2")
    found = replay_task(located=proposal, task_id="t1")
    assert (found["spine_missing"], found["steps"]) == (True, [])
    assert found["required"][0]["met_at"] is None


def test_the_keys_of_the_reference_are_all_there(promoted: Located) -> None:
    record(promoted, CALL)
    keep(promoted, refund())
    found = replay_task(located=promoted, task_id="t1")
    assert set(found) >= {
        *("task_id", "stage", "label", "spine_missing", "required", "forbidden_tools"),
        *("forbidden_values", "steps", "verdict", "reward_functions", "environment", "arms"),
    }
    assert set(found["arms"][0]) >= {
        *("key", "model", "run_id", "created_at", "rollouts", "mean_score", "subscores", "status"),
        *("has_writes", "required", "forbidden_tools", "forbidden_values", "steps", "verdict"),
    }
    assert found["stage"] == "promoted"


def test_the_environment_says_whether_its_oracle_passes_and_its_sentinels_fail(
    proposal: Located,
) -> None:
    found = replay_task(located=proposal, task_id="t1")
    assert found["environment"]["exists"] is True
    assert found["environment"]["oracle_pass"] is True
    assert found["environment"]["sentinel_pass"] is True
    assert found["environment"]["cli"] == (
        "understudy runs execute --benchmark local--refund-desk --watch"
    )
    assert found["reward_functions"] == [
        {"name": "task_completed_correctly", "weight": 1},
        {"name": "final_state_partial_credit", "weight": None},
    ]


def test_an_environment_that_was_never_validated_is_neither_good_nor_bad(proposal: Located) -> None:
    (proposal.directory.path / layout.VALIDATION.path).unlink()
    environment = replay_task(located=proposal, task_id="t1")["environment"]
    assert (environment["oracle_pass"], environment["sentinel_pass"]) == (None, None)


def test_each_arm_of_each_run_is_replayed_from_its_newest_kept_rollout(proposal: Located) -> None:
    keep(proposal, refund("A-1007"), refund("B-1", rollout=1), refund(model="m2"))
    arms = replay_task(located=proposal, task_id="t1")["arms"]
    assert [(arm["key"], arm["rollouts"], arm["rollout"], arm["from"]) for arm in arms] == [
        ("m1 · run-1", 2, 1, "trajectory"),
        ("m2 · run-1", 1, 0, "trajectory"),
    ]
    assert [arm["verdict"]["strict"] for arm in arms] == [0, 1]
    assert arms[0]["mean_score"] == 1


def test_an_arm_without_a_kept_rollout_is_replayed_from_its_writes(proposal: Located) -> None:
    write = {"tool": "issue_refund", "arguments": {"order_id": "A-1007"}}
    add_rows(proposal, make_row(score=0, writes=[write], rollout=0), make_row(score=1, rollout=1))
    [arm] = replay_task(located=proposal, task_id="t1")["arms"]
    assert (arm["from"], arm["rollout"], arm["has_writes"]) == ("writes", 0, True)
    assert arm["steps"][0]["arguments"] == {"order_id": "A-1007"}
    assert arm["mean_score"] == 0.5


def test_anomalous_rows_are_out_of_an_arms_mean_and_rows_without_score_are_counted(
    proposal: Located,
) -> None:
    odd = {"kind": "no_tool_calls", "detail": "x"}
    add_rows(
        proposal,
        make_row(score=1, rollout=0),
        make_row(score=0, rollout=1, anomaly=odd, anomalies=[odd]),
        make_row(score=None, rollout=2),
    )
    [arm] = replay_task(located=proposal, task_id="t1")["arms"]
    assert (arm["mean_score"], arm["missing"], arm["rollouts"]) == (1, 1, 3)


def test_an_unknown_task_is_refused(proposal: Located) -> None:
    with pytest.raises(UnknownTask):
        replay_task(located=proposal, task_id="t9")
