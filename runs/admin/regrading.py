"""Judging kept rollouts again: what it would give, and one more click. Nothing is run here."""

from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse

from benchmarks.admin.acting import Action, Done, told
from benchmarks.admin.base import LabPage
from benchmarks.admin.working import run_job
from benchmarks.artifacts.roots import Located
from benchmarks.doors.identity import lacking
from benchmarks.doors.permissions import Permission
from benchmarks.errors import UnderstudyError
from benchmarks.records.base import JsonObject
from benchmarks.records.wording import many
from runs.admin.benchmark_buttons import done
from runs.services.regrading import Order, regrade_run

SHOWN = 25


def look(page: "RegradePage") -> HttpResponseBase:
    """What would change; nothing is written."""
    context: dict[str, Any] = {"slug": page.located.slug, "reason": page.reason}
    try:
        answer = regrade_run(
            located=page.located,
            order=Order(allow_untested=page.reason, dry_run=True),
            caller=page.call.caller,
            clock=page.call.clock,
        )
    except UnderstudyError as error:
        return page.render({**context, "told": told(error), "error": error}, status=error.status)
    lost = answer["lost"]
    return page.render({
        **context,
        "answer": answer,
        "notices": answer["notices"],
        "lost": lost[:SHOWN],
        "more_lost": max(len(lost) - SHOWN, 0),
    })


def write(page: "RegradePage") -> Done:
    """Write the rows, as a job."""
    arguments: JsonObject = {"slug": page.located.slug, "dry_run": False}
    if page.reason is not None:
        arguments["allow_untested"] = page.reason
    document = run_job(page, "regrade_run", arguments)
    summaries = document.get("summaries", ())
    rows = sum(each["regraded"] for each in summaries)
    changed = sum(each["delta"]["changed"] for each in summaries)
    said = f"{many(rows, 'row')} judged again: {changed} changed."
    return done(page, document, said, "versions")


def standing_stale(status: JsonObject) -> int:
    """How many stale rows nothing stands in for, by the document of the status."""
    rows: JsonObject = status.get("rows") or {}
    stale = rows.get("stale_regrade", 0) + rows.get("stale_rerun", 0)
    return max(int(stale - rows.get("superseded", 0)), 0)


class RegradePage(LabPage):
    """What a regrade would give, and the button that writes it."""

    path, name = "benchmarks/benchmarkentry/<str:slug>/regrade/", "regrade"
    service = "regrade_run"
    template = "runs/regrade.html"
    actions: ClassVar = {"look": Action("regrade_run", look), "write": Action("regrade_run", write)}

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """The form stands on the benchmark page."""
        return HttpResponseRedirect(reverse("admin:benchmark", args=[slug]) + "#versions")

    @property
    def located(self) -> Located:
        """The benchmark that the path names."""
        return self.call.locate(str(self.kwargs["slug"]))

    @property
    def reason(self) -> str | None:
        """Why untested verifiers may judge: an admin's word."""
        said = str(self.request.POST.get("allow_untested", "")).strip()
        if said and not self.identity.may(Permission.ADMIN):
            raise lacking(self.identity, Permission.ADMIN, "allow_untested")
        return said or None
