"""Accepting what a policy lets through, where tasks are born undecided, and only when asked."""

from datetime import datetime
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.idempotency import replayed
from benchmarks.artifacts.roots import Located
from benchmarks.records.caller import Caller
from benchmarks.records.review import Review
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Decision, Stage
from reviews.autoaccept import NOTE, AutoAccepts, auto_accepts
from reviews.services.dossier import Dossier
from reviews.services.writing import need_stage, open_dossier, same_key, writing, written

AUTO = "auto"
BORN_ACCEPTED = (
    "tasks of this benchmark are born accepted (review-policy.json: default_decision accept), so "
    "there is nothing to apply"
)


def apply_auto_accepts(
    *, located: Located, dry_run: bool = False, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Accept each undecided task without a doubt; the rest are counted as exceptions."""
    if dry_run:
        dossier = open_dossier(located)
        need_stage(dossier, Stage.PROPOSED, "accepting clean tasks")
        return {"dry_run": True, **_answer(dossier, _lines(dossier, caller, now), written(caller))}
    with writing(located, Stage.PROPOSED, "accepting clean tasks") as dossier:
        before = dossier.reviews.records
        if replayed(before, caller, {}) is not None:
            return _answer(dossier, same_key(before, caller), written(caller, replayed=True))
        lines = _lines(dossier, caller, now)
        located.directory.append(layout.REVIEWS, *lines)
        return _answer(dossier, lines, written(caller))


def auto_accepts_of(dossier: Dossier) -> AutoAccepts:
    """The undecided tasks of a benchmark, told apart by its policy."""
    return auto_accepts(dossier.tasks, dossier.decisions, dossier.doubts)


def _lines(dossier: Dossier, caller: Caller, now: datetime) -> list[Review]:
    block = caller.block({})
    return [
        Review(
            benchmark_id=dossier.directory.name,
            task_id=task_id,
            decision=Decision.ACCEPT,
            note=NOTE,
            created_at=stamp(now),
            source=AUTO,
            task_hash=dossier.tasks[task_id].task_hash,
            **block,
        )
        for task_id in auto_accepts_of(dossier).acceptable
    ]


def _answer(dossier: Dossier, lines: list[Review], head: dict[str, Any]) -> dict[str, Any]:
    found = auto_accepts_of(dossier)
    answer = {
        **head,
        "applied": [line.task_id for line in lines],
        "applied_count": len(lines),
        "exceptions": len(found.exceptions),
        "exceptions_by_flag": found.by_flag(),
        "reviews": [line.dump() for line in lines],
    }
    born_accepted = dossier.policy.default_decision == "accept"
    return {**answer, "why": BORN_ACCEPTED} if born_accepted else answer
