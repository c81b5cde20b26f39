"""Reviews: what somebody decided about tasks."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.idempotency import replayed
from benchmarks.artifacts.roots import Located
from benchmarks.errors import Complaint, InvalidArguments, UnderstudyError
from benchmarks.records.caller import Caller
from benchmarks.records.review import Review
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Decision, Stage, known
from benchmarks.versioning.hashing import task_digest
from reviews.decisions import newest_reviews
from reviews.services.dossier import Dossier
from reviews.services.pilot_auditing import Auditor, Found, answered, audit_of
from reviews.services.writing import (
    NOTE_CHARS,
    need_short,
    need_stage,
    need_tasks,
    open_dossier,
    same_key,
    source_of,
    together,
    writing,
    written,
)

MOST_TASKS = 500


@dataclass(frozen=True, slots=True)
class Choice:
    """A task that somebody decides on, as it was shown to them."""

    located: Located
    task_id: str
    digest: str | None = None
    """`task_digest` of what was shown; None decides on the task whatever it has become."""


def submit_review(
    *,
    located: Located,
    task_ids: Sequence[str],
    decision: str,
    note: str = "",
    pilot_audit: Found | None = None,
    home: Home | None = None,
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Record one decision on each of these tasks; all are checked before the first line.

    `pilot_audit` says what the rollout of the pilot task shows; `home` holds the keys by which a
    model could be reached: where none is, a replay may be read.
    """
    arguments: dict[str, Any] = {"task_ids": list(task_ids), "decision": decision, "note": note}
    if pilot_audit is not None:
        arguments["pilot_audit"] = pilot_audit.document()
    with writing(located, Stage.PROPOSED, "a review") as dossier:
        word = _checked(len(task_ids), decision)
        need_short(note, NOTE_CHARS, "the note")
        need_tasks(dossier, task_ids)
        before = dossier.reviews.records
        if replayed(before, caller, arguments) is not None:
            return _answer(same_key(before, caller), written(caller, replayed=True))
        audit = None
        if pilot_audit is not None:
            auditor = Auditor(caller, now, home)
            audit = audit_of(dossier, pilot_audit, task_ids, word, auditor)
            located.directory.replace(layout.PILOT_AUDIT, audit)
        verdict = _Verdict(word, note, caller, arguments, now)
        lines = [verdict.line(dossier, task_id) for task_id in dict.fromkeys(task_ids)]
        located.directory.append(layout.REVIEWS, *lines)
        return {**_answer(lines, written(caller)), **answered(audit)}


def submit_reviews(
    *,
    choices: Sequence[Choice],
    decision: str,
    note: str = "",
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Record one decision on tasks of any number of benchmarks: all of them, or none.

    A task that is not any more what was shown is left out and comes back in `changed`. `before`
    names who else had decided on a task that is decided now.

    Raises:
        UnderstudyError: something is wrong with the call or with any task; nothing is written,
            and every complaint is listed.
    """
    arguments = {
        "tasks": [[choice.located.slug, choice.task_id] for choice in choices],
        "decision": decision,
        "note": note,
    }
    with ExitStack() as guards:
        desks = _guarded(choices, guards)
        word = _all_checked(desks, decision, note)
        before = [line for desk in desks for line in desk.dossier.reviews.records]
        if replayed(before, caller, arguments) is not None:
            again = same_key(before, caller)
            return {**_many(again, written(caller, replayed=True)), "changed": [], "before": []}
        verdict = _Verdict(word, note, caller, arguments, now)
        answers = [desk.decided(verdict) for desk in desks]
        _append_all(desks, answers)
    lines = [line for answer in answers for line in answer]
    return {
        **_many(lines, written(caller)),
        "changed": [item for desk in desks for item in desk.changed()],
        "before": [item for desk in desks for item in desk.others_before(caller)],
    }


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A decision with all that its lines share."""

    decision: Decision
    note: str
    caller: Caller
    arguments: Mapping[str, Any]
    now: datetime

    def line(self, dossier: Dossier, task_id: str) -> Review:
        return Review(
            benchmark_id=dossier.directory.name,
            task_id=task_id,
            decision=self.decision,
            note=self.note,
            created_at=stamp(self.now),
            source=source_of(self.caller),
            task_hash=dossier.tasks[task_id].task_hash,
            **self.caller.block(self.arguments),
        )


@dataclass(frozen=True, slots=True)
class _Desk:
    """One benchmark of a call, its lock held, with the tasks that were chosen there."""

    located: Located
    dossier: Dossier
    shown: Mapping[str, str | None]
    """The digest of each chosen task as it was shown."""

    def _stands(self, task_id: str) -> bool:
        digest = self.shown[task_id]
        return digest is None or digest == task_digest(self.dossier.tasks[task_id])

    def decided(self, verdict: _Verdict) -> list[Review]:
        """The lines of the tasks that are still what was shown."""
        return [verdict.line(self.dossier, each) for each in self.shown if self._stands(each)]

    def changed(self) -> list[dict[str, str]]:
        """The tasks that are not."""
        gone = (each for each in self.shown if not self._stands(each))
        return [{"slug": self.located.slug, "task_id": task_id} for task_id in gone]

    def others_before(self, caller: Caller) -> list[dict[str, Any]]:
        """The decisions of others that stood until now, as the lines say."""
        newest = newest_reviews(self.dossier.reviews.records)
        return [
            {"slug": self.located.slug, **newest[task_id].dump()}
            for task_id in self.shown
            if self._stands(task_id) and task_id in newest and newest[task_id].actor != caller.actor
        ]


def _guarded(choices: Iterable[Choice], guards: ExitStack) -> list[_Desk]:
    """The benchmarks of a call under their locks, always taken in one order."""
    chosen: dict[str, dict[str, str | None]] = {}
    located = {choice.located.slug: choice.located for choice in choices}
    for choice in choices:
        chosen.setdefault(choice.located.slug, {})[choice.task_id] = choice.digest
    desks = []
    for slug in sorted(chosen):
        guards.enter_context(located[slug].directory.guard())
        desks.append(_Desk(located[slug], open_dossier(located[slug]), chosen[slug]))
    return desks


def _all_checked(desks: Sequence[_Desk], decision: str, note: str) -> Decision:
    """The decision as a word, when nothing at all is wrong with the call."""
    wrong: list[UnderstudyError] = []
    word = None
    try:
        word = _checked(sum(len(desk.shown) for desk in desks), decision)
    except InvalidArguments as error:
        wrong.append(error)
    for check in (
        partial(need_short, note, NOTE_CHARS, "the note"),
        *(partial(need_stage, desk.dossier, Stage.PROPOSED, "a review") for desk in desks),
        *(partial(need_tasks, desk.dossier, desk.shown) for desk in desks),
    ):
        try:
            check()
        except UnderstudyError as error:
            wrong.append(error)
    if wrong or word is None:
        raise together(wrong)
    return word


def _append_all(desks: Sequence[_Desk], answers: Sequence[Sequence[Review]]) -> None:
    """Write the lines of each benchmark; a disk that fails names what was written before."""
    done: list[str] = []
    for desk, lines in zip(desks, answers, strict=True):
        if not lines:
            continue
        try:
            desk.located.directory.append(layout.REVIEWS, *lines)
        except UnderstudyError as error:
            if done:
                error.hint = f"{error.hint}; recorded before: all of {', '.join(done)}"
            raise
        done.append(desk.located.slug)


def _checked(tasks: int, decision: str) -> Decision:
    word = known(Decision, decision)
    found = []
    if not 1 <= tasks <= MOST_TASKS:
        found.append(Complaint("task_id", tasks, f"1..{MOST_TASKS} tasks at a time"))
    if word is None:
        words = ", ".join(each.value for each in Decision)
        found.append(Complaint("decision", decision, f"one of {words} is wanted"))
    if found or word is None:
        said = "; ".join(f"{each.path} {each.value!r}: {each.message}" for each in found)
        raise InvalidArguments(
            said, hint="understudy reviews submit B TASK... DECISION", errors=found
        )
    return word


def _many(lines: Sequence[Review], head: dict[str, Any]) -> dict[str, Any]:
    return {**head, "reviews": [line.dump() for line in lines]}


def _answer(lines: Sequence[Review], head: dict[str, Any]) -> dict[str, Any]:
    answer = _many(lines, head)
    return {**answer, "review": answer["reviews"][0]} if len(lines) == 1 else answer
