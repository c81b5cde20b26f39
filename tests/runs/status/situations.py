"""Hand-made facts and requests for the tests of the status."""

from typing import Any

from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import Split, Stage
from runs.status.facts import Facts, Gate


def request(run_id: str = "run-1", status: str = "done", **fields: Any) -> RunRequest:
    return RunRequest.read({
        "run_id": run_id,
        "benchmark_id": "demo",
        "models": ["m1"],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
        "created_at": "2026-11-02T12:00:00.000Z",
        "status": status,
        "progress": {"completed": 0, "total": 4},
        **fields,
    })


def proposed(**changes: Any) -> Facts:
    """A proposal on which nothing is left to do but to promote it."""
    given: dict[str, Any] = {
        "slug": "local--b",
        "stage": Stage.PROPOSED,
        "owns_environment": True,
        "gate": Gate(status="pass", verdict="pass"),
        "splits": {Split.TRAIN: 7, Split.DEV: 2, Split.HOLDOUT: 1},
    }
    return Facts(**{**given, **changes})


def promoted(**changes: Any) -> Facts:
    """A promoted benchmark on which nothing is left to do but to read the result."""
    given: dict[str, Any] = {
        "stage": Stage.PROMOTED,
        "calibration": "pass",
        "has_candidate_rows": True,
        "report_is_current": True,
    }
    return proposed(**{**given, **changes})
