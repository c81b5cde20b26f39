"""The ledgers of verdicts become tables, line by line."""

from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import check_benchmarks
from benchmarks.models.dated import UNDATED
from benchmarks.records.note import Feedback, Flag
from reviews.models import FeedbackEntry, FlagEntry, ReviewEntry
from reviews.selectors import history_of
from tests.reviews.desks import make_desk
from tests.reviews.factories import BENCHMARK_ID, make_review

pytestmark = pytest.mark.django_db

OLD_LINE = (
    '{"schema_version": "understudy.review_decision.v1", "task_id": "t1", "decision": "accept",'
    ' "reviewed_at": "2026-09-01T10:00:00Z"}\n'
)


@pytest.fixture
def desk(lab_home: Path) -> Located:
    return make_desk(lab_home / "benchmarks")


def feedback(**changes: str) -> Feedback:
    said = {
        "benchmark_id": "refund-desk",
        "task_id": "t1",
        "feedback": "Refund only the item.",
        "created_at": "2026-11-02T11:06:00.000Z",
    }
    return Feedback.read({**said, **changes})


def flag(**changes: str | None) -> Flag:
    said = {
        "benchmark_id": BENCHMARK_ID,
        "task_id": "t1",
        "reason": "bad-gold",
        "note": "amount includes shipping",
        "created_at": "2026-11-02T11:05:00.000Z",
    }
    return Flag.read({**said, **changes})


def is_equal(desk: Located) -> bool:
    """Whether tables and files are the same, told by whole and ordinary reads."""
    found = check_benchmarks(located=[desk])
    assert found["differences"] == []
    return bool(found["ok"])


def test_a_review_has_the_columns_that_lists_filter_by(desk: Located) -> None:
    desk.directory.append(
        layout.REVIEWS,
        make_review("t1", "reject", source="agent", actor="mcp:ada", door="mcp", task_hash="7c"),
    )
    sync_directory(desk)
    found = ReviewEntry.objects.get()
    assert (found.task_id, found.decision, found.source) == ("t1", "reject", "agent")
    assert (found.actor, found.door, found.task_hash) == ("mcp:ada", "mcp", "7c")
    assert found.moment == 1_793_782_800_000_000
    assert found.raw == (desk.directory.path / "reviews.jsonl").read_text().rstrip("\n")
    assert is_equal(desk)


def test_a_line_that_names_no_source_is_a_persons(desk: Located) -> None:
    desk.directory.append(layout.REVIEWS, make_review("t1", "accept", source=None))
    sync_directory(desk)
    assert ReviewEntry.objects.get().source == "human"


def test_reviews_of_the_older_ledger_stand_before_all_others(desk: Located) -> None:
    (desk.directory.path / "review-decisions.jsonl").write_text(OLD_LINE)
    desk.directory.append(layout.REVIEWS, make_review("t1", "reject"))
    sync_directory(desk)
    benchmark = ReviewEntry.objects.first()
    assert benchmark is not None
    history = history_of(benchmark.benchmark, "t1")
    assert [(line.file, line.decision) for line in history] == [
        ("review-decisions.jsonl", "accept"),
        ("reviews.jsonl", "reject"),
    ]
    assert history[0].created_at == "2026-09-01T10:00:00Z"
    assert [line.decision for line in history] == [
        line.decision for line in desk.directory.reviews().records
    ]
    assert is_equal(desk)


def test_a_time_that_cannot_be_read_puts_a_line_behind_all_others(desk: Located) -> None:
    desk.directory.append(layout.REVIEWS, make_review("t1", "accept", created_at="last week"))
    sync_directory(desk)
    found = ReviewEntry.objects.get()
    assert (found.created_at, found.moment, found.at) == ("last week", UNDATED, None)


def test_a_malformed_line_costs_only_itself(desk: Located) -> None:
    path = desk.directory.path / "reviews.jsonl"
    desk.directory.append(layout.REVIEWS, make_review("t1", "accept"))
    with path.open("a") as file:
        file.write('{"task_id": "t2", "decision": "perhaps", "created_at": "x"}\nnot json\n')
    desk.directory.append(layout.REVIEWS, make_review("t2", "accept"))
    sync_directory(desk)
    lines = ReviewEntry.objects.order_by("line").values_list("line", "task_id")
    assert list(lines) == [(1, "t1"), (4, "t2")]
    assert is_equal(desk)


def test_of_feedback_the_newest_line_stands_for_the_id(desk: Located) -> None:
    first = feedback()
    other = feedback(feedback="Ask first.")
    closing = first.with_(status="addressed", feedback_id=first.ref, addressed_by="7c")
    desk.directory.append(layout.FEEDBACK, first, other)
    sync_directory(desk)
    assert list(FeedbackEntry.objects.order_by("line").values_list("standing", flat=True)) == [
        "open",
        "open",
    ]
    desk.directory.append(layout.FEEDBACK, closing)
    sync_directory(desk)
    found = FeedbackEntry.objects.order_by("line").values_list("ref", "status", "standing")
    assert list(found) == [
        (first.ref, "open", ""),
        (other.ref, "open", "open"),
        (first.ref, "addressed", "addressed"),
    ]
    assert is_equal(desk)


def test_a_resolving_line_without_id_closes_every_flag_like_it(desk: Located) -> None:
    again = flag(created_at="2026-11-02T12:00:00.000Z")
    other = flag(reason="leakage")
    closing = flag(status="resolved", created_at="2026-11-03T09:00:00.000Z")
    desk.directory.append(layout.FLAGS, flag(), again, other, closing)
    sync_directory(desk)
    found = FlagEntry.objects.order_by("line").values_list("reason", "standing")
    assert list(found) == [
        ("bad-gold", "resolved"),
        ("bad-gold", "resolved"),
        ("leakage", "open"),
        ("bad-gold", ""),
    ]
    assert is_equal(desk)


def test_a_flag_on_the_whole_benchmark_names_no_task(desk: Located) -> None:
    desk.directory.append(layout.FLAGS, flag(task_id=None))
    sync_directory(desk)
    assert FlagEntry.objects.get().task_id == ""


def test_hostile_texts_fit_the_columns_and_stay_whole_in_the_line(desk: Located) -> None:
    long_id = "t" * 3000
    desk.directory.append(
        layout.REVIEWS, make_review(long_id, "accept", note="a\x00b", actor="x" * 400)
    )
    sync_directory(desk)
    found = ReviewEntry.objects.get()
    assert (len(found.task_id), len(found.actor)) == (255, 255)
    assert found.note == "a\ufffdb"
    assert long_id in found.raw
    assert is_equal(desk)
