"""How fast a page of rows is read where the mirror holds 1,000,000: every filter, first and deep.

Prints one JSON object: p50 and p95 of the selector and of REST over Django's test client, the
target, and the floor of the same run, a bare Django view of 50 rows by primary key.

    python tests/perf/rows.py [--rows 1000000] [--pages 30]

The database is SQLite in a home of its own, filled once, indexes made afterwards.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.artifacts.home import home  # noqa: E402
from benchmarks.doors.database import open_database  # noqa: E402
from benchmarks.records.digest import bytes_digest  # noqa: E402
from tests.factories import Desk, make_desk  # noqa: E402

TARGET_MS = 60.0
LIMIT = 50
BENCHMARKS = 4
TASKS, RUN_ROWS = 500, 2_000
ARMS = ("gpt-5.5", "glm-5.2", "qwen-3", "null_agent", "spam_agent")
START_US = 1_790_000_000_000_000
STEP_US = 40_000_000
PATH = "/api/rows"
BATCH = 20_000
CASES: dict[str, dict[str, Any]] = {
    "everything": {},
    "slug": {"slug": "local--desk-1"},
    "run": {"run": "run-000123"},
    "task": {"task": "task-0000000000000007"},
    "arm": {"arm": "glm-5.2"},
    "slug and arm": {"slug": "local--desk-1", "arm": "glm-5.2"},
    "slug and split": {"slug": "local--desk-1", "split": "holdout"},
    "status error": {"status": "error"},
    "slug and status error": {"slug": "local--desk-1", "status": "error"},
    "slug, arm and status ok": {"slug": "local--desk-1", "arm": "glm-5.2", "status": "ok"},
    "two statuses": {"status": ["error", "unscored"]},
    "anomaly": {"anomaly": "low_fidelity"},
    "slug and stale": {"slug": "local--desk-1", "stale": "true"},
    "since and until": {"since": "2026-10-01T00:00:00Z", "until": "2026-11-01T00:00:00Z"},
}


def lines(entries: list[int], rows: int) -> Iterator[dict[str, Any]]:
    """Rows as a mirror holds them: whole runs one after the other, a few without a score."""
    draw = random.Random(7)
    digests = [bytes_digest(str(number).encode()) for number in range(TASKS)]
    for number in range(rows):
        run, place = divmod(number, RUN_ROWS)
        task = number % TASKS
        status = "error" if draw.random() < 0.02 else "unscored" if draw.random() < 0.01 else "ok"
        at = START_US + number * STEP_US
        moment = datetime.fromtimestamp(at / 1e6, UTC)
        yield {
            "benchmark_id": entries[run % BENCHMARKS],
            "file": f"rows-run-{run:06}-{ARMS[place % len(ARMS)]}.jsonl",
            "line": place + 1,
            "offset": place * 1500,
            "length": 1500,
            "sha256": digests[task],
            "created_at": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "moment": at,
            "run_id": f"run-{run:06}",
            "task_id": f"task-{task:016x}",
            "category_id": f"cap-{task % 7}",
            "split": ("train", "dev", "holdout")[task % 3],
            "arm": ARMS[place % len(ARMS)],
            "arm_kind": "candidate",
            "rollout": place // TASKS,
            "route": "gateway",
            "status": status,
            "score": float(draw.random() < 0.6) if status == "ok" else None,
            "subscores": {"final_state": 1, "recall": 0.5, "precision": 1, "policy": 1},
            "anomaly": "low_fidelity" if draw.random() < 0.001 else None,
            "latency_ms": 1200.0 + place,
            "cost": 0.0006322,
            "task_version": "1.0.0",
            "env_sha256": digests[task],
            "verifier_sha256": digests[-task],
            "stale": "stale_regrade" if draw.random() < 0.001 else None,
        }


def fill(desks: list[Desk], rows: int) -> None:
    from django.db import connection, transaction  # noqa: PLC0415 - needs Django set up

    from benchmarks.mirror.engine import sync_directory  # noqa: PLC0415
    from benchmarks.mirror.inserting import inserter  # noqa: PLC0415
    from benchmarks.models import BenchmarkEntry  # noqa: PLC0415
    from runs.models import RowEntry  # noqa: PLC0415

    for desk in desks:
        sync_directory(desk.located)
    entries = list(BenchmarkEntry.objects.order_by("slug").values_list("pk", flat=True))
    indexes = list(RowEntry._meta.indexes)
    with connection.schema_editor() as editor:
        for index in indexes:
            editor.remove_index(RowEntry, index)
    put = inserter(RowEntry)
    batch: list[Any] = []
    with transaction.atomic():
        for line in lines(entries, rows):
            batch.append(put.row(line))
            if len(batch) == BATCH:
                put.insert(batch)
                batch = []
        put.insert(batch)
    with connection.schema_editor() as editor:
        for index in indexes:
            editor.add_index(RowEntry, index)


def percentiles(work: Callable[[], object], times: int) -> dict[str, float]:
    """Wall clock, and the processor's time: the same on a machine that others use too."""
    work()
    found, spent = [], []
    for _ in range(times):
        began, used = time.perf_counter(), time.process_time()
        work()
        spent.append((time.process_time() - used) * 1000)
        found.append((time.perf_counter() - began) * 1000)
    return {
        "p50_ms": round(statistics.median(found), 1),
        "p95_ms": round(sorted(found)[int(times * 0.95)], 1),
        "cpu_p50_ms": round(statistics.median(spent), 1),
        "cpu_p95_ms": round(sorted(spent)[int(times * 0.95)], 1),
    }


class Over:
    """The list over REST, as one caller of it: a caller has so many reads a minute."""

    def __init__(self, name: str) -> None:
        from tests.rest import Rest  # noqa: PLC0415 - needs Django set up

        self._rest = Rest(name=name, holds=False)

    def page(self, query: dict[str, Any]) -> Any:
        answer = self._rest.get(PATH, **query)
        if answer.status != 200:
            raise SystemExit(f"{answer.status} {answer.body[:400]!r}")
        return answer.document

    def deep(self, query: dict[str, Any], pages: int) -> dict[str, Any]:
        """The query for a page that stands behind others."""
        for _ in range(pages):
            cursor = self.page(query)["page"]["next_cursor"]
            if cursor is None:
                break
            query = {**query, "cursor": cursor}
        return query


def floor() -> Callable[[], object]:
    """A bare view: 50 rows by primary key, over the same client."""
    from django.http import HttpRequest, JsonResponse  # noqa: PLC0415 - needs Django set up
    from django.test import Client, override_settings  # noqa: PLC0415
    from django.urls import path  # noqa: PLC0415

    from runs.models import RowEntry  # noqa: PLC0415

    def view(_: HttpRequest) -> JsonResponse:
        rows = RowEntry.objects.order_by("-pk").values("run_id", "task_id", "arm", "score")
        return JsonResponse({"results": list(rows[:LIMIT])})

    urls = type("urls", (), {"urlpatterns": [path("bare", view)]})
    client = Client()

    def work() -> None:
        with override_settings(ROOT_URLCONF=urls, MIDDLEWARE=[]):
            client.get("/bare")

    return work


def measure(pages: int) -> dict[str, Any]:
    cases: dict[str, Any] = {}
    for name, query in CASES.items():
        over = Over(name.replace(" ", "-").replace(",", ""))
        first = percentiles(lambda over=over, query=query: over.page(query), pages)
        deep = over.deep(query, 5)
        cases[name] = {
            "first": first,
            "deep": percentiles(lambda over=over, deep=deep: over.page(deep), pages),
        }
    every = [each for case in cases.values() for each in case.values()]
    worst = {name: max(each[name] for each in every) for name in ("p95_ms", "cpu_p95_ms")}
    return {
        **worst,
        "load": round(os.getloadavg()[0], 1),
        "floor": percentiles(floor(), pages),
        "cases": cases,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--pages", type=int, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UNDERSTUDY_HOME"] = folder
        here = home()
        open_database(here)
        from django.test.utils import setup_test_environment  # noqa: PLC0415 - needs Django set up

        setup_test_environment()
        began = time.perf_counter()
        fill([make_desk(here.benchmarks / f"desk-{n}") for n in range(BENCHMARKS)], asked.rows)
        filled = time.perf_counter() - began
        found = measure(asked.pages)
        report = {
            "figure": f"REST list of {LIMIT} rows, {asked.rows:,} rows, p95 of the slowest filter",
            "target_ms": TARGET_MS,
            "met": found["p95_ms"] <= TARGET_MS,
            **found,
            "fill_s": round(filled, 1),
        }
        sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
