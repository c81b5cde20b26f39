"""What doors read of verdicts from the mirror: the inbox, the ledgers, how benchmarks stand."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.dated import moment_of
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
from benchmarks.records.vocabulary import Attention, Stage
from reviews.models.note import FeedbackEntry, FlagEntry
from reviews.models.review import IN_ORDER, ReviewEntry
from reviews.models.standing import BenchmarkStandingEntry, TaskStandingEntry

INBOX = Keyset(("inbox_rank", "task_id", "id"))
"""Undecided and flagged ones first, most flags first, then manifest order; ties by task id."""
MOST_COUNTED = 10_000
"""Beyond this many the inbox says "more than"."""
ANY, NONE, NOBODY = "any", "none", "nobody"
Words = str | Sequence[str]
"""One word, several of which one is enough, or nothing, which asks nothing."""


@dataclass(frozen=True, slots=True)
class InboxQuestion:
    """Which tasks are asked for: OR within one field, AND across fields."""

    slugs: Words = ()
    stages: Words = ()
    flag: Words = ()
    """Attention flags, `any` or `none`."""
    decision: Words = ()
    """The decision in force, `pending` among them."""
    explicit: bool | None = None
    """Whether somebody decided."""
    source: Words = ()
    """Who decided: `human`, `agent`, `auto` or `nobody`."""
    split: Words = ()
    category: Words = ()
    verifier: Words = ()
    """`weak`, `flaky`, `untested` or `tested`."""
    status: Words = ()
    changed: bool = False
    """Only tasks that changed since they were decided."""
    waiting: bool = False
    """Only tasks that wait for somebody: nobody decided, and they are flagged or pending."""
    words: str = ""
    """What their name or id holds."""
    decided_at: str = ""
    decided_by: str = ""

    def tasks(self) -> "QuerySet[TaskStandingEntry]":
        """Every task that is asked for, in no order."""
        found = TaskStandingEntry.objects.filter(benchmark__present=True)
        for name, words in self._among().items():
            if asked := _words(words):
                found = found.filter(
                    **{name: asked[0]} if len(asked) == 1 else {f"{name}__in": asked}
                )
        for name, value in self._exactly().items():
            if value:
                found = found.filter(**{name: value})
        if self.explicit is not None:
            found = found.filter(explicit=self.explicit)
        if self.words:
            found = found.filter(Q(name__icontains=self.words) | Q(task_id__icontains=self.words))
        return found.filter(_flagged(_words(self.flag)))

    def _among(self) -> dict[str, Words]:
        return {
            "benchmark__slug": self.slugs,
            "benchmark__stage": self.stages,
            "decision": self.decision,
            "source": ["" if word == NOBODY else word for word in _words(self.source)],
            "split": self.split,
            "category_id": self.category,
            "verifier": self.verifier,
            "status": self.status,
        }

    def _exactly(self) -> dict[str, bool | str]:
        return {
            "changed": self.changed,
            "waiting": self.waiting,
            "decided_at": self.decided_at,
            "actor": self.decided_by,
        }


def _words(said: Words) -> list[str]:
    return ([said] if said else []) if isinstance(said, str) else list(said)


def _flagged(words: Sequence[str]) -> Q:
    """Tasks with any of these flags."""
    found = any_word("flag_words", [word for word in words if word not in {ANY, NONE}], between=" ")
    if ANY in words:
        found |= Q(flag_count__gt=0)
    return found | Q(flag_count=0) if NONE in words else found


def inbox(
    question: InboxQuestion, *, limit: int, after: Key | None = None
) -> Window[TaskStandingEntry]:
    """One page of the inbox, each task with its benchmark."""
    tasks = question.tasks().select_related("benchmark")
    return INBOX.window(tasks, limit=limit, after=after)


def inbox_count(question: InboxQuestion, *, most: int = MOST_COUNTED) -> int:
    """How many tasks match, counted no further than one beyond `most`."""
    return bounded_count(question.tasks(), most)


def inbox_picks(question: InboxQuestion, *, most: int) -> list[tuple[str, str, str]]:
    """Slug, id and digest of the first tasks that match: what one call may decide on."""
    entries = inbox(question, limit=most).entries
    return [(entry.benchmark.slug, entry.task_id, entry.digest) for entry in entries]


def beside(
    entry: TaskStandingEntry, question: InboxQuestion
) -> tuple[TaskStandingEntry | None, TaskStandingEntry | None]:
    """The tasks before and behind one in the inbox, under the same question."""
    tasks = question.tasks().select_related("benchmark")
    ways = (Keyset(INBOX.fields, falling=True), INBOX)
    found = [way.window(tasks, limit=1, after=INBOX.key(entry)).entries for way in ways]
    before, behind = (entries[0] if entries else None for entries in found)
    return before, behind


def attention_counts(question: InboxQuestion) -> dict[str, int]:
    """How many tasks carry each flag, in the benchmarks and stages that are asked about."""
    narrow = Q(benchmark__present=True)
    if slugs := _words(question.slugs):
        narrow &= Q(benchmark__slug__in=slugs)
    if stages := _words(question.stages):
        narrow &= Q(benchmark__stage__in=stages)
    counts: Counter[str] = Counter()
    found = BenchmarkStandingEntry.objects.filter(narrow)
    for each in found.values_list("attention_counts", flat=True):
        counts.update(each)
    return {flag.value: counts[flag.value] for flag in Attention if counts[flag.value]}


def categories_of(slugs: Words = ()) -> dict[tuple[str, str], str]:
    """The name of each category, by slug and id, as the manifests have it."""
    found = BenchmarkStandingEntry.objects.filter(benchmark__present=True)
    if asked := _words(slugs):
        found = found.filter(benchmark__slug__in=asked)
    names = found.values_list("benchmark__slug", "categories")
    return {(slug, key): name for slug, each in names for key, name in each.items()}


def proposed_benchmarks() -> list[BenchmarkEntry]:
    """The benchmarks whose tasks wait for verdicts, by name."""
    found = BenchmarkEntry.objects.filter(present=True, stage=Stage.PROPOSED.value)
    return list(found.order_by("name", "slug"))


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


def _moment(at: datetime | None) -> int | None:
    return moment_of(at) if at is not None else None
