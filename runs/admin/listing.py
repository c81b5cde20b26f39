"""Benchmarks as lists show them: from the mirror's own columns, nothing is worked out here."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from shlex import quote
from typing import Any

from django.db.models import Q, QuerySet

from benchmarks.models import BenchmarkEntry
from benchmarks.models.dated import EPOCH, UNDATED
from runs.models import BenchmarkStatusEntry

Line = dict[str, Any]


def present() -> "QuerySet[BenchmarkEntry]":
    """The benchmarks that are there, each with how it stands."""
    found = BenchmarkEntry.objects.filter(present=True)
    return found.select_related("standing", "status_entry")


def first_run(slug: str) -> str:
    """A command that writes the first run of a benchmark and costs nothing; empty: the demo's."""
    if not slug:
        return "understudy demo"
    return f"understudy runs queue --benchmark {quote(slug)} --trivial-arms null_agent --split all"


def lines_of(entries: Iterable[BenchmarkEntry]) -> list[Line]:
    """Each benchmark as one line; one that no sync has finished says so by its gaps."""
    return [_line(entry) for entry in entries]


def _line(entry: BenchmarkEntry) -> Line:
    standing = getattr(entry, "standing", None)
    status: BenchmarkStatusEntry | None = getattr(entry, "status_entry", None)
    return {
        "slug": entry.slug,
        "name": entry.name,
        "root": entry.root,
        "stage": entry.stage or "unread",
        "origin": entry.origin,
        "version": entry.version,
        "read_only": entry.read_only,
        "problem": entry.problem,
        "tasks": standing.tasks if standing else None,
        "undecided": standing.waiting if standing else None,
        "calibration": status.calibration if status else "",
        "floors_exceeded": status.floors_exceeded if status else [],
        "gate": status.gate if status else "",
        "newest_run": status.newest_run if status else "",
        "newest_run_status": status.newest_run_status if status else "",
        "next_command": status.next_command if status else "",
        "next_why": status.next_why if status else "",
        "rows": entry.counts.get("rows"),
        "newest_row": newest_row(status),
    }


def newest_row(status: BenchmarkStatusEntry | None) -> datetime | None:
    """When the newest row was written; None where there is none, or it does not say."""
    moment = status.newest_row if status else None
    return None if moment in {None, UNDATED} else EPOCH + timedelta(microseconds=moment or 0)


YES = "yes"
FILTERS: Mapping[str, tuple[tuple[str, Q], ...]] = {
    "stage": tuple((word, Q(stage=word)) for word in ("intake", "proposed", "promoted", "invalid")),
    "gate": (
        *((word, Q(status_entry__gate=word)) for word in ("pass", "fail", "stale", "not_run")),
        ("bad", Q(status_entry__gate__in=("fail", "stale"))),
    ),
    "undecided": ((YES, Q(standing__waiting__gt=0)),),
    "floor": (("exceeded", Q(status_entry__isnull=False) & ~Q(status_entry__floors_exceeded=[])),),
    "feedback": (("open", Q(standing__open_feedback__gt=0)),),
    "flags": (("open", Q(standing__open_flags__gt=0)),),
    "report": (("stale", Q(status_entry__stale_in_report__gt=0)),),
    "read_only": ((YES, Q(read_only=True)), ("no", Q(read_only=False))),
}
"""Every filter with its closed list of values; origin and root take what is there."""


def filtered(
    entries: "QuerySet[BenchmarkEntry]", asked: Mapping[str, str]
) -> "QuerySet[BenchmarkEntry]":
    """The benchmarks that pass every filter; a value that is not on its list passes none."""
    for name, choices in FILTERS.items():
        if asked.get(name):
            entries = entries.filter(dict(choices).get(asked[name], Q(pk__in=[])))
    for name in ("origin", "root"):
        if asked.get(name):
            entries = entries.filter(**{name: asked[name]})
    words = asked.get("q", "").strip()
    if words:
        said = Q(name__icontains=words) | Q(slug__icontains=words)
        entries = entries.filter(said | Q(benchmark_id__icontains=words))
    return entries
