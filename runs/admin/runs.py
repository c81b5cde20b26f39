"""The list of runs, newest first, and beside it the background jobs."""

from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase

from benchmarks.admin.base import LabPage
from benchmarks.models import BenchmarkEntry
from benchmarks.records.vocabulary import RunStatus
from runs.admin.listing import first_run
from runs.admin.needs import UNDER_WAY, ended_badly
from runs.models import RequestEntry
from runs.selectors import cells_done

STATUSES = tuple(status.value for status in RunStatus)
GROUPS = ("under_way", "ended_badly")


class RunList(LabPage):
    """Every run of every benchmark."""

    path, name = "runs/", "runs"
    service = "list_runs"
    nav, nav_place = "Runs", 40
    template = "runs/runs.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """One page of the list."""
        self.catch_up()
        found = self._found()
        entries, page = self.keyset(self.asked).page(found, ["-moment", "-id"])
        following = page["next_cursor"]
        present = BenchmarkEntry.objects.filter(present=True)
        slugs = list(present.order_by("slug").values_list("slug", flat=True))
        return self.render({
            "runs": run_lines(entries),
            "asked": self.asked,
            "statuses": (*STATUSES, *GROUPS),
            "slugs": slugs,
            "first_command": first_run(slugs[0] if slugs else ""),
            "first_path": self.with_query(cursor=None) if request.GET.get("cursor") else "",
            "next_path": self.with_query(cursor=following) if following else "",
        })

    @cached_property
    def asked(self) -> dict[str, str]:
        """The filters that are set."""
        return {
            name: self.request.GET[name]
            for name in ("status", "slug", "q")
            if self.request.GET.get(name)
        }

    def _found(self) -> "QuerySet[RequestEntry]":
        found = RequestEntry.objects.filter(benchmark__present=True).select_related("benchmark")
        status = self.asked.get("status")
        if status == "under_way":
            found = found.filter(status__in=UNDER_WAY)
        elif status == "ended_badly":
            found = found.filter(pk__in=ended_badly().values("pk"))
        elif status:
            found = found.filter(status=status)
        if slug := self.asked.get("slug"):
            found = found.filter(benchmark__slug=slug)
        if words := self.asked.get("q", "").strip():
            found = found.filter(run_id__contains=words)
        return found


def run_lines(entries: list[RequestEntry]) -> list[dict[str, Any]]:
    """Each run as one line; of those under way the rows say how far they have come."""
    running = [entry.run_id for entry in entries if entry.status == RunStatus.RUNNING]
    done = cells_done(running) if running else {}
    return [
        {
            "entry": entry,
            "slug": entry.benchmark.slug,
            "completed": done.get((entry.benchmark_id, entry.run_id), entry.completed),
            "total": entry.total,
            "ended": entry.status not in UNDER_WAY,
        }
        for entry in entries
    ]
