"""How fast results are read: the status of a big benchmark, a big leaderboard, one bootstrap.

Prints one JSON object a figure: the median of some runs, the target, and a floor of the same run
(the same rows parsed and thrown away; a bare interpreter).
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.artifacts import jsonl, layout
from benchmarks.artifacts.jsonl import Tally, stream
from benchmarks.artifacts.roots import Located
from benchmarks.stats.bootstrap import headline
from runs.services.leaderboards import read_leaderboard
from tests.reviews.desks import make_promoted_desk
from tests.reviews.factories import BENCHMARK_ID, make_row, make_task

COMMAND = [sys.executable, "-m", "understudy_site.cli"]
REPOSITORY = Path(__file__).resolve().parents[2]
TASKS = 1_000


def make_benchmark(root: Path, *, arms: int, rollouts: int) -> Located:
    """A promoted benchmark of 1,000 tasks with whole rows of some arms."""
    desk = make_promoted_desk(root, *(make_task(f"task-{n:016x}") for n in range(TASKS)))
    tasks = desk.directory.tasks()
    for arm in range(arms):
        label = f"arm-{arm}"
        lines = [
            make_row(
                task_id,
                float((number * 7 + rollout * 3 + arm) % 10 < 6),
                benchmark_id=BENCHMARK_ID,
                model=label,
                rollout=rollout,
                cost=0.001,
                latency_ms=1200.0 + number,
                subscores={"final_state": 1, "final_state_partial_credit": 1, "recall": 1},
                obligations=[{"id": "o1", "met": True, "met_at": 0}],
                writes=[{"tool": "issue_refund", "arguments": {"order_id": "A-1007"}}],
                usage={"input_tokens": 830, "output_tokens": 61, "calls": 2},
                provenance={
                    "task_version": task.version,
                    "task_content_hashes": task.content_hashes,
                },
            ).dump()
            for rollout in range(rollouts)
            for number, (task_id, task) in enumerate(tasks.items())
        ]
        jsonl.append(desk.directory.path / layout.rows("run-1", label).path, lines)
    return desk


def parse_rows(desk: Located) -> None:
    for path in desk.directory.path.glob("rows-*.jsonl"):
        for _ in stream(path, Tally(), ledger=True):
            pass


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def figure(
    name: str, target: float, ours: Callable[[], object], floor: Callable[[], object], runs: int
) -> None:
    timed(ours)
    pairs = [(timed(ours), timed(floor)) for _ in range(runs)]
    value = statistics.median(pair[0] for pair in pairs)
    report = {
        "figure": name,
        "median_ms": round(value, 1),
        "target_ms": target,
        "met": value <= target,
        "floor_ms": round(statistics.median(pair[1] for pair in pairs), 1),
        "runs": runs,
    }
    sys.stdout.write(json.dumps(report) + "\n")


def run(command: list[str]) -> None:
    subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.DEVNULL, check=True)


def main() -> None:
    scores = [float(number % 10 < 6) for number in range(TASKS)]
    figure(
        "headline interval of 1,000 tasks",
        50.0,
        lambda: headline(scores, rollouts=TASKS, seed=7),
        lambda: sum(scores),
        5,
    )
    with tempfile.TemporaryDirectory() as folder:
        small = make_benchmark(Path(folder) / "small", arms=2, rollouts=2)
        figure(
            "benchmarks status, 1,000 tasks, 4,000 rows",
            500.0,
            lambda: run([*COMMAND, "benchmarks", "status", str(small.directory.path)]),
            lambda: run([sys.executable, "-c", "pass"]),
            5,
        )
        big = make_benchmark(Path(folder) / "big", arms=10, rollouts=10)
        figure(
            "leaderboard, 1,000 tasks, 100,000 rows",
            10_000.0,
            lambda: read_leaderboard(located=big),
            lambda: parse_rows(big),
            1,
        )


if __name__ == "__main__":
    main()
