"""Feedback on a proposal and flags on a published benchmark: raised, and closed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.idempotency import replayed
from benchmarks.artifacts.roots import Located
from benchmarks.contract.judgeability import judgeability
from benchmarks.errors import Complaint, Finished, InvalidArguments, UnknownNote
from benchmarks.records import cures
from benchmarks.records.caller import Caller
from benchmarks.records.note import Feedback, Flag, feedback_id, flag_id
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Stage
from reviews.handoff import HandOff
from reviews.notes import newest_feedback, newest_flags, open_feedback
from reviews.rigor.soundness import accepted_sentinels
from reviews.services.dossier import Dossier
from reviews.services.writing import (
    FEEDBACK_CHARS,
    NOTE_CHARS,
    need_short,
    need_tasks,
    open_dossier,
    writing,
    written,
)

REASONS = ("bad-gold", "ambiguous", "leakage", "too-easy", "broken-env", "other")
OPEN = "open"
FLAG, FEEDBACK = "flag", "feedback"


def submit_feedback(
    *, located: Located, task_id: str, feedback: str, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Record a reviewer's words and give the hand-off that a coding agent can act on."""
    words = feedback.strip()
    arguments = {"task_id": task_id, "feedback": words}
    with writing(located, Stage.PROPOSED, "feedback") as dossier:
        if not words:
            raise InvalidArguments("the feedback is empty", hint="say what is wrong with the task")
        need_short(words, FEEDBACK_CHARS, "the feedback")
        need_tasks(dossier, [task_id])
        before = dossier.feedback.records
        line = replayed(before, caller, arguments)
        if line is not None:
            head = written(caller, replayed=True)
        else:
            head = written(caller)
            at = stamp(now)
            line = Feedback(
                benchmark_id=located.directory.name,
                task_id=task_id,
                feedback=words,
                created_at=at,
                feedback_id=feedback_id(task_id, words, at),
                **caller.block(arguments),
            )
            located.directory.append(layout.FEEDBACK, line)
    earlier = [each for each in open_feedback(before, task_id) if each.ref != line.ref]
    return {**head, "feedback": line.dump(), "handoff": hand_off(dossier, line, earlier)}


def hand_off(dossier: Dossier, line: Feedback, earlier: Sequence[Feedback]) -> str:
    """The text for the agent that will change the task."""
    return HandOff(
        directory=str(dossier.directory.path),
        task_id=line.task_id,
        title=dossier.tasks[line.task_id].name,
        stage=dossier.stage.value,
        feedback=line.feedback,
        doubts=dossier.doubts.get(line.task_id, ()),
        earlier=[each.feedback for each in earlier],
        verifier=verifier_lines(dossier, line.task_id),
    ).text()


def verifier_lines(dossier: Dossier, task_id: str) -> list[str]:
    """What is known of a task's verifier, in words."""
    task, row = dossier.tasks[task_id], dossier.validation.get(task_id)
    lines = [f"judges: {judgeability(task.outcome_contract, task.claims, dossier.tools)}"]
    if row is None:
        lines.append("no current offline validation")
    else:
        lines.append(f"the recorded solution scores {row.oracle.strict}")
        lines += [f"accepts the wrong answer {name}" for name in accepted_sentinels(row)]
    return [*lines, *_test_lines(dossier, task_id)]


def _test_lines(dossier: Dossier, task_id: str) -> list[str]:
    """What the test of a verifier found: its verdict, then what it judges wrongly."""
    row = dossier.verifiers.get(task_id)
    if row is None:
        return [f"nobody tested it as it is today: {cures.verify(dossier.slug).command}"]
    score = "none" if row.mutation_score is None else f"{row.mutation_score:.2f}"
    return [
        f"{row.verdict}, mutation score {score}",
        *(row.why or ()),
        *(f"passes a wrong rollout: {one.say}" for one in row.survivors),
        *(f"refuses a right rollout: {one.say}" for one in row.refused or ()),
    ]


def raise_flag(
    *,
    located: Located,
    task_id: str | None,
    reason: str,
    note: str | None = None,
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Publish a doubt about a task, or about the whole benchmark: its rows leave the headlines."""
    arguments = {"task_id": task_id, "reason": reason, "note": note}
    with writing(located, Stage.PROMOTED, "a flag") as dossier:
        if reason not in REASONS:
            complaint = Complaint("reason", reason, f"one of {', '.join(REASONS)} is wanted")
            raise InvalidArguments(
                f"reason {reason!r}: {complaint.message}",
                hint="understudy reviews flag --help",
                errors=[complaint],
            )
        need_short(note or "", NOTE_CHARS, "the note")
        need_tasks(dossier, [task_id] if task_id is not None else [])
        before = replayed(dossier.flags.records, caller, arguments)
        if before is not None:
            return {**written(caller, replayed=True), "flag": before.dump()}
        at = stamp(now)
        flag = Flag(
            benchmark_id=dossier.manifest.benchmark_id if dossier.manifest else "",
            task_id=task_id,
            reason=reason,
            note=note,
            created_at=at,
            flag_id=flag_id(task_id, reason, at),
            **caller.block(arguments),
        )
        located.directory.append(layout.FLAGS, flag)
    return {**written(caller), "flag": flag.dump()}


def resolve_note(
    *,
    located: Located,
    ref: str,
    note: str | None = None,
    kind: str | None = None,
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Close a flag or a piece of feedback by its id, also one that was derived.

    `kind`, `flag` or `feedback`, closes only one of that kind.

    Raises:
        UnknownNote: there is no such id.
        Finished: it is closed already.
    """
    arguments = {"ref": ref, "note": note}
    with located.directory.guard():
        need_short(note or "", NOTE_CHARS, "the note")
        dossier = open_dossier(located)
        flags = newest_flags(dossier.flags.records)
        feedback = newest_feedback(dossier.feedback.records)
        for key, lines in ((FLAG, dossier.flags), (FEEDBACK, dossier.feedback)):
            before = replayed(lines.records, caller, arguments)
            if before is not None:
                return {**written(caller, replayed=True), key: before.dump()}
        if ref in flags and kind in {None, FLAG}:
            return {
                **written(caller),
                FLAG: _close_flag(located, flags[ref], arguments, caller, now),
            }
        if ref in feedback and kind in {None, FEEDBACK}:
            closed = _close_feedback(located, feedback[ref], arguments, caller, now)
            return {**written(caller), "feedback": closed}
    raise UnknownNote(
        f"{located.slug} has no flag or feedback {ref!r}",
        hint=f"it has {len(flags)} flags and {len(feedback)} pieces of feedback: "
        f"understudy benchmarks show {located.slug}",
    )


def _close_flag(
    located: Located, flag: Flag, arguments: dict[str, Any], caller: Caller, now: datetime
) -> dict[str, Any]:
    _need_open(flag.status, flag.ref)
    closed = flag.with_(
        status="resolved",
        closed_at=stamp(now),
        flag_id=flag.ref,
        resolution=arguments["note"],
        **_block(caller, arguments),
    )
    located.directory.append(layout.FLAGS, closed)
    return closed.dump()


def _close_feedback(
    located: Located, feedback: Feedback, arguments: dict[str, Any], caller: Caller, now: datetime
) -> dict[str, Any]:
    _need_open(feedback.status, feedback.ref)
    closed = feedback.with_(
        status="addressed",
        closed_at=stamp(now),
        feedback_id=feedback.ref,
        addressed_by=caller.actor,
        note=arguments["note"],
        **_block(caller, arguments),
    )
    located.directory.append(layout.FEEDBACK, closed)
    return closed.dump()


def _block(caller: Caller, arguments: dict[str, Any]) -> dict[str, str | None]:
    """The actor of the closing line, in place of the opening one's."""
    return {"idempotency_key": None, "arguments_sha256": None, **caller.block(arguments)}


def _need_open(status: str, ref: str) -> None:
    if status != OPEN:
        raise Finished(f"{ref} is {status} already", hint="nothing is left to close")
