"""Cancelling a run: at once when it waits, within one rollout's next await when it runs."""

from datetime import datetime
from functools import partial

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidArguments
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import RunStatus
from benchmarks.release import VERSION
from runs.executor import transitions
from runs.executor.events import EventMaker, read_happened
from runs.executor.preparing import ending_of

REASON_CHARS = 500


def cancel_run(
    *, located: Located, run_id: str, reason: str | None = None, caller: Caller, now: datetime
) -> JsonObject:
    """Cancel a run that has not ended; its rows stay, what it never started is counted.

    A live executor writes the end of a run that it is at work on; else it is written here.

    Raises:
        UnknownRun: the queue has none of that id.
        Finished: it has ended.
    """
    if reason is not None and len(reason) > REASON_CHARS:
        raise InvalidArguments(f"reason has {len(reason)} characters, at most {REASON_CHARS}")
    directory = located.directory
    at = stamp(now)
    word: JsonObject = {**caller.block(), "at": at}
    if reason:
        word["reason"] = reason
    with directory.guard():
        before = directory.request(run_id)
        held = directory.holder() is not None
        after = transitions.edit(
            directory,
            run_id,
            partial(transitions.cancelled, word=word, at=at, is_held=held),
        )
        ends_here = after.finished_at is not None and before.status != RunStatus.CANCELLED
        if ends_here:
            if before.status == RunStatus.RUNNING:
                ended = ending_of(directory, after)
                after = transitions.edit(
                    directory, run_id, lambda request: transitions.summed_up(request, ended)
                )
            seen = read_happened(directory, run_id)
            maker = EventMaker(run_id, VERSION, lambda: now, seen.last_seq)
            progress = {key: after.progress.get(key) for key in ("completed", "total")}
            directory.append(layout.EVENTS, maker.make("run_cancelled", progress=progress))
    return {
        "ok": True,
        "replayed": before.status == RunStatus.CANCELLED,
        "actor": caller.actor,
        "door": caller.door,
        "run": after.dump(),
    }
