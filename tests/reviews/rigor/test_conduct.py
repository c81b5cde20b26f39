"""Checks of what was run."""

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.records.calibration import CalibrationEntry
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.row import Row
from benchmarks.records.times import read_time
from benchmarks.records.vocabulary import Mark
from reviews.rigor import conduct
from reviews.rigor.subject import Verdict
from tests.reviews.factories import STAMPS, make_row, make_subject, make_task, make_trivial_row
from tests.verifier_factories import make_verification

PASS, FLAG, UNKNOWN = Mark.PASS, Mark.FLAG, Mark.UNKNOWN


def said(verdict: Verdict | None) -> tuple[Mark, str]:
    assert verdict is not None
    return verdict.mark, verdict.detail


def entries(**scores: tuple[float | None, bool | None]) -> dict[str, CalibrationEntry]:
    return {
        task: CalibrationEntry(task_id=task, score=score, passed=passed, rollouts=1)
        for task, (score, passed) in scores.items()
    }


def calibrated(found: dict[str, CalibrationEntry], incumbents: Sequence[str] = ("gpt",)) -> Verdict:
    tested = {name: make_verification(make_task(name)) for name in ("t1", "t2")}
    subject = make_subject(calibration=found, incumbents=incumbents, verifiers=tested)
    return conduct.incumbent_calibration(subject)


def test_tasks_of_untested_verifiers_are_named_apart() -> None:
    found = entries(t1=(1, True), t2=(1, True))
    tested = {"t1": make_verification(make_task("t1"))}
    subject = make_subject(calibration=found, incumbents=("gpt",), verifiers=tested)
    assert said(conduct.incumbent_calibration(subject)) == (
        PASS,
        "gpt passes all 2 tasks; by verifiers that nobody tested: t2",
    )


def test_incumbent_that_passes_everything_passes() -> None:
    assert said(calibrated(entries(t1=(1, True), t2=(1, True)))) == (PASS, "gpt passes all 2 tasks")


def test_failed_task_is_flagged_before_an_unmeasured_one_is_unknown() -> None:
    found = calibrated(entries(t1=(0, False), t2=(None, None)))
    assert said(found) == (FLAG, "1 failed, 0 flaky: t1")


def test_flaky_task_is_flagged_as_flaky() -> None:
    flaky = {"t1": CalibrationEntry(task_id="t1", score=0.5, passed=False, flaky=True)}
    assert said(calibrated(flaky)) == (FLAG, "0 failed, 1 flaky: t1")


def test_unmeasured_tasks_and_no_incumbent_are_unknown() -> None:
    found = calibrated(entries(t1=(1, True)))
    assert said(found) == (UNKNOWN, "1 of 2 tasks are unmeasured")
    assert list(found.task_ids) == ["t2"]
    assert calibrated(entries(t1=(1, True), t2=(1, True)), ()).mark is UNKNOWN


def test_replay_that_fails_its_own_task_is_flagged() -> None:
    rows = [make_trivial_row("replay", "t1", 0), make_trivial_row("replay", "t2", 1)]
    found = conduct.replay_agreement(make_subject(rows))
    assert (found.mark, list(found.task_ids)) == (FLAG, ["t1"])
    assert conduct.replay_agreement(make_subject(rows[1:])).mark is PASS
    assert conduct.replay_agreement(make_subject()).mark is UNKNOWN


def fidelity(served: int, missed: int) -> dict[str, Any]:
    total = served + missed
    return {
        "calls": total,
        "served": served,
        "not_recorded": missed,
        "echoed": 0,
        "simulated": 0,
        "live": 0,
        "rejected": 0,
        "share": served / total if total else None,
    }


def test_served_arm_passes_and_starved_arm_is_flagged() -> None:
    good = make_row(fidelity=fidelity(4, 1))
    assert conduct.environment_fidelity(make_subject([good])).mark is PASS
    bad = make_row(fidelity=fidelity(3, 1))
    assert said(conduct.environment_fidelity(make_subject([bad]))) == (
        FLAG,
        "below 80 %: m1: mean 75 %, 0 % low_fidelity",
    )


def test_more_than_one_in_twenty_low_fidelity_rows_are_flagged() -> None:
    reason = {"code": "low_fidelity", "blame": "environment", "detail": ""}
    low = make_row("t2", None, status="unscored", missing_reason=reason)
    rows = [make_row(fidelity=fidelity(5, 0)), low]
    assert said(conduct.environment_fidelity(make_subject(rows))) == (
        FLAG,
        "below 80 %: m1: mean 100 %, 50 % low_fidelity",
    )


def test_trivial_arms_ask_for_nonsense_and_say_nothing_about_the_world() -> None:
    spam = make_trivial_row("spam_agent", "t1", fidelity=fidelity(1, 5))
    assert conduct.environment_fidelity(make_subject([spam])).mark is UNKNOWN
    oracle = make_trivial_row("oracle", "t1", 1, fidelity=fidelity(1, 5))
    assert conduct.environment_fidelity(make_subject([oracle])).mark is FLAG


def test_no_call_is_no_fidelity() -> None:
    rows = [make_row(fidelity=fidelity(0, 0)), make_row("t2")]
    assert conduct.environment_fidelity(make_subject(rows)).mark is UNKNOWN


def test_anomalies_are_counted_by_kind_and_blame() -> None:
    timeout = make_row(
        "t2",
        None,
        anomaly={"kind": "rollout_timeout"},
        missing_reason={"code": "rollout_timeout", "blame": "agent", "detail": ""},
    )
    rows = [make_row(anomaly={"kind": "empty_prompt"}), timeout]
    found = conduct.rollout_anomalies(make_subject(rows))
    assert said(found) == (FLAG, "2 of 2 rows: 1 empty_prompt, 1 rollout_timeout (agent)")
    assert list(found.task_ids) == ["t1", "t2"]
    assert conduct.rollout_anomalies(make_subject([make_row()])).mark is PASS
    assert conduct.rollout_anomalies(make_subject()).mark is UNKNOWN


def twenty(missing: int) -> list[Row]:
    reason = {"code": "provider_error", "blame": "provider", "detail": ""}
    return [
        make_row("t1", None if n < missing else 1, rollout=n, missing_reason=reason)
        for n in range(20)
    ]


def test_one_missing_in_twenty_passes_and_two_are_flagged() -> None:
    assert conduct.missing_rows(make_subject(twenty(1))).mark is PASS
    assert said(conduct.missing_rows(make_subject(twenty(2)))) == (FLAG, "m1: 2 provider of 20")


def test_arm_of_an_unknown_kind_is_no_spending_arm() -> None:
    rows = [make_row("t1", None, arm_kind="reward_hack")]
    assert conduct.missing_rows(make_subject(rows)).mark is UNKNOWN


def test_owed_cells_are_flagged() -> None:
    found = conduct.missing_rows(make_subject([make_row()], owed={"run-1": 7, "run-2": 0}))
    assert said(found) == (FLAG, "7 owed by run-1")


def test_free_arms_say_nothing_about_missing_rows() -> None:
    rows = [make_trivial_row("null_agent", "t1")]
    assert conduct.missing_rows(make_subject(rows)).mark is UNKNOWN


def sent(wire: str | None, **changes: Any) -> Row:
    provenance = {"task_content_hashes": STAMPS, **({"wire_sha256": wire} if wire else {})}
    return make_row(provenance=provenance, **changes)


def test_rows_with_digests_pass_and_rows_without_are_unknown() -> None:
    assert conduct.treatment_delivery(make_subject([sent("a")])).mark is PASS
    assert (
        conduct.treatment_delivery(make_subject([sent("a"), sent(None, rollout=1)])).mark is UNKNOWN
    )
    assert conduct.treatment_delivery(make_subject()).mark is UNKNOWN


def test_override_that_sent_what_its_base_sent_is_flagged() -> None:
    block = {"arm_label": "sop", "base_model": "m1", "system_prompt_suffix_sha256": "x"}
    same = sent("a", model="sop", prompt_override=block)
    found = conduct.treatment_delivery(make_subject([sent("a"), same]))
    assert said(found) == (FLAG, "not delivered or not different: sop")
    other = sent("b", model="sop", prompt_override=block)
    assert conduct.treatment_delivery(make_subject([sent("a"), other])).mark is PASS


def test_undelivered_treatment_is_flagged() -> None:
    lost = sent("a", anomaly={"kind": "treatment_undelivered"})
    assert conduct.treatment_delivery(make_subject([lost])).mark is FLAG


def test_arm_with_one_task_has_no_interval() -> None:
    assert said(conduct.intervals(make_subject([make_row()]))) == (
        FLAG,
        "insufficient: m1 (1 task)",
    )
    assert conduct.intervals(make_subject([make_row(), make_row("t2", 0)])).mark is PASS
    assert conduct.intervals(make_subject([make_trivial_row("oracle", "t1", 1)])).mark is UNKNOWN


def test_noise_of_two_tasks_with_two_rollouts() -> None:
    # s2 of (1, 0) is .5, of (1, 1) is 0; k 2, n 2; t(.975, 3) = 3.182446
    # 3.182446 * sqrt(2 * .5 / 2 + 2 / 4) / 2 = 1.591223
    assert conduct.noise_of([[1, 0], [1, 1]]) == pytest.approx(1.591223, abs=1e-6)


@pytest.mark.parametrize("rollouts", [[], [[1.0, 0.0]], [[1.0], [1.0]], [[1.0, 0.0], [1.0]]])
def test_noise_needs_two_tasks_with_two_rollouts_each(rollouts: list[list[float]]) -> None:
    assert conduct.noise_of(rollouts) is None


def test_noise_is_held_against_the_smallest_margin() -> None:
    rows = [make_row(task, 1, rollout=n) for task in ("t1", "t2") for n in range(2)]
    assert conduct.noise_floor(make_subject(rows)).mark is PASS
    assert conduct.noise_floor(make_subject(rows, margins=[0.05])).mark is FLAG
    assert conduct.noise_floor(make_subject(rows[:2])).mark is UNKNOWN


def look(arm: str, at: str = "2026-11-04T07:00:00Z", kind: str = "run") -> HoldoutLook:
    return HoldoutLook.read({
        "at": at,
        "kind": kind,
        "run_id": f"run-{at[8:10]}",
        "arms": [arm],
        "task_ids": ["t1"],
    })


def holdout(*looks: HoldoutLook, **facts: Any) -> Verdict | None:
    tasks = {"t1": make_task(split="holdout")}
    return conduct.holdout_looks(make_subject((), "t1", tasks=tasks, looks=looks, **facts))


def test_second_look_of_an_arm_is_flagged() -> None:
    assert said(holdout(look("a"), look("b"))) == (PASS, "2 looks, none repeated")
    found = holdout(look("a"), look("a", "2026-11-05T07:00:00Z"))
    assert said(found) == (FLAG, "2 looks, more than one of a (2); runs run-04, run-05")


def test_looks_before_the_last_division_and_of_other_kinds_do_not_count() -> None:
    since = read_time("2026-11-05T00:00:00Z")
    later = look("a", "2026-11-05T07:00:00Z")
    counted = (PASS, "2 looks (1 by runs since the tasks were divided), none repeated")
    assert said(holdout(look("a"), later, split_changed_at=since)) == counted
    assert said(holdout(look("a"), look("a", kind="compare"))) == counted


def test_looks_do_not_apply_without_a_holdout() -> None:
    assert conduct.holdout_looks(make_subject(looks=[look("a")])) is None


def test_check_that_rests_on_stale_rows_only_is_named() -> None:
    old = {"task_content_hashes": {**STAMPS, "env_sha256": "0" * 64}}
    stale = make_trivial_row("null_agent", "t1", provenance=old)
    assert said(conduct.staleness(make_subject([stale, make_row()]))) == (
        FLAG,
        "only stale rows behind null_agent floor",
    )
    fresh = make_trivial_row("null_agent", "t2")
    assert said(conduct.staleness(make_subject([stale, fresh]))) == (
        PASS,
        "1 stale row, none of them alone",
    )
    assert conduct.staleness(make_subject()).mark is UNKNOWN


def test_unpriced_rows_are_flagged() -> None:
    rows = [make_row(cost=0.01), make_row("t2", cost=None)]
    assert said(conduct.cost_reporting(make_subject(rows))) == (FLAG, "1 of 2 rows are priced")
    assert conduct.cost_reporting(make_subject(rows[:1])).mark is PASS
    partial = make_row(cost=0.01, pricing={"basis": "table", "partial": True})
    assert conduct.cost_reporting(make_subject([partial])).mark is FLAG
    assert conduct.cost_reporting(make_subject([make_trivial_row("replay", "t1")])).mark is UNKNOWN


def test_recovery_from_rejections_is_never_passed_unmeasured() -> None:
    assert said(conduct.guidance_effectiveness(make_subject())) == (UNKNOWN, "no rejection seen")
    rejected = make_row(fidelity={**fidelity(1, 0), "calls": 3, "rejected": 2})
    assert said(conduct.guidance_effectiveness(make_subject([rejected]))) == (
        UNKNOWN,
        "2 rejected calls; recovery is not measured",
    )
