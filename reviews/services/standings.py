"""How every task and the benchmark itself stand: what lists, the inbox and the dashboard show."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from benchmarks.records.base import JsonObject
from benchmarks.records.calibration import Floor
from benchmarks.records.review import Review
from benchmarks.records.row import Row
from benchmarks.records.times import read_time
from benchmarks.records.vocabulary import ArmKind
from benchmarks.versioning.hashing import task_digest
from reviews.autoaccept import undecided
from reviews.decisions import PERSON
from reviews.notes import OPEN, newest_flags, open_feedback
from reviews.rigor.evidence import Place, Placed
from reviews.rigor.floors import LONG_AGO
from reviews.rigor.scores import NO_SCORES, scores_by_task, task_mean
from reviews.services.dossier import Dossier
from reviews.services.reading import attention_counts, review_summary, task_row

MOST_FLAGS = 255
POSITIONS = 2**32


@dataclass(frozen=True, slots=True)
class TaskStanding:
    """One task, with its row of a list and what the inbox shows beside it."""

    task_id: str
    position: int
    """From 0, in the order of the manifest."""
    digest: str
    row: JsonObject
    """As `benchmarks tasks` lists it."""
    review: Review | None
    """The line that decided."""
    explicit: bool
    waiting: bool
    """Whether nobody decided, and it is flagged or pending."""
    changed: bool
    """Whether the task is not any more what was decided on."""
    flags: tuple[str, ...]
    trivial_arms: tuple[str, ...]
    verifier: str
    open_feedback: int
    open_flags: int
    incumbent_mean: float | None
    candidate_mean: float | None

    @property
    def source(self) -> str:
        """Who decided; empty while nobody did."""
        return (self.review.source or PERSON) if self.review is not None else ""

    @property
    def inbox_rank(self) -> int:
        """The order of the inbox as one number, smallest first; ties go by task id.

        Undecided and flagged ones first, of each kind the most doubted, then manifest order.
        """
        settled = self.explicit or not self.flags
        doubts = MOST_FLAGS - min(len(self.flags), MOST_FLAGS)
        return ((settled * (MOST_FLAGS + 1)) + doubts) * POSITIONS + self.position


@dataclass(frozen=True, slots=True)
class BenchmarkStanding:
    """One benchmark, with every count that the dashboard shows of its verdicts."""

    tasks: list[TaskStanding]
    effective: int
    candidate: str
    """The label of the candidate whose row is the newest; empty without one."""
    floors: Mapping[str, JsonObject] = field(default_factory=dict)
    """Every lane that was measured, without the scores of its tasks."""
    floors_exceeded: tuple[str, ...] = ()
    attention_counts: Mapping[str, int] = field(default_factory=dict)
    review_summary: Mapping[str, int] = field(default_factory=dict)
    open_feedback: int = 0
    open_flags: int = 0

    @property
    def undecided(self) -> int:
        """Tasks on which nobody decided."""
        return sum(not task.explicit for task in self.tasks)

    @property
    def undecided_flagged(self) -> int:
        """Those of them that carry a flag."""
        return sum(not task.explicit and bool(task.flags) for task in self.tasks)


def standing_of(dossier: Dossier, *, digests: Mapping[str, str] | None = None) -> BenchmarkStanding:
    """How a benchmark and its tasks stand, by the figures that every door gives.

    `digests` are those that are known of tasks as they are: the costly part of a standing.
    """
    feedback = open_feedback(dossier.feedback.records)
    flags = [flag for flag in newest_flags(dossier.flags.records).values() if flag.status == OPEN]
    candidate = newest_candidate(dossier.evidence.used)
    floors = {key: floor for key, floor in dossier.floors.items() if floor.measured}
    beside = _Beside(
        scores=scores_by_task(dossier.evidence.placed),
        waiting=frozenset(undecided(dossier.tasks, dossier.decisions, dossier.doubts)),
        incumbents=means_by_task(dossier.evidence.placed, _is_incumbent),
        candidates=means_by_task(dossier.evidence.placed, lambda row: row.model == candidate),
        feedback=Counter(line.task_id for line in feedback),
        flags=Counter(flag.task_id for flag in flags if flag.task_id is not None),
        digests=digests or {},
    )
    return BenchmarkStanding(
        tasks=[_task(dossier, *each, beside) for each in enumerate(dossier.tasks)],
        effective=len(dossier.effective),
        candidate=candidate or "",
        floors={key: _without_scores(floor) for key, floor in floors.items()},
        floors_exceeded=tuple(key for key, floor in floors.items() if floor.floor_exceeded),
        attention_counts=attention_counts(dossier),
        review_summary=review_summary(dossier),
        open_feedback=len(feedback),
        open_flags=len(flags),
    )


def _without_scores(floor: Floor) -> JsonObject:
    return {name: value for name, value in floor.dump().items() if name != "scores"}


def _is_incumbent(row: Row) -> bool:
    return row.arm_kind == ArmKind.INCUMBENT


def newest_candidate(placed: Iterable[Placed]) -> str | None:
    """The label of the candidate whose row is the newest; of several at once the last by name."""
    candidates = (item.row for item in placed if item.row.arm_kind == ArmKind.CANDIDATE)
    newest = max(candidates, key=lambda row: (_written(row), row.model), default=None)
    return newest.model if newest is not None else None


def _written(row: Row) -> datetime:
    return read_time(row.created_at) or LONG_AGO


def means_by_task(placed: Iterable[Placed], wanted: Callable[[Row], bool]) -> dict[str, float]:
    """The mean of the scored rows that are wanted, for every task that has any."""
    tasks: dict[str, list[Placed]] = {}
    for item in placed:
        if item.place is Place.SCORED and wanted(item.row):
            tasks.setdefault(item.row.task_id, []).append(item)
    return {
        task_id: mean for task_id, items in tasks.items() if (mean := task_mean(items)) is not None
    }


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is counted over all tasks at once, by task id."""

    scores: Mapping[str, JsonObject]
    waiting: frozenset[str]
    incumbents: Mapping[str, float]
    candidates: Mapping[str, float]
    feedback: Mapping[str, int]
    flags: Mapping[str, int]
    digests: Mapping[str, str]


def _task(dossier: Dossier, position: int, task_id: str, beside: _Beside) -> TaskStanding:
    decided = dossier.decisions[task_id]
    return TaskStanding(
        task_id=task_id,
        position=position,
        digest=beside.digests.get(task_id) or task_digest(dossier.tasks[task_id]),
        row=task_row(dossier, task_id, beside.scores.get(task_id, NO_SCORES)),
        review=decided.review,
        explicit=decided.explicit,
        waiting=task_id in beside.waiting,
        changed=dossier.is_changed(task_id),
        flags=tuple(dossier.flag_words(task_id)),
        trivial_arms=tuple(dossier.signs.trivial.get(task_id, ())),
        verifier=dossier.verifier_mark(task_id),
        open_feedback=beside.feedback.get(task_id, 0),
        open_flags=beside.flags.get(task_id, 0),
        incumbent_mean=beside.incumbents.get(task_id),
        candidate_mean=beside.candidates.get(task_id),
    )
