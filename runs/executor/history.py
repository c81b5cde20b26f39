"""What a run left on disk: rows, attempts, and what lost attempts were paid."""

from dataclasses import dataclass, field
from functools import partial

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import Blame, RowStatus
from runs.executor.plan import CellRef, Started

CRASHES = 5
RELEASED = "released"
"""The status of the `rollout_end` line by which a shutdown gives a running attempt back."""


@dataclass(frozen=True, slots=True)
class RowFact:
    """What is needed of a row to go on: not the row."""

    arm: str
    task_id: str
    rollout: int
    attempt: int
    fence: int
    status: str
    blame: str | None
    cost_usd: float | None
    unreported_calls: int

    @property
    def cell(self) -> CellRef:
        """The cell of the row."""
        return CellRef(self.arm, self.task_id, self.rollout)

    @property
    def is_lost(self) -> bool:
        """Whether it has no score, by no fault of the agent: a retry asks again."""
        return self.status != RowStatus.OK and self.blame != Blame.AGENT


@dataclass(slots=True)
class Attempts:
    """The attempts at one cell, by number."""

    started: dict[int, int] = field(default_factory=dict)
    """The fence under which each was begun."""
    released: set[int] = field(default_factory=set)
    """Cancelled by a shutdown: owed again, and no sign of a cell that kills."""


@dataclass(slots=True)
class Paid:
    """What the usage lines of each attempt say."""

    usd: dict[tuple[CellRef, int], float] = field(default_factory=dict)
    unreported: dict[tuple[CellRef, int], int] = field(default_factory=dict)

    def add(self, cell: CellRef, attempt: int, cost_usd: float | None, line: JsonObject) -> None:
        """Count one line; a cost that is not known is an unreported call."""
        key = (cell, attempt)
        unreported = _number(line.get("unreported_calls"))
        if cost_usd is None:
            unreported = max(1, unreported)
        self.usd[key] = self.usd.get(key, 0.0) + (cost_usd or 0.0)
        self.unreported[key] = self.unreported.get(key, 0) + unreported


@dataclass(slots=True)
class History:
    """One run on disk."""

    rows: dict[CellRef, RowFact] = field(default_factory=dict)
    attempts: dict[CellRef, Attempts] = field(default_factory=dict)
    paid: Paid = field(default_factory=Paid)
    journal_lines: dict[str, int] = field(default_factory=dict)
    """How many lines each journal file has."""
    started_fences: list[int] = field(default_factory=list)
    released_fences: set[int] = field(default_factory=set)

    def started(self) -> dict[CellRef, Started]:
        """The attempts of every cell that has one, as the plan wants them."""
        return {
            cell: Started(
                newest=max(attempts.started, default=0),
                lost=len(attempts.started.keys() - attempts.released - self._with_row(cell)),
            )
            for cell, attempts in self.attempts.items()
        }

    def lost_attempts(self) -> list[tuple[CellRef, int]]:
        """Attempts that left a start line and no row, released ones too."""
        return [
            (cell, number)
            for cell, attempts in self.attempts.items()
            for number in sorted(attempts.started.keys() - self._with_row(cell))
        ]

    def newly_lost(self) -> list[tuple[CellRef, int]]:
        """Attempts of the last holder that ended with it, neither with a row nor given back."""
        last = max(self.started_fences, default=0)
        return [
            (cell, number)
            for cell, number in self.lost_attempts()
            if self.attempts[cell].started[number] == last
            and number not in self.attempts[cell].released
        ]

    def lost_usd(self) -> float:
        """What attempts without a row were paid."""
        return sum(self.paid.usd.get(attempt, 0.0) for attempt in self.lost_attempts())

    def lost_unreported(self) -> int:
        """Calls of attempts without a row whose usage is not known."""
        return sum(self.paid.unreported.get(attempt, 0) for attempt in self.lost_attempts())

    def is_crash_loop(self) -> bool:
        """Whether the last five starts each began a cell, ended uncleanly and left no row."""
        with_rows = {row.fence for row in self.rows.values()}
        last = self.started_fences[-CRASHES:]
        barren = (fence not in with_rows and fence not in self.released_fences for fence in last)
        return len(last) == CRASHES and all(barren)

    def _with_row(self, cell: CellRef) -> set[int]:
        row = self.rows.get(cell)
        return {row.attempt} if row is not None else set()


JOURNAL_MARKS = (b'"kind":"rollout_start"', b'"kind":"usage"', b'"status":"released"')


def read_history(directory: BenchmarkDir, run_id: str) -> History:
    """Everything a run left, by the content of its lines; no line is read as a whole record."""
    history = History()
    for rows in directory.run_rows(run_id):
        directory.scan(rows, partial(_take_row, history, run_id))
    for journal in directory.run_journals(run_id):
        labels: dict[str, str] = {}
        counts = directory.scan(
            journal, partial(_take_journal, history, run_id, labels), holding=JOURNAL_MARKS
        )
        history.journal_lines[journal.path] = counts.lines
    history.started_fences.sort()
    return history


def _take_row(history: History, run_id: str, line: JsonObject) -> None:
    if line.get("run_id") != run_id:
        return
    pricing = _part(line, "pricing")
    fact = RowFact(
        arm=str(line.get("model")),
        task_id=str(line.get("task_id")),
        rollout=_number(line.get("rollout")),
        attempt=_number(_part(line, "trajectory_ref").get("attempt"), 1),
        fence=_number(line.get("fence")),
        status=str(line.get("status")),
        blame=_word(_part(line, "missing_reason").get("blame")),
        cost_usd=_money(line.get("cost")),
        unreported_calls=(
            0
            if pricing.get("basis") == "free"
            else _number(_part(line, "usage").get("unreported_calls"))
        ),
    )
    history.rows.setdefault(fact.cell, fact)


def _take_journal(history: History, run_id: str, labels: dict[str, str], line: JsonObject) -> None:
    """A start line names run and arm; the lines after it are about them."""
    kind, attempt = line.get("kind"), _number(line.get("attempt"))
    if kind == "rollout_start":
        labels["run"], labels["arm"] = str(line.get("run_id")), str(line.get("model"))
    if labels.get("run") != run_id:
        return
    cell = CellRef(labels["arm"], str(line.get("task_id")), _number(line.get("rollout")))
    fence = _number(line.get("fence"))
    if kind == "rollout_start":
        history.attempts.setdefault(cell, Attempts()).started[attempt] = fence
        if fence not in history.started_fences:
            history.started_fences.append(fence)
    elif kind == "usage":
        history.paid.add(cell, attempt, _money(line.get("cost_usd")), line)
    elif kind == "rollout_end" and line.get("status") == RELEASED:
        history.attempts.setdefault(cell, Attempts()).released.add(attempt)
        history.released_fences.add(fence)


def _part(line: JsonObject, key: str) -> JsonObject:
    value = line.get(key)
    return value if isinstance(value, dict) else {}


def _word(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object, default: int = 0) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _money(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)
