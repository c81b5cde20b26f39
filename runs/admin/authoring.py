"""Asking a model to describe tasks: a form, its quote, and one more click. Nothing is sent here."""

import secrets
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.urls import reverse

from benchmarks.admin.acting import Action, Done, told
from benchmarks.admin.base import LabPage
from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidArguments, UnderstudyError
from benchmarks.records.base import JsonObject
from runs.admin.queued import queued, words_of
from runs.services.authoring import Wish, queue_authoring

FIELDS = ("models", "tasks", "limit", "again", "overview")
YES = "yes"


class AuthoringForm:
    """The fields as they were given: what a page shows, and what the service is asked."""

    def __init__(self, form: QueryDict) -> None:
        """The form as it was sent; empty at first."""
        self.values = {name: str(form.get(name, "")).strip() for name in FIELDS}

    def hidden(self) -> list[tuple[str, str]]:
        """The same fields again, for the click after the quote."""
        return [(name, value) for name, value in self.values.items() if value]

    def wish(self) -> Wish:
        """What is asked of the service.

        Raises:
            InvalidArguments: the limit is no whole number over 0.
        """
        tasks, limit = words_of(self.values["tasks"]), self.values["limit"]
        if limit and not (limit.isdecimal() and int(limit)):
            raise InvalidArguments(f"limit {limit!r} is no whole number over 0")
        return Wish(
            models=tuple(words_of(self.values["models"])),
            task_ids=tuple(tasks) or None,
            only_unauthored=self.values["again"] != YES,
            limit=int(limit) if limit else None,
            overview=self.values["overview"] == YES,
        )


def author(page: "AuthoringPage") -> Done:
    """Write the request; an executor asks the model."""
    answer = asked(page, confirm=page.request.POST.get("confirm") == YES)
    return queued(page, answer, answer["say"])


def quote(page: "AuthoringPage") -> HttpResponseBase:
    """What would be asked, of whom, and what it may cost; nothing is written or sent."""
    context: dict[str, Any] = {"form": page.form, "slug": page.located.slug}
    try:
        answer = asked(page, dry_run=True)
    except UnderstudyError as error:
        return page.render({**context, "told": told(error), "error": error}, status=error.status)
    return page.render({
        **context,
        "answer": answer,
        "quote": answer["quote"],
        "key": f"admin-{secrets.token_hex(12)}",
    })


def asked(page: "AuthoringPage", *, dry_run: bool = False, confirm: bool = False) -> JsonObject:
    """The answer of the service to the page's form."""
    return queue_authoring(
        located=page.located,
        home=page.home,
        wish=page.form.wish(),
        dry_run=dry_run,
        confirm=confirm,
        caller=page.call.caller,
        now=page.now,
    )


class AuthoringPage(LabPage):
    """The quote of an authoring pass, and the button that asks for it."""

    path, name = "benchmarks/benchmarkentry/<str:slug>/authoring/", "authoring"
    service = "author_tasks"
    template = "runs/authoring.html"
    actions: ClassVar = {
        "quote": Action("author_tasks", quote),
        "author": Action("author_tasks", author),
    }

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """The form stands on the benchmark page."""
        return HttpResponseRedirect(reverse("admin:benchmark", args=[slug]) + "#authoring")

    @property
    def located(self) -> Located:
        """The benchmark that the path names."""
        return self.call.locate(str(self.kwargs["slug"]))

    @property
    def form(self) -> AuthoringForm:
        """What was asked for."""
        return AuthoringForm(self.request.POST)
