"""One decision on tasks of several benchmarks: all of them, or none."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.errors import DiskFull, InvalidArguments, TooLarge, UnderstudyError, UnknownTask
from benchmarks.records.caller import Caller
from benchmarks.versioning.hashing import task_digest
from reviews.services.recording import Choice, submit_reviews
from tests.reviews.desks import make_desk, make_promoted_desk
from tests.reviews.factories import make_task

MIRA = Caller("user:mira", "admin")
ADA = Caller("user:ada", "admin")


def shown(desk: Located, *task_ids: str) -> list[Choice]:
    """The tasks as a page shows them now."""
    tasks = desk.directory.tasks()
    return [Choice(desk, task_id, task_digest(tasks[task_id])) for task_id in task_ids]


def decide(choices: list[Choice], now: datetime, caller: Caller = MIRA, **more: Any) -> Any:
    given = {"decision": "reject", "note": "too easy", **more}
    return submit_reviews(choices=choices, caller=caller, now=now, **given)


def ledger(desk: Located) -> list[tuple[str, str, str | None, str]]:
    found = desk.directory.read(layout.REVIEWS).records
    return [(line.task_id, line.decision.value, line.actor, line.note) for line in found]


def edit(desk: Located, task_id: str, **changes: Any) -> None:
    lines = desk.directory.read(layout.TASKS).records
    edited = [line.with_(**changes) if line.task_id == task_id else line for line in lines]
    desk.directory.replace(layout.TASKS, edited)


@pytest.fixture
def other(tmp_path: Path) -> Located:
    made = make_desk(tmp_path / "other", make_task("t9"))
    return Located(made.directory, "data--refund-desk", read_only=False)


def test_two_benchmarks_take_one_decision(desk: Located, other: Located, now: datetime) -> None:
    answer = decide([*shown(other, "t9"), *shown(desk, "t1", "t2")], now)
    assert ledger(desk) == [
        ("t1", "reject", "user:mira", "too easy"),
        ("t2", "reject", "user:mira", "too easy"),
    ]
    assert ledger(other) == [("t9", "reject", "user:mira", "too easy")]
    assert (answer["ok"], answer["actor"], answer["door"]) == (True, "user:mira", "admin")
    assert [line["source"] for line in answer["reviews"]] == ["human"] * 3
    assert (answer["changed"], answer["before"]) == ([], [])


def test_task_edited_since_it_was_shown_is_left_out(tmp_path: Path, now: datetime) -> None:
    desk = make_desk(tmp_path, *(make_task(name) for name in ("t1", "t2", "t3")))
    choices = shown(desk, "t1", "t2", "t3")
    edit(desk, "t2", title="Refund t2, twice")
    answer = decide(choices, now)
    assert [line[0] for line in ledger(desk)] == ["t1", "t3"]
    assert answer["changed"] == [{"slug": "local--refund-desk", "task_id": "t2"}]


def test_machine_stamps_are_no_change_of_a_task(desk: Located, now: datetime) -> None:
    choices = shown(desk, "t1")
    edit(desk, "t1", environment_ref="of another package", machine_confidence="low")
    assert decide(choices, now)["changed"] == []
    assert len(ledger(desk)) == 1


def test_nothing_is_written_when_every_task_changed(desk: Located, now: datetime) -> None:
    choices = shown(desk, "t1")
    edit(desk, "t1", title="Other")
    answer = decide(choices, now)
    assert (answer["reviews"], ledger(desk)) == ([], [])


def test_both_reviewers_append_and_the_second_learns_of_the_first(
    desk: Located, now: datetime
) -> None:
    choices = shown(desk, "t1")
    decide(choices, now, caller=ADA, decision="accept", note="")
    answer = decide(choices, now)
    assert [(line[0], line[1], line[2]) for line in ledger(desk)] == [
        ("t1", "accept", "user:ada"),
        ("t1", "reject", "user:mira"),
    ]
    said = [(line["slug"], line["actor"], line["decision"]) for line in answer["before"]]
    assert said == [("local--refund-desk", "user:ada", "accept")]
    assert decide(choices, now)["before"] == []


def test_one_unknown_task_stops_both_benchmarks_and_everything_wrong_is_said(
    desk: Located, other: Located, now: datetime
) -> None:
    with pytest.raises(UnknownTask, match="has no task 'nope'"):
        decide([*shown(other, "t9"), Choice(desk, "nope")], now)
    with pytest.raises(InvalidArguments) as caught:
        decide([*shown(other, "t9"), Choice(desk, "nope")], now, decision="maybe", note="x" * 2001)
    said = [(each.path, each.value) for each in caught.value.errors]
    assert said == [("decision", "maybe"), ("too_large", ""), ("task_id", "nope")]
    assert (ledger(desk), ledger(other)) == ([], [])


def test_promoted_benchmark_stops_the_call(desk: Located, tmp_path: Path, now: datetime) -> None:
    promoted = make_promoted_desk(tmp_path / "out", make_task("p1"))
    published = Located(promoted.directory, "data--published", read_only=False)
    with pytest.raises(UnderstudyError, match="a review needs a proposed benchmark"):
        decide([*shown(desk, "t1"), Choice(published, "p1")], now)
    assert ledger(desk) == []


def test_note_of_2001_characters_is_refused(desk: Located, now: datetime) -> None:
    with pytest.raises(TooLarge):
        decide(shown(desk, "t1"), now, note="x" * 2001)
    assert decide(shown(desk, "t1"), now, note="x" * 2000)["ok"]


def test_500_tasks_at_most(tmp_path: Path, now: datetime) -> None:
    desk = make_desk(tmp_path, *(make_task(f"t{number}") for number in range(501)))
    everything = [Choice(desk, f"t{number}") for number in range(501)]
    with pytest.raises(InvalidArguments, match=r"task_id 501: 1\.\.500 tasks at a time"):
        decide(everything, now)
    with pytest.raises(InvalidArguments, match=r"task_id 0: 1\.\.500 tasks at a time"):
        decide([], now)
    assert len(decide(everything[:500], now)["reviews"]) == 500


def test_same_key_writes_once_over_both_benchmarks(
    desk: Located, other: Located, now: datetime
) -> None:
    keyed = Caller("user:mira", "admin", idempotency_key="k-1")
    choices = [*shown(desk, "t1"), *shown(other, "t9")]
    first = decide(choices, now, caller=keyed)
    again = decide(choices, now, caller=keyed)
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert len(again["reviews"]) == 2
    assert (len(ledger(desk)), len(ledger(other))) == (1, 1)


def test_full_disk_names_what_was_recorded_before_it(
    desk: Located, other: Located, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def append(self: BenchmarkDir, *_: object) -> None:
        raise DiskFull("no space left", hint="free some")

    monkeypatch.setattr(desk.directory, "append", append.__get__(desk.directory))
    with pytest.raises(DiskFull) as caught:
        decide([*shown(other, "t9"), *shown(desk, "t1")], now)
    assert caught.value.hint == "free some; recorded before: all of data--refund-desk"
    assert len(ledger(other)) == 1
