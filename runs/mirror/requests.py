"""The queue: each request as a document, with the columns that lists need."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.artifacts import queue
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.layout import DocumentFile
from benchmarks.mirror.base import Columns, MirroredDocument
from benchmarks.mirror.columns import dated, plain, real, whole, word
from benchmarks.records.request import RunRequest
from runs.models.request import BETWEEN, RequestEntry
from runs.requests.arms import arms_of

RUN = "run"


def request_files(directory: BenchmarkDir) -> Sequence[DocumentFile[Any]]:
    """Every file of the queue that is named as a request."""
    return [DocumentFile(name, RunRequest) for name in directory.request_names()]


def request_columns(request: RunRequest) -> Columns:
    """The columns of a `RequestEntry`."""
    arms = [word(arm.label) for arm in arms_of(request)]
    return {
        **dated(request.created_at),
        "run_id": word(request.run_id, 128),
        "status": word(request.status, 64),
        "kind": word(request.kind or RUN, 64),
        "arms": arms,
        "arm_words": BETWEEN.join(["", *arms, ""]) if arms else "",
        "split": word(request.split, 64),
        "task_count": None if isinstance(request.tasks, str) else len(request.tasks),
        "rollouts_per_task": _count(request.rollouts_per_task) or 0,
        "actor": word(request.actor),
        "door": word(request.door, 32),
        "experiment_id": word(request.experiment_id),
        "retry_of": word(request.retry_of, 128),
        **_progress(request),
        **_end(request),
    }


def _progress(request: RunRequest) -> Columns:
    claimed = request.claimed_by or {}
    return {
        "completed": _count(request.progress.get("completed")),
        "total": _count(request.progress.get("total")),
        "progress": plain(request.progress),
        "started_at": word(request.started_at, 64),
        "executor_version": word(claimed.get("executor_version"), 64),
        "host": word(claimed.get("host")),
        "lacks": plain(list(_object(request.unsupported).get("missing") or ())),
    }


def _end(request: RunRequest) -> Columns:
    spend = _object(request.spend)
    return {
        "finished_at": word(request.finished_at, 64),
        "recorded_usd": real(spend.get("recorded_usd")),
        "spend": plain(request.spend),
        "failure": plain(request.error),
        "stop_reason": word(_object(request.stop).get("reason"), 64),
    }


def _count(value: object) -> int | None:
    number = whole(value)
    return number if number is not None and 0 <= number < 2**31 else None


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


REQUESTS = MirroredDocument(
    "requests",
    request_files,
    RequestEntry,
    request_columns,
    refuses=lambda file, request: queue.refusal(file.path, request),
)
