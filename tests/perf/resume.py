"""How fast a big run is resumed: 10,000 cells of which 3 have no row, to the first model call.

Prints JSON: the seconds from the start of the pass to the first call, the target, and a floor of
the same run (reading the rows files line by line as JSON). The median of five runs.

    python tests/perf/resume.py [--cells 10000] [--runs 5]
"""

import argparse
import gc
import json
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import orjson

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.artifacts import layout  # noqa: E402
from benchmarks.gateway.credentials import Credentials  # noqa: E402
from runs.execution.means import Means  # noqa: E402
from runs.execution.queue import execute_directory  # noqa: E402
from runs.executor.assignment import Listener  # noqa: E402
from runs.executor.shutdown import Shutdown  # noqa: E402
from runs.trust.posture import Posture  # noqa: E402
from tests.factories import Desk, make_desk, queue  # noqa: E402
from tests.stub_model import Behaviour, StubModel  # noqa: E402

ROLLOUTS = 20
MISSING = 3
TARGET_S = 2.0
SHELL_GC = (50_000, 20, 100)


def executor(folder: Path, url: str) -> Means:
    return Means(
        version="perf",
        credentials=Credentials({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url}),
        prices_file=folder / "prices.json",
        posture=Posture(),
        listener=Listener(lambda event: None, lambda text: None),
        shutdown=Shutdown(),
        clock=lambda: datetime.now(UTC),
        widths=(8,),
    )


def crashed(desk: Desk) -> dict[Path, bytes]:
    """The ledgers as a crash would have left them: the last rows are not there."""
    rows = desk.path / layout.rows("run-1", "stub-model").path
    kept = {path: path.read_bytes() for path in desk.path.rglob("*.jsonl")}
    kept[rows] = b"".join(kept[rows].splitlines(keepends=True)[:-MISSING])
    return kept


def resumed_s(desk: Desk, left: dict[Path, bytes], means: Means, stub: StubModel) -> float:
    for path, data in left.items():
        path.write_bytes(data)
    running = desk.request("run-1").with_(status="running", finished_at=None)
    desk.directory.replace(layout.request("run-1"), running)
    first: list[float] = []

    def note(body: object, number: int) -> None:
        first.append(time.perf_counter())

    stub.behaviour.script = note
    _ = means.price_book
    began = time.perf_counter()
    (ended,) = execute_directory(desk.directory, means)
    if ended.status != "done" or len(first) != MISSING:
        raise RuntimeError(f"{ended.status}, {len(first)} model calls")
    return first[0] - began


def floor_s(rows: Path) -> float:
    began = time.perf_counter()
    with rows.open("rb") as file:
        for line in file:
            orjson.loads(line)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    gc.set_threshold(*SHELL_GC)
    silent = Behaviour(pass_rate=0)
    with tempfile.TemporaryDirectory(dir=REPOSITORY) as name, StubModel(silent, keep=False) as stub:
        folder = Path(name)
        desk = make_desk(folder / "desk", arguments.cells // ROLLOUTS)
        queue(desk, models=["stub-model"], rollouts_per_task=ROLLOUTS)
        execute_directory(desk.directory, executor(folder, stub.url))
        left = crashed(desk)
        rows = desk.path / layout.rows("run-1", "stub-model").path
        pairs = [
            (resumed_s(desk, left, executor(folder, stub.url), stub), floor_s(rows))
            for _ in range(arguments.runs)
        ]
    median = statistics.median(ours for ours, _ in pairs)
    report = {
        "figure": f"resume of {arguments.cells} cells with {MISSING} missing, to the first call",
        "median_s": round(median, 3),
        "target_s": TARGET_S,
        "met": median <= TARGET_S,
        "floor_s": round(statistics.median(floor for _, floor in pairs), 3),
        "model_calls": MISSING,
        "runs": arguments.runs,
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
