"""Benchmarks and their tasks over REST: lists from the mirror, documents from the services."""

from typing import Annotated, Any, Literal

from django.db.models import Q
from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.building import BUILD, Build, Built, build
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.jobs import job_operation
from benchmarks.api.operations import operation
from benchmarks.api.pages import Scope, keyset_of, scope_of, scope_of_one
from benchmarks.api.queries import PagedQuery, Query
from benchmarks.artifacts.roots import Located
from benchmarks.doors.arguments import Field_, Offset
from benchmarks.doors.audit import Deed
from benchmarks.errors import (
    DirectoryBusy,
    NothingSelected,
    OutsideRoot,
    ReadOnly,
    SourceNotFound,
    UnknownArm,
    UnknownBenchmark,
    UnknownTask,
)
from benchmarks.models import BenchmarkEntry
from benchmarks.records.base import JsonObject
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Attention, Decision
from reviews.api.documents import BenchmarkDocument, BenchmarkItem, TaskDocument, TaskItem
from reviews.models import TaskStandingEntry
from reviews.selectors import BenchmarkQuestion, InboxQuestion
from reviews.services.reading import read_benchmark, tasks_by_verdict
from reviews.services.reading_task import read_task

GOLD = "gold"
TASKS = "tasks"
NEWEST = ("-listed_at", "-id")
Part = Literal["overview", "versions", "holdout_ledger"]
TaskPart = Literal[
    "conversation",
    "fixtures",
    "gold",
    "world",
    "captures",
    "recording",
    "surroundings",
    "lineage",
    "arms",
    "flags",
    "authored",
    "category",
    "handoff",
]
"""`PARTS` of the service; a test holds them together."""


class BenchmarksQuery(PagedQuery):
    """Which benchmarks are asked for."""

    stage: list[Literal["intake", "proposed", "promoted", "invalid"]] = Field(default_factory=list)
    origin: list[str] = Field(default_factory=list)
    attention: Annotated[
        bool | None, Field(description="true: with tasks that carry a flag; false: without.")
    ] = None
    root: Annotated[list[str], Field(description="local, data, ...")] = Field(default_factory=list)


class BenchmarkQuery(Query):
    """What else of the benchmark is wanted."""

    include: list[Part] = Field(default_factory=list)


class TasksQuery(PagedQuery):
    """Which tasks are asked for."""

    attention: Annotated[
        list[Literal["true", "false"] | Attention],
        Field(description="true: with any flag; false: without; a flag's name: with that one."),
    ] = Field(default_factory=list)
    split: list[Literal["train", "dev", "holdout"]] = Field(default_factory=list)
    category: Annotated[list[str], Field(description="Category ids.")] = Field(default_factory=list)
    decision: Annotated[
        list[Literal["accept", "restrict", "needs_more", "reject", "pending"]],
        Field(description="The decision in force."),
    ] = Field(default_factory=list)
    status: list[str] = Field(default_factory=list)
    passed_by: Annotated[list[str], Field(description="Labels or kinds of arms.")] = Field(
        default_factory=list
    )
    failed_by: Annotated[list[str], Field(description="Labels or kinds of arms.")] = Field(
        default_factory=list
    )


class TaskQuery(Query):
    """What else of the task is wanted."""

    include: Annotated[
        list[TaskPart], Field(description="Further parts; the gold is recorded as a look.")
    ] = Field(default_factory=list)
    field: Field_ | None = None
    offset: Offset = 0


class BenchmarksView(LabView):
    """`/api/benchmarks`."""

    @operation("list_benchmarks", query=BenchmarksQuery, gives=BenchmarkItem)
    def get(self, call: ApiCall) -> dict[str, Any]:
        """List the benchmarks of every root, newest first."""
        asked: BenchmarksQuery = call.query
        scope = scope_of(call, ())
        found = BenchmarkQuestion(
            benchmarks=scope.ids,
            stages=asked.stage,
            origins=asked.origin,
            roots=asked.root,
            flagged=asked.attention,
        ).entries()
        shown = found.none() if scope.nothing else found
        entries, page = keyset_of(call).page(shown, NEWEST)
        return {
            "roots": [
                {"prefix": root.prefix, "path": str(root.path), "read_only": root.read_only}
                for root in call.roots
            ],
            "results": [_benchmark(entry) for entry in entries],
            "page": page,
            "freshness": call.freshness,
        }

    @job_operation(
        BUILD,
        body=Build,
        gives=Built,
        refuses=(
            UnknownBenchmark,
            ReadOnly,
            OutsideRoot,
            SourceNotFound,
            NothingSelected,
            DirectoryBusy,
        ),
    )
    def post(self, call: ApiCall) -> Answer:
        """Build a proposed benchmark from captured traces, or one again from its own captures.

        `source` with `name` makes a new one under the first root; `slug` names one that is there.
        Sources lie inside UNDERSTUDY_SOURCE_ROOTS. A waiver of the pilot needs an admin.
        """
        return build(call)


class BenchmarkView(LabView):
    """`/api/benchmarks/{slug}`."""

    @operation("read_benchmark", query=BenchmarkQuery, gives=BenchmarkDocument)
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Read a benchmark without its tasks: manifest, decisions, policy, calibration."""
        asked: BenchmarkQuery = call.query
        return read_benchmark(located=call.locate(slug), include=asked.include, with_tasks=False)


class TasksView(LabView):
    """`/api/benchmarks/{slug}/tasks`."""

    @operation("list_tasks", query=TasksQuery, gives=TaskItem, refuses=(UnknownArm,))
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """List the tasks of a benchmark in manifest order, with decisions, flags and scores."""
        asked: TasksQuery = call.query
        located = call.locate(slug)
        scope = scope_of_one(call, located)
        tasks = _question(asked, scope.ids).tasks().filter(_by_flag(asked))
        if asked.passed_by or asked.failed_by:
            ids = tasks_by_verdict(
                located=located, passed_by=asked.passed_by, failed_by=asked.failed_by
            )
            tasks = tasks.filter(task_id__in=ids)
        total = None if asked.is_filtered() else _listed(scope)
        entries, page = keyset_of(call).page(tasks, ("position", "id"), total=total)
        return {
            "results": [_task(entry) for entry in entries],
            "page": page,
            "freshness": call.freshness,
        }


class TaskView(LabView):
    """`/api/benchmarks/{slug}/tasks/{task_id}`."""

    @operation("read_task", query=TaskQuery, gives=TaskDocument, refuses=(UnknownTask,))
    def get(self, call: ApiCall, slug: str, task_id: str) -> dict[str, Any]:
        """Read one task: what the candidate sees, the contract, decisions and scores.

        With `field`, a JSON pointer, one long text comes whole, 16,000 characters a call.
        Reading the gold leaves a line in the audit ledger.
        """
        asked: TaskQuery = call.query
        located = call.locate(slug)
        document = read_task(
            located=located,
            task_id=_without_last_slash(located, task_id),
            include=asked.include,
            field=asked.field,
            offset=asked.offset,
        )
        if GOLD in asked.include:
            said = {"slug": slug, "task_id": task_id, "include": [GOLD]}
            look = Deed(call.caller, "read_task.gold", said, call.now, slug=located.slug)
            look.record(call.home, ref=task_id)
        return document


def _without_last_slash(located: Located, task_id: str) -> str:
    """The id that a path ends with: every path may end with one slash more."""
    if task_id.endswith("/") and task_id not in located.directory.tasks():
        return task_id[:-1]
    return task_id


def _listed(scope: Scope) -> int | None:
    """How many tasks the list of the one benchmark has: a promotion may leave some out."""
    standing = getattr(scope.only, "standing", None)
    return None if standing is None else int(standing.tasks)


def _benchmark(entry: BenchmarkEntry) -> JsonObject:
    """The item of a list; of one that the mirror has not read yet, what is known."""
    standing = getattr(entry, "standing", None)
    listing = standing.listing if standing is not None else {}
    return {
        "slug": entry.slug,
        "dir": entry.path,
        "read_only": entry.read_only,
        "stage": entry.stage,
        "benchmark_id": entry.benchmark_id or None,
        "name": entry.name,
        "tasks": entry.counts.get(TASKS, 0),
        "rows": entry.counts.get("rows", 0),
        "reviews": entry.counts.get("reviews", 0),
        "attention": 0,
        "warnings": [],
        "errors": [],
        **listing,
        "origin": entry.origin or None,
        "root": entry.root,
        "created_at": stamp(entry.created_at) if entry.created_at else None,
    }


def _task(entry: TaskStandingEntry) -> JsonObject:
    """A task as `benchmarks tasks` lists it."""
    return {
        "task_id": entry.task_id,
        "name": entry.name,
        "split": entry.split,
        "category_id": entry.category_id or None,
        "status": entry.status or None,
        "machine_confidence": entry.confidence or None,
        "review": entry.review,
        "effective_decision": {"decision": entry.decision, "explicit": entry.explicit},
        "edited": entry.edited,
        "attention_flags": entry.flags,
        "attention_reasons": entry.reasons,
        "scores": entry.scores,
    }


def _question(asked: TasksQuery, ids: tuple[int, ...]) -> InboxQuestion:
    return InboxQuestion(
        benchmarks=ids,
        decisions=asked.decision,
        splits=asked.split,
        categories=asked.category,
        statuses=asked.status,
    )


def _by_flag(asked: TasksQuery) -> Q:
    """Tasks with any of the flags that are named, or with any flag, or with none.

    A rejected task wants no attention: it is among those with none, unless a decision is asked for.
    """
    settled = Q() if asked.decision else Q(decision=Decision.REJECT.value)
    found = Q()
    for word in asked.attention:
        if word == "false":
            found |= Q(flag_count=0) | settled
        else:
            flagged = Q(flag_count__gt=0) if word == "true" else _carries(word)
            found |= flagged & ~settled if settled else flagged
    return found


def _carries(flag: str) -> Q:
    return Q(flag_words__contains=f" {flag} ")
