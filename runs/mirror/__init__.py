"""Files to tables, one way."""

from benchmarks.mirror.base import Derived, Mirror
from reviews.mirror import VERDICTS
from runs.mirror.calibrations import calibrations
from runs.mirror.currency import currency_of_rows
from runs.mirror.ledgers import EVENTS, JOURNALS, ROWS, TRAJECTORIES
from runs.mirror.requests import REQUESTS
from runs.mirror.statuses import status
from runs.models.calibration import TaskCalibrationEntry
from runs.models.row import CurrencyCursor
from runs.models.standing import BenchmarkStatusEntry

MIRRORS: tuple[Mirror, ...] = (
    REQUESTS,
    ROWS,
    EVENTS,
    TRAJECTORIES,
    JOURNALS,
    Derived(
        "calibrations",
        frozenset({"documents"}),
        work_out=calibrations,
        tables=(TaskCalibrationEntry,),
    ),
    Derived(
        "currency",
        frozenset({"documents", "tasks", "versions", "rows"}),
        work_out=currency_of_rows,
        tables=(CurrencyCursor,),
    ),
    Derived(
        "status",
        VERDICTS | {"rows", "requests", "captures", "heavy_documents"},
        work_out=status,
        tables=(BenchmarkStatusEntry,),
        loose=frozenset({"document"}),
    ),
)
"""The heaviest ledgers last: what a short catch-up leaves is what lists need least."""
