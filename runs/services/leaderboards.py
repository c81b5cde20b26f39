"""The result of a benchmark: its leaderboard, from the rows on disk."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.artifacts.roots import Located
from benchmarks.errors import UnknownArm
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice
from benchmarks.records.calibration import Floor
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import RunStatus, Split, Stage
from reviews.notes import open_flags
from reviews.rigor.evidence import Evidence, Placed
from reviews.services.dossier import Dossier
from reviews.services.holdout import looks_notice
from runs.executor.plan import CellRef, asked_cells
from runs.leaderboard.figures import Board
from runs.leaderboard.table import ALL, Ground, Owed, Question, default_split, leaderboard
from runs.requests.arms import arms_of

DENSE_METRIC = "final_state_partial_credit"


def read_leaderboard(
    *,
    located: Located,
    split: str | None = None,
    arms: Sequence[str] = (),
    include_stale: bool = False,
    include_flagged: bool = False,
) -> JsonObject:
    """Every arm's figures on a split, in order, with what stands outside them.

    Raises:
        UnknownArm: no row is of that arm; the known ones are listed.
    """
    dossier = Dossier(located.directory, slug=located.slug)
    splits = {task_id: task.split for task_id, task in dossier.tasks.items()}
    promoted = dossier.stage is Stage.PROMOTED
    question = Question(
        split=split or default_split(promoted=promoted, splits=splits.values()),
        arms=tuple(arms),
        include_stale=include_stale,
        include_flagged=include_flagged,
    )
    _refuse_unknown(question.arms, dossier.evidence)
    ground = Ground(
        board=board_of(dossier),
        flags=open_flags(dossier.flags.records),
        floors=_floors(dossier, question.split),
        owed=_owed(dossier, question, splits),
    )
    document = leaderboard(dossier.evidence, ground, question)
    notices = _notices(document, dossier, question, splits)
    return {
        "slug": located.slug,
        "version": dossier.version,
        "stage": dossier.stage.value,
        **document,
        "holdout_looks": len(dossier.counted_looks),
        "warnings": dossier.warnings(),
        "notices": [notice.dump() for notice in notices],
    }


def board_of(dossier: Dossier) -> Board:
    """What a leaderboard's figures are about."""
    manifest = dossier.manifest
    verifier: Mapping[str, Any] = (manifest.verifier if manifest else None) or {}
    return Board(
        benchmark_id=manifest.benchmark_id if manifest else "",
        tasks=dossier.tasks,
        threshold=dossier.threshold,
        dense_metric=str(verifier.get("dense_metric") or DENSE_METRIC),
    )


def _floors(dossier: Dossier, split: str) -> dict[str, Floor]:
    """The floors that are measured, over the effective tasks of a split."""
    inside = [
        task_id
        for task_id in dossier.effective
        if split in {ALL, dossier.tasks[task_id].split.value}
    ]
    found = dossier.floors_of(dossier.evidence, inside)
    return {key: floor for key, floor in found.items() if floor.measured}


def _refuse_unknown(labels: Sequence[str], evidence: Evidence) -> None:
    known = list(evidence.by_arm())
    strangers = [label for label in labels if label not in known]
    if strangers:
        raise UnknownArm(
            f"no row is of arm {strangers[0]!r}",
            hint=f"the arms are: {', '.join(known) or 'none'}",
            details={"arms": known, "unknown": strangers},
        )


def _owed(
    dossier: Dossier, question: Question, splits: Mapping[str, Split]
) -> dict[str, list[Owed]]:
    """By arm, the cells on this split that runs were asked for and have no row of.

    What a retry asks again is owed by the retry, not by the run that lost it; of a cancelled run
    nobody wants more.
    """
    placed = _cells_by_run(dossier.evidence.placed)
    requests = [each for each in dossier.requests.requests if each.kind != "authoring"]
    retried = {request.retry_of for request in requests}
    owed: dict[str, list[Owed]] = {}
    for request in requests:
        if request.run_id in retried or request.status == RunStatus.CANCELLED:
            continue
        have = placed.get(request.run_id, set())
        for label, cells in _owed_cells(request, have, dossier, question, splits).items():
            if cells > 0:
                owed.setdefault(label, []).append(Owed(request.run_id, request.status, cells))
    return owed


def _cells_by_run(placed: Iterable[Placed]) -> dict[str, set[CellRef]]:
    cells: dict[str, set[CellRef]] = {}
    for item in placed:
        cell = CellRef(item.row.model, item.row.task_id, item.rollout)
        cells.setdefault(item.row.run_id, set()).add(cell)
    return cells


def _owed_cells(
    request: RunRequest,
    have: set[CellRef],
    dossier: Dossier,
    question: Question,
    splits: Mapping[str, Split],
) -> Mapping[str, int]:
    if request.retry_of is not None:
        return _owed_by_totals(request, have)
    chosen = dossier.effective if isinstance(request.tasks, str) else request.tasks
    inside = [
        task_id
        for task_id in chosen
        if task_id in splits
        if {request.split, question.split} <= {ALL, splits[task_id].value}
    ]
    cells = asked_cells(arms_of(request), inside, request.rollouts_per_task)
    return Counter(ref.arm for _, ref in cells if ref not in have)


def _owed_by_totals(request: RunRequest, have: set[CellRef]) -> dict[str, int]:
    """The arms' totals as the request says them, minus the cells with a row."""
    done = Counter(cell.arm for cell in have)
    arms = request.progress.get("arms")
    return {
        label: part["total"] - done[label]
        for label, part in (arms.items() if isinstance(arms, dict) else ())
        if isinstance(part, dict) and isinstance(part.get("total"), int)
    }


def _notices(
    document: JsonObject, dossier: Dossier, question: Question, splits: Mapping[str, Split]
) -> list[Notice]:
    notices = []
    holdout = question.split in {ALL, Split.HOLDOUT} and Split.HOLDOUT in splits.values()
    if holdout and document["rows"]["scored"]:
        notices.append(looks_notice(len(dossier.counted_looks)))
    if question.include_stale:
        text = "stale rows are included: figures mix versions of the tasks"
        notices.append(Notice(kind="stale", text=text))
    if question.include_flagged:
        text = "rows of flagged tasks are included: somebody doubts those tasks"
        notices.append(Notice(kind="override", text=text))
    return notices
