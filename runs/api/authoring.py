"""The route that asks for authored definitions. Nothing here asks a model."""

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.operations import operation
from benchmarks.errors import (
    ApprovalRequired,
    CredentialsMissing,
    EnvironmentMissing,
    NothingSelected,
    PostureTooLow,
    UnknownTask,
    Unsupported,
    WrongStage,
)
from benchmarks.records.base import JsonObject
from runs.api.bodies import AuthoringBody
from runs.api.documents import QueuedDocument
from runs.handoff import handed_over
from runs.services.authoring import Wish, queue_authoring

REFUSALS = (
    WrongStage,
    UnknownTask,
    NothingSelected,
    EnvironmentMissing,
    PostureTooLow,
    ApprovalRequired,
    CredentialsMissing,
    Unsupported,
)


class AuthoringView(LabView):
    """`/api/benchmarks/{slug}/authoring`"""

    @operation(
        "author_tasks", body=AuthoringBody, gives=QueuedDocument, refuses=REFUSALS, writes=True
    )
    def post(self, call: ApiCall, slug: str) -> JsonObject:
        """Ask for a model's descriptions of tasks: a request is written, and nothing is sent.

        `dry_run` writes nothing and gives the quote. An executor asks the model; only what the
        recording bears out is merged.
        """
        asked: AuthoringBody = call.body
        located = call.locate_writable(slug)
        document = queue_authoring(
            located=located,
            home=call.home,
            wish=Wish(
                models=tuple(asked.models),
                task_ids=None if asked.tasks is None else tuple(asked.tasks),
                only_unauthored=asked.only_unauthored,
                limit=asked.limit,
                overview=asked.overview,
                context_cap=asked.context_cap,
                concurrency=asked.concurrency,
            ),
            dry_run=asked.dry_run,
            confirm=asked.confirm,
            caller=call.caller,
            now=call.now,
        )
        if asked.dry_run:
            return document
        call.synced(located)
        return handed_over(document)
