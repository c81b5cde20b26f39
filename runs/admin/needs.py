"""What waits for somebody, counted over the mirror: each count leads to its filtered list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.urls import reverse

from benchmarks.artifacts.roots import Located
from benchmarks.models import BenchmarkEntry
from benchmarks.records.vocabulary import RunStatus, Stage
from reviews.admin.addresses import inbox_path
from reviews.models import BenchmarkStandingEntry
from runs.models import BenchmarkStatusEntry, RequestEntry
from runs.services.executors import executors_and_queue

ENDED_BADLY = (RunStatus.FAILED.value, RunStatus.STOPPED.value)
UNDER_WAY = (RunStatus.QUEUED.value, RunStatus.RUNNING.value)
BAD_GATES = ("fail", "stale")
INBOX_FLAGGED = "flag=any&source=nobody"


@dataclass(frozen=True, slots=True)
class Need:
    """How many of one kind wait, and where they are listed."""

    count: int
    one: str
    many: str
    path: str

    @property
    def words(self) -> str:
        """What the count is of."""
        return self.one if self.count == 1 else self.many


def needs(located: Sequence[Located]) -> list[Need]:
    """Everything that waits; what nobody waits for is left out.

    Args:
        located: the benchmarks with a request that has not ended: whether anybody works on them
            is asked of their directories, since no file says so.
    """
    return [need for need in _needs(located) if need.count]


def under_way() -> list[str]:
    """The benchmarks that have a request which has not ended."""
    found = RequestEntry.objects.filter(status__in=UNDER_WAY, benchmark__present=True)
    return sorted(set(found.values_list("benchmark__slug", flat=True)))


def ended_badly() -> "QuerySet[RequestEntry]":
    """Runs that failed or stopped and that nobody asked to do again."""
    again = RequestEntry.objects.filter(
        benchmark=OuterRef("benchmark"), retry_of=OuterRef("run_id")
    )
    found = RequestEntry.objects.filter(status__in=ENDED_BADLY, benchmark__present=True)
    return found.filter(~Exists(again))


def _needs(located: Sequence[Located]) -> Iterator[Need]:
    yield from _reviewing()
    yield from _measuring()
    bad = ended_badly().count()
    yield Need(bad, "run failed or stopped", "runs failed or stopped", _runs(status="ended_badly"))
    waiting = len(executors_and_queue(located=located).waiting)
    path = _runs(status="under_way")
    yield Need(waiting, "run without an executor", "runs without an executor", path)
    invalid = BenchmarkEntry.objects.filter(present=True, stage=Stage.INVALID.value).count()
    yield Need(invalid, "invalid directory", "invalid directories", _benchmarks(stage="invalid"))


def _reviewing() -> Iterator[Need]:
    proposed = Q(stage=Stage.PROPOSED.value)
    sums = BenchmarkStandingEntry.objects.filter(benchmark__present=True).aggregate(
        flagged=Sum("undecided_flagged", filter=proposed),
        feedback=Sum("open_feedback"),
        flags=Sum("open_flags"),
    )
    flagged, feedback, flags = (sums[name] or 0 for name in ("flagged", "feedback", "flags"))
    path = inbox_path(INBOX_FLAGGED)
    yield Need(flagged, "flagged task undecided", "flagged tasks undecided", path)
    path = _benchmarks(feedback="open")
    yield Need(feedback, "open piece of feedback", "open pieces of feedback", path)
    yield Need(flags, "open flag", "open flags", _benchmarks(flags="open"))


def _measuring() -> Iterator[Need]:
    present = BenchmarkStatusEntry.objects.filter(benchmark__present=True)
    exceeded = present.exclude(floors_exceeded=[]).count()
    path = _benchmarks(floor="exceeded")
    yield Need(
        exceeded, "benchmark with a floor exceeded", "benchmarks with a floor exceeded", path
    )
    gates = present.filter(gate__in=BAD_GATES).count()
    yield Need(gates, "gate failing or stale", "gates failing or stale", _benchmarks(gate="bad"))
    stale = present.aggregate(rows=Sum("stale_in_report"))["rows"] or 0
    path = _benchmarks(report="stale")
    yield Need(stale, "stale row in a written report", "stale rows in written reports", path)


def _benchmarks(**query: str) -> str:
    return f"{reverse('admin:benchmarks')}?{urlencode(query)}"


def _runs(**query: str) -> str:
    return f"{reverse('admin:runs')}?{urlencode(query)}"
