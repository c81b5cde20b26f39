from benchmarks.intake.duplicates import merged
from benchmarks.records.capture import Capture
from tests.benchmarks.intake.made import capture, gathering, line


def ids(
    captures: list[tuple[Capture, str | None]], **about: frozenset[str]
) -> tuple[list[str], int]:
    """The captures that are left of those with their answers' ids, and how many were repeats."""
    found = gathering(*(line(made, answer) for made, answer in captures), **about)
    return [one.capture_id for one in found.captures()], found.duplicates


def test_one_record_met_twice_is_one_capture() -> None:
    found = gathering(
        line(capture("a", record="r1", pointer="x#L1")),
        line(capture("a", record="r1", pointer="y#/0")),
    )
    assert [one.source.pointers for one in found.captures()] == [["x#L1", "y#/0"]]
    assert found.duplicates == 1


def test_a_known_record_is_not_ingested_again_by_either_digest() -> None:
    captures = [
        (capture("a", record="r1"), None),
        (capture("b", record="r2", sha256="line-b"), None),
        (capture("c", record="r3"), None),
    ]
    assert ids(captures, known=frozenset({"r1", "line-b"})) == (["c"], 2)


def test_one_answer_met_twice_is_one_capture() -> None:
    one, two = capture("a", record="r1"), capture("b", record="r2")
    assert ids([(one, "chatcmpl-1"), (two, "chatcmpl-1")]) == (["a"], 1)


def test_a_record_that_was_merged_by_its_answer_is_known_by_its_digest() -> None:
    one, two = capture("a", record="r1"), capture("b", record="r2")
    found = [(one, "chatcmpl-1"), (two, "chatcmpl-1"), (capture("c", record="r2"), None)]
    assert ids(found) == (["a"], 2)


def test_an_id_that_stands_for_two_answers_is_two_captures() -> None:
    one, two = capture("a", record="r1", said="yes"), capture("b", record="r2", said="no")
    assert ids([(one, "chatcmpl-1"), (two, "chatcmpl-1")]) == (["a", "b"], 0)


def test_two_records_of_one_request_are_two_captures() -> None:
    assert ids([(capture("a", record="r1"), None), (capture("a", record="r2"), None)])[0] == [
        "a", "a",
    ]  # fmt: skip


def test_the_fuller_conversation_stays_and_what_is_missing_comes_from_the_other() -> None:
    thin = capture("a", record="r1", pointer="x#L1", latency_ms=12)
    full = capture("b", record="r2", pointer="y#L1", turns=3, at="2026-11-02T09:14:03.000Z",
                   tokens=7)  # fmt: skip
    both = merged(thin, full)
    assert (both.capture_id, both.source.pointers) == ("a", ["x#L1", "y#L1"])
    assert len(both.conversation.turns) == 3
    assert both.captured_at == "2026-11-02T09:14:03.000Z"
    assert both.transport.latency_ms == 12
    assert both.warnings == []
    again = merged(full, thin)
    assert len(again.conversation.turns) == 3
    assert again.transport.latency_ms == 12


def test_usage_of_the_thinner_one_is_not_lost() -> None:
    thin = capture("a", record="r1", tokens=7)
    full = capture("b", record="r2", turns=3)
    assert merged(thin, full).conversation.usage.input_tokens == 7
