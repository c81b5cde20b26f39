"""A button of a page: one POST, one service call, and what the person is told of it."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, QueryDict

from benchmarks.doors.marks import visible
from benchmarks.errors import UnderstudyError

OURS = frozenset({"csrfmiddlewaretoken", "action"})
MOST_COMPLAINTS = 8


@dataclass(frozen=True, slots=True)
class Done:
    """What a service answered, said in one sentence, and where the person goes next."""

    document: Mapping[str, Any]
    say: str
    to: str = ""
    """A path of this site; empty: the page that the button is on."""
    slug: str | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A button: the service whose permission it asks for, and what it does with its page.

    A `Done` was a write: it is recorded, and the person is sent on. Any other answer is a page
    that was only looked at, such as a dry run.
    """

    service: str
    act: Callable[[Any], Done | HttpResponseBase]


def arguments_of(form: QueryDict) -> dict[str, list[str]]:
    """What a form said, without what every form holds."""
    return {name: values for name, values in form.lists() if name not in OURS}


def exact(form: QueryDict, name: str) -> str:
    """The text of a field that a page may have written with the filter `exact`."""
    said = form.get(name, "")
    if said.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(said))
    return said


@dataclass(frozen=True, slots=True)
class Told:
    """What a person is told of an error: message, hint, and every complaint."""

    message: str
    hint: str = ""
    complaints: tuple[str, ...] = field(default=())
    more: int = 0


def told(error: UnderstudyError) -> Told:
    """The error in the words a page shows; a long list of complaints is counted."""
    lines = [f"{item.path}: {item.message}" for item in error.errors]
    return Told(
        message=error.message,
        hint=error.hint,
        complaints=tuple(lines[:MOST_COMPLAINTS]),
        more=max(0, len(lines) - MOST_COMPLAINTS),
    )


def say_done(request: HttpRequest, done: Done) -> None:
    """The notices first, as warnings, then what was done."""
    for notice in done.document.get("notices") or ():
        messages.warning(request, visible(notice["text"]))
    for warning in done.document.get("warnings") or ():
        messages.warning(request, visible(warning))
    replayed = " It had been done before: nothing was written." if _is_replay(done) else ""
    messages.success(request, visible(done.say) + replayed)


def say_error(request: HttpRequest, error: UnderstudyError) -> None:
    """The error and its hint as one message, each complaint on its own line."""
    said = told(error)
    lines = [f"{said.message}."[: -1 if said.message.endswith(".") else None]]
    lines += [f"- {line}" for line in said.complaints]
    lines += [f"- and {said.more} more"] if said.more else []
    lines += [f"Hint: {said.hint}"] if said.hint else []
    messages.error(request, visible("\n".join(lines)))


def _is_replay(done: Done) -> bool:
    return bool(done.document.get("replayed"))
