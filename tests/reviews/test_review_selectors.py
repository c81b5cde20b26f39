"""The inbox and the ledgers of verdicts, as doors ask for them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.mirror.engine import sync_directory
from benchmarks.models import BenchmarkEntry
from benchmarks.models.keyset import Key
from benchmarks.records.caller import Caller
from reviews.models import TaskStandingEntry
from reviews.selectors import (
    InboxQuestion,
    LedgerQuestion,
    beside,
    inbox,
    inbox_count,
    inbox_matches,
    list_feedback,
    list_flags,
    list_reviews,
    standings,
    standings_of,
    tasks_in_order,
)
from reviews.services.noting import submit_feedback
from reviews.services.recording import submit_review
from tests.plans import plans_of, seeks, sorts
from tests.reviews.desks import make_desk
from tests.reviews.factories import make_contract, make_review, make_task

pytestmark = pytest.mark.django_db

MIRA = Caller("user:mira", "admin")
NOW = datetime(2026, 11, 4, 9, tzinfo=UTC)
WEAK = make_contract({"id": "o1", "type": "response_obligation", "kind": "answered"})


@pytest.fixture
def desk(lab_home: Path) -> Located:
    """t3 has three flags, t2 one, t4 was decided on and has one, t1 and t5 are clean."""
    desk = make_desk(
        lab_home / "benchmarks",
        make_task("t1", split="train"),
        make_task("t2", machine_confidence="low"),
        make_task("t3", outcome_contract=WEAK, machine_confidence="low", category_id="cap-2"),
        make_task("t4", machine_confidence="low"),
        make_task("t5"),
    )
    submit_review(located=desk, task_ids=["t4"], decision="reject", caller=MIRA, now=NOW)
    sync_directory(desk)
    return desk


def found(**asked: Any) -> list[str]:
    return [entry.task_id for entry in inbox(InboxQuestion(**asked), limit=50).entries]


def test_the_inbox_has_who_waits_first(desk: Located) -> None:
    assert found() == ["t3", "t2", "t4", "t1", "t5"]


@pytest.mark.parametrize(
    ("asked", "tasks"),
    [
        ({"flags": ["weak_verifier"]}, ["t3"]),
        ({"flags": ["weak_verifier", "low_confidence"]}, ["t3", "t2"]),
        ({"flags": ["weak"]}, []),
        ({"flagged": True}, ["t3", "t2"]),
        ({"flagged": True, "decisions": ["reject"]}, ["t4"]),
        ({"flagged": False}, ["t1", "t5"]),
        ({"decisions": ["reject"]}, ["t4"]),
        ({"decisions": ["accept", "pending"]}, ["t3", "t2", "t1", "t5"]),
        ({"explicit": False, "flagged": True}, ["t3", "t2"]),
        ({"sources": ["human"]}, ["t4"]),
        ({"sources": ["agent"]}, []),
        ({"actors": ["user:mira"], "decided_at": "2026-11-04T09:00:00.000Z"}, ["t4"]),
        ({"splits": ["train"]}, ["t1"]),
        ({"categories": ["cap-2"]}, ["t3"]),
        ({"verifiers": ["weak"]}, []),
        ({"verifiers": ["tested"], "categories": ["cap-2"]}, ["t3"]),
        ({"changed": True}, []),
        ({"waiting": True}, ["t3", "t2"]),
        ({"words": "REFUND T5"}, ["t5"]),
        ({"stages": ["promoted"]}, []),
        ({"statuses": ["machine_proposed"], "splits": ["dev"]}, ["t3", "t2", "t4", "t5"]),
    ],
)
def test_a_filter_of_the_inbox(desk: Located, asked: dict[str, Any], tasks: list[str]) -> None:
    assert found(**asked) == tasks
    assert inbox_count(InboxQuestion(**asked)) == len(tasks)


def test_pages_of_the_inbox_follow_each_other(desk: Located) -> None:
    after: Key | None = None
    seen: list[str] = []
    for _ in range(3):
        window = inbox(InboxQuestion(), limit=2, after=after)
        seen += [entry.task_id for entry in window.entries]
        after = window.next
    assert (seen, after) == (["t3", "t2", "t4", "t1", "t5"], None)


def test_previous_and_next_keep_the_question(desk: Located) -> None:
    here = TaskStandingEntry.objects.get(task_id="t2")
    before, behind = beside(here, InboxQuestion(flagged=True))
    assert (before and before.task_id, behind and behind.task_id) == ("t3", None)
    first = TaskStandingEntry.objects.get(task_id="t3")
    before, behind = beside(first, InboxQuestion(waiting=True))
    assert (before, behind and behind.task_id) == (None, "t2")


def test_two_benchmarks_with_the_same_tasks_share_one_inbox(desk: Located, lab_home: Path) -> None:
    other = make_desk(lab_home / "elsewhere", make_task("t2", machine_confidence="low"))
    sync_directory(Located(other.directory, "data--refund-desk", read_only=True))
    assert found() == ["t3", "t2", "t2", "t4", "t1", "t5"]
    ids = {entry.slug: entry.pk for entry in BenchmarkEntry.objects.all()}
    assert found(benchmarks=[ids["data--refund-desk"]]) == ["t2"]
    BenchmarkEntry.objects.filter(slug="data--refund-desk").update(present=False)
    assert found() == ["t3", "t2", "t4", "t1", "t5"]


def test_all_that_match_are_bounded(desk: Located) -> None:
    assert inbox_count(InboxQuestion(), most=3) == 4
    assert [entry.task_id for entry in inbox_matches(InboxQuestion(), most=3)] == ["t3", "t2", "t4"]


def test_a_page_of_1000_tasks_is_one_query_by_index(desk: Located) -> None:
    entry = BenchmarkEntry.objects.get()
    TaskStandingEntry.objects.bulk_create(
        TaskStandingEntry(
            benchmark=entry,
            task_id=f"task-{number:04}",
            position=number,
            name="n",
            split="dev",
            decision="accept",
            explicit=False,
            verifier="untested",
            inbox_rank=number,
            flag_words=" anomaly " if number % 2 else "",
        )
        for number in range(1000)
    )
    with CaptureQueriesContext(connection) as caught:
        window = inbox(InboxQuestion(benchmarks=[entry.pk], flags=["anomaly"]), limit=50)
        assert len({found.benchmark.slug for found in window.entries}) == 1
        count = inbox_count(InboxQuestion(benchmarks=[entry.pk], flags=["anomaly"]), most=500)
    assert (len(window.entries), count) == (50, 500)
    assert len(caught.captured_queries) == 2


@pytest.mark.parametrize(
    ("of_one", "index"), [(False, "inbox_order"), (True, "inbox_of_benchmark")]
)
def test_the_inbox_is_read_in_the_order_of_its_index(
    desk: Located, of_one: bool, index: str
) -> None:
    question = InboxQuestion(benchmarks=[BenchmarkEntry.objects.get().pk] if of_one else [])
    plan, *_ = plans_of(lambda: inbox(question, limit=50, after=(0, "t", 1)))
    assert seeks(plan, "reviews_taskstandingentry", index), plan
    assert not sorts(plan), plan


def test_ledgers_are_listed_newest_first_by_their_columns(desk: Located) -> None:
    desk.directory.append(
        layout.REVIEWS,
        make_review("t1", "accept", created_at="2026-11-05T00:00:00Z", source="agent"),
        make_review("t2", "accept", created_at="2026-11-03T00:00:00Z", actor="user:ada"),
    )
    submit_feedback(located=desk, task_id="t1", feedback="Say it.", caller=MIRA, now=NOW)
    sync_directory(desk)
    everything = list_reviews(LedgerQuestion(), limit=10).entries
    assert [line.task_id for line in everything] == ["t1", "t4", "t2"]
    accepted = list_reviews(LedgerQuestion(decisions=["accept"], sources=["human"]), limit=10)
    assert [line.task_id for line in accepted.entries] == ["t2"]
    by_ada = list_reviews(LedgerQuestion(actors=["user:ada"]), limit=10).entries
    assert [line.task_id for line in by_ada] == ["t2"]
    is_open = list_feedback(LedgerQuestion(standings=["open"]), limit=10).entries
    assert [line.task_id for line in is_open] == ["t1"]
    assert list_flags(LedgerQuestion(reasons=["leakage"]), limit=10).entries == []


def test_benchmarks_stand_by_slug(desk: Located) -> None:
    entry = BenchmarkEntry.objects.get()
    assert [each.benchmark.slug for each in standings()] == ["local--refund-desk"]
    assert standings_of([entry.pk])[entry.pk].undecided_flagged == 2
    assert [task.task_id for task in tasks_in_order(entry)] == ["t1", "t2", "t3", "t4", "t5"]
