"""Builds of whole folders and of every rollout of a task: each verifier is tested, or says why not.

What is untested or weak is named with its reason, so that one more or less of them is seen here.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.services.factories import build

NOTHING_REQUIRED = "the contract cannot be judged: nothing is required"
PASSED = "1 of 1 wrong rollouts passed"


def rows(folder: Path, source: Path) -> list[dict[str, Any]]:
    build(folder / "desk", source, max_loss=1.0)
    report = json.loads((folder / "desk" / "verifier-report.json").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = report["tasks"]
    return found


@pytest.mark.parametrize(
    ("folder", "verdicts", "why"),
    [
        ("otlp", {"tested": 14}, []),
        ("sessions", {"tested": 19, "untested": 1}, [NOTHING_REQUIRED]),
        ("inspect", {"tested": 32, "weak": 1, "untested": 1}, [PASSED, NOTHING_REQUIRED]),
    ],
)
def test_every_verifier_of_a_folder_is_tested_or_says_why_not(
    data_dir: Path, tmp_path: Path, folder: str, verdicts: dict[str, int], why: list[str]
) -> None:
    found = rows(tmp_path, data_dir / folder)
    assert Counter(row["verdict"] for row in found) == verdicts
    assert sorted(reason for row in found for reason in row.get("why") or ()) == why


def test_a_file_made_and_then_shared_by_its_short_id_solves_its_own_task(
    data_dir: Path, tmp_path: Path
) -> None:
    text = (data_dir / "agentdojo" / "workspace.jsonl").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if '"user_task_id": "user_task_32"' in line]
    source = tmp_path / "rollouts.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    found = rows(tmp_path, source)
    assert len(lines) == 17
    assert Counter(row["verdict"] for row in found) == {"tested": 17}
