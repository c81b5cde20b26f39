"""What a page says once a request is written, whatever the request asks for."""

from urllib.parse import urlencode

from django.urls import reverse

from benchmarks.admin.acting import Done
from benchmarks.admin.base import LabPage
from benchmarks.records.base import JsonObject
from runs.handoff import handed_over


def queued(page: LabPage, answer: JsonObject, also: str = "") -> Done:
    """The run's page next, with who picks it up; `also` says more of what was asked."""
    document = handed_over(answer, here=page.home)
    run_id, slug = document["run_id"], document["slug"]
    what = f": {also}" if also else ""
    return Done(
        document,
        say=f"{run_id} is queued{what}. {picked_up_by(document)}",
        to=f"{reverse('admin:run', args=[run_id])}?{urlencode({'slug': slug})}",
        slug=slug,
        ref=run_id,
    )


def picked_up_by(document: JsonObject) -> str:
    """Who executes the request, or the command that does."""
    executor = document["executor"]
    if executor["live"]:
        return f"The executor on {executor['host']} picks it up."
    if executor.get("broker"):
        return f"It is {document['execute_hint']}."
    return f"No executor is here: {document['execute_hint']}"


def words_of(text: str) -> list[str]:
    """The words of a field, between blanks and commas."""
    return text.replace(",", " ").split()
