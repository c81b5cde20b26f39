"""How runs stand: one of them, waited for if asked, or all of them."""

import socket
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located, Root, list_directories
from benchmarks.errors import Action, Ambiguous, UnderstudyError, UnknownRun
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice
from benchmarks.records.calibration import Calibration
from benchmarks.records.request import RunRequest
from benchmarks.records.row import Row
from benchmarks.records.times import read_time, stamp
from benchmarks.records.vocabulary import RunStatus
from reviews.services.holdout import notices_of
from runs.executor.foreign import Here, is_respected
from runs.requests.arms import arms_of
from runs.requests.authoring import is_authoring
from runs.status.run import DEFAULT_TIMEOUT_S, RunState, cells, run_document
from runs.status.step import shell

POLL_S = 0.25
Progress = Callable[[JsonObject], None]


def run_status(
    *,
    located: Located,
    run_id: str,
    wait_s: float = 0.0,
    on_change: Progress | None = None,
    now: datetime,
) -> JsonObject:
    """Everything about one run; with `wait_s` at the first change of status or progress.

    `on_change` is told the progress before the answer is given, for doors that show it.

    Raises:
        UnknownRun: the queue has none of that id.
    """
    directory = located.directory
    began = time.monotonic()
    document = _document(located, run_id, now)
    seen = _signature(directory, run_id)
    while not _is_final(document) and time.monotonic() - began < wait_s:
        time.sleep(min(POLL_S, max(0.0, wait_s - (time.monotonic() - began))))
        signature = _signature(directory, run_id)
        if signature == seen:
            continue
        seen = signature
        moment = now + timedelta(seconds=time.monotonic() - began)
        fresh = _document(located, run_id, moment)
        if _told(fresh) != _told(document):
            document = fresh
            break
    if on_change is not None:
        on_change(document["progress"])
    return document


def find_run(
    *, roots: Sequence[Root], run_id: str, sees: Callable[[str], bool] = lambda slug: True
) -> Located:
    """The benchmark that holds a run, of those whose slugs the caller may see.

    Raises:
        UnknownRun: none does.
        Ambiguous: several do; all are listed.
    """
    seen = [each for each in list_directories(roots).found if sees(each.slug)]
    found = [each for each in seen if has_run(each.directory, run_id)]
    if not found:
        raise UnknownRun(f"no benchmark has a run {run_id!r}", hint="understudy runs list")
    if len(found) > 1:
        slugs = [each.slug for each in found]
        raise Ambiguous(
            f"run {run_id!r} is in {len(found)} benchmarks: {', '.join(slugs)}",
            hint="name the benchmark too",
            details={"candidates": slugs},
        )
    return found[0]


def has_run(directory: BenchmarkDir, run_id: str) -> bool:
    """Whether a run was asked for here, or has rows: an import or a regrade was never queued."""
    if directory.exists(layout.request(run_id)):
        return True
    first = (directory.first(file) or {} for file in directory.run_rows(run_id))
    return any(line.get("run_id") == run_id for line in first)


def list_runs(
    *, located: Sequence[Located], status: str | None = None, now: datetime
) -> JsonObject:
    """The runs of these benchmarks, newest first; files that are no requests are named."""
    runs: list[JsonObject] = []
    unreadable: list[JsonObject] = []
    for each in located:
        listed = each.directory.requests()
        live = each.directory.holder() is not None
        runs += [summary_of(request, each, live=live, now=now) for request in listed.requests]
        unreadable += [
            {"slug": each.slug, "file": file.name, "message": file.message}
            for file in listed.unreadable
        ]
    chosen = [run for run in runs if status in {None, run["status"]}]
    chosen.sort(key=lambda run: (run["created_at"], run["run_id"]), reverse=True)
    return {"runs": chosen, "unreadable": unreadable}


def summary_of(request: RunRequest, located: Located, *, live: bool, now: datetime) -> JsonObject:
    """One run as a list shows it; progress of a run under way is counted from its rows.

    `live` says whether anybody holds the directory.
    """
    held = live or is_held_elsewhere(located.directory, request, now)
    claimed = request.claimed_by or {}
    return {
        "run_id": request.run_id,
        "slug": located.slug,
        "benchmark_id": request.benchmark_id,
        "status": request.status,
        "interrupted": request.status == RunStatus.RUNNING and not held,
        "arms": [arm.label for arm in arms_of(request)],
        "split": request.split,
        "tasks": request.tasks if isinstance(request.tasks, str) else len(request.tasks),
        "rollouts_per_task": request.rollouts_per_task,
        "progress": run_progress(located.directory, request),
        "executor_version": claimed.get("executor_version"),
        "spend": request.spend,
        "created_at": request.created_at,
        "started_at": request.started_at,
        "finished_at": request.finished_at,
    }


def _notices(directory: BenchmarkDir, document: JsonObject) -> list[Notice]:
    """The holdout's notice, once figures of its tasks are shown."""
    if not document["progress"].get("completed"):
        return []
    tasks = directory.tasks()
    return notices_of(directory, (tasks.get(row["task_id"]) for row in document["per_task"]))


def _document(located: Located, run_id: str, now: datetime) -> JsonObject:
    state = _state(located.directory, run_id, now)
    document = run_document(state, now=now)
    return {
        **document,
        "slug": located.slug,
        "read_at": stamp(now),
        "notices": [notice.dump() for notice in _notices(located.directory, document)],
        "next_actions": [
            action.document()
            for action in _actions(
                located.slug, document, watched=located.directory.watcher() is not None
            )
        ],
    }


def _state(directory: BenchmarkDir, run_id: str, now: datetime) -> RunState:
    request = directory.request(run_id)
    return RunState(
        request=request,
        rows=run_rows(directory, run_id),
        holder=directory.holder(),
        held_elsewhere=is_held_elsewhere(directory, request, now),
        last_event_at=_last_event_at(directory, request),
        calibration=_calibration(directory),
    )


def is_held_elsewhere(directory: BenchmarkDir, request: RunRequest, now: datetime) -> bool:
    """Whether an executor that takes no lock is still believed to work on a running request."""
    if request.status != RunStatus.RUNNING or request.claimed_by is None:
        return False
    here = Here(
        host=socket.gethostname(),
        now=now,
        last_event_at=_last_event_at(directory, request),
        timeout_s=request.rollout_timeout_seconds or DEFAULT_TIMEOUT_S,
    )
    return is_respected(request, here)


def run_rows(directory: BenchmarkDir, run_id: str) -> list[Row]:
    """The rows of one run, whatever its files are called."""
    return [
        row
        for file in directory.run_rows(run_id)
        for row in directory.read(file).records
        if row.run_id == run_id
    ]


def run_progress(directory: BenchmarkDir, request: RunRequest) -> JsonObject:
    """How many cells of a run have a row, and how many were asked for; authoring says it itself."""
    told = {key: request.progress.get(key) for key in ("completed", "total")}
    if request.status != RunStatus.RUNNING or is_authoring(request):
        return told
    return {**told, "completed": len(cells(run_rows(directory, request.run_id)))}


def _last_event_at(directory: BenchmarkDir, request: RunRequest) -> datetime | None:
    """When the run last said something; asked only of a run that may be stalled."""
    if request.status != RunStatus.RUNNING:
        return None
    events = directory.read(layout.EVENTS).records
    return next((read_time(e.ts) for e in reversed(events) if e.run_id == request.run_id), None)


def _calibration(directory: BenchmarkDir) -> Calibration | None:
    """calibration.json; one that cannot be read says nothing about this run."""
    try:
        return directory.load(layout.CALIBRATION)
    except UnderstudyError:
        return None


def _actions(slug: str, document: JsonObject, *, watched: bool) -> list[Action]:
    run_id, status = document["run_id"], document["status"]
    idle = status == RunStatus.QUEUED or document["interrupted"]
    left = watched and not document["unsupported"]
    if idle and not left:
        words = ("runs", "execute", "--benchmark", slug, "--run", run_id)
        return [Action(say="execute the run", command=shell(*words), spends=True)]
    if idle or status == RunStatus.RUNNING:
        wait = Action(
            say="wait for the run",
            command=shell("runs", "status", slug, run_id, "--wait", "20"),
            tool="run_status",
            arguments={"slug": slug, "run_id": run_id, "wait_s": 20},
        )
        return [wait]
    return [
        Action(
            say="see what is next",
            command=shell("benchmarks", "status", slug),
            tool="benchmark_status",
            arguments={"slug": slug},
        )
    ]


def _is_final(document: JsonObject) -> bool:
    return document["next_poll_s"] is None


def _told(document: JsonObject) -> object:
    """What a waiting caller wants to hear of at once."""
    return (document["status"], document["progress"], document["interrupted"])


def _signature(directory: BenchmarkDir, run_id: str) -> object:
    """What changes when a run gains a row, changes its status or loses its executor."""
    names = [file.path for file in directory.run_rows(run_id)]
    held = directory.holder() is not None
    return held, directory.listing(layout.request(run_id).path, *names)
