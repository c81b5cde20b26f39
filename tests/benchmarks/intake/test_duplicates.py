from benchmarks.intake.duplicates import Duplicates, merged
from tests.benchmarks.intake.made import capture


def test_one_record_met_twice_is_one_capture() -> None:
    found = Duplicates(frozenset())
    found.add(capture("a", record="r1", pointer="x#L1"), None)
    found.add(capture("a", record="r1", pointer="y#/0"), None)
    assert [item.source.pointers for item in found.captures] == [["x#L1", "y#/0"]]
    assert found.merged == 1


def test_a_known_record_is_not_ingested_again_by_either_digest() -> None:
    found = Duplicates(frozenset({"r1", "line-b"}))
    found.add(capture("a", record="r1"), None)
    found.add(capture("b", record="r2", sha256="line-b"), None)
    found.add(capture("c", record="r3"), None)
    assert [item.capture_id for item in found.captures] == ["c"]
    assert found.merged == 2


def test_one_answer_met_twice_is_one_capture() -> None:
    found = Duplicates(frozenset())
    found.add(capture("a", record="r1"), "chatcmpl-1")
    found.add(capture("b", record="r2"), "chatcmpl-1")
    assert [item.capture_id for item in found.captures] == ["a"]


def test_an_id_that_stands_for_two_answers_is_two_captures() -> None:
    found = Duplicates(frozenset())
    found.add(capture("a", record="r1", said="yes"), "chatcmpl-1")
    found.add(capture("b", record="r2", said="no"), "chatcmpl-1")
    assert [item.capture_id for item in found.captures] == ["a", "b"]
    assert found.merged == 0


def test_two_records_of_one_request_are_two_captures() -> None:
    found = Duplicates(frozenset())
    found.add(capture("a", record="r1"), None)
    found.add(capture("a", record="r2"), None)
    assert len(found.captures) == 2


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
