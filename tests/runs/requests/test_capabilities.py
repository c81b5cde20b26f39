from typing import Any

import pytest

from benchmarks.records.request import RunRequest
from benchmarks.records.task import Task
from runs.requests.capabilities import HAVE, lacking, requires


def request(**fields: Any) -> RunRequest:
    blank = {
        "run_id": "run-1",
        "benchmark_id": "b",
        "models": [],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
        "created_at": "2026-11-02T12:00:00.000Z",
        "status": "queued",
    }
    return RunRequest.read({**blank, **fields})


def task(**fields: Any) -> Task:
    return Task.read({"task_id": "t", "outcome_contract": {"status": "s"}, **fields})


@pytest.mark.parametrize(
    ("fields", "needed"),
    [
        ({"models": ["m"]}, ["native_world"]),
        ({"trivial_arms": ["null_agent"]}, ["trivial_arms"]),
        ({"trivial_arms": ["majority_class"]}, ["majority_class", "trivial_arms"]),
        ({"models": [{"ref": "x"}]}, ["local_arms", "native_world"]),
        ({"models": ["m"], "incumbent_models": ["m"]}, ["calibration", "native_world"]),
        ({"models": ["m"], "calibration_threshold": 1}, ["calibration", "native_world"]),
        ({"models": ["m"], "rollout_timeout_seconds": 5}, ["native_world", "rollout_timeout"]),
        ({"reference_arms": ["oracle"]}, ["reference_arms"]),
        ({"app_replay": True}, ["app_replay"]),
        ({"kind": "authoring"}, ["authoring"]),
        ({"models": ["m"], "retry_of": "run-0"}, ["native_world", "retry_of"]),
    ],
)
def test_each_field_needs_its_capability(fields: dict[str, Any], needed: list[str]) -> None:
    assert requires(request(**fields), []) == needed


def test_a_task_can_need_more() -> None:
    scripted = task(user={"mode": "scripted", "turns": 1})
    simulated = task(user={"mode": "simulated", "turns": 1})
    live = task(posture="live")
    plain = request(reference_arms=["oracle"])
    assert requires(plain, [scripted]) == ["reference_arms", "scripted_user"]
    assert requires(plain, [simulated, live]) == [
        "live_tools",
        "reference_arms",
        "simulated_user",
    ]


def test_a_capability_nobody_knows_is_lacking() -> None:
    assert lacking(["trivial_arms", "telepathy", "app_replay"]) == ["app_replay", "telepathy"]
    assert lacking(HAVE) == []
