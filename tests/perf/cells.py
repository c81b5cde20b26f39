"""What the harness costs per cell: 1,000 cells against a local stub model at concurrency 8.

Each cell is two model calls (a tool call, then a reply), everything is fsynced. The floor, measured
in the same run, is a bare httpx2 client that makes the same calls. Prints JSON: the overhead over
the floor, the target, and what a second of the whole holds; the median of five runs. Seconds count
whoever else is busy here; `cpu_ms` is the overhead in this process's own processor time, and
`load` says how many others want the processors.

    python tests/perf/cells.py [--cells 1000] [--runs 5] [--profile]
"""

import argparse
import asyncio
import cProfile
import gc
import json
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import httpx2
import orjson

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.gateway.credentials import Credentials  # noqa: E402
from benchmarks.gateway.wire import wire_tools  # noqa: E402
from runs.execution.means import Means  # noqa: E402
from runs.execution.queue import execute_directory  # noqa: E402
from runs.executor.assignment import Listener  # noqa: E402
from runs.executor.shutdown import Shutdown  # noqa: E402
from runs.trust.posture import Posture  # noqa: E402
from tests.factories import SYSTEM, TOOLS, make_desk, make_items, queue  # noqa: E402

WIDTH = 8
CALLS_PER_CELL = 2
ROLLOUTS = 20
TARGET_MS = 5.0
REACH_MS = 3.0
REACH_PER_S = 279.0
SHELL_GC = (50_000, 20, 100)
"""As `understudy_site/shell.py` sets it for every verb."""


class Took(NamedTuple):
    """Seconds of the clock on the wall and of this process's processor."""

    wall: float
    cpu: float

    @classmethod
    def since(cls, began: "Took") -> "Took":
        return cls(time.perf_counter() - began.wall, time.process_time() - began.cpu)

    @classmethod
    def now(cls) -> "Took":
        return cls(time.perf_counter(), time.process_time())


def harness(url: str, cells: int, profiler: cProfile.Profile | None) -> Took:
    """The whole run, from the claim to the end of the request."""
    with tempfile.TemporaryDirectory(dir=REPOSITORY) as folder:
        desk = make_desk(Path(folder) / "desk", cells // ROLLOUTS)
        queue(desk, models=["stub-model"], rollouts_per_task=ROLLOUTS, concurrency=WIDTH)
        means = Means(
            version="perf",
            credentials=Credentials({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url}),
            prices_file=Path(folder) / "prices.json",
            posture=Posture(),
            listener=Listener(lambda event: None, lambda text: None),
            shutdown=Shutdown(),
            clock=lambda: datetime.now(UTC),
        )
        _ = means.price_book
        if profiler is not None:
            profiler.enable()
        began = Took.now()
        (ended,) = execute_directory(desk.directory, means)
        took = Took.since(began)
        if profiler is not None:
            profiler.disable()
        rows = desk.rows()
        if ended.status != "done" or len(rows) != cells or any(row.score != 1 for row in rows):
            raise RuntimeError(f"{ended.status}, {len(rows)} rows, {rows[0] if rows else None}")
        return took


async def bare_client(url: str, calls: int) -> None:
    item = make_items(1)[0]
    body = orjson.dumps({
        "model": "stub-model",
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": item.prompt},
        ],
        "tools": wire_tools(TOOLS).definitions,
        "stream": False,
    })
    headers = {"Authorization": "Bearer k", "Content-Type": "application/json"}
    left = iter(range(calls))
    limits = httpx2.Limits(max_connections=WIDTH + 4, max_keepalive_connections=WIDTH + 4)
    async with httpx2.AsyncClient(limits=limits) as http:

        async def worker() -> None:
            for number in left:
                key = {**headers, "Idempotency-Key": f"k-{number}"}
                response = await http.post(f"{url}/chat/completions", content=body, headers=key)
                orjson.loads(response.content)

        await asyncio.gather(*(worker() for _ in range(WIDTH)))


def floor(url: str, cells: int) -> Took:
    """A bare client that makes the same calls."""
    began = Took.now()
    asyncio.run(bare_client(url, cells * CALLS_PER_CELL))
    return Took.since(began)


def overhead_ms(pairs: Sequence[tuple[float, float]], cells: int) -> float:
    return statistics.median(ours - bare for ours, bare in pairs) / cells * 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    stub = subprocess.Popen(
        [sys.executable, "-m", "tests.stub_model"],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )
    profiler = cProfile.Profile() if arguments.profile else None
    gc.set_threshold(*SHELL_GC)
    try:
        if stub.stdout is None:
            raise RuntimeError("the stub has no stdout")
        url = f"http://127.0.0.1:{int(stub.stdout.readline())}/v1"
        pairs = [
            (harness(url, arguments.cells, profiler), floor(url, arguments.cells))
            for _ in range(arguments.runs)
        ]
    finally:
        stub.kill()
        stub.wait()
    whole = statistics.median(ours.wall for ours, _ in pairs)
    bare = statistics.median(bare.wall for _, bare in pairs)
    overhead = overhead_ms([(ours.wall, bare.wall) for ours, bare in pairs], arguments.cells)
    cpu = overhead_ms([(ours.cpu, bare.cpu) for ours, bare in pairs], arguments.cells)
    report = {
        "figure": "overhead per cell, two model calls each, all fsynced",
        "median_ms": round(overhead, 3),
        "target_ms": TARGET_MS,
        "met": overhead <= TARGET_MS,
        "reach_ms": REACH_MS,
        "cpu_ms": round(cpu, 3),
        "floor_ms": round(bare / arguments.cells * 1000, 3),
        "cells_per_s": round(arguments.cells / whole, 1),
        "reach_per_s": REACH_PER_S,
        "cells": arguments.cells,
        "concurrency": WIDTH,
        "runs": arguments.runs,
        "load": round(os.getloadavg()[0], 1),
    }
    sys.stdout.write(json.dumps(report) + "\n")
    if profiler is not None:
        pstats.Stats(profiler, stream=sys.stderr).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    main()
