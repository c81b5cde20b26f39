"""Failures put back what tells them apart, in a build of real rollouts (build.md 4.9, rule 5).

AgentDojo's records do not name their task where a build looks for it: 17 rollouts of one of them
are given its name and their outcome, and nothing else is changed.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.services.factories import build, task_lines

TASK = "user_task_33"


@pytest.fixture(scope="module")
def lines(data_dir: Path) -> list[dict[str, Any]]:
    text = (data_dir / "agentdojo" / "workspace.jsonl").read_text(encoding="utf-8")
    records = (json.loads(line) for line in text.splitlines())
    return [
        {**record, "task_id": TASK, "success": record["metadata"]["success"]}
        for record in records
        if record["metadata"]["user_task_id"] == TASK
    ]


def built(folder: Path, lines: list[dict[str, Any]]) -> dict[str, Any]:
    source = folder / "rollouts.jsonl"
    source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    build(folder / "desk", source, contract_from="all")
    (task,) = task_lines(folder / "desk")
    return task


def asked(task: dict[str, Any]) -> list[tuple[Any, ...]]:
    required = task["outcome_contract"]["required"]
    return [(one["type"], one.get("tool") or one.get("kind") or one["value"]) for one in required]


SENT = [("state_effect", "send_email"), ("response_obligation", "answered")]


def test_a_said_date_is_put_back_because_a_failure_lacks_it(
    lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    assert (len(lines), sum(line["success"] for line in lines)) == (17, 2)
    task = built(tmp_path, lines)
    assert asked(task) == [*SENT, ("value_propagation", "2024-06-01")]
    restored = task["outcome_contract"]["required"][-1]
    assert (restored["as"], restored["must_reach"]) == ("date", {"kind": "final_response"})
    assert restored["support"] == {"seen": 2, "of": 2}
    body = task["outcome_contract"]["required"][0]["arguments"]["body"]
    assert body["match"] == "prose"
    passed = [
        claim["claim"].partition(" ")[0]
        for claim in task["claims"]
        if claim.get("code") == "disagrees_with_outcome"
    ]
    assert passed == [f"rollouts.jsonl#L{line}" for line in (4, 6, 15, 11, 16)]


def test_without_the_failures_nobody_asks_for_it(
    lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    assert asked(built(tmp_path, [line for line in lines if line["success"]])) == SENT
