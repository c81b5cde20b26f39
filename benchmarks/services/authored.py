"""What an authoring pass leaves behind: the merged tasks with all that rests on them, its account.

The merge is an edit of task lines and the regeneration of everything that depends on them, in one
step under the guard. Whoever wrote to the directory meanwhile is not overwritten.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.authoring.merge import refused, verified
from benchmarks.records.authoring import FAILED, OK, VERIFIED, AuthoringEvent
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.task import Task
from benchmarks.records.times import stamp
from benchmarks.services.addressing import address_feedback
from benchmarks.services.authoring import Outcome, newest_events
from benchmarks.services.proposing import Change
from benchmarks.services.regenerating import Again, check_ready
from benchmarks.services.standing import read_standing
from benchmarks.services.writing import write_all

CAUSE = "author"


def write_back(
    directory: BenchmarkDir,
    outcomes: Sequence[Outcome],
    *,
    slug: str,
    caller: Caller,
    now: datetime,
) -> JsonObject:
    """Merge what was verified, mark what failed, and make everything anew that rests on it.

    A pass that was killed in its merge changes no task when it goes on; what had not been written
    then is written now.

    Raises:
        DirectoryBusy: somebody wrote to the directory meanwhile; nothing was written.
        EnvironmentMissing: no capture is left to make the environment of.
        InvalidBenchmark: tasks.jsonl holds lines that cannot be read.
    """
    standing = read_standing(directory)
    check_ready(standing, slug, None)
    edited = edited_tasks(standing.tasks, outcomes)
    ids = [task_id for task_id, task in edited.items() if task is not None]
    if not edited:
        return {"changed_tasks": [], "version_bumps": [], "feedback_addressed": []}
    tasks = [edited.get(task.task_id) or task for task in standing.tasks]
    change = Change(CAUSE, caller, stamp(now), {"tasks": list(edited)})
    again = Again(
        standing=replace(standing, tasks=tasks),
        words={},
        guidance=None,
        selected=frozenset(edited),
        change=change,
        now=now,
    )
    documents = again.documents
    with directory.guard():
        standing.check_unmoved()
        write_all(directory, documents)
        addressed = address_feedback(directory, documents.tasks, CAUSE, caller, now)
    return {
        "changed_tasks": ids,
        "version_bumps": [bump.dump() for bump in again.proposed.bumps],
        "feedback_addressed": addressed,
    }


def edited_tasks(tasks: Iterable[Task], outcomes: Iterable[Outcome]) -> dict[str, Task | None]:
    """The lines that the outcomes change, by task; None where what was answered stands there."""
    standing = {task.task_id: task for task in tasks}
    found: dict[str, Task | None] = {}
    for outcome in outcomes:
        task, verdict = standing.get(outcome.task_id), outcome.verdict
        if task is None or outcome.last.status != OK:
            continue
        if verdict is None:
            after = task
        elif verdict.reply is not None and verdict.contract is not None:
            after = verified(task, verdict.reply, verdict.contract, outcome.by)
        else:
            after = refused(task, verdict.reply, verdict.violations, outcome.by)
        found[task.task_id] = after if after != task else None
    return found


def account_of(events: Sequence[AuthoringEvent]) -> JsonObject:
    """What a pass came to, by its own ledger: the same from every door, also after a crash."""
    last = newest_events(events)
    costs = [event.cost_estimate_usd for event in events if event.status == OK]
    known = [cost for cost in costs if cost is not None]
    return {
        "verified": _places(last, VERIFIED),
        "failed": [
            {**place(event), "violations": event.violations}
            for event in last.values()
            if event.status == OK and event.grounding == FAILED
        ],
        "errors": [
            {**place(event), "error": event.error} for event in last.values() if event.status != OK
        ],
        "calls": len(events),
        "retried": sum(event.attempt > 1 for event in events),
        "tokens": {
            name: sum(event.tokens.get(name) or 0 for event in events)
            for name in ("prompt", "completion")
        },
        "cost_usd": round(sum(known), 9) if known or not costs else None,
        "unpriced_calls": len(costs) - len(known),
    }


def place(event: AuthoringEvent) -> JsonObject:
    """Which task, and which model."""
    return {"task_id": event.task_id, "model": event.model}


def _places(last: Mapping[tuple[str, str], AuthoringEvent], grounding: str) -> list[JsonObject]:
    return [place(event) for event in last.values() if event.grounding == grounding]
