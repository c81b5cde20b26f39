"""The run page: how far it has come, cell by cell, and the button that cancels it."""

import json
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from benchmarks.admin.acting import Action, Done
from benchmarks.admin.base import LabPage, TextPage
from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidArguments
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest
from benchmarks.records.vocabulary import ENDED
from runs.admin.cells import cell_lines, legend
from runs.services.cancelling import cancel_run
from runs.services.run_cells import MOST_TASKS, read_cells
from runs.services.run_events import newest_events
from runs.services.statuses import find_run, run_status

UNCHANGED = 204
REFRESH_S = 10


class OfRun(LabPage):
    """Any page of one run: `?slug=` names its benchmark where several have the run id."""

    service = "run_status"

    @cached_property
    def run_id(self) -> str:
        """The run that the path names."""
        return str(self.kwargs["run_id"])

    @cached_property
    def located(self) -> Located:
        """The benchmark of the run."""
        slug = self.request.GET.get("slug")
        if slug:
            return self.call.locate(slug)
        return find_run(roots=self.call.roots, run_id=self.run_id)

    def address(self, name: str, **query: object) -> str:
        """The path of a page of this run, with its benchmark said."""
        asked = {"slug": self.located.slug, **query}
        return f"{reverse(f'admin:{name}', args=[self.run_id])}?{urlencode(asked)}"


def cancel(page: OfRun) -> Done:
    """Cancel the run; what has rows keeps them."""
    document = cancel_run(
        located=page.located,
        run_id=page.run_id,
        reason=page.request.POST.get("reason", "").strip() or None,
        caller=page.call.caller,
        now=page.now,
    )
    return Done(
        document,
        say=f"{page.run_id} is cancelled. Its rows are kept.",
        to=page.address("run"),
        slug=page.located.slug,
        ref=page.run_id,
    )


class RunPage(OfRun):
    """Everything about one run, kept live while it is active."""

    path, name = "runs/<str:run_id>/", "run"
    template = "runs/run.html"

    def get(self, request: HttpRequest, run_id: str) -> HttpResponseBase:
        """The page; without JavaScript it refreshes itself while the run is active."""
        live = self.live()
        run = self.located.directory.request(run_id)
        text = json.dumps(run.dump(), indent=2, ensure_ascii=False)
        return self.render({
            **live,
            "slug": self.located.slug,
            "refresh_s": REFRESH_S if live["active"] else None,
            "request_text": text,
            "request_path": self.address("run_request"),
        })

    def live(self) -> dict[str, Any]:
        """What changes while the run goes on."""
        run = run_status(located=self.located, run_id=self.run_id, now=self.now)
        cells = read_cells(located=self.located, run_id=self.run_id, start=self.start)
        events = newest_events(located=self.located, run_id=self.run_id)
        view = "table" if self.request.GET.get("view") == "table" else "grid"
        active = run["status"] not in ENDED
        seen = json_digest([run["status"], run["interrupted"], run["stalled"], cells["marks"]])
        return {
            "run": run,
            "cells": cells,
            "cell_lines": lambda: cell_lines(cells, self._prompts()),
            "legend": legend(cells["marks"]),
            "events": events,
            "view": view,
            "active": active,
            "start": self.start,
            "live_path": self.address("run_live", start=self.start, view=view, seen=seen),
            "cancel_path": self.address("run_cancel"),
            "views": {each: self.address("run", start=self.start, view=each) for each in VIEWS},
            "seen": seen,
            **self._neighbours(cells, view),
        }

    @cached_property
    def start(self) -> int:
        """The place of the first task of this page of cells."""
        given = self.request.GET.get("start", "0")
        if not given.isascii() or not given.isdigit():
            raise InvalidArguments(f"start {given!r} is no whole number")
        return int(given)

    def _prompts(self) -> dict[str, str]:
        """What each task asks; read only when the cells are drawn."""
        directory = self.located.directory
        if not directory.exists(layout.ENV_TASKS):
            return {}
        return {task.task_id: task.prompt for task in directory.load_list(layout.ENV_TASKS)}

    def _neighbours(self, cells: JsonObject, view: str) -> dict[str, str]:
        page, found = cells["page"], {}
        if page["start"] > 0:
            before = max(0, page["start"] - MOST_TASKS)
            found["previous_path"] = self.address("run", start=before, view=view)
        after = page["start"] + page["returned"]
        if after < page["total"]:
            found["next_path"] = self.address("run", start=after, view=view)
        return found


VIEWS = ("grid", "table")


class RunLive(RunPage):
    """The part of the run page that changes, for a poll; nothing when nothing has changed."""

    path, name = "runs/<str:run_id>/live/", "run_live"

    def get(self, request: HttpRequest, run_id: str) -> HttpResponseBase:
        """The fragment, or 204 when it would be the one that was seen."""
        live = self.live()
        if request.GET.get("seen") == live["seen"]:
            return HttpResponse(status=UNCHANGED)
        return self.render(live, template="runs/run_live.html")


class CancelPage(OfRun):
    """Asks once more before a run is cancelled, and says what is kept."""

    path, name = "runs/<str:run_id>/cancel/", "run_cancel"
    service = "cancel_run"
    template = "runs/cancel.html"
    actions: ClassVar = {"cancel": Action("cancel_run", cancel)}

    def get(self, request: HttpRequest, run_id: str) -> HttpResponseBase:
        """The question."""
        run = run_status(located=self.located, run_id=run_id, now=self.now)
        return self.render({
            "run": run,
            "slug": self.located.slug,
            "ended": run["status"] in ENDED,
            "run_path": self.address("run"),
        })


class RequestText(OfRun, TextPage):
    """The request of a run as a file."""

    path, name = "runs/<str:run_id>/request.json", "run_request"
    file_name = "request.json"

    def text(self) -> str:
        """The document, indented."""
        run = self.located.directory.request(self.run_id)
        return json.dumps(run.dump(), indent=2, ensure_ascii=False)
