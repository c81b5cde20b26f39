"""What raises a flag, and more often what must not."""

from typing import Any

import pytest

from benchmarks.records.calibration import CalibrationEntry
from benchmarks.records.environment import TaskValidation
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.tool_policy import ToolEntry
from reviews.attention import Signs, doubts, meets_bar, unclassified_tools
from tests.reviews.factories import make_task


def flags(task: Any = None, **signs: Any) -> dict[str, str]:
    return {doubt.flag.value: doubt.reason for doubt in doubts(task or make_task(), Signs(**signs))}


def entry(**changes: Any) -> dict[str, CalibrationEntry]:
    line = {"task_id": "t1", "score": 0, "passed": False, "rollouts": 3, **changes}
    return {"t1": CalibrationEntry.read(line)}


def test_clean_task_raises_nothing() -> None:
    assert flags(judgeability={"t1": "full"}) == {}


@pytest.mark.parametrize("confidence", ["medium", "low", None, "hihg"])
def test_confidence_below_the_bar_is_flagged(confidence: str | None) -> None:
    said = confidence or "unknown"
    found = flags(make_task(machine_confidence=confidence))
    assert found == {"low_confidence": f"machine confidence {said}, the bar is high"}


def test_lower_bar_lets_medium_pass_and_never_an_unknown_word() -> None:
    policy = ReviewPolicy(min_confidence="medium")
    assert flags(make_task(machine_confidence="medium"), policy=policy) == {}
    assert "low_confidence" in flags(make_task(machine_confidence="low"), policy=policy)
    assert not meets_bar("hihg", "low")


def test_close_call_is_flagged_at_any_bar() -> None:
    policy = ReviewPolicy(min_confidence="low")
    assert list(flags(make_task(close_call=True), policy=policy)) == ["low_confidence"]


def test_failed_self_check_names_its_checks() -> None:
    failures = [{"check": "prompt_empty", "detail": ""}, {"check": "no_boundary", "detail": ""}]
    found = flags(make_task(self_check={"ok": False, "failures": failures}))
    assert found == {"self_check_failed": "failed: prompt_empty, no_boundary"}


def test_absent_self_check_is_not_a_failed_one() -> None:
    assert flags(make_task(self_check=None)) == {}


def test_incumbent_that_never_passed_is_flagged() -> None:
    assert flags(calibration=entry()) == {
        "incumbent_failed": "the incumbent scored 0 in 3 rollouts"
    }


def test_unmeasured_and_passed_entries_are_not_flagged() -> None:
    assert flags(calibration=entry(score=None, passed=None, rollouts=0)) == {}
    assert flags(calibration=entry(score=1, passed=True)) == {}


def test_policy_can_do_without_the_incumbent() -> None:
    policy = ReviewPolicy(require_incumbent_pass=False)
    assert flags(calibration=entry(), policy=policy) == {}


def test_flaky_task_is_flaky_and_not_failed() -> None:
    found = flags(calibration=entry(score=0.6667, flaky=True, pass_rate=0.6667))
    assert found == {"flaky": "the incumbent passes 67% of 3 rollouts"}


def test_conflict_is_flagged_on_its_own_task_only() -> None:
    conflicts = {"t10": "benchmark.json does not list it"}
    assert flags(conflicts=conflicts) == {}
    assert flags(make_task("t10"), conflicts=conflicts) == {
        "schema_conflict": "benchmark.json does not list it"
    }


def test_anomalies_are_counted_by_kind() -> None:
    kinds = ["empty_prompt", "rollout_timeout", "empty_prompt"]
    assert flags(anomalies={"t1": kinds}) == {
        "anomaly": "anomalous rows: 2 empty_prompt, 1 rollout_timeout"
    }


def test_called_tool_that_nobody_classed_is_flagged() -> None:
    task = make_task(tool_surface=["issue_refund", "poke"], tool_effects={})
    tools = {"issue_refund": ToolEntry(effect="write"), "poke": ToolEntry(effect="unknown")}
    assert flags(task, tools=tools) == {"unclassified_tool": "read or write is unknown: poke"}


def test_tool_without_any_entry_is_unknown() -> None:
    assert unclassified_tools(make_task(tool_surface=["poke"], tool_effects=None), {}) == ["poke"]


def test_operators_word_of_today_clears_what_stood_at_build_time() -> None:
    task = make_task(tool_surface=["poke"], tool_effects={"poke": {"effect": "unknown"}})
    assert unclassified_tools(task, {}) == ["poke"]
    assert unclassified_tools(task, {"poke": ToolEntry(effect="read", source="operator")}) == []


def test_tools_with_a_role_need_no_effect() -> None:
    tools = {
        "hand_over": ToolEntry(effect="unknown", role="handoff"),
        "run_sql": ToolEntry(effect="unknown", per_call="sql"),
    }
    assert unclassified_tools(make_task(tool_surface=list(tools)), tools) == []


def test_offered_tool_that_was_never_called_raises_nothing() -> None:
    tools = {"poke": ToolEntry(effect="unknown")}
    assert flags(make_task(), tools=tools) == {}


def test_trivial_arms_are_named() -> None:
    assert flags(trivial={"t1": ["null_agent"]}) == {
        "trivial_pass": "passes without doing anything: null_agent"
    }


@pytest.mark.parametrize("judgeability", ["none", "weak", "partial"])
def test_contract_that_cannot_judge_enough_is_flagged(judgeability: str) -> None:
    assert list(flags(judgeability={"t1": judgeability})) == ["weak_verifier"]


def test_low_fidelity_rows_raise_their_own_flag_too() -> None:
    found = flags(anomalies={"t1": ["low_fidelity"]})
    assert list(found) == ["anomaly", "low_fidelity"]


@pytest.mark.parametrize(("share", "flagged"), [(0.79, True), (0.8, False), (None, False)])
def test_trials_that_the_recording_cannot_serve_are_flagged(
    share: float | None, flagged: bool
) -> None:
    validation = TaskValidation.read({
        "task_id": "t1",
        "oracle": {
            "judgeable": True,
            "met": [],
            "unmet": [],
            "violated": [],
            "unexpected_writes": 0,
        },
        "trials_fidelity": {"share": share},
    })
    found = flags(validation={"t1": validation})
    assert ("low_fidelity" in found) is flagged


def test_flags_stand_in_the_order_of_the_vocabulary() -> None:
    found = flags(
        make_task(machine_confidence="low"),
        trivial={"t1": ["null_agent"]},
        judgeability={"t1": "weak"},
        conflicts={"t1": "x"},
    )
    assert list(found) == ["low_confidence", "schema_conflict", "trivial_pass", "weak_verifier"]
