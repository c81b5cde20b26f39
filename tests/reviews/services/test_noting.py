"""Feedback and flags as they are raised and closed."""

from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.errors import (
    Finished,
    IdempotencyConflict,
    InvalidArguments,
    TooLarge,
    UnknownNote,
    UnknownTask,
    WrongStage,
)
from benchmarks.records.caller import Caller
from reviews.notes import open_flags
from reviews.services.dossier import Dossier
from reviews.services.noting import raise_flag, resolve_note, submit_feedback
from tests.reviews.desks import make_promoted_desk
from tests.reviews.factories import make_flag


@pytest.fixture
def shelf(tmp_path: Path) -> Located:
    return make_promoted_desk(tmp_path)


def test_feedback_is_kept_and_handed_off(desk: Located, mira: Caller, now: datetime) -> None:
    answer = submit_feedback(
        located=desk, task_id="t1", feedback="  Only the item.  ", caller=mira, now=now
    )
    assert answer["ok"] is True
    assert answer["feedback"] == {
        "actor": "os:mira",
        "door": "shell",
        "schema_version": "understudy.task_feedback.v1",
        "benchmark_id": "refund-desk",
        "task_id": "t1",
        "feedback": "Only the item.",
        "created_at": "2026-11-04T09:00:00.000Z",
        "source": "hub",
        "status": "open",
        "feedback_id": answer["feedback"]["feedback_id"],
    }
    assert answer["feedback"]["feedback_id"].startswith("fb-")
    assert "```text\nOnly the item.\n```" in answer["handoff"]
    assert f"Directory: {desk.directory.path}" in answer["handoff"]
    assert "- the recorded solution scores 1" in answer["handoff"]


def test_earlier_open_feedback_is_in_the_next_hand_off(
    desk: Located, mira: Caller, now: datetime
) -> None:
    submit_feedback(located=desk, task_id="t1", feedback="first", caller=mira, now=now)
    submit_feedback(located=desk, task_id="t2", feedback="other task", caller=mira, now=now)
    text = submit_feedback(located=desk, task_id="t1", feedback="second", caller=mira, now=now)
    assert text["handoff"].count("```text\nfirst\n```") == 1
    assert text["handoff"].count("```text\nsecond\n```") == 1
    assert "other task" not in text["handoff"]


def test_feedback_is_refused_whole(desk: Located, mira: Caller, now: datetime) -> None:
    for words, error in ((" \n ", InvalidArguments), ("x" * 4001, TooLarge)):
        with pytest.raises(error):
            submit_feedback(located=desk, task_id="t1", feedback=words, caller=mira, now=now)
    with pytest.raises(UnknownTask):
        submit_feedback(located=desk, task_id="t9", feedback="x", caller=mira, now=now)
    assert not desk.directory.exists(layout.FEEDBACK)


def test_feedback_key_writes_once(desk: Located, now: datetime) -> None:
    keyed = Caller("os:mira", "shell", idempotency_key="k")
    first = submit_feedback(located=desk, task_id="t1", feedback="x", caller=keyed, now=now)
    second = submit_feedback(located=desk, task_id="t1", feedback="x", caller=keyed, now=now)
    assert (second["replayed"], second["feedback"]) == (True, first["feedback"])
    assert second["handoff"] == first["handoff"]
    with pytest.raises(IdempotencyConflict):
        submit_feedback(located=desk, task_id="t1", feedback="y", caller=keyed, now=now)
    assert len(desk.directory.read(layout.FEEDBACK).records) == 1


def test_feedback_needs_a_proposal(shelf: Located, mira: Caller, now: datetime) -> None:
    with pytest.raises(WrongStage) as caught:
        submit_feedback(located=shelf, task_id="t1", feedback="x", caller=mira, now=now)
    assert "reviews flag" in caught.value.hint


def test_flag_needs_a_promoted_benchmark(desk: Located, mira: Caller, now: datetime) -> None:
    with pytest.raises(WrongStage) as caught:
        raise_flag(located=desk, task_id="t1", reason="bad-gold", caller=mira, now=now)
    assert "reviews submit" in caught.value.hint


def test_flag_takes_its_task_out_of_headlines_and_back(
    shelf: Located, mira: Caller, now: datetime
) -> None:
    flag = raise_flag(
        located=shelf, task_id="t1", reason="bad-gold", note="shipping", caller=mira, now=now
    )["flag"]
    assert open_flags(Dossier(shelf.directory).flags.records).tasks == {"t1"}
    closed = resolve_note(
        located=shelf, ref=flag["flag_id"], note="gold corrected", caller=mira, now=now
    )
    assert closed["flag"] == {
        **flag,
        "status": "resolved",
        "resolution": "gold corrected",
        "closed_at": "2026-11-04T09:00:00.000Z",
    }
    assert not open_flags(Dossier(shelf.directory).flags.records).cover("t1")


def test_flag_without_a_task_is_about_everything(
    shelf: Located, mira: Caller, now: datetime
) -> None:
    answer = raise_flag(located=shelf, task_id=None, reason="leakage", caller=mira, now=now)
    assert answer["flag"]["task_id"] is None
    assert open_flags(Dossier(shelf.directory).flags.records).everything


def test_flag_with_an_unknown_reason_or_task_is_refused(
    shelf: Located, mira: Caller, now: datetime
) -> None:
    with pytest.raises(InvalidArguments, match="'bad' is wanted|one of bad-gold"):
        raise_flag(located=shelf, task_id="t1", reason="bad", caller=mira, now=now)
    with pytest.raises(UnknownTask):
        raise_flag(located=shelf, task_id="t9", reason="other", caller=mira, now=now)
    assert not shelf.directory.exists(layout.FLAGS)


def test_older_flag_is_closed_by_its_derived_id(
    shelf: Located, mira: Caller, now: datetime
) -> None:
    older = make_flag("t1")
    shelf.directory.append(layout.FLAGS, older)
    closed = resolve_note(located=shelf, ref=older.ref, caller=mira, now=now)["flag"]
    assert (closed["flag_id"], closed["status"], closed["actor"]) == (
        older.ref,
        "resolved",
        "os:mira",
    )
    assert not open_flags(Dossier(shelf.directory).flags.records).cover("t1")


def test_feedback_is_addressed_by_a_person(desk: Located, mira: Caller, now: datetime) -> None:
    line = submit_feedback(located=desk, task_id="t1", feedback="x", caller=mira, now=now)
    ref = line["feedback"]["feedback_id"]
    closed = resolve_note(located=desk, ref=ref, note="fixed", caller=mira, now=now)["feedback"]
    assert (closed["status"], closed["addressed_by"], closed["note"]) == (
        "addressed",
        "os:mira",
        "fixed",
    )


def test_closing_twice_is_finished_and_unknown_is_unknown(
    desk: Located, mira: Caller, now: datetime
) -> None:
    line = submit_feedback(located=desk, task_id="t1", feedback="x", caller=mira, now=now)
    ref = line["feedback"]["feedback_id"]
    resolve_note(located=desk, ref=ref, caller=mira, now=now)
    with pytest.raises(Finished, match=f"{ref} is addressed already"):
        resolve_note(located=desk, ref=ref, caller=mira, now=now)
    with pytest.raises(UnknownNote) as caught:
        resolve_note(located=desk, ref="fb-nope", caller=mira, now=now)
    assert caught.value.hint.startswith("it has 0 flags and 1 pieces of feedback")


def test_closing_with_a_key_is_replayed(shelf: Located, mira: Caller, now: datetime) -> None:
    flag = raise_flag(located=shelf, task_id="t1", reason="other", caller=mira, now=now)["flag"]
    keyed = Caller("os:mira", "shell", idempotency_key="k")
    first = resolve_note(located=shelf, ref=flag["flag_id"], caller=keyed, now=now)
    second = resolve_note(located=shelf, ref=flag["flag_id"], caller=keyed, now=now)
    assert (second["replayed"], second["flag"]) == (True, first["flag"])
    assert len(shelf.directory.read(layout.FLAGS).records) == 2
