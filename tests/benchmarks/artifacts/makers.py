"""Records for tests of files, each with as little as it needs."""

from benchmarks.records.request import RunRequest
from benchmarks.records.review import Review
from benchmarks.records.task import Task
from benchmarks.records.trajectory import Trajectory

AT = "2026-11-02T11:00:00.000Z"


def review(task_id="t1", **changes):
    said = {"benchmark_id": "refund-desk", "task_id": task_id, "decision": "accept"}
    return Review.read(said | {"created_at": AT} | changes)


def task(task_id, **changes):
    contract = {"status": "machine_proposed", "required": []}
    return Task.read({"task_id": task_id, "outcome_contract": contract} | changes)


def request(run_id, created_at=AT, **changes):
    return RunRequest(
        run_id=run_id,
        benchmark_id="b",
        models=["m"],
        split="train",
        tasks="all",
        rollouts_per_task=1,
        created_at=created_at,
        status="queued",
        **changes,
    )


def trajectory(task_id="t1", rollout=0, attempt=1, **changes):
    return Trajectory.read(
        {
            "run_id": "run-1",
            "benchmark_id": "b",
            "task_id": task_id,
            "model": "openai/m",
            "arm_kind": "candidate",
            "rollout": rollout,
            "attempt": attempt,
            "fence": 1,
            "seed": 7,
            "started_at": AT,
            "finished_at": AT,
            "termination": "finished",
            "turns": [],
            "calls": [],
        }
        | changes
    )
