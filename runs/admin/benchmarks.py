"""The list of benchmarks: filters, search, and what can be done with one or all of them."""

import csv
import io
from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from benchmarks.admin.acting import Action
from benchmarks.admin.base import LabPage
from benchmarks.doors.marks import visible
from benchmarks.models import BenchmarkEntry
from runs.admin.gate import run_gate
from runs.admin.listing import FILTERS, filtered, lines_of, present

COLUMNS = (
    "slug",
    "name",
    "stage",
    "origin",
    "version",
    "read_only",
    "tasks",
    "undecided",
    "rows",
    "newest_row",
    "calibration",
    "gate",
    "newest_run",
    "newest_run_status",
    "next_command",
)
LABELS = {"undecided": "has undecided", "read_only": "read-only", "report": "written report"}
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula at the start of a cell."""


class BenchmarkList(LabPage):
    """Every benchmark of every root."""

    path, name = "benchmarks/benchmarkentry/", "benchmarks"
    service = "list_benchmarks"
    nav, nav_place = "Benchmarks", 20
    template = "runs/benchmarks.html"
    actions: ClassVar = {"gate": Action("read_rigor_report", run_gate)}

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """One page of the list, by slug."""
        self.catch_up()
        found = filtered(present(), self.asked)
        entries, page = self.keyset(self.asked).page(found, ["slug", "pk"])
        following = page["next_cursor"]
        return self.render({
            "benchmarks": lines_of(entries),
            "asked": self.asked,
            "filters": list(self._filters()),
            "first_path": self.with_query(cursor=None) if request.GET.get("cursor") else "",
            "next_path": self.with_query(cursor=following) if following else "",
            "csv_path": f"{reverse('admin:benchmarks_csv')}?{request.GET.urlencode()}",
            "any": BenchmarkEntry.objects.filter(present=True).exists(),
            "roots": self.call.roots,
        })

    @cached_property
    def asked(self) -> dict[str, str]:
        """The filters that are set, and the words that are looked for."""
        names = (*FILTERS, "origin", "root", "q")
        return {name: self.request.GET[name] for name in names if self.request.GET.get(name)}

    def _filters(self) -> Iterator[dict[str, Any]]:
        for name, choices in FILTERS.items():
            yield self._filter(name, [word for word, _ in choices])
        for name in ("origin", "root"):
            found = BenchmarkEntry.objects.filter(present=True).exclude(**{name: ""})
            yield self._filter(name, sorted(set(found.values_list(name, flat=True))))

    def _filter(self, name: str, choices: list[str]) -> dict[str, Any]:
        word = LABELS.get(name, name)
        return {"name": name, "word": word, "choices": choices, "chosen": self.asked.get(name, "")}


class BenchmarkCsv(BenchmarkList):
    """The filtered list as a file."""

    path, name = "benchmarks/benchmarkentry.csv", "benchmarks_csv"
    nav = ""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """All of the list, one line a benchmark."""
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(COLUMNS)
        for line in lines_of(filtered(present(), self.asked).order_by("slug")):
            writer.writerow([as_cell(line[name]) for name in COLUMNS])
        response = HttpResponse(
            text.getvalue().encode("utf-8", "backslashreplace"),
            content_type="text/csv; charset=utf-8",
        )
        response["Content-Disposition"] = 'attachment; filename="benchmarks.csv"'
        return response


def as_cell(value: object) -> str:
    """A value as a cell that no spreadsheet takes for a formula."""
    said = "" if value is None else visible(value)
    return f"'{said}" if said.startswith(FORMULA_STARTS) else said
