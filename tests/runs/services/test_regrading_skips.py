from dataclasses import replace
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import (
    ApprovalRequired,
    Claimed,
    InvalidArguments,
    NotMeasured,
    TaskEdited,
    UnderstudyError,
    UnknownRun,
    UnknownTask,
    VerifierUntested,
)
from benchmarks.records.blocks import Notice
from benchmarks.records.caller import Caller
from benchmarks.records.row import Row
from runs.services.regrading import Hooks, Order, regrade_run
from tests.factories import SHELL, Desk
from tests.regrading import (
    FIRST,
    HASTY,
    NEW,
    NOBODY,
    REGRADED,
    SECOND,
    change,
    files,
    regrade,
    rows_of,
    want,
)


def test_rows_that_stay_stale_are_named_before_anything_is_written(desk: Desk) -> None:
    (desk.path / layout.trajectories("run-1", "scripted_hasty").path).unlink()
    (desk.path / layout.live("run-1", "scripted_hasty").path).unlink()
    want(desk, FIRST, NOBODY)
    seen: list[tuple[Notice, int]] = []

    def notify(notice: Notice) -> None:
        seen.append((notice, len(rows_of(desk.directory, NEW))))

    document = regrade_run(
        located=desk.located,
        order=Order(),
        hooks=Hooks(notify),
        caller=SHELL,
        clock=lambda: REGRADED,
    )
    lost = [
        {
            "run_id": "run-1",
            "model": HASTY,
            "task_id": FIRST,
            "rollout": rollout,
            "reason": "trajectory_missing",
        }
        for rollout in (0, 1)
    ]
    assert document["lost"] == lost
    assert document["summaries"][0]["lost"] == lost
    assert document["summaries"][0]["skipped"] == {"trajectory_missing": 2}
    assert [(notice.kind, rows) for notice, rows in seen] == [("lost", 0)]
    assert seen[0][0].text == (
        "2 rows will be stale and cannot be judged again: "
        f"{HASTY} on {FIRST} (trajectory_missing), {HASTY} on {FIRST} (trajectory_missing)"
    )


def test_an_untested_verifier_is_refused(desk: Desk) -> None:
    want(desk, FIRST, NOBODY, tested=False)
    before = files(desk)
    for order in ({"dry_run": True}, {}):
        with pytest.raises(VerifierUntested) as caught:
            regrade(desk, **order)
        assert caught.value.details == {"task_ids": [FIRST]}
        assert (caught.value.code, caught.value.exit_code) == ("verifier_untested", 1)
    assert files(desk) == before


def test_a_reason_lets_an_untested_verifier_judge_and_stands_beside_it(desk: Desk) -> None:
    want(desk, FIRST, NOBODY, tested=False, told=False)
    document = regrade(desk, allow_untested="the desk is closed")
    assert document["untested_task_ids"] == [FIRST]
    assert document["allow_untested"] == "the desk is closed"
    for row in rows_of(desk.directory, NEW):
        assert (row.provenance or {})["allow_untested"] == "the desk is closed"
    told = {"task_ids": [FIRST], "reason": "the desk is closed"}
    assert [event.dump()["allow_untested"] for event in desk.events(NEW)] == [told, told]
    line = desk.directory.read(layout.VERSIONS).records[-1]
    assert line.note == "untested verifiers allowed: the desk is closed"
    calibration = desk.directory.load(layout.CALIBRATION)
    assert calibration is not None
    assert calibration.untested_task_ids == [FIRST]


def test_a_reason_is_words_and_an_agent_has_it_from_a_person(desk: Desk) -> None:
    want(desk, FIRST, NOBODY, tested=False)
    with pytest.raises(InvalidArguments):
        regrade(desk, allow_untested="  ")

    def asked(**order: Any) -> Any:
        return regrade_run(
            located=desk.located,
            order=Order(allow_untested="because", **order),
            caller=Caller("mcp:agent@mira", "mcp"),
            clock=lambda: REGRADED,
        )

    with pytest.raises(ApprovalRequired):
        asked()
    assert asked(dry_run=True)["next_actions"][0]["who"] == "person"
    assert asked(confirm=True)["ok"] is True


def reasons(desk: Desk, **order: Any) -> dict[str, int]:
    with pytest.raises(NotMeasured) as caught:
        regrade(desk, **order)
    found: dict[str, int] = caught.value.details["skipped"]
    return found


def test_rows_of_a_task_that_is_gone_are_left(desk: Desk) -> None:
    tasks = [task for task in desk.directory.tasks().values() if task.task_id != FIRST]
    desk.directory.replace(layout.TASKS, tasks)
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    rest = [task for task in manifest.tasks if task.task_id != FIRST]
    desk.directory.replace(layout.BENCHMARK, manifest.with_(tasks=rest))
    assert reasons(desk) == {"task_gone": 8}


def test_rows_of_a_changed_environment_are_to_be_run_again(desk: Desk) -> None:
    change(desk, FIRST, lambda task: task.with_(environment_sha256="0" * 64))
    assert reasons(desk) == {"environment_changed": 8}


@pytest.mark.parametrize(
    "verifier", [{"kind": "final-state", "replayable": False}, {"kind": "rubric-judge"}, None]
)
def test_a_verifier_that_cannot_be_replayed_judges_nothing_again(
    desk: Desk, verifier: dict[str, Any] | None
) -> None:
    want(desk, FIRST, NOBODY)
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    desk.directory.replace(layout.BENCHMARK, manifest.with_(verifier=verifier))
    assert reasons(desk) == {"verifier_not_replayable": 8}


def test_an_unstamped_row_is_judged_once_and_one_of_todays_version_is_left(desk: Desk) -> None:
    file = layout.rows("run-1", "scripted_hasty")
    lines = desk.directory.read(file).records

    def bare(row: Row, **provenance: Any) -> Row:
        return row.with_(provenance=provenance or None)

    (desk.path / file.path).unlink()
    desk.directory.append(file, bare(lines[0]), bare(lines[1], task_version="1.0.0"), *lines[2:])
    document = regrade(desk)
    summary = document["summaries"][0]
    assert (summary["rows_considered"], summary["regraded"]) == (2, 1)
    assert summary["skipped"] == {"already_current": 1}
    assert document["deltas"][0]["task_id"] == FIRST
    assert document["covered_by"]["version"] == "1.0.0"
    assert document["lost"] == []
    assert reasons(desk) == {"already_current": 1}


def test_an_edited_task_is_stamped_first(desk: Desk) -> None:
    tasks = desk.directory.tasks()
    tasks[FIRST] = tasks[FIRST].with_(system="changed", boundary="x", instructions="new")
    desk.directory.replace(layout.TASKS, list(tasks.values()))
    with pytest.raises(TaskEdited) as caught:
        regrade(desk)
    assert caught.value.details == {"task_ids": [FIRST]}
    assert reasons(desk, task_ids=[SECOND]) == {}


def test_a_run_and_tasks_narrow_what_is_looked_at(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    with pytest.raises(UnknownRun):
        regrade(desk, run_id="run-9")
    with pytest.raises(UnknownTask):
        regrade(desk, task_ids=["task-9"])
    assert reasons(desk, task_ids=[SECOND]) == {}
    assert regrade(desk, run_id="run-1", task_ids=[FIRST])["summaries"][0]["regraded"] == 8
    assert reasons(desk, run_id=NEW) == {}


def test_a_held_directory_is_left_to_its_executor(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    with desk.directory.claim(ClaimOwner("1", REGRADED)):
        with pytest.raises(Claimed):
            regrade(desk)
        assert regrade(desk, dry_run=True)["summaries"][0]["regraded"] == 8


def test_a_read_only_root_can_only_be_looked_at(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    located = replace(desk.located, directory=BenchmarkDir(desk.path, read_only=True))
    before = files(desk)
    with pytest.raises(UnderstudyError) as caught:
        regrade_run(located=located, order=Order(), caller=SHELL, clock=lambda: REGRADED)
    assert caught.value.code == "read_only"
    assert files(desk) == before
