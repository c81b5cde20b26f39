"""Which rollouts of the pilot an audit may read: what somebody did in the world, as it is today."""

from collections.abc import Iterable

from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import REFERENCE_ARMS, TRIVIAL_ARMS, RowStatus
from benchmarks.versioning.staleness import BreakingLines, currency


def pilot_rows(
    rows: Iterable[Row], task: Task, breaking: BreakingLines, *, replays: bool
) -> list[Row]:
    """The rollouts that show the pilot at work, the newest first.

    Arms that must fail show nothing of it. What the lab replays counts only where `replays`: no
    model can be reached.
    """
    blind = {*TRIVIAL_ARMS, *(() if replays else REFERENCE_ARMS)}
    found = [
        row
        for row in rows
        if row.task_id == task.task_id
        and row.status is RowStatus.OK
        and row.arm_kind not in blind
        and currency(row, task, breaking).counts
    ]
    return sorted(found, key=lambda row: row.created_at or "", reverse=True)
