"""What a benchmark's captures could measure, and what was answered."""

from typing import Any

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer as ApiAnswer
from benchmarks.api.calls import ApiCall
from benchmarks.api.documents import Action, Document, Written
from benchmarks.api.jobs import job_operation, started
from benchmarks.api.operations import operation
from benchmarks.doors.arguments import Confirm, DirectionId, Endpoints, Note, Postures, WaitSeconds
from benchmarks.doors.tool import Arguments
from benchmarks.errors import ApprovalRequired, DirectoryBusy, NothingSelected
from benchmarks.services.answering import LIVE, Answer
from benchmarks.services.directing import propose_directions, read_directions

PROPOSE = "propose_directions"


class DirectionsDocument(Document):
    """`directions.json` and `dependencies.json`, as far as doors show them."""

    slug: str
    dir: str
    directions: list[dict[str, Any]]
    picked: dict[str, Any] | None
    dependencies: list[dict[str, Any]]
    note: str | None
    warnings: list[str]
    next_actions: list[Action]


class DirectionsWritten(Written, DirectionsDocument):
    """The same, after a write."""


class Propose(Arguments):
    """Propose the cards again, from the captures that the directory holds."""

    wait_s: WaitSeconds = 10.0


class Answered(Arguments):
    """The pick, and how each dependency is played."""

    pick: DirectionId | None = None
    postures: Postures | None = None
    endpoints: Endpoints | None = None
    note: Note | None = None
    confirm: Confirm = False


class DirectionsView(LabView):
    """`/api/benchmarks/{slug}/directions`."""

    @operation("read_directions", gives=DirectionsDocument)
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Read the cards, the pick and the postures."""
        return read_directions(located=call.locate(slug))

    @job_operation(
        PROPOSE,
        body=Propose,
        gives=DirectionsWritten,
        refuses=(NothingSelected, DirectoryBusy),
    )
    def post(self, call: ApiCall, slug: str) -> ApiAnswer:
        """Propose cards from the captures that are there, as a job."""
        located = call.locate_writable(slug)
        return started(call, PROPOSE, {"slug": located.slug}, wait_s=call.body.wait_s)

    @operation(
        "answer_directions",
        body=Answered,
        gives=DirectionsWritten,
        writes=True,
        refuses=(ApprovalRequired, NothingSelected, DirectoryBusy),
    )
    def patch(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Pick a card and say how dependencies are played; a live posture needs an admin."""
        asked: Answered = call.body
        located = call.locate_writable(slug)
        postures = asked.postures or {}
        if LIVE in postures.values():
            call.need("approve_live_posture")
        answer = Answer(
            pick=asked.pick,
            postures=postures,
            endpoints=asked.endpoints or {},
            note=asked.note,
            confirm=asked.confirm,
        )
        answer.need()
        return propose_directions(
            directory=located.directory,
            slug=located.slug,
            answer=answer,
            home=call.home,
            caller=call.caller,
            now=call.now,
        )
