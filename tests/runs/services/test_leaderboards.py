from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.errors import UnknownArm
from benchmarks.records.holdout import HoldoutLook
from runs.services.leaderboards import read_leaderboard
from tests.reviews.desks import add_rows, make_promoted_desk
from tests.reviews.factories import make_flag, make_row, make_task, make_trivial_row
from tests.runs.services.requests import make_request, queue


def look() -> HoldoutLook:
    return HoldoutLook(
        at="2026-11-04T07:00:00.000Z", kind="run", run_id="run-1", arms=["m1"], task_ids=["t2"]
    )


def test_a_proposal_shows_every_split_and_a_promoted_one_its_holdout(
    proposal: Located, tmp_path: Path
) -> None:
    tasks = make_task("t1", split="train"), make_task("t2", split="holdout")
    desk = make_promoted_desk(tmp_path / "split", *tasks)
    for each in (proposal, desk):
        add_rows(each, make_row("t1", 1), make_row("t2", 0))
    assert read_leaderboard(located=proposal)["split"] == "all"
    found = read_leaderboard(located=desk)
    assert found["split"] == "holdout"
    assert (found["arms"][0]["overall"], found["arms"][0]["tasks"]) == (0, 1)


def test_without_a_holdout_a_promoted_benchmark_shows_all(promoted: Located) -> None:
    assert read_leaderboard(located=promoted)["split"] == "all"


def test_holdout_figures_carry_the_number_of_looks_and_add_none(tmp_path: Path) -> None:
    tasks = make_task("t1", split="train"), make_task("t2", split="holdout")
    desk = make_promoted_desk(tmp_path / "split", *tasks)
    add_rows(desk, make_row("t2", 1))
    desk.directory.append(layout.HOLDOUT, look(), look())
    for _ in range(2):
        found = read_leaderboard(located=desk)
        assert found["holdout_looks"] == 2
        text = "holdout figures: 2 looks at the holdout so far"
        assert found["notices"] == [{"kind": "holdout", "text": text}]
    assert read_leaderboard(located=desk, split="train")["notices"] == []


def test_what_stands_outside_is_asked_for_by_name_and_then_said(promoted: Located) -> None:
    add_rows(promoted, make_row("t1", 1), make_row("t2", 0))
    promoted.directory.append(layout.FLAGS, make_flag("t2"))
    found = read_leaderboard(located=promoted)
    assert found["arms"][0]["overall"] == 1
    assert found["rows"]["excluded_by"] == {"flagged": 1}
    asked = read_leaderboard(located=promoted, include_flagged=True, include_stale=True)
    assert asked["arms"][0]["overall"] == 0.5
    assert [notice["kind"] for notice in asked["notices"]] == ["stale", "override"]


def test_an_arm_without_a_row_is_named(promoted: Located) -> None:
    add_rows(promoted, make_row("t1", 1))
    with pytest.raises(UnknownArm) as raised:
        read_leaderboard(located=promoted, arms=["m1", "m9"])
    assert raised.value.details == {"arms": ["m1"], "unknown": ["m9"]}


def test_only_the_arms_asked_for_are_shown(promoted: Located) -> None:
    add_rows(promoted, make_row("t1", 1), make_row("t1", 1, model="m2"))
    found = read_leaderboard(located=promoted, arms=["m2"])
    assert [arm["label"] for arm in found["arms"]] == ["m2"]


def test_cells_that_a_run_owes_are_named_by_arm_and_state(promoted: Located) -> None:
    queue(promoted, make_request(status="running", rollouts_per_task=2))
    add_rows(promoted, make_row("t1", 1), make_row("t1", 1, rollout=1), make_row("t2", 0))
    arm = read_leaderboard(located=promoted)["arms"][0]
    assert arm["incomplete"] is True
    assert arm["owed"] == [{"run_id": "run-1", "status": "running", "cells": 1}]
    assert arm["counts"]["planned"] == 4
    assert arm["overall"] == 0.5


def test_a_whole_run_owes_nothing(promoted: Located) -> None:
    queue(promoted, make_request(status="done", trivial_arms=["null_agent"]))
    add_rows(
        promoted,
        make_row("t1", 1),
        make_row("t2", None),
        make_trivial_row("null_agent", "t1"),
        make_trivial_row("null_agent", "t2"),
    )
    arm = read_leaderboard(located=promoted)["arms"][0]
    assert (arm["incomplete"], arm["owed"]) == (False, [])


def test_a_cancelled_run_owes_nothing(promoted: Located) -> None:
    queue(promoted, make_request("run-1", "done"))
    queue(promoted, make_request("run-2", "cancelled"))
    add_rows(promoted, make_row("t1", 1), make_row("t2", 1))
    arm = read_leaderboard(located=promoted)["arms"][0]
    assert (arm["incomplete"], arm["owed"], arm["counts"]["planned"]) == (False, [], 2)


def test_what_is_owed_on_another_split_is_not_owed_here(tmp_path: Path) -> None:
    tasks = make_task("t1", split="train"), make_task("t2", split="dev")
    desk = make_promoted_desk(tmp_path / "split", *tasks)
    queue(desk, make_request(status="failed"))
    add_rows(desk, make_row("t1", 1))
    assert read_leaderboard(located=desk, split="train")["arms"][0]["owed"] == []
    assert read_leaderboard(located=desk)["arms"][0]["owed"][0]["status"] == "failed"


def test_what_a_retry_asks_again_is_owed_by_the_retry(promoted: Located) -> None:
    progress = {"completed": 0, "total": 1, "arms": {"m1": {"completed": 0, "total": 1}}}
    queue(promoted, make_request("run-1", "stopped"))
    queue(promoted, make_request("run-2", retry_of="run-1", progress=progress))
    add_rows(promoted, make_row("t1", 1))
    arm = read_leaderboard(located=promoted)["arms"][0]
    assert arm["owed"] == [{"run_id": "run-2", "status": "queued", "cells": 1}]


def test_without_rows_there_is_no_arm(promoted: Located) -> None:
    found = read_leaderboard(located=promoted)
    assert (found["arms"], found["muted"], found["leaders"]) == ([], [], [])
    assert found["rows"]["read"] == 0


def test_a_read_only_benchmark_answers(promoted: Located) -> None:
    add_rows(promoted, make_row("t1", 1))
    frozen = BenchmarkDir(promoted.directory.path, read_only=True)
    located = Located(frozen, promoted.slug, read_only=True)
    assert read_leaderboard(located=located)["arms"][0]["overall"] == 1
