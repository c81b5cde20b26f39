"""What doors read of verdicts from the mirror: the inbox, the ledgers, how benchmarks stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import DateTimeField, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.dated import EPOCH, moment_of
from benchmarks.models.keyset import (
    Asked,
    Driver,
    Key,
    Keyset,
    Window,
    any_word,
    bounded_count,
    newest,
)
from benchmarks.records.vocabulary import Decision
from reviews.models.note import FeedbackEntry, FlagEntry
from reviews.models.review import IN_ORDER, ReviewEntry
from reviews.models.standing import BenchmarkStandingEntry, TaskStandingEntry

INBOX = Keyset(("inbox_rank", "task_id", "id"))
"""Undecided and flagged ones first, most flags first, then manifest order; ties by task id."""
MOST_COUNTED = 10_000
"""Beyond this many the inbox says "more than"."""


@dataclass(frozen=True, slots=True)
class InboxQuestion:
    """Which tasks are asked for: OR within one field, AND across fields."""

    benchmarks: Sequence[int] = ()
    """Ids of `BenchmarkEntry`; of those that are present."""
    stages: Sequence[str] = ()
    flags: Sequence[str] = ()
    """Attention flags as words."""
    flagged: bool | None = None
    """With any flag, or with none."""
    decisions: Sequence[str] = ()
    """The decision in force, `pending` among them."""
    explicit: bool | None = None
    """Whether somebody decided."""
    sources: Sequence[str] = ()
    """Who decided: `human`, `agent`, `auto`."""
    actors: Sequence[str] = ()
    decided_at: str = ""
    splits: Sequence[str] = ()
    categories: Sequence[str] = ()
    verifiers: Sequence[str] = ()
    """`weak`, `flaky`, `untested`, `tested`."""
    statuses: Sequence[str] = ()
    changed: bool | None = None
    """Whether the task changed since it was decided."""
    waiting: bool | None = None
    """Whether it waits for somebody: nobody decided, and it is flagged or pending."""
    words: str = ""
    """What its name or id holds."""

    def tasks(self) -> "QuerySet[TaskStandingEntry]":
        """Every task that is asked for, in no order."""
        found = TaskStandingEntry.objects.filter(self._text(), benchmark__present=True)
        for name, values in self._among().items():
            if values:
                one = {name: values[0]} if len(values) == 1 else {f"{name}__in": list(values)}
                found = found.filter(**one)
        for name, value in self._whether().items():
            if value is not None:
                found = found.filter(**{name: value})
        return found

    def _text(self) -> Q:
        found = any_word("flag_words", self.flags, between=" ")
        if self.flagged is not None:
            found &= Q(flag_count__gt=0) if self.flagged else Q(flag_count=0)
        if (self.flags or self.flagged) and not self._asks_for_decided():
            found &= ~Q(decision=Decision.REJECT.value)
        if self.words:
            found &= Q(name__icontains=self.words) | Q(task_id__icontains=self.words)
        return found

    def _asks_for_decided(self) -> bool:
        return bool(self.decisions or self.sources or self.actors or self.decided_at)

    def _among(self) -> dict[str, Sequence[object]]:
        return {
            "benchmark": self.benchmarks,
            "benchmark__stage": self.stages,
            "decision": self.decisions,
            "source": self.sources,
            "actor": self.actors,
            "split": self.splits,
            "category_id": self.categories,
            "verifier": self.verifiers,
            "status": self.statuses,
        }

    def _whether(self) -> dict[str, bool | str | None]:
        return {
            "explicit": self.explicit,
            "changed": self.changed,
            "waiting": self.waiting,
            "decided_at": self.decided_at or None,
        }


def inbox(
    question: InboxQuestion, *, limit: int, after: Key | None = None
) -> Window[TaskStandingEntry]:
    """One page of the inbox, each task with its benchmark."""
    tasks = question.tasks().select_related("benchmark")
    return INBOX.window(tasks, limit=limit, after=after)


def inbox_count(question: InboxQuestion, *, most: int = MOST_COUNTED) -> int:
    """How many tasks match, counted no further than one beyond `most`."""
    return bounded_count(question.tasks(), most)


def inbox_matches(question: InboxQuestion, *, most: int) -> list[TaskStandingEntry]:
    """The first `most` tasks that match, in the order of the inbox: what one call decides on."""
    return inbox(question, limit=most).entries


def beside(
    entry: TaskStandingEntry, question: InboxQuestion
) -> tuple[TaskStandingEntry | None, TaskStandingEntry | None]:
    """The tasks before and behind one in the inbox, under the same question."""
    tasks = question.tasks().select_related("benchmark")
    ways = (Keyset(INBOX.fields, falling=True), INBOX)
    found = [way.window(tasks, limit=1, after=INBOX.key(entry)).entries for way in ways]
    before, behind = (entries[0] if entries else None for entries in found)
    return before, behind


def tasks_in_order(benchmark: BenchmarkEntry) -> "QuerySet[TaskStandingEntry]":
    """The tasks of a benchmark in manifest order."""
    return TaskStandingEntry.objects.filter(benchmark=benchmark).order_by("position")


@dataclass(frozen=True, slots=True)
class LedgerQuestion:
    """Which lines of a ledger of verdicts are asked for."""

    benchmarks: Sequence[int] = ()
    tasks: Sequence[str] = ()
    decisions: Sequence[str] = ()
    sources: Sequence[str] = ()
    reasons: Sequence[str] = ()
    standings: Sequence[str] = ()
    """`open`, `addressed`, `resolved`: only the line that stands for its id."""
    actors: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None

    def asked(self) -> Asked:
        """The same by column."""
        values = {
            "benchmark": self.benchmarks,
            "task_id": self.tasks,
            "decision": self.decisions,
            "source": self.sources,
            "reason": self.reasons,
            "standing": self.standings,
            "actor": self.actors,
        }
        return Asked(values, _moment(self.since), _moment(self.until))


_DRIVERS: tuple[Driver, ...] = (("task_id",), ("benchmark",))
_NOTE_DRIVERS: tuple[Driver, ...] = (("task_id",), ("standing",), ("benchmark",))


def list_reviews(
    question: LedgerQuestion, *, limit: int, after: Key | None = None
) -> Window[ReviewEntry]:
    """One page of review lines, newest first."""
    return newest(ReviewEntry, question.asked(), drivers=_DRIVERS, limit=limit, after=after)


def list_feedback(
    question: LedgerQuestion, *, limit: int, after: Key | None = None
) -> Window[FeedbackEntry]:
    """One page of feedback lines, newest first."""
    asked = question.asked()
    return newest(FeedbackEntry, asked, drivers=_NOTE_DRIVERS, limit=limit, after=after)


def list_flags(
    question: LedgerQuestion, *, limit: int, after: Key | None = None
) -> Window[FlagEntry]:
    """One page of flag lines, newest first."""
    return newest(FlagEntry, question.asked(), drivers=_NOTE_DRIVERS, limit=limit, after=after)


def history_of(benchmark: BenchmarkEntry, task_id: str) -> list[ReviewEntry]:
    """Every review of a task in file order: the last one counts."""
    found = ReviewEntry.objects.filter(benchmark=benchmark, task_id=task_id)
    return list(found.order_by(*IN_ORDER))


def standings_of(benchmarks: Iterable[int]) -> dict[int, BenchmarkStandingEntry]:
    """How each of these benchmarks stands, by its id."""
    found = BenchmarkStandingEntry.objects.filter(benchmark__in=list(benchmarks))
    return {entry.benchmark_id: entry for entry in found}


def standings() -> "QuerySet[BenchmarkStandingEntry]":
    """How every benchmark that is present stands, by slug."""
    found = BenchmarkStandingEntry.objects.filter(benchmark__present=True)
    return found.select_related("benchmark").order_by("benchmark__slug")


@dataclass(frozen=True, slots=True)
class BenchmarkQuestion:
    """Which benchmarks are asked for."""

    benchmarks: Sequence[int] = ()
    """Ids of `BenchmarkEntry`."""
    stages: Sequence[str] = ()
    origins: Sequence[str] = ()
    roots: Sequence[str] = ()
    flagged: bool | None = None
    """With a task that carries a flag, or without any."""

    def entries(self) -> "QuerySet[BenchmarkEntry]":
        """The benchmarks, each with its standing, and `listed_at` to order them by."""
        asked = {
            "pk__in": self.benchmarks,
            "stage__in": self.stages,
            "origin__in": self.origins,
            "root__in": self.roots,
        }
        chosen = {name: list(values) for name, values in asked.items() if values}
        found = BenchmarkEntry.objects.filter(present=True, **chosen)
        if self.flagged is not None:
            has_flag = Q(standing__attention__gt=0)
            found = found.filter(has_flag if self.flagged else ~has_flag)
        listed_at = Coalesce("created_at", Value(EPOCH), output_field=DateTimeField())
        return found.annotate(listed_at=listed_at).select_related("standing")


def _moment(at: datetime | None) -> int | None:
    return moment_of(at) if at is not None else None
