from benchmarks.records.blocks import Hashes
from benchmarks.records.task import Task
from benchmarks.records.version import TaskStamp, VersionLine
from runs.regrade.ledger import given_versions, line_of, moved, newest_snapshot, told
from tests.factories import make_items

AT = "2026-11-04T12:00:00.000Z"
T1, T2 = (item.task() for item in make_items(2))


def line(*tasks: Task, **changes: object) -> VersionLine:
    stamps = [
        TaskStamp(task_id=task.task_id, version=task.version, content_hashes=task.content_hashes)
        for task in tasks
    ]
    return VersionLine.read({
        "created_at": "2026-11-02T09:00:00.000Z",
        "version": "1.0.0",
        "tasks": [stamp.dump() for stamp in stamps],
        **changes,
    })


def other(task: Task, version: str | None = None) -> Task:
    """The task with another verifier."""
    assert task.content_hashes is not None
    hashes = task.content_hashes.with_(verifier_sha256="f" * 64)
    return task.with_(content_hashes=hashes, version=version or task.version)


def test_a_snapshot_that_holds_the_verifier_covers_it() -> None:
    older, newer = line(T1, T2), line(other(T1, "1.1.0"), T2, version="1.1.0")
    found = told([other(T1, "1.1.0")], {}, [older, newer])
    assert (found.bumps, found.covered_by) == ((), newer)
    assert found.staled == frozenset()


def test_the_newest_snapshot_is_what_counts() -> None:
    older, newer = line(other(T1)), line(T1)
    bare = VersionLine(created_at=AT, version="1.2.0")
    assert newest_snapshot([older, newer, bare]) is newer
    assert told([other(T1)], {}, [older, newer, bare]).covered_by is None
    assert newest_snapshot([bare]) is None


def test_only_tasks_that_the_ledger_does_not_know_are_named() -> None:
    changed = other(T1, "1.1.0")
    found = told([changed, T2], {}, [line(T1, T2)])
    assert [(bump.task_id, bump.from_, bump.to) for bump in found.bumps] == [
        (T1.task_id, "1.0.0", "1.1.0")
    ]
    assert found.staled == {T1.task_id}


def test_without_a_ledger_the_rows_say_the_version_that_was_measured() -> None:
    [bump] = told([other(T1, "1.3.0")], {T1.task_id: "1.2.0"}, []).bumps
    assert (bump.from_, bump.to) == ("1.2.0", "1.3.0")
    for measured in (None, "1.3.0", "2.0.0"):
        [bump] = told([other(T1, "1.3.0")], {T1.task_id: measured}, []).bumps
        assert (bump.from_, bump.to) == ("1.3.0", "1.4.0")


def test_a_task_moves_once_and_never_back() -> None:
    after = moved(T1, "1.1.0", AT)
    assert after.version == "1.1.0"
    assert after.content_hashes == T1.content_hashes
    assert [entry["to"] for entry in after.version_history] == ["1.1.0"]
    assert moved(after, "1.1.0", AT) is after
    assert moved(after, "1.0.0", AT) is after
    assert moved(after, None, AT) is after


def test_a_snapshot_gives_a_version_only_to_the_same_content() -> None:
    ahead = line(T1.with_(version="1.1.0"), T2)
    assert given_versions(ahead, [T1, T2]) == {T1.task_id: "1.1.0"}
    assert given_versions(ahead, [other(T1), T2]) == {}
    assert given_versions(ahead, [T1.with_(version="1.2.0")]) == {}
    assert given_versions(None, [T1]) == {}


def test_the_line_holds_every_task_as_it_stands_afterwards() -> None:
    changed = other(T1)
    found = told([changed], {}, [line(T1, T2)])
    made = line_of(
        found.bumps, [changed, T2], current="1.0.0", splits={"contamination": "clean"}, at=AT,
        about={"cause": "regrade", "run_ids": ["run-1-regrade-1"]},
    )  # fmt: skip
    assert made is not None
    assert (made.version, made.contamination, made.created_at) == ("1.1.0", "clean", AT)
    assert [(stamp.task_id, stamp.version) for stamp in made.tasks or []] == [
        (T1.task_id, "1.1.0"),
        (T2.task_id, "1.0.0"),
    ]
    assert isinstance((made.tasks or [])[0].content_hashes, Hashes)
    nothing = line_of((), [T1], current=None, splits={}, at=AT, about={})
    assert nothing is None
