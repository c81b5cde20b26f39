"""The mirrored ledgers of runs: rows, events, calibrations and looks at the holdout."""

from collections.abc import Sequence

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.operations import operation
from benchmarks.api.pages import Scope, page_of, scope_of, scope_of_one
from benchmarks.artifacts.places import line_at
from benchmarks.errors import UnknownRun
from benchmarks.models import HoldoutLookEntry
from benchmarks.models.dated import moment_of
from benchmarks.models.keyset import Asked, Key, Window, newest
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import Split
from runs.api.documents import (
    CalibrationDocument,
    EventDocument,
    LookDocument,
    RowDocument,
    calibration_document,
    event_document,
    look_document,
    row_document,
)
from runs.api.finding import locate_run
from runs.api.pages import located_of, looks_at
from runs.api.queries import (
    RAW,
    WRITES,
    CalibrationsQuery,
    EventFilters,
    EventsQuery,
    LooksQuery,
    RowFilters,
    RowsQuery,
    RunEventsQuery,
    RunRowsQuery,
)
from runs.models import EventEntry, RowEntry, TaskCalibrationEntry
from runs.selectors import (
    CalibrationQuestion,
    EventQuestion,
    RowQuestion,
    list_calibrations,
    list_events,
    list_rows,
)
from runs.services.statuses import has_run

ROWS = "rows"
"""The ledger of rows in `BenchmarkEntry.counts`."""


class RowsView(LabView):
    """`/api/rows`"""

    @operation("list_rows", query=RowsQuery, gives=RowDocument, names_benchmark=True)
    def get(self, call: ApiCall) -> JsonObject:
        """Rows of all benchmarks, newest first; those without a time come last."""
        query: RowsQuery = call.query
        return rows_of(call, scope_of(call, query.slug), query, query.run)


class RunRowsView(LabView):
    """`/api/runs/{run_id}/rows`"""

    @operation(
        "list_run_rows",
        query=RunRowsQuery,
        gives=RowDocument,
        refuses=(UnknownRun,),
        names_benchmark=True,
    )
    def get(self, call: ApiCall, run_id: str) -> JsonObject:
        """The rows of one run, newest first."""
        query: RunRowsQuery = call.query
        return rows_of(call, scope_of_run(call, run_id, query.slug), query, [run_id])


class EventsView(LabView):
    """`/api/events`"""

    @operation("list_events", query=EventsQuery, gives=EventDocument, names_benchmark=True)
    def get(self, call: ApiCall) -> JsonObject:
        """What happened in runs, newest first. Nothing is ever counted from events."""
        query: EventsQuery = call.query
        return events_of(call, scope_of(call, query.slug), query, query.run)


class RunEventsView(LabView):
    """`/api/runs/{run_id}/events`"""

    @operation(
        "list_run_events",
        query=RunEventsQuery,
        gives=EventDocument,
        refuses=(UnknownRun,),
        names_benchmark=True,
    )
    def get(self, call: ApiCall, run_id: str) -> JsonObject:
        """What happened in one run, newest first."""
        query: RunEventsQuery = call.query
        return events_of(call, scope_of_run(call, run_id, query.slug), query, [run_id])


class CalibrationsView(LabView):
    """`/api/calibrations`"""

    @operation(
        "list_calibrations",
        query=CalibrationsQuery,
        gives=CalibrationDocument,
        names_benchmark=True,
    )
    def get(self, call: ApiCall) -> JsonObject:
        """What the incumbents made of each task, the newest measurement first."""
        query: CalibrationsQuery = call.query
        scope = scope_of(call, query.slug)
        question = CalibrationQuestion(
            benchmarks=scope.ids,
            runs=query.run,
            tasks=query.task,
            since=query.since,
            until=query.until,
        )

        def fetch(limit: int, after: Key | None) -> Window[TaskCalibrationEntry]:
            return list_calibrations(question, limit=limit, after=after)

        return page_of(call, scope, fetch, calibration_document)[1]


class HoldoutLooksView(LabView):
    """`/api/holdout-looks`"""

    @operation("list_holdout_looks", query=LooksQuery, gives=LookDocument, names_benchmark=True)
    def get(self, call: ApiCall) -> JsonObject:
        """Who looked at a holdout, when, and with which arms; newest first."""
        query: LooksQuery = call.query
        scope = scope_of(call, query.slug)
        asked = Asked(
            {"benchmark": scope.ids, "run_id": query.run, "kind": query.kind},
            moment_of(query.since) if query.since else None,
            moment_of(query.until) if query.until else None,
        )

        def fetch(limit: int, after: Key | None) -> Window[HoldoutLookEntry]:
            drivers = (("run_id",), ("benchmark",))
            return newest(HoldoutLookEntry, asked, drivers=drivers, limit=limit, after=after)

        return page_of(call, scope, fetch, look_document)[1]


def scope_of_run(call: ApiCall, run_id: str, slug: str | None) -> Scope:
    """The benchmark of a run, its mirror caught up.

    Raises:
        UnknownRun: it has no such run.
    """
    located = locate_run(call, run_id, slug)
    if not has_run(located.directory, run_id):
        located.directory.request(run_id)
    return scope_of_one(call, located)


def rows_of(call: ApiCall, scope: Scope, query: RowFilters, runs: Sequence[str]) -> JsonObject:
    """A page of rows, with the heavy keys that were asked for, and the holdout's notice."""
    question = RowQuestion(
        benchmarks=scope.ids,
        runs=runs,
        tasks=query.task,
        arms=query.arm,
        splits=query.split,
        statuses=query.status,
        anomalies=query.anomaly,
        stale=query.stale,
        since=query.since,
        until=query.until,
    )

    def fetch(limit: int, after: Key | None) -> Window[RowEntry]:
        return list_rows(question, limit=limit, after=after)

    narrowing = (runs, query.task, query.arm, query.split, query.status, query.anomaly)
    times = (query.stale, query.since, query.until)
    filtered = any(narrowing) or any(each is not None for each in times)
    total = scope.total(ROWS, filtered=filtered)
    entries, document = page_of(
        call, scope, fetch, lambda entry: expanded(entry, query.expand), total=total
    )
    held = [each.benchmark for each in entries if each.split == Split.HOLDOUT]
    return {"notices": looks_at(held), **document}


def expanded(entry: RowEntry, keys: Sequence[str]) -> JsonObject:
    """A row by its columns; with its line as it stands in the file, where that is asked for."""
    document = row_document(entry)
    if not keys:
        return document
    directory = located_of(entry.benchmark).directory
    line = line_at(directory, entry.file, entry.offset, entry.length, entry.sha256)
    if WRITES in keys:
        document[WRITES] = (line or {}).get(WRITES)
    if RAW in keys:
        document[RAW] = line
    return document


def events_of(call: ApiCall, scope: Scope, query: EventFilters, runs: Sequence[str]) -> JsonObject:
    """A page of events."""
    question = EventQuestion(
        benchmarks=scope.ids,
        runs=runs,
        types=query.type,
        tasks=query.task,
        arms=query.arm,
        since=query.since,
        until=query.until,
    )

    def fetch(limit: int, after: Key | None) -> Window[EventEntry]:
        return list_events(question, limit=limit, after=after)

    return page_of(call, scope, fetch, event_document)[1]
