"""The ledgers and tables of this app: which files they are, what their lines give the columns."""

from collections.abc import Sequence
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.irregular import irregular
from benchmarks.artifacts.layout import TableFile
from benchmarks.mirror.base import Columns, Mirror, MirroredLedger, MirroredTable
from benchmarks.mirror.columns import dated, plain, text, whole, word
from benchmarks.models.capture import CaptureEntry, ExecutionEntry, IngestedEntry
from benchmarks.models.task import TaskEntry
from benchmarks.models.version import HoldoutLookEntry, VersionEntry
from benchmarks.records.capture import Capture, LedgerEntry
from benchmarks.records.dag import IndexRow
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.task import Task
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Bump


def task_files(directory: BenchmarkDir) -> Sequence[TableFile[Any]]:
    """The table of tasks; without one, an import's side tables."""
    if directory.exists(layout.TASKS) or irregular(directory, layout.TASKS.path):
        return (layout.TASKS,)
    return [
        TableFile(facts.name, Task, key=layout.TASKS.key)
        for facts in directory.listing(layout.TASK_SIDECARS)
    ]


def task_columns(task: Task, position: int) -> Columns:
    """The columns of a `TaskEntry`."""
    return {
        "task_id": word(task.task_id),
        "position": position,
        "title": text(task.title),
        "name": text(task.name),
        "status": word(task.status, 64),
        "split": task.split.value,
        "category_id": word(task.category_id),
        "confidence": word(task.machine_confidence, 64),
        "close_call": task.close_call,
        "version": word(task.version, 64),
        "task_hash": word(task.task_hash, 64),
        "cluster_id": word(task.cluster_id),
        "incumbent": word(task.incumbent.model if task.incumbent else None),
        "tools": len(task.tool_surface),
        "user_turns": (whole(task.user.turns) if task.user else None) or 0,
        "self_check_ok": task.self_check.ok if task.self_check else None,
    }


def capture_columns(capture: Capture) -> Columns:
    """The columns of a `CaptureEntry`."""
    identity = capture.source.identity
    return {
        **dated(capture.captured_at),
        "capture_key": word(capture.capture_key),
        "capture_id": word(capture.capture_id),
        "group": word(capture.fingerprints.group),
        "trace_id": word(identity.trace_id),
        "session_id": word(identity.session_id),
        "workload": word(capture.scope.workload_name),
        "provider": word(capture.routing.provider),
        "model": word(capture.routing.requested_model),
        "source_pointer": text(capture.source.pointer),
        "helper_of": word(capture.helper_of.capture_key if capture.helper_of else None),
    }


def ingested_columns(line: LedgerEntry) -> Columns:
    """The columns of an `IngestedEntry`."""
    return {
        **dated(line.ingested_at),
        "capture_key": word(line.capture_key),
        "source_pointer": text(line.source_pointer),
        "source_sha256": word(line.source_sha256, 64),
        "record_sha256": word(line.record_sha256, 64),
    }


def execution_columns(row: IndexRow, position: int) -> Columns:
    """The columns of an `ExecutionEntry`."""
    return {
        "execution_group": word(row.execution_group),
        "task_id": word(row.task_id),
        "lineage_status": word(row.lineage_status, 64),
        "grouping_label": word(row.grouping_label, 64),
        "trace_id": word(row.trace_id),
        "captures": whole(row.capture_count),
        "reasons": plain(row.exclusion_reasons),
    }


def version_columns(line: VersionLine) -> Columns:
    """The columns of a `VersionEntry`."""
    return {
        **dated(line.created_at),
        "version": word(line.version, 64),
        "cause": word(line.cause, 64),
        "note": text(line.note),
        "bumps": len(line.task_bumps),
        "bump": gravest(line),
        "contamination": word(line.contamination, 32),
        "actor": word(line.actor),
        "door": word(line.door, 32),
    }


def gravest(line: VersionLine) -> str:
    """The gravest bump of a line, as a word; none where it bumps no task."""
    found = {bump.bump for bump in line.task_bumps}
    return next((bump.value for bump in Bump if bump in found), "")


def look_columns(look: HoldoutLook) -> Columns:
    """The columns of a `HoldoutLookEntry`."""
    return {
        **dated(look.at),
        "kind": look.kind,
        "run_id": word(look.run_id, 128),
        "arms": plain(look.arms),
        "tasks": len(look.task_ids),
        "actor": word(look.actor),
        "door": word(look.door, 32),
        "note": text(look.note),
    }


LEDGERS: tuple[Mirror, ...] = (
    MirroredTable("tasks", TaskEntry, task_files, task_columns, key="task_id"),
    MirroredLedger(
        "captures", CaptureEntry, lambda _: (layout.CAPTURES,), capture_columns, heavy=True
    ),
    MirroredLedger("ingested", IngestedEntry, lambda _: (layout.CAPTURE_LEDGER,), ingested_columns),
    MirroredTable(
        "executions", ExecutionEntry, lambda _: (layout.EXECUTION_INDEX,), execution_columns
    ),
    MirroredLedger("versions", VersionEntry, lambda _: (layout.VERSIONS,), version_columns),
    MirroredLedger("looks", HoldoutLookEntry, lambda _: (layout.HOLDOUT,), look_columns),
)
