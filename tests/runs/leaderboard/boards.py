"""Hand-made evidence for the leaderboard's tests."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.records.manifest import PROMOTED, BenchmarkManifest, ManifestTask
from benchmarks.records.note import Flag
from benchmarks.records.row import Row
from benchmarks.records.version import VersionLine
from reviews.notes import open_flags
from reviews.rigor.evidence import Evidence, evidence
from reviews.rigor.floors import measure_all
from runs.leaderboard.figures import Arm, Board, arm_figures
from runs.leaderboard.table import Ground, Owed

MANIFEST = BenchmarkManifest(schema_version=PROMOTED, benchmark_id="demo")


def row(task_id: str, score: float | None, **fields: Any) -> Row:
    return Row.read({
        "run_id": "r1",
        "benchmark_id": "demo",
        "task_id": task_id,
        "split": "dev",
        "model": "m1",
        "arm_kind": "candidate",
        "route": "gateway",
        "status": "ok" if score is not None else "error",
        "score": score,
        "created_at": "2026-11-02T12:00:00.000Z",
        **fields,
    })


def provider_error(task_id: str, **fields: Any) -> Row:
    reason = {"code": "provider_error", "blame": "provider", "detail": "HTTP 503"}
    return row(task_id, None, missing_reason=reason, **fields)


def scores(arm: str, values: Sequence[float], **fields: Any) -> list[Row]:
    """One row a task, t01 and on."""
    return [
        row(f"t{number:02}", value, model=arm, **fields)
        for number, value in enumerate(values, start=1)
    ]


def tasks_of(rows: Iterable[Row]) -> dict[str, ManifestTask]:
    ids = sorted({found.task_id for found in rows})
    return {task_id: ManifestTask(task_id=task_id) for task_id in ids}


def evidence_of(
    rows: Sequence[Row], *, flags: Sequence[Flag] = (), versions: Sequence[VersionLine] = ()
) -> Evidence:
    return evidence(
        rows,
        manifest=MANIFEST,
        tasks=tasks_of(rows),
        versions=versions,
        flags=flags,
        decisions={},
    )


def board_of(rows: Iterable[Row], threshold: float = 1.0) -> Board:
    return Board("demo", tasks_of(rows), threshold)


def arm_of(rows: Sequence[Row], threshold: float = 1.0) -> Arm:
    placed = list(evidence_of(rows).used)
    return arm_figures(rows[0].model, placed, board_of(rows, threshold))


def ground_of(
    rows: Sequence[Row],
    *,
    flags: Sequence[Flag] = (),
    owed: Mapping[str, Sequence[Owed]] | None = None,
    effective: Sequence[str] | None = None,
) -> Ground:
    tasks = tasks_of(rows)
    return Ground(
        board=Board("demo", tasks),
        flags=open_flags(flags),
        floors=measure_all(
            evidence_of(rows).placed,
            tasks=effective if effective is not None else list(tasks),
            threshold=1,
        ),
        owed=owed or {},
    )
