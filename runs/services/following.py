"""A run watched while it is under way: the new lines of an arm's journal, and the contract met."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pydantic import ValidationError

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.layout import LedgerFile
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.task_lines import marks_of_task
from benchmarks.errors import InvalidArguments, JournalAmbiguous, UnknownArm, UnknownTask
from benchmarks.records.base import JsonObject
from benchmarks.records.request import RunRequest
from benchmarks.records.trajectory import JournalLine
from reviews.services.dossier import Dossier
from reviews.services.holdout import notices_of
from runs.requests.arms import arms_of
from runs.rollouts.accumulating import accumulate
from runs.rollouts.events import of_rollout
from runs.rollouts.journal import observed_from_journal
from runs.services.rollouts import is_only_cell, live_journal
from runs.services.statuses import run_progress

MOST_LINES = 5000
ALWAYS = (b'"rollout_start"',)
"""Lines that are read whatever task they are about: they tell attempts and fences apart."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What of a run is looked at."""

    arm: str | None
    journal: LedgerFile[JournalLine] | None
    task_id: str | None
    rollout: int | None


def follow_run(
    *,
    located: Located,
    run_id: str,
    task_id: str | None = None,
    arm: str | None = None,
    rollout: int | None = None,
    since: int = 0,
) -> JsonObject:
    """The lines of an arm's journal from the line `since` on, and how far the contract is met.

    `next` is what to say as `since` the next time: at most 5,000 lines come at once, and a line
    that is still being written comes with the next call. `task_id` and `rollout` narrow the lines;
    without them the accumulation is about what the journal last spoke of.

    Raises:
        UnknownRun, UnknownArm, UnknownTask: there is none of that name.
        JournalAmbiguous: an old journal cannot be told apart by task.
    """
    if since < 0:
        raise InvalidArguments(f"since {since} is less than 0")
    dossier = Dossier(located.directory, slug=located.slug)
    request = dossier.directory.request(run_id)
    if task_id is not None and task_id not in dossier.tasks:
        raise UnknownTask(
            f"{dossier.slug} has no task {task_id!r}",
            hint=f"it has {len(dossier.tasks)}: understudy benchmarks tasks {dossier.slug}",
        )
    watched = _watched(dossier.directory, request, arm, task_id, rollout)
    lines, following = _window(dossier.directory, request, watched, since, task_id, rollout)
    told = _told(dossier.directory, request, watched)
    task = dossier.tasks.get(watched.task_id or "")
    return {
        "run_id": run_id,
        "slug": located.slug,
        "status": request.status,
        "progress": run_progress(dossier.directory, request),
        "live": request.live,
        "task_id": watched.task_id,
        "arm": watched.arm,
        "rollout": _rollout(told, watched.rollout),
        "journal_file": watched.journal.path if watched.journal is not None else None,
        "since": since,
        "next": following,
        "lines": lines,
        "accumulation": (
            accumulate(task.outcome_contract, observed_from_journal(told), dossier.tools)
            if task is not None and told
            else None
        ),
        "notices": [notice.dump() for notice in notices_of(dossier.directory, [task])],
    }


def _watched(
    directory: BenchmarkDir,
    request: RunRequest,
    arm: str | None,
    task_id: str | None,
    rollout: int | None,
) -> Watched:
    """What is meant: what is named, else the only one there is, else what is live."""
    live = request.live or {}
    label = _label(directory, request, arm)
    journal = _journal(directory, request, label) if label is not None else None
    named = task_id
    if named is None and isinstance(request.tasks, list) and len(request.tasks) == 1:
        named = request.tasks[0]
    if named is None and live.get("model") == label:
        told = live.get("task_id")
        named = told if isinstance(told, str) else None
    if named is None and journal is not None:
        named = _last_spoken_of(directory, journal)
    return Watched(label, journal, named, rollout)


def _label(directory: BenchmarkDir, request: RunRequest, arm: str | None) -> str | None:
    """The arm named, else the live one, else the one whose journal was written last."""
    labels = [each.label for each in arms_of(request)]
    if arm is not None:
        if arm not in labels:
            raise UnknownArm(
                f"run {request.run_id} has no arm {arm!r}",
                hint=f"its arms are: {', '.join(labels) or 'none'}",
                details={"arms": labels},
            )
        return arm
    live = (request.live or {}).get("model")
    if live in labels:
        return str(live)
    written = {
        label: facts[0].modified_at
        for label in labels
        if (facts := directory.listing(live_journal(request, request.run_id, label).path))
    }
    newest = max(written, key=lambda label: written[label], default=None)
    return newest or (labels[0] if len(labels) == 1 else None)


def _journal(
    directory: BenchmarkDir, request: RunRequest, label: str
) -> LedgerFile[JournalLine] | None:
    file = live_journal(request, request.run_id, label)
    return file if directory.exists(file) else None


def _window(
    directory: BenchmarkDir,
    request: RunRequest,
    watched: Watched,
    since: int,
    task_id: str | None,
    rollout: int | None,
) -> tuple[list[JsonObject], int]:
    """The new lines, narrowed to what was asked for by name, and where to go on."""
    if watched.journal is None:
        return [], 0
    window = directory.window(watched.journal, after=since, most=MOST_LINES)
    chosen = [
        line
        for line in window.lines
        if "task_id" not in line or task_id in {None, line["task_id"]}
        if "rollout" not in line or rollout in {None, line["rollout"]}
    ]
    strange = any("task_id" not in line for line in chosen)
    if strange and (task_id is not None or rollout is not None) and not is_only_cell(request):
        raise _ambiguous(watched)
    return chosen, window.next


def _told(directory: BenchmarkDir, request: RunRequest, watched: Watched) -> Sequence[JournalLine]:
    """Every line of the rollout whose contract is accumulated; none where it cannot be told."""
    if watched.journal is None or watched.task_id is None:
        return ()
    lines: list[JournalLine] = []

    def take(line: JsonObject) -> None:
        with suppress(ValidationError):
            lines.append(JournalLine.read(line))

    first = directory.first(watched.journal) or {}
    if "task_id" not in first:
        directory.scan(watched.journal, take)
        return lines if is_only_cell(request) else ()
    directory.scan(watched.journal, take, holding=_marks(watched.task_id))
    own = [line for line in lines if line.task_id == watched.task_id]
    number = _rollout(own, watched.rollout)
    return of_rollout(own, task_id=watched.task_id, rollout=number or 0) or ()


def _marks(task_id: str) -> tuple[bytes, ...]:
    """What a line about the task holds; nothing to go by where its id may be written two ways."""
    marks = marks_of_task(task_id)
    return (*marks, *ALWAYS) if marks else ()


def _rollout(told: Sequence[JournalLine], asked: int | None) -> int | None:
    """The rollout asked for, else the one that was spoken of last."""
    if asked is not None:
        return asked
    return next((line.rollout for line in reversed(told) if line.rollout is not None), None)


def _last_spoken_of(directory: BenchmarkDir, journal: LedgerFile[JournalLine]) -> str | None:
    """The task of the newest start line."""
    last: list[str] = []

    def take(line: JsonObject) -> None:
        if isinstance(line.get("task_id"), str):
            last[:] = [line["task_id"]]

    directory.scan(journal, take, holding=ALWAYS)
    return last[0] if last else None


def _ambiguous(watched: Watched) -> JournalAmbiguous:
    path = watched.journal.path if watched.journal is not None else ""
    return JournalAmbiguous(
        f"{path} does not say which task its lines are about",
        hint="an older executor wrote it; ask without task and rollout, or run the task again",
    )
