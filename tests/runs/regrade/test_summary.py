from typing import Any

from benchmarks.records.row import Row
from benchmarks.records.vocabulary import Split
from benchmarks.versioning.staleness import Currency
from reviews.rigor.evidence import Place, Placed
from runs.regrade.candidates import Candidate, Filed, Skip
from runs.regrade.summary import Regraded, RunRegrade, delta, mean_over_tasks


def row(task_id: str, score: float | None, **changes: Any) -> Row:
    return Row.read({
        "run_id": "run-1", "task_id": task_id, "model": "m1", "rollout": 0, "score": score,
        "status": "unscored" if score is None else "ok",
        "provenance": {"regrade_mode": "rescored", "source_run": {}}, **changes,
    })  # fmt: skip


def regraded(task_id: str, old: float | None, new: float | None) -> Regraded:
    before = row(task_id, old)
    item = Placed(before, 0, Split.NONE, Place.EXCLUDED, "stale", Currency.STALE_REGRADE)
    after = row(task_id, new, run_id="run-1-regrade-1")
    return Regraded(Candidate(item, Filed(before, "rows-run-1-m1.jsonl", 0)), after)


def test_changes_are_counted_and_a_missing_score_is_neither_up_nor_down() -> None:
    items = [
        regraded("t1", 0, 1),
        regraded("t1", 1, 0),
        regraded("t2", 1, 1),
        regraded("t3", None, 0),
        regraded("t4", None, None),
    ]
    assert delta(items) == {
        "changed": 3,
        "up": 1,
        "down": 1,
        "mean_before": 0.75,
        "mean_after": 0.5,
    }


def test_a_mean_is_over_tasks_not_over_rows() -> None:
    scores = [("t1", 1.0), ("t1", 1.0), ("t1", 1.0), ("t2", 0.0), ("t3", None)]
    assert mean_over_tasks(scores) == 0.5
    assert mean_over_tasks([("t1", None)]) is None
    assert mean_over_tasks([]) is None


def test_what_is_skipped_is_counted_in_the_order_of_the_reasons() -> None:
    item = regraded("t1", 1, 1)
    skipped = [
        (item.candidate, Skip.ALREADY_CURRENT),
        (item.candidate, Skip.TRAJECTORY_MISSING),
        (item.candidate, Skip.TRAJECTORY_MISSING),
    ]
    work = RunRegrade("run-1", "run-1-regrade-1", [item], skipped)
    assert (work.considered, list(work.reasons.items())) == (
        4,
        [("trajectory_missing", 2), ("already_current", 1)],
    )
    assert (work.document()["regraded"], work.document()["modes"]) == (1, {"rescored": 1})
