"""Captures over REST: one whole, without its secrets, or the rounds of a task."""

from typing import Annotated, Any

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.documents import Document
from benchmarks.api.operations import operation
from benchmarks.api.queries import Query
from benchmarks.doors.arguments import Slug, TaskId
from benchmarks.errors import InvalidArguments, UnknownCapture, UnknownTask
from benchmarks.services.capturing import read_capture, read_rounds


class CaptureDocument(Document):
    """A capture, or the rounds of a task."""

    slug: str
    capture_id: str | None = None
    capture_key: str | None = None
    task_id: str | None = None
    rounds: list[dict[str, Any]] | None = None


class CaptureQuery(Query):
    """Which capture, or the captures of which task."""

    slug: Slug
    id: Annotated[
        str | None, Field(min_length=1, max_length=512, description="A capture's key or id.")
    ] = None
    task: TaskId | None = None
    meta: Annotated[
        bool, Field(description="With `task`: what is known of each capture, not its text.")
    ] = True


class CapturesView(LabView):
    """`/api/captures`."""

    @operation(
        "read_capture",
        query=CaptureQuery,
        gives=CaptureDocument,
        names_benchmark=True,
        refuses=(UnknownCapture, UnknownTask),
    )
    def get(self, call: ApiCall) -> dict[str, Any]:
        """Read one capture by `id`, or with `task` the captures that a task was made of."""
        asked: CaptureQuery = call.query
        located = call.locate(asked.slug)
        if (asked.id is None) == (asked.task is None):
            raise InvalidArguments(
                "read_capture: name one capture by `id`, or a task by `task`",
                hint="GET /api/captures?slug=&id= or ?slug=&task=",
            )
        if asked.task is not None:
            return read_rounds(located=located, task_id=asked.task)
        return read_capture(located=located, capture_id=str(asked.id))
