"""The dashboard: what needs somebody, how the benchmarks stand, what runs now, what was written."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from benchmarks.admin.base import LabPage
from benchmarks.artifacts.roots import Located
from benchmarks.errors import UnderstudyError
from benchmarks.records.vocabulary import RunStatus
from runs.admin.listing import first_run, lines_of, present
from runs.admin.needs import needs, under_way
from runs.admin.recent import recent_writes
from runs.models import RequestEntry
from runs.services.statuses import run_status

MOST_BENCHMARKS = 25
MOST_RUNNING = 8


class Dashboard(LabPage):
    """Where everybody begins."""

    path, name = "", "index"
    service = "list_benchmarks"
    nav, nav_place = "Dashboard", 10
    template = "runs/dashboard.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """The four blocks; on a fresh install, how to make the first benchmark."""
        self.catch_up()
        benchmarks = list(present().order_by("-read_at", "slug")[: MOST_BENCHMARKS + 1])
        return self.render({
            "needs": needs(list(self._found(under_way()))),
            "benchmarks": lines_of(benchmarks[:MOST_BENCHMARKS]),
            "more_benchmarks": len(benchmarks) > MOST_BENCHMARKS,
            "running": self._running(),
            "recent": recent_writes(),
            "first_command": first_run(benchmarks[0].slug if benchmarks else ""),
            "roots": self.call.roots,
        })

    def _running(self) -> list[dict[str, Any]]:
        entries = RequestEntry.objects.filter(
            status=RunStatus.RUNNING.value, benchmark__present=True
        ).select_related("benchmark")
        runs: list[dict[str, Any]] = []
        for entry in entries.order_by("-moment", "-id")[:MOST_RUNNING]:
            for located in self._found([entry.benchmark.slug]):
                with suppress(UnderstudyError):
                    runs.append(run_status(located=located, run_id=entry.run_id, now=self.now))
        return runs

    def _found(self, slugs: Iterable[str]) -> Iterator[Located]:
        """The benchmarks of these slugs; one that went meanwhile costs itself, not the page."""
        for slug in slugs:
            with suppress(UnderstudyError):
                yield self.call.locate(slug)
