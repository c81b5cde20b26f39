"""Which flags and which feedback are open."""

from benchmarks.records.note import Feedback
from reviews.notes import newest_flags, open_feedback, open_flags
from tests.reviews.factories import NOW, make_flag


def make_feedback(text: str, task_id: str = "t1", **changes: object) -> Feedback:
    line = {"benchmark_id": "b", "task_id": task_id, "feedback": text, "created_at": NOW}
    return Feedback.read({**line, **changes})


def test_resolving_line_without_id_closes_flags_of_that_task_and_reason() -> None:
    lines = [make_flag("t1"), make_flag("t1", status="resolved", created_at="2026-11-05T00:00:00Z")]
    assert not open_flags(lines).cover("t1")


def test_resolving_line_without_id_leaves_other_reasons_and_tasks_open() -> None:
    lines = [
        make_flag("t1"),
        make_flag("t1", "ambiguous"),
        make_flag("t2"),
        make_flag("t1", status="resolved"),
    ]
    standing = open_flags(lines)
    assert standing.tasks == {"t1", "t2"}
    reasons = [flag.reason for flag in newest_flags(lines).values() if flag.status == "open"]
    assert reasons == ["ambiguous", "bad-gold"]


def test_flag_raised_after_a_resolving_line_is_open() -> None:
    lines = [
        make_flag("t1"),
        make_flag("t1", status="resolved"),
        make_flag("t1", created_at="2026-11-06T00:00:00Z"),
    ]
    assert open_flags(lines).cover("t1")


def test_resolving_line_with_an_id_closes_that_flag_alone() -> None:
    first, second = make_flag("t1", flag_id="flag-a"), make_flag("t1", flag_id="flag-b")
    closed = make_flag("t1", flag_id="flag-a", status="resolved", resolution="gold corrected")
    newest = newest_flags([first, second, closed])
    assert (newest["flag-a"].status, newest["flag-b"].status) == ("resolved", "open")
    assert open_flags([first, second, closed]).tasks == {"t1"}


def test_flag_of_no_task_covers_every_task() -> None:
    assert open_flags([make_flag(None)]).cover("anything")
    assert not open_flags([]).cover("anything")


def test_derived_flag_id_is_stable() -> None:
    assert list(newest_flags([make_flag("t1")])) == [make_flag("t1").ref]
    assert make_flag("t1").ref.startswith("flag-")


def test_addressed_feedback_is_no_longer_open() -> None:
    first, second = make_feedback("wrong amount"), make_feedback("wrong user")
    addressed = first.with_(feedback_id=first.ref, status="addressed", addressed_by="h")
    assert open_feedback([first, second, addressed]) == [second]


def test_open_feedback_can_be_asked_of_one_task() -> None:
    lines = [make_feedback("a"), make_feedback("b", "t2")]
    assert [line.feedback for line in open_feedback(lines, "t2")] == ["b"]
