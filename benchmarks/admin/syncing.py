"""The sync button: beside the word on how fresh a page is, and on the list of benchmarks."""

from typing import ClassVar

from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

from benchmarks.admin.acting import Action, Done, exact
from benchmarks.admin.base import LabPage
from benchmarks.artifacts.roots import list_directories
from benchmarks.mirror.syncing import mark_absent, sync_benchmarks


def sync(page: LabPage) -> Done:
    """Read one benchmark again, every byte verified, or all of the roots."""
    slug = exact(page.request.POST, "slug")
    within = page.call.roots
    located = [page.call.locate(slug)] if slug else list_directories(within).found
    document = sync_benchmarks(located=located)
    if not slug:
        mark_absent(located, within)
    what = slug or f"{len(located)} benchmarks"
    return Done(
        {"warnings": [f"{each['slug']}: {each['message']}" for each in document["failed"]]},
        say=f"Read again: {what}.",
        to=page.request.POST.get("next", "") or reverse("admin:index"),
        slug=slug or None,
    )


class SyncPage(LabPage):
    """Takes the button; there is nothing to see."""

    path, name, service = "sync/", "sync", "list_benchmarks"
    actions: ClassVar = {"sync": Action("sync_benchmarks", sync)}

    def get(self, request: HttpRequest) -> HttpResponseRedirect:
        """Whoever comes by a link goes to the dashboard."""
        return HttpResponseRedirect(reverse("admin:index"))
