"""The life of a request on disk: its status moves only along the table of spec/run.md 1.1.

Every edit re-reads under the guard, so a cancel is never lost.
"""

from collections.abc import Callable, Sequence

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import Claim
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import Finished, UnknownRun
from benchmarks.records.base import JsonObject
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import ENDED, Blame, RunStatus
from runs.executor.assignment import Ended

OPEN = frozenset({RunStatus.QUEUED, RunStatus.RUNNING})


def is_unfinished(request: RunRequest) -> bool:
    """Whether an executor has something to do for it: also a cancel that nobody has finished."""
    cancelled = request.status == RunStatus.CANCELLED and request.finished_at is None
    return request.status in OPEN or cancelled


def begin(directory: BenchmarkDir, claim: Claim, run_id: str, *, owed: int, at: str) -> RunRequest:
    """Make a queued request running, or take a running one over.

    A request that was ended meanwhile is returned as it is.
    """

    def change(request: RunRequest) -> RunRequest:
        if request.status not in OPEN:
            return request
        changes: JsonObject = {"status": RunStatus.RUNNING, "claimed_by": claim.block()}
        if request.started_at is None:
            changes["started_at"] = at
        else:
            line = {"at": at, "owed": owed, "fence": claim.fence}
            changes["resumed"] = [*(request.resumed or ()), line]
        return request.with_(**changes, unsupported=None)

    return edit(directory, run_id, change)


def finished(request: RunRequest, ended: Ended, at: str) -> RunRequest:
    """The request with its end written in; a cancel that came meanwhile stands."""
    cancelled = request.status == RunStatus.CANCELLED
    status = RunStatus.CANCELLED if cancelled else ended.status
    if status is None or (request.status in ENDED and not cancelled):
        return request.with_(progress=ended.tally.progress(), live=None)
    closed = request.with_(
        status=status,
        finished_at=at,
        arm_names=dict(ended.arm_names) or request.arm_names,
        error=None if cancelled else ended.error,
        stop=None if cancelled else ended.stop,
    )
    return summed_up(closed, ended)


def summed_up(request: RunRequest, ended: Ended) -> RunRequest:
    """An ended request with its counts: how far it came, what it spent, what has no score."""
    cancelled = request.status == RunStatus.CANCELLED
    blame = Blame.CANCELLED if cancelled else ended.blame
    return request.with_(
        progress=ended.tally.progress(),
        live=None,
        spend=ended.budget.block(),
        missing=ended.tally.missing_block(blame),
    )


def failed(request: RunRequest, ended: Ended, at: str) -> RunRequest:
    """The request of a run that could not begin or go on, with its counts."""
    if request.status not in OPEN:
        return request
    closed = request.with_(status=RunStatus.FAILED, finished_at=at, error=ended.error)
    return summed_up(closed, ended)


def unsupported(
    request: RunRequest, version: str, missing: Sequence[str], at: str
) -> RunRequest | None:
    """The request marked as beyond this version; None when it says so already."""
    before = request.unsupported or {}
    if (before.get("executor_version"), before.get("missing")) == (version, list(missing)):
        return None
    mark = {"executor_version": version, "missing": list(missing), "at": at}
    return request.with_(unsupported=mark)


def cancelled(request: RunRequest, word: JsonObject, *, at: str, is_held: bool) -> RunRequest:
    """The request cancelled; where an executor is at work on it, that writes its end.

    Raises:
        Finished: it has ended already.
    """
    if request.status == RunStatus.CANCELLED:
        return request
    if request.status not in OPEN:
        raise Finished(
            f"run {request.run_id} is {request.status} already",
            details={"status": request.status},
        )
    working = is_held and request.status == RunStatus.RUNNING
    changes: JsonObject = {"status": RunStatus.CANCELLED, "cancel": word}
    if not working:
        changes |= {"finished_at": at, "live": None}
    return request.with_(**changes)


def edit(
    directory: BenchmarkDir, run_id: str, change: Callable[[RunRequest], RunRequest]
) -> RunRequest:
    """Change a request that must be there, re-read under the guard.

    Raises:
        UnknownRun: it is not there.
    """

    def checked(request: RunRequest | None) -> RunRequest:
        if request is None:
            raise UnknownRun(f"{directory.name} has no run {run_id!r}")
        return change(request)

    return directory.edit(layout.request(run_id), checked)
