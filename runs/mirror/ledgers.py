"""The ledgers of runs: which files they are, and what their lines give the columns."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.layout import LedgerFile
from benchmarks.mirror.base import Columns, MirroredLedger
from benchmarks.mirror.columns import dated, excerpt, plain, real, whole, word
from benchmarks.records.event import RunEvent
from benchmarks.records.row import Anomaly, Row
from benchmarks.records.trajectory import JournalLine, Trajectory
from reviews.rigor.evidence import anomaly_of
from runs.models.event import EventEntry
from runs.models.rollout import JournalEntry, TrajectoryEntry
from runs.models.row import RowEntry


def row_files(directory: BenchmarkDir) -> Sequence[LedgerFile[Any]]:
    """Every rows file, also those of an import."""
    return directory.row_files()


def trajectory_files(directory: BenchmarkDir) -> Sequence[LedgerFile[Any]]:
    """The whole rollouts of every run."""
    names = _names(directory, f"{layout.TRAJECTORIES}/*.jsonl")
    return [LedgerFile(name, Trajectory, fenced=True, blobs=True) for name in names]


def journal_files(directory: BenchmarkDir) -> Sequence[LedgerFile[Any]]:
    """The live journals of every run."""
    names = _names(directory, f"{layout.LIVE}/*.jsonl")
    return [LedgerFile(name, JournalLine, ("at", "kind"), fenced=True) for name in names]


def _names(directory: BenchmarkDir, *patterns: str) -> list[str]:
    return [facts.name for facts in directory.listing(*patterns)]


def row_columns(row: Row) -> Columns:
    """The columns of a `RowEntry`."""
    return {
        **dated(row.created_at),
        **_cell(row),
        **_outcome(row),
        **_measured(row),
        **_origin(row),
    }


def _cell(row: Row) -> Columns:
    return {
        "run_id": word(row.run_id, 128),
        "benchmark_key": word(row.benchmark_id),
        "task_id": word(row.task_id),
        "category_id": word(row.category_id),
        "split": row.split.value,
        "arm": word(row.model),
        "arm_kind": word(row.arm_kind, 32),
        "rollout": whole(row.rollout),
        "route": row.route.value,
        "called_model": word(row.called_model),
    }


def _outcome(row: Row) -> Columns:
    missing = row.missing_reason
    return {
        "status": row.status.value,
        "score": row.score,
        "subscores": plain(row.subscores),
        "missing_code": word(missing.code, 64) if missing else "",
        "blame": missing.blame.value if missing else "",
        "error": excerpt(row.error, 600),
        "error_boundary": word(row.error_boundary, 16),
        "anomaly": word(anomaly_of(row), 64) or None,
        "anomalies": [word(kind) for kind in anomaly_kinds(row)] or None,
        "termination": word(row.termination, 32),
    }


def anomaly_kinds(row: Row) -> list[str]:
    """The kinds of all anomalies of a row, the first one first."""
    found: list[Anomaly] = [*([row.anomaly] if row.anomaly else []), *(row.anomalies or ())]
    return list(dict.fromkeys(each.kind for each in found))


def _measured(row: Row) -> Columns:
    usage, pricing = row.usage, row.pricing
    return {
        "turns": whole(row.turns),
        "tool_calls": whole(row.tool_call_count),
        "latency_ms": real(row.latency_ms),
        "cost": real(row.cost),
        "priced_in_part": bool(pricing and pricing.partial),
        "price_basis": word(pricing.basis, 32) if pricing else "",
        "input_tokens": whole(usage.input_tokens) if usage else None,
        "output_tokens": whole(usage.output_tokens) if usage else None,
        "fidelity_share": real(row.fidelity.share) if row.fidelity else None,
        "tokens_per_sec": real(row.tokens_per_sec),
        "peak_memory_bytes": whole(row.peak_memory_bytes),
    }


def _origin(row: Row) -> Columns:
    provenance = row.provenance or {}
    hashes = _object(provenance.get("task_content_hashes"))
    retry = _object(provenance.get("retry_of"))
    return {
        "fence": whole(row.fence),
        "seed": whole(row.seed),
        "executor_version": word(row.executor_version, 64),
        "attempt": whole(_object(row.trajectory_ref).get("attempt")),
        "task_version": word(provenance.get("task_version"), 64),
        "env_sha256": word(hashes.get("env_sha256"), 64),
        "verifier_sha256": word(hashes.get("verifier_sha256"), 64),
        "wire_sha256": word(provenance.get("wire_sha256"), 64),
        "regrade_of": word(_object(provenance.get("source_run")).get("run_id"), 128),
        "retry_of": word(retry.get("run_id"), 128),
        "retry_rollout": whole(retry.get("rollout")),
        "fallback_reason": word(row.fallback_reason),
        "treatment": word(_object(row.prompt_override).get("system_prompt_suffix_sha256"), 64),
    }


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def event_columns(event: RunEvent) -> Columns:
    """The columns of an `EventEntry`."""
    return {
        **dated(event.ts),
        "run_id": word(event.run_id, 128),
        "seq": whole(event.seq),
        "type": word(event.type, 64),
        "arm": word(event.model),
        "task_id": word(event.task_id),
        "rollout": whole(event.rollout),
        "status": word(event.status, 32),
        "anomaly": word(event.anomaly, 64),
    }


def trajectory_columns(line: Trajectory) -> Columns:
    """The columns of a `TrajectoryEntry`."""
    return {
        **dated(line.finished_at),
        "run_id": word(line.run_id, 128),
        "task_id": word(line.task_id),
        "arm": word(line.model),
        "arm_kind": word(line.arm_kind, 32),
        "rollout": whole(line.rollout),
        "attempt": whole(line.attempt),
        "fence": whole(line.fence),
        "termination": word(line.termination, 32),
        "turns": len(line.turns),
        "calls": len(line.calls),
    }


def journal_columns(line: JournalLine) -> Columns:
    """The columns of a `JournalEntry`."""
    return {
        "at": real(line.at),
        "seq": whole(line.seq),
        "task_id": word(line.task_id),
        "rollout": whole(line.rollout),
        "kind": word(line.kind, 32),
    }


ROWS = MirroredLedger("rows", RowEntry, row_files, row_columns, heavy=True)
EVENTS = MirroredLedger("events", EventEntry, lambda _: (layout.EVENTS,), event_columns)
TRAJECTORIES = MirroredLedger(
    "trajectories", TrajectoryEntry, trajectory_files, trajectory_columns, heavy=True
)
JOURNALS = MirroredLedger("journals", JournalEntry, journal_files, journal_columns, heavy=True)
