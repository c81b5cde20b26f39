"""Captures that hold much of one another share what is equal."""

import copy

import pytest
from pydantic import ValidationError

from benchmarks.records.capture import Capture
from benchmarks.records.sharing import Sharing
from tests.benchmarks.foundry.factories import capture


def asked(*texts: str) -> dict[str, object]:
    """A capture whose request holds these user turns."""
    document = capture([("user", "x")]).dump()
    document["conversation"]["turns"] = [
        {
            "index": place,
            "role": "user",
            "origin": "request",
            "parts": [{"type": "text", "text": text}],
        }
        for place, text in enumerate(texts)
    ]
    document["request"]["messages"] = [{"role": "user", "content": text} for text in texts]
    return document


def test_a_capture_read_through_sharing_is_the_capture_read_alone() -> None:
    document = asked("a", "b")
    document["x_own"] = {"kept": [1, 2]}
    assert Capture.read(Sharing()(document)) == Capture.read(document)


def test_equal_turns_of_two_captures_are_one_object_and_others_are_not() -> None:
    shared = Sharing()
    first, second = (Capture.read(shared(asked(*texts))) for texts in (["a"], ["a", "b"]))
    assert second.conversation.turns[0] is first.conversation.turns[0]
    assert second.conversation.turns[1] is not first.conversation.turns[0]


def test_turns_that_differ_only_in_the_kind_of_a_number_stay_two() -> None:
    shared = Sharing()
    one, other = asked("a"), asked("a")
    one["conversation"]["turns"][0]["latency_ms"] = 1
    other["conversation"]["turns"][0]["latency_ms"] = 2
    read = [Capture.read(shared(document)) for document in (one, other)]
    assert [capture.conversation.turns[0].latency_ms for capture in read] == [1.0, 2.0]


def test_the_parsed_line_itself_is_left_as_it_was() -> None:
    document = asked("a")
    before = copy.deepcopy(document)
    Sharing()(document)
    assert document == before


def test_what_is_no_turn_is_named_by_the_captures_own_check() -> None:
    document = asked("a")
    document["conversation"]["turns"].append({"index": 1, "role": "nobody"})
    with pytest.raises(ValidationError) as refused:
        Capture.read(Sharing()(document))
    assert ("conversation", "turns", 1, "role") in [one["loc"] for one in refused.value.errors()]
