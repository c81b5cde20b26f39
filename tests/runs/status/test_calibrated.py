from typing import Any

from benchmarks.records.calibration import Calibration, CalibrationEntry, Floor
from reviews.rigor.floors import LANES
from runs.status.calibrated import Calibrated

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
        "suspects": [],
        "reasons": {},
    }


def test_a_task_never_measured_is_partial_and_named() -> None:
    found = calibrated({"t1": entry("t1", 1)})
    assert found.verdict == "partial"
    assert found.missing == ["the incumbent on 1 of 2 tasks"]


def test_a_floor_never_measured_is_partial() -> None:
    found = calibrated(spam_floor={"t1": 0})
    assert (found.verdict, found.missing) == ("partial", ["spam_agent on 1 of 2 tasks"])


def test_a_task_measured_before_it_changed_is_stale() -> None:
    found = calibrated({"t1": entry("t1", 1)}, stored_entries=[entry("t1", 1), entry("t2", 1)])
    assert found.verdict == "stale"
    assert calibrated(without=("null_floor",)).verdict == "stale"


def test_an_exceeded_floor_fails_before_suspects_are_asked() -> None:
    found = calibrated({"t1": entry("t1", 0), "t2": entry("t2", 1)}, null_floor={"t1": 1, "t2": 0})
    assert found.verdict == "fail"
    assert found.exceeded == ["null_agent"]


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


def test_where_the_incumbent_cannot_be_reached_its_replay_will_do() -> None:
    missing = calibrated({}, waits=False)
    assert missing.verdict == "partial"
    assert missing.missing == ["the incumbent or its replay on 2 of 2 tasks"]
    assert calibrated({}, waits=False, replay_ceiling={"t1": 1, "t2": 1}).verdict == "pass"
    both = calibrated({"t1": entry("t1", 1)}, waits=False, replay_ceiling={"t2": 1})
    assert both.verdict == "pass"


def test_a_reachable_incumbent_is_waited_for() -> None:
    assert calibrated({}, waits=True, replay_ceiling={"t1": 1, "t2": 1}).verdict == "partial"


def test_without_incumbent_and_captures_the_floors_are_all() -> None:
    found = calibrated({}, waits=False)
    alone = Calibrated(
        found.stored, {}, found.floors, TASKS, waits_for_incumbent=False, can_replay=False
    )
    assert (alone.verdict, alone.missing) == ("pass", [])
