"""Files to tables, one way."""

from benchmarks.mirror.base import Derived, Mirror
from reviews.mirror.ledgers import LEDGERS
from reviews.mirror.notes import refresh_notes
from reviews.mirror.standings import work_out
from reviews.models.standing import BenchmarkStandingEntry, TaskStandingEntry

VERDICTS = frozenset({"documents", "tasks", "versions", "looks", "reviews", "feedback", "flags"})
"""What decides how a task stands, beside the rows of runs."""

MIRRORS: tuple[Mirror, ...] = (
    *LEDGERS,
    Derived("notes", frozenset({"feedback", "flags"}), refresh_notes),
    Derived(
        "standings",
        VERDICTS | {"rows"},
        work_out=work_out,
        tables=(TaskStandingEntry, BenchmarkStandingEntry),
    ),
)
