"""Reviews: what somebody decided about tasks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.idempotency import replayed
from benchmarks.artifacts.roots import Located
from benchmarks.errors import Complaint, InvalidArguments
from benchmarks.records.caller import Caller
from benchmarks.records.review import Review
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Decision, Stage, known
from reviews.services.dossier import Dossier
from reviews.services.writing import (
    NOTE_CHARS,
    need_short,
    need_stage,
    need_tasks,
    open_dossier,
    same_key,
    source_of,
    written,
)

MOST_TASKS = 500


def submit_review(
    *,
    located: Located,
    task_ids: Sequence[str],
    decision: str,
    note: str = "",
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Record one decision on each of these tasks; all are checked before the first line."""
    arguments = {"task_ids": list(task_ids), "decision": decision, "note": note}
    with located.directory.guard():
        dossier = open_dossier(located)
        need_stage(dossier, Stage.PROPOSED, "a review")
        word = _checked(task_ids, decision)
        need_short(note, NOTE_CHARS, "the note")
        need_tasks(dossier, task_ids)
        before = dossier.reviews.records
        if replayed(before, caller, arguments) is not None:
            return _answer(same_key(before, caller), written(caller, replayed=True))
        lines = [
            _line(dossier, task_id, word, note, caller.block(arguments), caller, now)
            for task_id in dict.fromkeys(task_ids)
        ]
        located.directory.append(layout.REVIEWS, *lines)
        return _answer(lines, written(caller))


def _checked(task_ids: Sequence[str], decision: str) -> Decision:
    word = known(Decision, decision)
    found = []
    if not 1 <= len(task_ids) <= MOST_TASKS:
        found.append(Complaint("task_id", len(task_ids), f"1..{MOST_TASKS} tasks at a time"))
    if word is None:
        words = ", ".join(each.value for each in Decision)
        found.append(Complaint("decision", decision, f"one of {words} is wanted"))
    if found or word is None:
        said = "; ".join(f"{each.path} {each.value!r}: {each.message}" for each in found)
        raise InvalidArguments(
            said, hint="understudy reviews submit B TASK... DECISION", errors=found
        )
    return word


def _line(
    dossier: Dossier,
    task_id: str,
    decision: Decision,
    note: str,
    block: Mapping[str, str],
    caller: Caller,
    now: datetime,
) -> Review:
    return Review(
        benchmark_id=dossier.directory.name,
        task_id=task_id,
        decision=decision,
        note=note,
        created_at=stamp(now),
        source=source_of(caller),
        task_hash=dossier.tasks[task_id].task_hash,
        **block,
    )


def _answer(lines: Sequence[Review], head: dict[str, Any]) -> dict[str, Any]:
    reviews = [line.dump() for line in lines]
    answer = {**head, "reviews": reviews}
    return {**answer, "review": reviews[0]} if len(reviews) == 1 else answer
