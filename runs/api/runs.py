"""The routes of run requests: list, queue, read, cancel. Nothing here executes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.operations import operation
from benchmarks.api.pages import line_of, page_of, scope_of
from benchmarks.artifacts.roots import Located
from benchmarks.doors.checking import checked
from benchmarks.errors import (
    EnvironmentLegacy,
    EnvironmentMissing,
    EnvironmentNotReady,
    Finished,
    NothingSelected,
    PostureTooLow,
    ReviewRequired,
    TaskEdited,
    TaskNotAccepted,
    UnknownExperiment,
    UnknownRun,
    WrongStage,
)
from benchmarks.models import DocumentEntry
from benchmarks.models.keyset import Key, Window
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest
from benchmarks.records.request import RunRequest
from runs.api.bodies import CancelBody, CancelByAction, Envelope, QueueBody
from runs.api.documents import (
    CancelledDocument,
    CellsDocument,
    QueuedDocument,
    RunDocument,
    RunListDocument,
)
from runs.api.finding import locate_run
from runs.api.pages import located_of
from runs.api.queries import CellsQuery, RunQuery, RunsQuery
from runs.handoff import handed_over
from runs.models import RequestEntry
from runs.selectors import RequestQuestion, list_requests
from runs.services.cancelling import cancel_run
from runs.services.queueing import queue_run
from runs.services.run_cells import read_cells
from runs.services.statuses import run_status, summary_of

QUEUE_REFUSALS = (
    WrongStage,
    TaskNotAccepted,
    ReviewRequired,
    TaskEdited,
    EnvironmentMissing,
    EnvironmentLegacy,
    EnvironmentNotReady,
    NothingSelected,
    UnknownExperiment,
    UnknownRun,
    Finished,
    PostureTooLow,
)
OWN = frozenset(Envelope.model_fields)
CHANGING = frozenset({"read_at", "eta_s"})
"""Keys of a run's document that change though the run does not."""


class RunsView(LabView):
    """`/api/runs`"""

    @operation("list_runs", query=RunsQuery, gives=RunListDocument, names_benchmark=True)
    def get(self, call: ApiCall) -> JsonObject:
        """The runs, newest first.

        `runs` holds the requests whole, as clients of the reference expect them; `results` the
        same page as the shell's `runs list` shows it.
        """
        query: RunsQuery = call.query
        scope = scope_of(call, query.slug)
        question = RequestQuestion(
            benchmarks=scope.ids,
            runs=query.run,
            statuses=query.status,
            arms=query.arm,
            experiments=query.experiment,
            since=query.since,
            until=query.until,
        )

        def fetch(limit: int, after: Key | None) -> Window[RequestEntry]:
            return list_requests(question, limit=limit, after=after)

        entries, document = page_of(call, scope, fetch, lambda entry: {})
        shown = [Listed(entry, request) for entry, request in with_requests(entries)]
        live = {each.slug: each.located.directory.holder() is not None for each in shown}
        call.state.append(sorted(live.items()))
        return {
            **document,
            "runs": [{**each.request.dump(), "slug": each.slug} for each in shown],
            "results": [
                summary_of(each.request, each.located, live=live[each.slug], now=call.now)
                for each in shown
            ],
        }

    @operation(
        "queue_run",
        body=QueueBody,
        checks_itself=True,
        gives=QueuedDocument,
        refuses=QUEUE_REFUSALS,
        writes=True,
        names_benchmark=True,
    )
    def post(self, call: ApiCall) -> JsonObject:
        """Queue a run: a request is written, and nothing executed. Or cancel one, by `action`.

        `dry_run` writes nothing and gives the quote. The answer says who will pick the request up.
        """
        if call.sent.get("action") == "cancel":
            return self._cancel(call)
        own = {key: value for key, value in call.sent.items() if key in OWN}
        asked = checked(Envelope, own, what=call.service)
        located = call.locate_writable(asked.slug)
        document = queue_run(
            located=located,
            home=call.home,
            body={key: value for key, value in call.sent.items() if key not in OWN},
            dry_run=asked.dry_run,
            confirm=asked.confirm,
            caller=call.caller,
            now=call.now,
        )
        if asked.dry_run:
            return document
        call.synced(located)
        return handed_over(document)

    def _cancel(self, call: ApiCall) -> JsonObject:
        call.service = "cancel_run"
        asked = checked(CancelByAction, call.sent, what=call.service)
        located = call.locate_writable(asked.slug)
        document = cancel_run(
            located=located,
            run_id=asked.run_id,
            reason=asked.reason,
            caller=call.caller,
            now=call.now,
        )
        call.synced(located)
        return {**document, "execute_hint": None}


class RunView(LabView):
    """`/api/runs/{run_id}`"""

    @operation(
        "run_status",
        query=RunQuery,
        gives=RunDocument,
        refuses=(UnknownRun,),
        names_benchmark=True,
    )
    def get(self, call: ApiCall, run_id: str) -> Answer:
        """How far a run has come; with `wait_s` at the first change of status or progress."""
        query: RunQuery = call.query
        document = run_status(
            located=locate_run(call, run_id, query.slug),
            run_id=run_id,
            wait_s=query.wait_s,
            now=call.now,
        )
        standing = {key: value for key, value in document.items() if key not in CHANGING}
        return Answer(document, etag=f'"{json_digest([standing, query.fields])}"')


class CancelView(LabView):
    """`/api/runs/{run_id}/cancel`"""

    @operation(
        "cancel_run",
        body=CancelBody,
        gives=CancelledDocument,
        refuses=(UnknownRun, Finished),
        writes=True,
        names_benchmark=True,
    )
    def post(self, call: ApiCall, run_id: str) -> JsonObject:
        """Cancel a queued or running run: it acts within one rollout's next await."""
        asked: CancelBody = call.body
        located = call.locate_writable(locate_run(call, run_id, asked.slug).slug)
        document = cancel_run(
            located=located, run_id=run_id, reason=asked.reason, caller=call.caller, now=call.now
        )
        call.synced(located)
        return document


class CellsView(LabView):
    """`/api/runs/{run_id}/cells`"""

    @operation(
        "read_cells",
        query=CellsQuery,
        gives=CellsDocument,
        refuses=(UnknownRun,),
        names_benchmark=True,
    )
    def get(self, call: ApiCall, run_id: str) -> JsonObject:
        """A page of the run's tasks by its arms: each cell with its mark. No final figures."""
        query: CellsQuery = call.query
        return read_cells(
            located=locate_run(call, run_id, query.slug),
            run_id=run_id,
            start=query.start,
            limit=query.limit,
        )


@dataclass(frozen=True, slots=True)
class Listed:
    """One run of a list: its mirrored entry, and the request as its file says it."""

    entry: RequestEntry
    request: RunRequest

    @property
    def slug(self) -> str:
        """The benchmark."""
        return self.entry.benchmark.slug

    @property
    def located(self) -> Located:
        """Where the benchmark lies."""
        return located_of(self.entry.benchmark)


def with_requests(entries: Sequence[RequestEntry]) -> Iterator[tuple[RequestEntry, RunRequest]]:
    """Each entry with its request, the texts read in one query."""
    texts = DocumentEntry.objects.in_bulk([entry.document_id for entry in entries])
    for entry in entries:
        yield entry, RunRequest.read(line_of(texts[entry.document_id].body))
