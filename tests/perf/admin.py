"""How fast the benchmark page is drawn: 1,000 tasks, 12 arms with a row on each.

Prints one JSON object: the median of the page while nothing changes (its aggregates are kept per
revision), the page just after a change (dear aggregates stand for a while), the page that works
them out anew, the target, and a floor of the same run: a bare list of as many lines.

    python tests/perf/admin.py [--tasks 1000] [--arms 12] [--runs 9]
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.artifacts import jsonl, layout  # noqa: E402
from benchmarks.artifacts.home import home  # noqa: E402
from benchmarks.doors.database import open_database  # noqa: E402
from tests.factories import Desk, make_desk, queue  # noqa: E402
from tests.reviews.factories import make_flag, make_row  # noqa: E402

PAGE = "/admin/benchmarks/benchmarkentry/local--perf/?split=all"
TARGET_MS = 800.0


def make_benchmark(root: Path, tasks: int, arms: int) -> Desk:
    """A promoted benchmark with one run of every arm on every task."""
    desk = make_desk(root / "perf", tasks)
    known = desk.directory.tasks()
    labels = [f"arm-{number}" for number in range(arms)]
    queue(desk, "run-1", status="done", models=labels)
    for place, label in enumerate(labels):
        lines = [
            make_row(
                task_id,
                float((number * 7 + place) % 10 < 6),
                model=label,
                split=task.split,
                cost=0.001,
                latency_ms=1200.0 + number,
                pricing={"basis": "table", "price_table_sha256": "ab12"},
                provenance={
                    "task_version": task.version,
                    "task_content_hashes": task.content_hashes,
                },
            ).dump()
            for number, (task_id, task) in enumerate(known.items())
        ]
        jsonl.append(desk.path / layout.rows("run-1", label).path, lines)
    return desk


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def measure(desk: Desk, runs: int) -> dict[str, Any]:
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django set up
    from django.core.cache import cache  # noqa: PLC0415
    from django.template import Context, Template  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from benchmarks.mirror.engine import sync_directory  # noqa: PLC0415
    from runs.models import RowEntry  # noqa: PLC0415

    bare = Template("{% for row in rows %}<tr><td>{{ row.task_id }}</td></tr>{% endfor %}")
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(User.objects.create_superuser("perf"))
    sync_directory(desk.located)

    def page() -> None:
        answer = client.get(PAGE)
        if answer.status_code != 200 or b"arm-11" not in answer.content:
            raise RuntimeError(f"the page is not what it should be: {answer.status_code}")

    def plain() -> str:
        return bare.render(Context({"rows": RowEntry.objects.all()[:1000]}))

    page()
    kept, floor, changed, anew = [], [], [], []
    for _ in range(runs):
        kept.append(milliseconds(page))
        floor.append(milliseconds(plain))
    for _ in range(3):
        desk.directory.append(layout.FLAGS, make_flag(desk.task_ids[0]))
        sync_directory(desk.located)
        changed.append(milliseconds(page))
        cache.clear()
        anew.append(milliseconds(page))
    return {
        "figure": f"admin benchmark page, {len(desk.task_ids):,} tasks, 12 arms",
        "median_ms": round(statistics.median(kept), 1),
        "worst_ms": round(max(kept), 1),
        "just_after_a_change_ms": round(statistics.median(changed), 1),
        "worked_out_anew_ms": round(statistics.median(anew), 1),
        "target_ms": TARGET_MS,
        "met": statistics.median(kept) <= TARGET_MS,
        "floor_bare_list_ms": round(statistics.median(floor), 1),
        "runs": runs,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=1_000)
    parser.add_argument("--arms", type=int, default=12)
    parser.add_argument("--runs", type=int, default=9)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UNDERSTUDY_HOME"] = folder
        here = home()
        open_database(here)
        desk = make_benchmark(here.benchmarks, asked.tasks, asked.arms)
        sys.stdout.write(json.dumps(measure(desk, asked.runs)) + "\n")


if __name__ == "__main__":
    main()
