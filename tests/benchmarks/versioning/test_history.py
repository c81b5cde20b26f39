import pytest

from benchmarks.records.contract import Contract
from benchmarks.records.task import Task
from benchmarks.records.version import TaskBump, VersionLine
from benchmarks.records.vocabulary import Bump
from benchmarks.versioning.bump import snapshot
from benchmarks.versioning.hashing import restamp
from benchmarks.versioning.history import (
    bumped,
    ledger_version,
    owed_bumps,
    version_after,
    version_line,
)

AT = "2026-11-03T08:00:00.000Z"


def task(task_id: str = "t1", title: str = "A") -> Task:
    return restamp(
        None,
        Task(
            task_id=task_id,
            title=title,
            boundary_rule="earliest",
            version="1.0.0",
            outcome_contract=Contract(status="machine_proposed"),
        ),
    )


def line(*tasks: Task, bumps: tuple[TaskBump, ...] = ()) -> VersionLine:
    return version_line(tasks, bumps, version="1.0.0", at=AT, cause="regen")


def test_a_change_is_bumped_and_remembered() -> None:
    after = bumped(task(), task().with_(title="B"), AT)
    assert after.version == "1.0.1"
    assert after.version_history == [
        {
            "task_id": "t1",
            "at": AT,
            "bump": "patch",
            "from": "1.0.0",
            "to": "1.0.1",
            "reason": "meta changed: reuse",
        }
    ]
    assert bumped(after, after, "2026-12-01T00:00:00.000Z") == after


def test_a_change_is_owed_until_a_line_tells_it() -> None:
    after = bumped(task(), task().with_(title="B"), AT)
    owed = owed_bumps([after, task("t2")], [])
    assert owed == [
        TaskBump(
            task_id="t1", bump=Bump.PATCH, from_="1.0.0", to="1.0.1", reason="meta changed: reuse"
        )
    ]
    told = line(after, task("t2"), bumps=tuple(owed))
    assert owed_bumps([after, task("t2")], [told]) == []
    again = bumped(after, after.with_(title="C"), AT)
    assert [(bump.from_, bump.to) for bump in owed_bumps([again, task("t2")], [told])] == [
        ("1.0.1", "1.0.2")
    ]


def test_tasks_that_came_and_went_are_owed_against_the_newest_snapshot() -> None:
    snapshots = [line(task("t1"), task("t2")), VersionLine.read({"created_at": AT})]
    assert owed_bumps([task("t1"), task("t3")], snapshots) == [
        TaskBump(task_id="t3", bump=Bump.MAJOR, to="1.0.0", reason="added: rerun"),
        TaskBump(task_id="t2", bump=Bump.MINOR, from_="1.0.0", reason="removed"),
    ]


def test_without_a_snapshot_nothing_came_or_went() -> None:
    assert owed_bumps([task("t1")], []) == []


def test_a_damaged_history_owes_nothing() -> None:
    assert owed_bumps([task().with_(version_history=[{"bump": "huge"}, {"to": 7}])], []) == []


@pytest.mark.parametrize(
    ("reach", "expected"),
    [((), "1.2.0"), ((Bump.PATCH, Bump.MINOR), "1.3.0"), ((Bump.MAJOR, Bump.PATCH), "2.0.0")],
)
def test_a_benchmark_takes_the_greatest_bump(reach: tuple[Bump, ...], expected: str) -> None:
    owed = [TaskBump(task_id=f"t{at}", bump=bump) for at, bump in enumerate(reach)]
    assert version_after("1.2.0", owed) == expected


def test_the_version_of_a_ledger_is_that_of_its_last_line_that_has_one() -> None:
    bare = VersionLine.read({"created_at": AT})
    assert ledger_version([]) is None
    assert ledger_version([line(task()).with_(version="1.4.0"), bare]) == "1.4.0"


def test_a_line_carries_the_whole_snapshot() -> None:
    made = version_line(
        [task("t2"), task("t1")], [], version="2.0.0", at=AT, cause="regen", actor="os:mira"
    )
    assert made.tasks == snapshot([task("t1"), task("t2")])
    assert (made.version, made.cause, made.actor, made.created_at) == (
        "2.0.0",
        "regen",
        "os:mira",
        AT,
    )
    assert made.dump()["note"] is None
