from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.errors import (
    NotMeasured,
    OutsideRoot,
)
from benchmarks.records.times import read_time
from benchmarks.records.vocabulary import Split
from tests.executing import execute
from tests.factories import Desk, queue
from tests.regrading import (
    CAREFUL,
    CHANGED,
    FIRST,
    HASTY,
    HELD,
    NEW,
    NOBODY,
    REGRADED,
    SECOND,
    files,
    regrade,
    rows_of,
    scores,
    want,
)


def test_the_second_finds_nothing_and_writes_nothing(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    regrade(desk)
    before = files(desk)
    with pytest.raises(NotMeasured) as caught:
        regrade(desk, REGRADED + timedelta(days=1))
    assert files(desk) == before
    assert caught.value.exit_code == 3
    assert caught.value.message == "nothing to regrade in local--desk"
    assert caught.value.details == {"rows_considered": 0, "skipped": {}, "current": 24, "lost": []}


def test_two_events_tell_of_each_source_run(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    regrade(desk)
    told = [event.dump() for event in desk.events(NEW)]
    assert [(each["type"], each["status"], each["seq"]) for each in told] == [
        ("regrade", "claimed", 1),
        ("regrade", "completed", 2),
    ]
    assert [each["progress"] for each in told] == [
        {"completed": 0, "total": 8},
        {"completed": 8, "total": 8},
    ]
    for each in told:
        assert (each["source_run_id"], each["rows_considered"], each["skipped"]) == ("run-1", 8, {})
        assert (each["actor"], each["door"]) == ("os:mira", "shell")


def test_a_line_is_written_only_where_the_ledger_does_not_know_the_verifier(desk: Desk) -> None:
    want(desk, FIRST, NOBODY, told=False)
    before = len(desk.directory.read(layout.VERSIONS).records)
    document = regrade(desk)
    lines = desk.directory.read(layout.VERSIONS).records
    assert len(lines) == before + 1
    line = lines[-1]
    assert (line.version, line.cause, line.run_ids) == ("1.1.0", "regrade", [NEW])
    assert [bump.dump() for bump in line.task_bumps] == [
        {
            "task_id": FIRST,
            "bump": "minor",
            "from": "1.0.0",
            "to": "1.1.0",
            "reason": "verifier changed: regrade",
        }
    ]
    snapshot = {each.task_id: each for each in line.tasks or []}
    tasks = desk.directory.tasks()
    assert snapshot[FIRST].content_hashes == tasks[FIRST].content_hashes
    assert document["covered_by"] is None
    assert document["version_entry"]["version"] == "1.1.0"
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    assert manifest.version == "1.1.0"
    for row in rows_of(desk.directory, NEW):
        assert read_time(row.created_at) > read_time(line.created_at)
    with pytest.raises(NotMeasured):
        regrade(desk, REGRADED + timedelta(days=1))


def test_a_verifier_that_moved_without_a_version_gets_one(desk: Desk) -> None:
    want(desk, FIRST, NOBODY, told=False)
    tasks = [
        task.with_(version="1.0.0", version_history=[]) for task in desk.directory.tasks().values()
    ]
    desk.directory.replace(layout.TASKS, tasks)
    regrade(desk)
    task = desk.directory.tasks()[FIRST]
    assert task.version == "1.1.0"
    assert task.version_history == [
        {
            "task_id": FIRST,
            "at": "2026-11-04T12:00:00.000Z",
            "bump": "minor",
            "from": "1.0.0",
            "to": "1.1.0",
            "reason": "verifier changed: regrade",
        }
    ]
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    assert [each.version for each in manifest.tasks] == ["1.1.0", "1.0.0", "1.0.0"]
    row = rows_of(desk.directory, NEW)[0]
    assert (row.provenance or {})["task_version"] == "1.1.0"


def test_fresh_rows_that_a_new_line_would_stale_are_judged_again_too(desk: Desk) -> None:
    want(desk, FIRST, NOBODY, told=False)
    queue(desk, "run-2", reference_arms=["replay"], tasks=[FIRST])
    execute(desk, clock=lambda: CHANGED + timedelta(hours=1))
    document = regrade(desk)
    by_run = {each["source_run_id"]: each for each in document["summaries"]}
    assert [by_run[run]["regraded"] for run in ("run-1", "run-2")] == [8, 1]
    assert by_run["run-2"]["delta"]["changed"] == 0
    assert by_run["run-2"]["run_id"] == "run-2-regrade-1"
    with pytest.raises(NotMeasured):
        regrade(desk, REGRADED + timedelta(days=1))


def test_a_regrade_that_dies_between_line_and_rows_is_finished_by_the_next(
    desk: Desk, tmp_path: Path
) -> None:
    want(desk, FIRST, NOBODY, told=False)
    wall = desk.path / layout.rows(NEW, "replay").path
    wall.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutsideRoot):
        regrade(desk)
    lines = desk.directory.read(layout.VERSIONS).records
    assert lines[-1].cause == "regrade"
    assert sorted(scores(desk.directory, NEW)) == ["null_agent", "oracle"]
    wall.unlink()
    document = regrade(desk, REGRADED + timedelta(hours=1))
    assert document["finished"] == [NEW]
    assert document["covered_by"]["created_at"] == lines[-1].created_at
    assert len(desk.directory.read(layout.VERSIONS).records) == len(lines)
    assert sorted(scores(desk.directory, "run-1-regrade-2")) == [
        "replay", CAREFUL, HASTY, "spam_agent",
    ]  # fmt: skip
    with pytest.raises(NotMeasured):
        regrade(desk, REGRADED + timedelta(days=1))


def test_the_line_stands_before_the_first_row(desk: Desk, tmp_path: Path) -> None:
    want(desk, FIRST, NOBODY, told=False)
    (desk.path / layout.rows(NEW, "null_agent").path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutsideRoot):
        regrade(desk)
    assert rows_of(desk.directory, NEW) == []
    assert desk.directory.read(layout.VERSIONS).records[-1].cause == "regrade"


def test_a_regrade_that_died_before_its_calibration_is_ended_by_the_next(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    stale = (desk.path / "calibration.json").read_bytes()
    regrade(desk)
    calibrated = (desk.path / "calibration.json").read_bytes()
    events = desk.path / "runs" / "events.jsonl"
    told = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(b"".join(told[:-1]))
    (desk.path / "calibration.json").write_bytes(stale)
    document = regrade(desk)
    assert (document["summaries"], document["finished"]) == ([], [NEW])
    assert (desk.path / "calibration.json").read_bytes() == calibrated
    assert desk.events(NEW)[-1].status == "completed"


def test_calibration_takes_the_new_rows_and_keeps_the_other_tasks(desk: Desk) -> None:
    before = desk.directory.load(layout.CALIBRATION)
    assert before is not None
    assert before.failed_task_ids == []
    want(desk, FIRST, NOBODY)
    regrade(desk)
    after = desk.directory.load(layout.CALIBRATION)
    assert after is not None
    entries = {entry.task_id: entry for entry in after.tasks}
    assert (entries[FIRST].score, entries[FIRST].rollouts, entries[FIRST].run_id) == (0, 2, NEW)
    assert (entries[SECOND].score, entries[SECOND].run_id) == (1, "run-1")
    assert (after.passed_count, after.failed_task_ids) == (2, [FIRST])
    assert after.unmeasured_task_ids == []
    assert after.oracle_ceiling is not None
    assert after.oracle_ceiling.passed_task_ids == [SECOND, HELD]
    assert after.null_floor is not None
    assert (after.null_floor.measured, after.null_floor.floor) == (3, 0)


def test_a_regrade_of_a_regrade_is_named_after_the_root(desk: Desk) -> None:
    want(desk, FIRST, NOBODY)
    regrade(desk)
    want(desk, FIRST, "lost", at=REGRADED + timedelta(days=1))
    document = regrade(desk, REGRADED + timedelta(days=2))
    assert [(each["source_run_id"], each["run_id"]) for each in document["summaries"]] == [
        (NEW, "run-1-regrade-2")
    ]
    row = next(each for each in rows_of(desk.directory, "run-1-regrade-2") if each.model == CAREFUL)
    source = (row.provenance or {})["source_run"]
    assert source["run_id"] == NEW
    assert source["row_ref"] == f"rows-{NEW}-scripted_careful.jsonl#0"
    assert source["old_score"] == 0


def test_a_look_at_the_holdout_is_noted_before_its_figures(desk: Desk) -> None:
    looks = len(desk.directory.read(layout.HOLDOUT).records)
    want(desk, FIRST, NOBODY)
    regrade(desk)
    assert len(desk.directory.read(layout.HOLDOUT).records) == looks
    want(desk, HELD, NOBODY, at=REGRADED + timedelta(days=1))
    document = regrade(desk, REGRADED + timedelta(days=2))
    look = desk.directory.read(layout.HOLDOUT).records[-1]
    assert (look.kind, look.run_id, look.task_ids) == ("regrade", "run-1-regrade-2", [HELD])
    assert (look.actor, look.door) == ("os:mira", "shell")
    assert document["notices"][-1]["kind"] == "holdout"
    assert {row.split for row in rows_of(desk.directory, "run-1-regrade-2")} == {Split.HOLDOUT}


def test_a_later_measurement_of_the_incumbent_outlives_the_regrade_of_an_older_run(
    desk: Desk,
) -> None:
    want(desk, FIRST, NOBODY)
    queue(desk, "run-2", models=[CAREFUL], incumbent_models=[CAREFUL], tasks=[FIRST])
    execute(desk, clock=lambda: CHANGED + timedelta(hours=1))
    regrade(desk)
    calibration = desk.directory.load(layout.CALIBRATION)
    assert calibration is not None
    entry = next(each for each in calibration.tasks if each.task_id == FIRST)
    assert (entry.run_id, entry.rollouts) == ("run-2", 1)
    assert calibration.oracle_ceiling is not None
    assert (calibration.oracle_ceiling.scores or {})[FIRST].run_id == NEW
