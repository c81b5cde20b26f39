from dataclasses import replace
from typing import Any

from benchmarks.records.calibration import Calibration, CalibrationEntry, Floor
from reviews.rigor.floors import LANES
from runs.status.calibrated import Calibrated, passed_share

TASKS = ("t1", "t2")


def entry(task_id: str, score: float | None, **changes: Any) -> CalibrationEntry:
    passed = None if score is None else score >= 1
    return CalibrationEntry(task_id=task_id, score=score, passed=passed, **changes)


def floor(kind: str, scores: dict[str, float], bar: float = 0.05) -> Floor:
    passed = [task for task, score in scores.items() if score >= 1]
    share = len(passed) / len(scores) if scores else None
    return Floor.read({
        "arm_kind": kind,
        "floor": share,
        "floor_exceeded": bool(share and share > bar and kind in {"null_agent", "spam_agent"}),
        "passed_task_ids": passed,
        "measured": len(scores),
        "scores": {task: {"score": score, "run_id": "r1"} for task, score in scores.items()},
    })


def calibrated(
    entries: dict[str, CalibrationEntry] | None = None,
    *,
    stored_entries: list[CalibrationEntry] | None = None,
    waits: bool = True,
    without: tuple[str, ...] = (),
    **measured: dict[str, float],
) -> Calibrated:
    """Both floors are measured at 0 on both tasks, unless a test says otherwise."""
    known = entries if entries is not None else {t: entry(t, 1) for t in TASKS}
    scores: dict[str, dict[str, float]] = {
        "null_floor": {"t1": 0, "t2": 0},
        "spam_floor": {"t1": 0, "t2": 0},
        **measured,
    }
    floors = {lane.key: floor(lane.arm_kind, scores.get(lane.key, {})) for lane in LANES}
    stored = Calibration(
        benchmark_id="demo",
        run_id="r1",
        incumbent_models=["m"],
        threshold=1,
        tasks=stored_entries if stored_entries is not None else list(known.values()),
        passed_count=0,
        failed_count=0,
        failed_task_ids=[],
        **{key: found for key, found in floors.items() if found.measured},
    )
    shown = {
        key: floor(found.arm_kind, {}) if key in without else found for key, found in floors.items()
    }
    return Calibrated(stored, known, shown, TASKS, waits)


def test_without_a_document_calibration_was_not_run() -> None:
    floors = {lane.key: floor(lane.arm_kind, {}) for lane in LANES}
    found = Calibrated(None, {}, floors, TASKS, waits_for_incumbent=True)
    assert found.verdict == "not_run"
    assert found.document()["missing"] == []


def test_everything_measured_and_passed_is_a_pass() -> None:
    found = calibrated()
    assert found.verdict == "pass"
    assert found.document()["incumbent"] == {
        "passed": 2,
        "failed": 0,
        "unmeasured": 0,
        "suspects": [],
    }


def test_a_task_never_measured_is_partial_and_named() -> None:
    found = calibrated({"t1": entry("t1", 1)})
    assert found.verdict == "partial"
    assert found.missing == ["the incumbent is not measured on 1 of 2 tasks"]


def test_a_floor_never_measured_is_partial() -> None:
    found = calibrated(spam_floor={"t1": 0})
    assert (found.verdict, found.missing) == (
        "partial",
        ["spam_agent is not measured on 1 of 2 tasks"],
    )


def test_a_task_measured_before_it_changed_is_stale() -> None:
    found = calibrated({"t1": entry("t1", 1)}, stored_entries=[entry("t1", 1), entry("t2", 1)])
    assert found.verdict == "stale"
    assert calibrated(without=("null_floor",)).verdict == "stale"


def test_an_exceeded_floor_fails_before_suspects_are_asked() -> None:
    found = calibrated({"t1": entry("t1", 0), "t2": entry("t2", 1)}, null_floor={"t1": 1, "t2": 0})
    assert found.verdict == "fail"
    assert found.to_fix == ["null_agent"]
    assert found.warnings == []


def test_a_failed_incumbent_is_suspect_and_a_flaky_one_is_not() -> None:
    failed = calibrated({"t1": entry("t1", 0), "t2": entry("t2", 1)})
    assert (failed.verdict, failed.failed) == ("suspect", ["t1"])
    flaky = calibrated({"t1": entry("t1", 0.5, flaky=True), "t2": entry("t2", 1)})
    assert (flaky.verdict, flaky.failed) == ("pass", [])


def test_suspects_have_all_their_reasons() -> None:
    found = calibrated(
        {"t1": entry("t1", 0), "t2": entry("t2", 1)},
        spam_floor={"t1": 1, "t2": 0},
        oracle_ceiling={"t1": 1, "t2": 0},
    )
    assert found.suspects() == {
        "t1": ["the incumbent failed and never passed", "spam_agent passes"],
        "t2": ["oracle does not pass"],
    }


def test_where_the_incumbent_cannot_be_reached_its_replay_will_do_but_is_no_pass() -> None:
    missing = calibrated({}, waits=False)
    assert missing.verdict == "partial"
    assert missing.missing == ["the incumbent or its replay is not measured on 2 of 2 tasks"]
    replayed = calibrated({}, waits=False, replay_ceiling={"t1": 1, "t2": 1})
    assert (replayed.verdict, replayed.missing) == ("partial", [])
    both = calibrated({"t1": entry("t1", 1)}, waits=False, replay_ceiling={"t2": 1})
    assert (both.verdict, both.missing, both.unmeasured) == ("partial", [], ["t2"])


def test_a_reachable_incumbent_is_waited_for() -> None:
    assert calibrated({}, waits=True, replay_ceiling={"t1": 1, "t2": 1}).verdict == "partial"


def test_without_incumbent_and_captures_the_floors_are_all() -> None:
    found = calibrated({}, waits=False)
    alone = Calibrated(
        found.stored, {}, found.floors, TASKS, waits_for_incumbent=False, can_replay=False
    )
    assert (alone.verdict, alone.missing) == ("partial", [])


def test_a_flagged_task_is_not_waited_for() -> None:
    known = {"t1": entry("t1", 1)}
    partial = calibrated(known, null_floor={"t1": 0}, spam_floor={"t1": 0})
    assert partial.verdict == "partial"
    flagged = replace(partial, flagged=frozenset({"t2"}))
    assert (flagged.verdict, flagged.missing, flagged.measurable) == ("pass", [], ["t1"])
    assert flagged.document()["flagged"] == ["t2"]
    everything = replace(partial, flagged=frozenset(TASKS))
    assert (everything.verdict, everything.missing) == ("partial", [])


def test_a_floor_overridden_at_promotion_is_a_warning() -> None:
    found = replace(calibrated(null_floor={"t1": 1, "t2": 0}), overridden=frozenset({"null_floor"}))
    assert (found.verdict, found.to_fix) == ("fail", [])
    assert found.warnings == [
        "null_agent passes 1 of 2 tasks; null_floor was overridden at promotion"
    ]
    assert found.document()["floors"][0]["overridden"] is True


def test_what_a_floor_makes_suspect_is_not_the_incumbents() -> None:
    document = calibrated(
        {"t1": entry("t1", 0), "t2": entry("t2", 1)}, null_floor={"t1": 0, "t2": 1}
    ).document()
    assert document["incumbent"]["suspects"] == ["t1"]
    assert list(document["suspects"]) == ["t1", "t2"]
    assert document["suspects_by_reason"] == {
        "the incumbent failed and never passed": 1,
        "null_agent passes": 1,
    }


def test_the_share_that_an_arm_passes_names_the_method_of_its_interval() -> None:
    found = passed_share(floor("null_agent", {"t1": 1.0, "t2": 0.0}))
    assert found == {
        "value": 0.5,
        "low": 0.094531,
        "high": 0.905469,
        "method": "wilson_n_eff",
        "n": 2,
    }
