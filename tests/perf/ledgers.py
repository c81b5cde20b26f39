"""How fast files are read and written: 100 MB of JSON lines, 20,000 rows, synced appends.

The floor, measured in the same run, is the bare parser over the same lines. Prints JSON with each
figure and its target: reading at half the speed of the bare parser or better.

    python tests/perf/ledgers.py [--megabytes 100] [--rows 20000]
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.artifacts import layout  # noqa: E402
from benchmarks.artifacts.directory import BenchmarkDir  # noqa: E402
from benchmarks.artifacts.jsonl import Tally, stream  # noqa: E402
from benchmarks.records.row import Row  # noqa: E402

TARGET_SHARE = 0.5
TURN = {"role": "user", "content": "Refund order A-1007, it came broken. " * 6, "n": [1, 2.5]}
LINE = orjson.dumps({"capture_id": "req-1", "messages": [TURN] * 20, "settings": {"seed": 7}})
GOLDEN_ROW = REPOSITORY / "tests" / "golden" / "eval_result.v1.jsonl"
APPENDS = 500


def seconds(*works: Callable[[], Any], clock: Callable[[], float]) -> list[float]:
    """The best of five runs of each work, taken in turns so that all meet the same machine."""
    best = [float("inf")] * len(works)
    for _ in range(5):
        for place, work in enumerate(works):
            started = clock()
            work()
            best[place] = min(best[place], clock() - started)
    return best


def bare(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)


def ours(path: Path) -> None:
    for _ in stream(path, Tally(), ledger=True):
        pass


def appended(directory: BenchmarkDir) -> None:
    row = Row.read(orjson.loads(GOLDEN_ROW.read_bytes().splitlines()[0]))
    with directory.appender(layout.rows("run-2", "m")) as appender:
        for _ in range(APPENDS):
            appender.append(row.dump())
            appender.sync()


def measure(folder: Path, megabytes: int, rows: int) -> dict[str, Any]:
    path = folder / "captures.jsonl"
    path.write_bytes((LINE + b"\n") * (megabytes * 1_000_000 // len(LINE)))
    floor, read = seconds(lambda: bare(path), lambda: ours(path), clock=time.process_time)
    directory = BenchmarkDir(folder)
    (folder / "rows-run-1-m.jsonl").write_bytes(GOLDEN_ROW.read_bytes() * (rows // 2))
    [rows_s] = seconds(directory.rows, clock=time.process_time)
    [append_s] = seconds(lambda: appended(directory), clock=time.perf_counter)
    return {
        "floor_mb_s": round(megabytes / floor),
        "read_mb_s": round(megabytes / read),
        "share_of_floor": round(floor / read, 2),
        "target_share": TARGET_SHARE,
        "met": floor / read >= TARGET_SHARE,
        "rows_s": round(rows_s, 2),
        "rows": rows,
        "append_and_sync_ms": round(append_s / APPENDS * 1000, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rows", type=int, default=20_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), asked.megabytes, asked.rows)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
