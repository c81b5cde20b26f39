"""`understudy runs regrade` through the shell: exit codes, what is printed, and the order of it."""

from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import home
from tests.driving import Shell
from tests.factories import Desk
from tests.regrading import FIRST, HASTY, NEW, NOBODY, make_measured, want


@pytest.fixture
def desk(lab_home: Path) -> Desk:
    found = make_measured(home().benchmarks / "desk")
    want(found, FIRST, NOBODY)
    return found


def test_a_dry_run_the_rows_and_nothing_left(desk: Desk, shell: Shell) -> None:
    looked = shell("runs", "regrade", "--benchmark", "desk", "--dry-run")
    assert (looked.code, looked.err) == (0, "")
    summary = looked.document[0]
    assert (summary["run_id"], summary["rows_considered"], summary["dry_run"]) == (NEW, 8, True)
    assert summary["delta"] == {
        "changed": 4, "up": 0, "down": 4, "mean_before": 0.5, "mean_after": 0,
    }  # fmt: skip
    assert not any(row.run_id == NEW for row in desk.rows())
    wrote = shell("runs", "regrade", "--benchmark", "desk", "--run", "run-1", "--task", FIRST)
    assert (wrote.code, wrote.document[0]["dry_run"]) == (0, False)
    assert sum(row.run_id == NEW for row in desk.rows()) == 8
    again = shell("runs", "regrade", "--benchmark", "desk")
    assert (again.code, again.error["code"]) == (3, "not_measured")
    assert again.error["details"]["current"] == 24


def test_people_read_one_line_a_run_and_the_next_command(desk: Desk, shell: Shell) -> None:
    (desk.path / layout.trajectories("run-1", "scripted_hasty").path).unlink()
    (desk.path / layout.live("run-1", "scripted_hasty").path).unlink()
    shown = shell("runs", "regrade", "desk", "--dry-run", "--format", "text")
    words = " ".join(shown.out.split())
    assert f"run-1 {NEW} 6 4 0 4 0.6667 0.0000 2 trajectory_missing" in words
    assert words.startswith("dry run: nothing is written; this is what would be ")
    assert "version versions.jsonl says it since 2026-11-03T12:00:00.000Z" in words
    assert f"lost: {HASTY} on {FIRST}: trajectory_missing" in words
    assert shown.out.rstrip().endswith("understudy runs regrade --benchmark local--desk")
    wrote = shell("runs", "regrade", "desk")
    assert wrote.code == 0
    assert wrote.err.startswith("notice: 2 rows will be stale and cannot be judged again")


def test_an_untested_verifier_is_refused_without_a_reason(desk: Desk, shell: Shell) -> None:
    (desk.path / layout.VERIFIER_REPORT.path).unlink()
    refused = shell("runs", "regrade", "desk")
    assert (refused.code, refused.error["code"]) == (1, "verifier_untested")
    assert refused.error["next_actions"][0]["command"] == (
        "understudy benchmarks verify local--desk"
    )
    allowed = shell("runs", "regrade", "desk", "--allow-untested", "closed desk")
    assert allowed.code == 0
    rows = [row for row in desk.rows() if row.run_id == NEW]
    assert {(row.provenance or {})["allow_untested"] for row in rows} == {"closed desk"}


def test_the_status_says_to_judge_again_before_running_again(desk: Desk, shell: Shell) -> None:
    step = shell("benchmarks", "status", "desk").document["next"]
    assert (step["rule"], step["command"]) == (
        "regrade",
        "understudy runs regrade --benchmark local--desk --dry-run",
    )
    shell("runs", "regrade", "desk")
    after = shell("benchmarks", "status", "desk").document
    assert after["next"]["rule"] != "regrade"
    assert (after["rows"]["stale_regrade"], after["rows"]["superseded"]) == (8, 8)
