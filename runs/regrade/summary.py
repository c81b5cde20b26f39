"""A regrade as it is told: one summary for each run whose rows were judged again."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.records.base import JsonObject
from benchmarks.records.row import Row
from benchmarks.stats.estimates import mean, rounded
from runs.regrade.candidates import Candidate, Skip


@dataclass(frozen=True, slots=True)
class Regraded:
    """A row judged again, beside the row that it stands in for."""

    candidate: Candidate
    row: Row
    trajectory: JsonObject | None = None
    """The rollout where the arm was played again."""

    @property
    def old_score(self) -> float | None:
        """What the row's score was."""
        return self.candidate.row.score

    @property
    def changed(self) -> bool:
        """Whether the score is another, or there is one where there was none."""
        return self.row.score != self.old_score

    def direction(self) -> int:
        """1 up, -1 down; 0 where either side has no score, or both have the same."""
        old, new = self.old_score, self.row.score
        if old is None or new is None:
            return 0
        return (new > old) - (new < old)

    def document(self) -> JsonObject:
        """The row's delta as doors show it."""
        run_id, model, task_id, rollout = self.candidate.cell
        made = self.row.provenance or {}
        return {
            "source_run_id": run_id,
            "run_id": self.row.run_id,
            "model": model,
            "task_id": task_id,
            "rollout": rollout,
            "old_score": self.old_score,
            "new_score": self.row.score,
            "status": self.row.status.value,
            "changed": self.changed,
            "regrade_mode": made.get("regrade_mode"),
            "evidence": made.get("source_run", {}).get("evidence"),
            "row_ref": self.candidate.filed.ref,
        }


@dataclass(frozen=True, slots=True)
class RunRegrade:
    """What becomes of the rows of one run."""

    source_run_id: str
    run_id: str | None
    """The run of the new rows; None where there are none."""
    regraded: Sequence[Regraded]
    skipped: Sequence[tuple[Candidate, Skip]]

    @property
    def considered(self) -> int:
        """How many rows there were to look at."""
        return len(self.regraded) + len(self.skipped)

    @property
    def reasons(self) -> dict[str, int]:
        """How many were left as they are, by reason."""
        counts = Counter(skip for _, skip in self.skipped)
        return {skip.value: counts[skip] for skip in Skip if counts[skip]}

    @property
    def files(self) -> frozenset[str]:
        """The files of the rows that were judged again."""
        return frozenset(each.candidate.filed.file for each in self.regraded)

    @property
    def task_ids(self) -> list[str]:
        """The tasks with new rows."""
        return list(dict.fromkeys(each.row.task_id for each in self.regraded))

    @property
    def arms(self) -> list[str]:
        """The arms with new rows."""
        return list(dict.fromkeys(each.row.model for each in self.regraded))

    def document(self) -> JsonObject:
        """The summary of the run."""
        return {
            "source_run_id": self.source_run_id,
            "run_id": self.run_id,
            "rows_considered": self.considered,
            "regraded": len(self.regraded),
            "skipped": self.reasons,
            "delta": delta(self.regraded),
            "by_arm": {
                arm: delta([each for each in self.regraded if each.row.model == arm])
                for arm in self.arms
            },
            "modes": dict(
                Counter((each.row.provenance or {})["regrade_mode"] for each in self.regraded)
            ),
            "task_ids": self.task_ids,
        }


def delta(regraded: Sequence[Regraded]) -> JsonObject:
    """How many scores changed, and the means over tasks before and after."""
    directions = Counter(each.direction() for each in regraded)
    return {
        "changed": sum(each.changed for each in regraded),
        "up": directions[1],
        "down": directions[-1],
        "mean_before": mean_over_tasks((each.row.task_id, each.old_score) for each in regraded),
        "mean_after": mean_over_tasks((each.row.task_id, each.row.score) for each in regraded),
    }


def mean_over_tasks(scores: Iterable[tuple[str, float | None]]) -> float | None:
    """The mean of the tasks' means over what has a score; None where nothing has."""
    by_task: dict[str, list[float]] = {}
    for task_id, score in scores:
        if score is not None:
            by_task.setdefault(task_id, []).append(score)
    if not by_task:
        return None
    return rounded(mean([mean(found) for found in by_task.values()]))
