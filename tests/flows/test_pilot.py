"""One task first: built, run, read, audited; then the rest. Each step is the lab's own next one."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.services.factories import desk
from tests.driving import Ran, Shell

SLUG = "local--desk"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return desk(tmp_path / "captures")


def next_of(shell: Shell) -> dict[str, Any]:
    found: dict[str, Any] = shell("benchmarks", "status", SLUG).document["next"]
    return found


def follow(shell: Shell, step: dict[str, Any]) -> Ran:
    """Do what the status says, word by word."""
    _, *words = shlex.split(step["command"])
    ran = shell(*words)
    assert ran.code == 0, ran.err
    return ran


def test_from_captures_to_every_task_by_the_next_command_alone(
    shell: Shell, lab_home: Path, source: Path
) -> None:
    built = shell("traces", "build-benchmark", source, "--slug", "desk")
    pilot = built.document["pilot_task_id"]
    assert built.document["pilot"] == {"task_id": pilot, "pending": 5}
    done = []
    for _ in range(4):
        step = next_of(shell)
        done.append(step["rule"])
        ran = follow(shell, step)
    assert done == ["run_pilot", "execute", "audit_pilot", "build_rest"]
    assert ran.document["counts"]["tasks"] == 6
    assert ran.document["pilot"] == {"task_id": pilot, "pending": 0}
    audit = (lab_home / "benchmarks" / "desk" / "pilot-audit.json").read_text(encoding="utf-8")
    assert '"a replay was read: no model of the incumbent could be reached"' in audit
    assert next_of(shell)["rule"] not in {"run_pilot", "audit_pilot", "fix_pilot", "build_rest"}
    gate = shell("traces", "promote", "--benchmark", SLUG, "--dry-run")
    assert "pilot_required" not in gate.out + gate.err


def test_a_failed_audit_asks_for_a_repair_and_refuses_promotion_and_batch(
    shell: Shell, lab_home: Path, source: Path
) -> None:
    task_id = shell("traces", "build-benchmark", source, "--slug", "desk").document["pilot_task_id"]
    follow(shell, next_of(shell))
    follow(shell, next_of(shell))
    words = ("reviews", "submit", SLUG, task_id, "needs_more", "--pilot-audit")
    ran = shell(*words, "agent=fail,verifier=pass", "--finding", "agent: no order came")
    assert ran.document["pilot_audit"]["agent_audit"]["findings"] == ["no order came"]
    assert ran.document["pilot_audit"]["verifier_audit"]["findings"] == []
    assert next_of(shell)["rule"] == "fix_pilot"
    batch = shell("traces", "build-benchmark", SLUG, "--rebuild")
    assert (batch.code, batch.error["code"]) == (1, "pilot_required")
    assert batch.error["message"].endswith(f"the audit of the pilot failed: {task_id}")
    refused = shell("traces", "promote", "--benchmark", SLUG)
    assert "pilot_required" in [each["path"] for each in refused.error["errors"]]


def test_an_audit_needs_a_rollout_and_its_flags_go_together(
    shell: Shell, lab_home: Path, source: Path
) -> None:
    task_id = shell("traces", "build-benchmark", source, "--slug", "desk").document["pilot_task_id"]
    words = ("reviews", "submit", SLUG, task_id, "accept")
    early = shell(*words, "--pilot-audit", "agent=pass,verifier=pass")
    assert (early.code, early.error["code"]) == (3, "not_measured")
    alone = shell(*words, "--finding", "seen")
    assert (alone.code, alone.error["code"]) == (2, "invalid_arguments")
    text = shell(*words, "--format", "text")
    assert text.out == f"{task_id}: accept\nunderstudy benchmarks status {SLUG}\n"
