"""The last writes, whoever made them and through whichever door."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from benchmarks.models import DatedEntry, VersionEntry
from reviews.admin.addresses import task_path
from reviews.models import FeedbackEntry, FlagEntry, ReviewEntry
from reviews.models.standing import TaskStandingEntry
from runs.models import RequestEntry

LAST = 20
Say = Callable[..., tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Write:
    """One line of a ledger, as one sentence."""

    moment: int
    at: datetime | None
    slug: str
    what: str
    about: str
    path: str
    """Empty where no page is left: of a task that was not promoted, say."""
    actor: str
    door: str


def recent_writes(limit: int = LAST) -> list[Write]:
    """The newest reviews, feedback, flags, run requests and versions, newest first."""
    found = [
        _write(entry, say)
        for model, say in KINDS
        for entry in _newest(model._default_manager.defer(*HEAVY.get(model, ("raw",))), limit)
    ]
    return _without_dead_ends(heapq.nlargest(limit, found, key=lambda write: write.moment))


def _newest(lines: "QuerySet[Any]", limit: int) -> list[Any]:
    found = lines.filter(benchmark__present=True).select_related("benchmark")
    return list(found.order_by("-moment", "-id")[:limit])


def _write(entry: Any, say: Say) -> Write:
    slug = entry.benchmark.slug
    what, about, path = say(entry, slug)
    return Write(entry.moment, entry.at, slug, what, about, path, entry.actor, entry.door)


def _without_dead_ends(writes: list[Write]) -> list[Write]:
    """The same, without links to tasks that are not there any more."""
    there = {
        task_path(slug, task_id)
        for slug, task_id in TaskStandingEntry.objects.filter(
            benchmark__slug__in={write.slug for write in writes},
            task_id__in={write.about for write in writes},
        ).values_list("benchmark__slug", "task_id")
    }
    return [
        replace(write, path="")
        if write.path == task_path(write.slug, write.about) and write.path not in there
        else write
        for write in writes
    ]


def _review(entry: ReviewEntry, slug: str) -> tuple[str, str, str]:
    what = f"decided {entry.decision.replace('_', ' ')}"
    return what, entry.task_id, task_path(slug, entry.task_id)


def _feedback(entry: FeedbackEntry, slug: str) -> tuple[str, str, str]:
    return f"feedback {entry.status}", entry.task_id, task_path(slug, entry.task_id)


def _flag(entry: FlagEntry, slug: str) -> tuple[str, str, str]:
    path = (
        task_path(slug, entry.task_id) if entry.task_id else reverse("admin:benchmark", args=[slug])
    )
    return f"flag {entry.reason} {entry.status}", entry.task_id or "the whole benchmark", path


def _request(entry: RequestEntry, slug: str) -> tuple[str, str, str]:
    return "queued a run", entry.run_id, f"{reverse('admin:run', args=[entry.run_id])}?slug={slug}"


def _version(entry: VersionEntry, slug: str) -> tuple[str, str, str]:
    about = f"version {entry.version}"
    return entry.note or "bumped", about, f"{reverse('admin:benchmark', args=[slug])}#versions"


KINDS: tuple[tuple[type[DatedEntry], Say], ...] = (
    (ReviewEntry, _review),
    (FeedbackEntry, _feedback),
    (FlagEntry, _flag),
    (RequestEntry, _request),
    (VersionEntry, _version),
)
HEAVY: dict[type[DatedEntry], tuple[str, ...]] = {RequestEntry: ("spend",)}
"""What a line of the list does not need, where it is not the text of the line."""
