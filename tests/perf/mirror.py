"""How fast the mirror catches up: 10,000 new rows of a run, with all that is derived of them.

Prints JSON: the median of five catch-ups and what of it is derived columns, the target, and two
floors of the same run: the same file read by the ordinary reader, and as many bare rows put in by a
bare `bulk_create`. The file grows by the rows of one run each time.

    python tests/perf/mirror.py [--rows 10000] [--runs 5]

The database is SQLite in a home of its own, or what DATABASE_URL names (emptied of this benchmark).
"""

import argparse
import hashlib
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.artifacts import jsonl, layout  # noqa: E402
from benchmarks.artifacts.home import home  # noqa: E402
from benchmarks.doors.database import open_database  # noqa: E402
from tests.factories import Desk, make_desk  # noqa: E402
from tests.reviews.factories import make_row  # noqa: E402

TASKS = 1_000
TARGET_S = 2.0
HASHES = {
    f"{name}_sha256": hashlib.sha256(name.encode()).hexdigest()
    for name in ("env", "verifier", "meta")
}


def row_lines(desk: Desk, rows: int, run: int) -> list[dict[str, Any]]:
    return [
        make_row(
            desk.task_ids[number % TASKS],
            float(number % 10 < 6),
            run_id=f"run-{run}",
            rollout=number // TASKS,
            cost=0.001,
            latency_ms=1200.0 + number,
            subscores={"final_state": 1, "final_state_partial_credit": 1, "recall": 1},
            obligations=[{"id": "o1", "met": True, "met_at": 0}],
            writes=[{"tool": "update_item", "arguments": {"item_id": "I-0001"}}],
            usage={"input_tokens": 830, "output_tokens": 61, "calls": 2},
            provenance={"task_version": "1.0.0", "task_content_hashes": HASHES},
        ).dump()
        for number in range(rows)
    ]


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure(desk: Desk, rows: int, runs: int) -> dict[str, Any]:
    from benchmarks.mirror.engine import sync_directory  # noqa: PLC0415 - needs Django set up
    from benchmarks.mirror.syncing import drop  # noqa: PLC0415
    from benchmarks.models import BenchmarkEntry  # noqa: PLC0415
    from runs.models import RowEntry  # noqa: PLC0415

    drop(desk.located)
    sync_directory(desk.located)
    entry = BenchmarkEntry.objects.get(slug=desk.located.slug)
    ours, derived, read, bare = [], [], [], []
    for run in range(runs):
        file = layout.rows(f"run-{run}", "m1")
        jsonl.append(desk.path / file.path, row_lines(desk, rows, run))
        ours.append(seconds(lambda: sync_directory(desk.located)))
        entry.refresh_from_db()
        derived.append(sum(cost["seconds"] for cost in entry.costs.values()))
        read.append(seconds(partial(desk.directory.read, file)))
        lines = [
            RowEntry(
                benchmark=entry, file=f"bare-{run}", line=number, offset=0, length=0, moment=number
            )
            for number in range(rows)
        ]
        bare.append(seconds(partial(RowEntry.objects.bulk_create, lines)))
        RowEntry.objects.filter(file=f"bare-{run}").delete()
    median = statistics.median(ours)
    return {
        "figure": f"catch-up of {rows:,} new rows",
        "median_s": round(median, 3),
        "of_which_derived_s": round(statistics.median(derived), 3),
        "worst_s": round(max(ours), 3),
        "target_s": TARGET_S,
        "met": median <= TARGET_S,
        "floor_read_s": round(statistics.median(read), 3),
        "floor_bulk_create_s": round(statistics.median(bare), 3),
        "runs": runs,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UNDERSTUDY_HOME"] = folder
        here = home()
        open_database(here)
        desk = make_desk(here.benchmarks / "perf", TASKS)
        sys.stdout.write(json.dumps(measure(desk, asked.rows, asked.runs)) + "\n")


if __name__ == "__main__":
    main()
