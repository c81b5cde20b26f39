"""Queueing a run: a form, its quote, and one more click. Nothing is executed here."""

import secrets
from collections.abc import Iterator
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.urls import reverse

from benchmarks.admin.acting import Action, Done, told
from benchmarks.admin.base import LabPage
from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidArguments, UnderstudyError
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import REFERENCE_ARMS, TRIVIAL_ARMS, Split
from runs.admin.queued import queued, words_of
from runs.services.queueing import queue_run

LISTS = ("models", "incumbent_models")
CHOICES = ("trivial_arms", "reference_arms")
WHOLE = ("rollouts_per_task", "seed", "max_turns", "concurrency")
NUMBERS = ("calibration_threshold", "rollout_timeout_seconds")
FIELDS = ("split", "tasks", *LISTS, *CHOICES, *WHOLE, *NUMBERS)
SPLITS = ("all", *(split.value for split in Split if split is not Split.NONE))


class QueueForm:
    """The fields as they were given: what a page shows, and the body that the service takes."""

    def __init__(self, form: QueryDict) -> None:
        """The form as it was sent; without a value each field is at its default."""
        self._form = form
        self.splits = SPLITS
        self.trivial = [each.value for each in TRIVIAL_ARMS]
        self.reference = [each.value for each in REFERENCE_ARMS]

    @property
    def values(self) -> dict[str, Any]:
        """Each field as text, the boxes as lists."""
        return {
            "split": self._text("split") or Split.DEV.value,
            "tasks": self._text("tasks"),
            "rollouts_per_task": self._text("rollouts_per_task") or "1",
            **{name: self._text(name) for name in (*LISTS, *NUMBERS, *WHOLE[1:])},
            **{name: self._many(name) for name in CHOICES},
        }

    def hidden(self) -> list[tuple[str, str]]:
        """The same fields again, for the click after the quote."""
        pairs = [(name, self._text(name)) for name in FIELDS if name not in CHOICES]
        boxes = [(name, value) for name in CHOICES for value in self._many(name)]
        return [(name, value) for name, value in (*pairs, *boxes) if value]

    def body(self) -> JsonObject:
        """What is asked of the service; fields that are empty are not asked for."""
        found = dict(self._asked())
        return {name: value for name, value in found.items() if value not in (None, [], "")}

    def _asked(self) -> Iterator[tuple[str, Any]]:
        yield "split", self._text("split")
        yield "tasks", words_of(self._text("tasks"))
        for name in LISTS:
            yield name, words_of(self._text(name))
        for name in CHOICES:
            yield name, self._many(name)
        for name in WHOLE:
            yield name, _number(name, self._text(name), int)
        for name in NUMBERS:
            yield name, _number(name, self._text(name), float)

    def _text(self, name: str) -> str:
        return str(self._form.get(name, "")).strip()

    def _many(self, name: str) -> list[str]:
        return self._form.getlist(name)


def queue(page: "QueuePage") -> Done:
    """Write the request; an executor takes it up."""
    answer = queue_run(
        located=page.located,
        home=page.home,
        body=page.form.body(),
        confirm=page.request.POST.get("confirm") == "yes",
        caller=page.call.caller,
        now=page.now,
    )
    return queued(page, answer)


def quote(page: "QueuePage") -> HttpResponseBase:
    """What the request would be and cost; nothing is written."""
    context: dict[str, Any] = {"form": page.form, "slug": page.located.slug}
    try:
        answer = queue_run(
            located=page.located,
            home=page.home,
            body=page.form.body(),
            dry_run=True,
            caller=page.call.caller,
            now=page.now,
        )
    except UnderstudyError as error:
        return page.render({**context, "told": told(error), "error": error}, status=error.status)
    return page.render({
        **context,
        "answer": answer,
        "quote": answer["quote"],
        "notices": answer["notices"],
        "key": f"admin-{secrets.token_hex(12)}",
    })


class QueuePage(LabPage):
    """The quote of a run, and the button that queues it."""

    path, name = "benchmarks/benchmarkentry/<str:slug>/queue/", "queue"
    service = "queue_run"
    template = "runs/queue.html"
    actions: ClassVar = {"quote": Action("queue_run", quote), "queue": Action("queue_run", queue)}

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """The form stands on the benchmark page."""
        return HttpResponseRedirect(reverse("admin:benchmark", args=[slug]) + "#queue")

    @property
    def located(self) -> Located:
        """The benchmark that the path names."""
        return self.call.locate(str(self.kwargs["slug"]))

    @property
    def form(self) -> QueueForm:
        """What was asked for."""
        return QueueForm(self.request.POST)


def _number(name: str, text: str, kind: type[int] | type[float]) -> int | float | None:
    if not text:
        return None
    try:
        return kind(text)
    except ValueError:
        raise InvalidArguments(f"{name} {text!r} is no number") from None
