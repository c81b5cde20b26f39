"""Reviews as they are written."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.errors import (
    IdempotencyConflict,
    InvalidArguments,
    ReadOnly,
    TooLarge,
    UnknownTask,
    WrongStage,
)
from benchmarks.records.caller import Caller
from benchmarks.records.review import ReviewPolicy
from reviews.services.dossier import Dossier
from reviews.services.recording import submit_review
from tests.reviews.desks import make_promoted_desk


def review(desk: Located, caller: Caller, now: datetime, **arguments: Any) -> dict[str, Any]:
    given = {"task_ids": ["t1"], "decision": "reject", **arguments}
    return submit_review(located=desk, caller=caller, now=now, **given)


def lines(desk: Located) -> list[Any]:
    return desk.directory.read(layout.REVIEWS).records


def test_review_is_one_line_with_its_author(desk: Located, mira: Caller, now: datetime) -> None:
    answer = review(desk, mira, now, note="wrong amount")
    assert answer["ok"] is True
    assert answer["replayed"] is False
    assert answer["review"] == {
        "actor": "os:mira",
        "door": "shell",
        "schema_version": "understudy.benchmark_review.v1",
        "benchmark_id": "refund-desk",
        "task_id": "t1",
        "decision": "reject",
        "note": "wrong amount",
        "created_at": "2026-11-04T09:00:00.000Z",
        "source": "human",
    }
    assert [line.dump() for line in lines(desk)] == answer["reviews"]


def test_agents_review_says_so(desk: Located, agent: Caller, now: datetime) -> None:
    assert review(desk, agent, now)["review"]["source"] == "agent"


def test_several_tasks_get_a_line_each(desk: Located, mira: Caller, now: datetime) -> None:
    answer = review(desk, mira, now, task_ids=["t1", "t2", "t1"], decision="accept")
    assert [line["task_id"] for line in answer["reviews"]] == ["t1", "t2"]
    assert "review" not in answer


def test_nothing_is_written_when_one_task_is_unknown(
    desk: Located, mira: Caller, now: datetime
) -> None:
    with pytest.raises(UnknownTask) as caught:
        review(desk, mira, now, task_ids=["t1", "t9", "t8"])
    assert caught.value.message == "local--refund-desk has no task 't9', 't8'"
    assert [complaint.value for complaint in caught.value.errors] == ["t9", "t8"]
    assert caught.value.hint == ("it holds 2 tasks: understudy benchmarks tasks local--refund-desk")
    assert lines(desk) == []


def test_every_wrong_argument_is_named(desk: Located, mira: Caller, now: datetime) -> None:
    with pytest.raises(InvalidArguments) as caught:
        review(desk, mira, now, task_ids=[], decision="maybe")
    assert [complaint.path for complaint in caught.value.errors] == ["task_id", "decision"]


def test_more_than_five_hundred_tasks_are_too_many(
    desk: Located, mira: Caller, now: datetime
) -> None:
    with pytest.raises(InvalidArguments, match=r"1\.\.500"):
        review(desk, mira, now, task_ids=["t1"] * 501)


def test_note_of_2001_characters_is_too_large(desk: Located, mira: Caller, now: datetime) -> None:
    with pytest.raises(TooLarge):
        review(desk, mira, now, note="x" * 2001)
    assert review(desk, mira, now, note="x" * 2000)["ok"]


def test_promoted_benchmark_names_the_other_verb(
    tmp_path: Path, mira: Caller, now: datetime
) -> None:
    desk = make_promoted_desk(tmp_path)
    with pytest.raises(WrongStage) as caught:
        review(desk, mira, now)
    assert caught.value.details == {"stage": "promoted", "needs": "proposed"}
    assert "reviews flag" in caught.value.hint


def test_read_only_benchmark_is_refused(desk: Located, mira: Caller, now: datetime) -> None:
    frozen = Located(BenchmarkDir(desk.directory.path, read_only=True), desk.slug, read_only=True)
    with pytest.raises(ReadOnly):
        review(frozen, mira, now)


def test_same_key_writes_once_and_answers_alike(desk: Located, now: datetime) -> None:
    keyed = Caller("os:mira", "shell", idempotency_key="k1")
    first = review(desk, keyed, now, task_ids=["t1", "t2"])
    second = review(desk, keyed, now, task_ids=["t1", "t2"])
    assert (first["replayed"], second["replayed"]) == (False, True)
    assert second["reviews"] == first["reviews"]
    assert len(lines(desk)) == 2


def test_same_key_with_other_arguments_is_a_conflict(desk: Located, now: datetime) -> None:
    keyed = Caller("os:mira", "shell", idempotency_key="k1")
    review(desk, keyed, now)
    with pytest.raises(IdempotencyConflict):
        review(desk, keyed, now, decision="accept")
    assert len(lines(desk)) == 1


def test_reviews_accept_reject_broken_line_and_another_task(
    desk: Located, mira: Caller, now: datetime
) -> None:
    review(desk, mira, now, decision="accept")
    review(desk, mira, now, decision="reject")
    with desk.directory.path.joinpath("reviews.jsonl").open("ab") as file:
        file.write(b'{"task_id": \n')
    review(desk, mira, now, task_ids=["t2"], decision="accept")
    dossier = Dossier(desk.directory)
    assert {task: found.word for task, found in dossier.decisions.items()} == {
        "t1": "reject",
        "t2": "accept",
    }
    assert dossier.malformed() == {"reviews.jsonl": 1}
    assert dossier.warnings() == ["reviews.jsonl: 1 malformed"]


def test_older_decisions_are_read_first(desk: Located, mira: Caller, now: datetime) -> None:
    older = desk.directory.path / "review-decisions.jsonl"
    line = '{{"task_id": "{}", "decision": "reject", "reviewed_at": "2026-01-01T00:00:00Z"}}\n'
    older.write_text(line.format("t1") + line.format("t2"), encoding="utf-8")
    review(desk, mira, now, decision="accept")
    decisions = Dossier(desk.directory).decisions
    assert (decisions["t1"].word, decisions["t2"].word) == ("accept", "reject")


def test_policy_pending_leaves_the_rest_undecided(
    desk: Located, mira: Caller, now: datetime
) -> None:
    desk.directory.replace(layout.REVIEW_POLICY, ReviewPolicy(default_decision="pending"))
    review(desk, mira, now, decision="restrict")
    dossier = Dossier(desk.directory)
    assert dossier.decisions["t2"].word == "pending"
    assert dossier.effective == ["t1"]
