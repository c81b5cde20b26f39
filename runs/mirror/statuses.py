"""The status of a benchmark as a table: what `benchmarks status` says, when something changed."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located
from benchmarks.mirror.columns import plain, text, word
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import RunStatus
from runs.models.standing import BenchmarkStatusEntry
from runs.selectors import newest_row_moment
from runs.services.benchmark_status import benchmark_status


def status(entry: BenchmarkEntry, directory: BenchmarkDir) -> Callable[[], None]:
    """Ask the one service; what is given back keeps its answer, with the columns of lists."""
    located = Located(directory, entry.slug, entry.read_only)
    now = datetime.now(UTC)
    columns = _columns(benchmark_status(located=located, home=home(), now=now, live=False))

    def write() -> None:
        newest = {"newest_row": newest_row_moment(entry)}
        BenchmarkStatusEntry.objects.update_or_create(benchmark=entry, defaults=columns | newest)

    return write


def _columns(document: JsonObject) -> dict[str, Any]:
    floors = document["calibration"]["floors"]
    newest = document["runs"]["newest"] or {}
    step = document["next"] or {}
    return {
        "document": plain(document),
        "calibration": document["calibration"]["verdict"],
        "floors_exceeded": [
            floor["name"] for floor in floors if floor["exceeded"] and not floor["overridden"]
        ],
        "gate": word(document["gate"]["status"], 16),
        "gate_verdict": word(document["gate"]["verdict"], 16),
        "stale_in_report": document["stale_in_headline"]["count"],
        "newest_run": word(newest.get("run_id"), 128),
        "newest_run_status": word(newest.get("status"), 64),
        "runs": {status.value: document["runs"][status.value] for status in RunStatus},
        "next_rule": word(step.get("rule"), 64),
        "next_command": text(step.get("command")),
        "next_why": text(step.get("why")),
    }
