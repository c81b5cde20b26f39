"""One rollout read step by step, and two of one task side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.layout import LedgerFile
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.task_lines import task_trajectory
from benchmarks.errors import (
    Ambiguous,
    JournalAmbiguous,
    NotMeasured,
    UnknownArm,
    UnknownRollout,
    UnknownRun,
    UnknownTask,
)
from benchmarks.records.base import JsonObject
from benchmarks.records.blobs import with_blobs
from benchmarks.records.pieces import piece
from benchmarks.records.request import RunRequest
from benchmarks.records.row import Row
from benchmarks.records.trajectory import JournalLine, Trajectory
from benchmarks.records.vocabulary import ENDED
from reviews.rigor.evidence import numbered, root_run
from reviews.services.dossier import Dossier
from reviews.services.holdout import notices_of
from runs.requests.arms import arms_of
from runs.rollouts.divergence import obligations_side_by_side, tool_sequence
from runs.rollouts.events import journal_events, of_rollout, trajectory_events
from runs.rollouts.marking import Marked, Met, mark
from runs.services.statuses import run_rows

MESSAGES = "messages"


@dataclass(frozen=True, slots=True)
class Kept:
    """What is on disk of one rollout."""

    run_id: str
    task_id: str
    model: str
    rollout: int
    rows: Sequence[Row]
    trajectory: Trajectory | None
    marked: Marked | None
    """The trajectory against today's contract."""
    journal_file: str | None
    told: Sequence[JournalLine]
    """What the arm's journal says, of every task."""
    is_only_cell: bool
    """Whether the arm had one task and one rollout, so that old journal lines can only be its."""


def read_rollout(
    *,
    located: Located,
    run_id: str,
    task_id: str,
    model: str | None = None,
    rollout: int = 0,
    include: Sequence[str] = (),
    field: str | None = None,
    offset: int = 0,
) -> JsonObject:
    """A rollout as events, with when each obligation was met; or one long text of it in pieces.

    Raises:
        UnknownRun, UnknownTask, UnknownArm, UnknownRollout: there is none of that name.
        Ambiguous: several arms ran the task and none is named.
        JournalAmbiguous: an old journal cannot be told apart by task.
        MissingBlob: a payload is not there or is damaged.
    """
    dossier = Dossier(located.directory, slug=located.slug)
    kept = _kept(dossier, run_id, task_id, model, rollout)
    document = {
        "slug": located.slug,
        **_identity(kept),
        "journal_file": kept.journal_file,
        "trajectory_ref": _trajectory_ref(kept),
        "events": _events(kept),
        "final_response": _final_response(kept),
        "rows": [row.dump() for row in kept.rows],
        "obligations": list(kept.marked.obligations) if kept.marked else _row_marks(kept),
        "verdict": kept.marked.verdict if kept.marked else None,
        "accumulation": list(kept.marked.accumulation) if kept.marked else [],
        "termination": kept.trajectory.termination if kept.trajectory else None,
        "complete": bool(kept.rows),
        "notices": _notices(dossier, task_id),
    }
    if MESSAGES in include and kept.trajectory is not None:
        turns = [turn.dump() for turn in kept.trajectory.turns]
        document[MESSAGES] = {"system": kept.trajectory.system, "turns": turns}
    whole: JsonObject = with_blobs(document, located.directory.read_blob)
    if field is not None:
        return {"slug": located.slug, **_identity(kept), "piece": piece(whole, field, offset)}
    return whole


def diff_rollouts(
    *,
    located: Located,
    task_id: str,
    run_a: str,
    run_b: str,
    model_a: str | None = None,
    model_b: str | None = None,
    rollout_a: int = 0,
    rollout_b: int = 0,
) -> JsonObject:
    """Two rollouts of one task: where their calls part, and what each met.

    Raises:
        NotMeasured: a rollout kept no trajectory.
    """
    dossier = Dossier(located.directory, slug=located.slug)
    a = _kept(dossier, run_a, task_id, model_a, rollout_a)
    b = _kept(dossier, run_b, task_id, model_b, rollout_b)
    document = {
        "slug": located.slug,
        "task_id": task_id,
        "a": _side(a),
        "b": _side(b),
        "obligations": obligations_side_by_side(_obligations(a), _obligations(b)),
        "tool_sequence": tool_sequence(_whole(a).calls, _whole(b).calls),
        "notices": _notices(dossier, task_id),
    }
    whole: JsonObject = with_blobs(document, located.directory.read_blob)
    return whole


def is_only_cell(request: RunRequest | None) -> bool:
    """Whether an arm of a run has one task and one rollout: then all of its journal is about it."""
    if request is None or isinstance(request.tasks, str):
        return False
    return len(request.tasks) == 1 and request.rollouts_per_task == 1


def live_journal(request: RunRequest | None, run_id: str, label: str) -> LedgerFile[JournalLine]:
    """Where an arm of a run keeps its live journal."""
    names = (request.arm_names if request else None) or {}
    return layout.live(run_id, names.get(label) or layout.safe(label))


def _notices(dossier: Dossier, task_id: str) -> list[JsonObject]:
    task = dossier.tasks.get(task_id)
    return [notice.dump() for notice in notices_of(dossier.directory, [task])]


def _whole(kept: Kept) -> Trajectory:
    if kept.trajectory is None:
        raise NotMeasured(
            f"run {kept.run_id} kept no trajectory of {kept.task_id} by {kept.model}",
            hint="only rollouts of executors that keep trajectories can be compared step by step",
        )
    return kept.trajectory


def _kept(dossier: Dossier, run_id: str, task_id: str, model: str | None, rollout: int) -> Kept:
    directory = dossier.directory
    request = directory.load(layout.request(run_id))
    every = run_rows(directory, run_id)
    rows = [row for row in every if row.task_id == task_id]
    if request is None and not every:
        raise UnknownRun(f"{dossier.slug} has no run {run_id!r}", hint="understudy runs list")
    if task_id not in dossier.tasks and not rows:
        raise UnknownTask(
            f"{dossier.slug} has no task {task_id!r}",
            hint=f"it has {len(dossier.tasks)}: understudy benchmarks tasks {dossier.slug}",
        )
    label = _arm(run_id, model, rows or every, request)
    own = [
        row
        for row, number in zip(rows, numbered(rows), strict=True)
        if (row.model, number) == (label, rollout)
    ]
    trajectory = _trajectory(directory, (run_id, task_id, label, rollout), _attempt(own))
    journal = _journal_name(directory, run_id, label, request)
    told = _told(directory, run_id, journal)
    if not own and trajectory is None and not _may_come(request, told, task_id, rollout):
        numbers = sorted({
            number for row, number in zip(rows, numbered(rows), strict=True) if row.model == label
        })
        none = "none" if _has_ended(request) else "none yet"
        raise UnknownRollout(
            f"run {run_id} has no rollout {rollout} of {task_id} by {label}",
            hint=f"it has: {', '.join(map(str, numbers)) or none}",
            details={"rollouts": numbers},
        )
    return Kept(
        run_id=run_id,
        task_id=task_id,
        model=label,
        rollout=rollout,
        rows=own,
        trajectory=trajectory,
        marked=_marked(dossier, task_id, trajectory),
        journal_file=journal,
        told=told,
        is_only_cell=is_only_cell(request),
    )


def _arm(
    run_id: str,
    model: str | None,
    rows: Sequence[Row],
    request: RunRequest | None,
) -> str:
    """The arm that is meant: the one named, else the only one of the run."""
    asked = [arm.label for arm in arms_of(request)] if request else []
    known = list(dict.fromkeys([*asked, *(row.model for row in rows)]))
    if model is not None:
        if model not in known:
            raise UnknownArm(
                f"run {run_id} has no arm {model!r}",
                hint=f"its arms are: {', '.join(known) or 'none'}",
                details={"arms": known},
            )
        return model
    if len(known) == 1:
        return known[0]
    raise Ambiguous(
        f"run {run_id} has {len(known)} arms: {', '.join(known)}",
        hint="name one of them: --arm A; of a diff --arm-a A and --arm-b B",
        details={"candidates": known},
    )


def _attempt(rows: Sequence[Row]) -> int | None:
    """The attempt that the row stands on."""
    attempt = (rows[0].trajectory_ref or {}).get("attempt") if rows else None
    return attempt if isinstance(attempt, int) else None


def _trajectory(
    directory: BenchmarkDir, cell: tuple[str, str, str, int], attempt: int | None
) -> Trajectory | None:
    """The rollout of a cell; a regrade judges the rollout of the run that it goes back to."""
    run_id, task_id, label, rollout = cell
    for each in dict.fromkeys((run_id, root_run(run_id))):
        found = task_trajectory(directory, each, task_id, label, rollout, attempt)
        if found is not None:
            return found
    return None


def _marked(dossier: Dossier, task_id: str, trajectory: Trajectory | None) -> Marked | None:
    task = dossier.tasks.get(task_id)
    if task is None or trajectory is None:
        return None
    return mark(task.outcome_contract, trajectory, dossier.tools)


def _journal_name(
    directory: BenchmarkDir, run_id: str, label: str, request: RunRequest | None
) -> str | None:
    file = live_journal(request, run_id, label)
    return file.path if directory.exists(file) else None


def _told(directory: BenchmarkDir, run_id: str, journal: str | None) -> Sequence[JournalLine]:
    """The lines of an arm's journal; none where there is no journal."""
    if journal is None:
        return ()
    name = journal.rpartition("/")[2].removesuffix(".jsonl")
    return directory.journal(run_id, name.removeprefix(f"{run_id}-")).records


def _may_come(
    request: RunRequest | None, told: Sequence[JournalLine], task_id: str, rollout: int
) -> bool:
    """Whether a rollout without a row is under way: its journal speaks of it, or it is awaited."""
    if not told:
        return False
    if of_rollout(told, task_id=task_id, rollout=rollout) != []:
        return True
    if request is None or _has_ended(request):
        return False
    is_asked = isinstance(request.tasks, str) or task_id in request.tasks
    return is_asked and rollout < request.rollouts_per_task


def _has_ended(request: RunRequest | None) -> bool:
    return request is None or request.status in ENDED


def _identity(kept: Kept) -> JsonObject:
    return {
        "run_id": kept.run_id,
        "task_id": kept.task_id,
        "model": kept.model,
        "rollout": kept.rollout,
    }


def _events(kept: Kept) -> list[JsonObject]:
    if kept.trajectory is not None:
        return trajectory_events(kept.trajectory, kept.marked.met if kept.marked else Met())
    own = of_rollout(kept.told, task_id=kept.task_id, rollout=kept.rollout)
    if own is None and kept.is_only_cell:
        own = list(kept.told)
    if own is None:
        raise JournalAmbiguous(
            f"{kept.journal_file} does not say which task its lines are about",
            hint="an older executor wrote it; run the task again",
        )
    return journal_events(own)


def _trajectory_ref(kept: Kept) -> JsonObject | None:
    return kept.rows[0].trajectory_ref if kept.rows else None


def _final_response(kept: Kept) -> str | None:
    if kept.trajectory is not None:
        return kept.trajectory.final_response
    return kept.rows[0].final_response_excerpt if kept.rows else None


def _row_marks(kept: Kept) -> list[JsonObject]:
    """What the row says, where no trajectory is left to judge."""
    marks = kept.rows[0].obligations if kept.rows else None
    return [
        {"id": each.id, "label": each.id, "kind": None, "met": each.met, "met_at": each.met_at}
        for each in marks or ()
    ]


def _obligations(kept: Kept) -> Sequence[JsonObject]:
    return kept.marked.obligations if kept.marked else _row_marks(kept)


def _side(kept: Kept) -> JsonObject:
    row, trajectory = kept.rows[0] if kept.rows else None, _whole(kept)
    return {
        **_identity(kept),
        "status": row.status.value if row else None,
        "score": row.score if row else None,
        "verdict": kept.marked.verdict if kept.marked else None,
        "termination": trajectory.termination,
        "calls": len(trajectory.calls),
        "latency_ms": row.latency_ms if row else None,
        "cost": row.cost if row else None,
        "final_response": trajectory.final_response,
    }
