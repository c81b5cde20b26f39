"""What is required of the words: values said, and the shape and content of the answer."""

from typing import Any

import pytest

from benchmarks.contract.observed import Observed
from benchmarks.records.vocabulary import Termination
from tests.benchmarks.contract.making import (
    call,
    contract,
    exact,
    judged,
    rejected,
    response,
    rollout,
    said_value,
)


@pytest.mark.parametrize(
    ("fields", "observed", "met"),
    [
        ({}, rollout(said=["A-7", "bye"]), False),
        ({}, rollout(said=["hi", "A-7."]), True),
        ({"must_reach": {"kind": "response"}}, rollout(said=["A-7", "bye"]), True),
        ({"must_reach": {"kind": "tool_args"}}, rollout(call("send-email", to="A-7")), True),
        ({"must_reach": {"kind": "tool_args"}}, rollout(rejected("send-email", to="A-7")), False),
        (
            {"must_reach": {"kind": "tool_args", "tool": "cancel_order"}},
            rollout(call("send-email", to="A-7")),
            False,
        ),
        (
            {"must_reach": {"kind": "tool_args", "tool": "send-email", "field": "to"}},
            rollout(call("send-email", to="x", body="A-7")),
            False,
        ),
    ],
)
def test_where_a_value_must_stand(fields: dict[str, Any], observed: Observed, met: bool) -> None:
    demand = contract(said_value("A-7", **fields), writes="allow")
    assert judged(demand, observed).score.strict == int(met)


def test_the_final_text_is_a_finish_calls_argument_where_nothing_was_said() -> None:
    demand = contract(said_value("A-7"))
    observed = Observed(calls=(call("finish", answer="It is A-7"),))
    assert judged(demand, observed).score.strict == 1


@pytest.mark.parametrize(
    ("observed", "met"),
    [
        (rollout(said="…"), False),
        (rollout(said="Done."), True),
        (rollout(said="Done.", termination=Termination.ERROR), False),
        (Observed(calls=(call("finish", other=1),)), True),
        (Observed(calls=(call("finish", other=1), rejected("get_order"))), True),
        (Observed(calls=(call("finish", other=1), call("get_order"))), False),
        (Observed(calls=(rejected("finish", other=1),)), False),
    ],
)
def test_answered_is_closed_and_said_or_handed_over(observed: Observed, met: bool) -> None:
    assert judged(contract(response("answered")), observed).score.strict == int(met)


SEVEN = {"match": "number", "value": 7}
MANY = {"match": "number", "value": 1250}
TWO = {"match": "set", "value": [1, 2], "of": "number"}
LETTERS = {"match": "set", "value": ["a", "b"], "of": "text"}
OK_THEN = {"match": "text", "value": "ok then"}
INTEGER_A = {"type": "object", "properties": {"a": {"type": "integer"}}}
ONE_OR_TWO = {"items": {"enum": [1, 2]}}
GOLD_SPAM = response("contains_category", expected="spam", provenance="dataset_gold")


def at(place: str, matcher: dict[str, Any]) -> dict[str, Any]:
    return response("value", at=place, matcher=matcher)


@pytest.mark.parametrize(
    ("entry", "text", "met"),
    [
        (response("json_parses"), '{"a": 1}', True),
        (response("json_parses"), "words", False),
        (response("schema_valid", expected_keys=["a"]), '{"a": 1, "b": 2}', True),
        (response("schema_valid", expected_keys=["a", "c"]), '{"a": 1}', False),
        (response("schema_valid", expected_keys=["a"]), "[1]", False),
        (response("schema_valid", expected_keys=["a"]), "words", False),
        (response("schema_valid", schema={"required": ["b"]}), '{"a": 1}', False),
        (response("schema_valid", schema={"items": {"type": "boolean"}}), "[true]", True),
        (response("schema_valid", schema={"items": {"type": "number"}}), "[true]", False),
        (response("schema_valid", schema={"items": {"type": "integer"}}), "[1.0, 1.5]", False),
        (response("schema_valid", schema=INTEGER_A), '{"a": "x"}', False),
        (response("schema_valid", schema=ONE_OR_TWO), "[1, 2]", True),
        (response("schema_valid", schema=ONE_OR_TWO), "[1, 3]", False),
        (response("contains_category", expected="spam"), "This is spam, I fear.", True),
        (GOLD_SPAM, "This is spam.", False),
        (at("", TWO), "[2, 1]", True),
        (at("/a/0", exact(1)), '{"a": [1]}', True),
        (at("/a", exact(1)), '{"b": 1}', False),
        (at("/a", exact(1)), "a is 1", False),
        (at("text", OK_THEN), " OK  then", True),
        (at("answer", MANY), "So it goes.\n#### 1,250", True),
        (at("answer", SEVEN), '{"answer": 7.0}', True),
        (at("answer", SEVEN), "There are\n7 bags.", True),
        (at("answer", SEVEN), "7 of 8 bags.", False),
        (at("answer", LETTERS), '["B", "a"]', True),
        (response("token_f1", expected="the red house"), "The red house!", True),
        (response("token_f1", expected="the red house"), "a red house", False),
        (response("token_f1", expected="the red house", threshold=0.6), "a red house", True),
        (response("consulted"), "words", False),
    ],
)
def test_what_is_asked_of_the_answer(entry: dict[str, Any], text: str, met: bool) -> None:
    result = judged(contract(entry), rollout(said=text))
    assert result.score.strict == int(met), result.reasons


def test_a_consultation_is_one_accepted_call_of_any_class() -> None:
    demand = contract(response("consulted"))
    assert judged(demand, rollout(call("bookings", what="x"))).score.strict == 1
    assert judged(demand, rollout(rejected("get_order"))).score.strict == 0


@pytest.mark.parametrize(
    ("value", "kind", "text", "met"),
    [
        ("15%", "number", "That is 15% off.", True),
        ("15%", "number", "That is 15 off.", False),
        ("15", "number", "That is 15.0.", True),
        ("fifteen", "number", "fifteen", False),
        (15, "text", "That is 15 off.", True),
        (15, "exact", "That is 150.", False),
        ("2024-05-20", "date", "On May 20.", True),
        ("2024-05-20", "exact", "On May 20.", False),
        (True, "text", "It is true.", True),
        ([1], "text", "It is 1.", False),
    ],
)
def test_a_value_is_said_as_it_is_named(value: Any, kind: str, text: str, met: bool) -> None:
    demand = contract(said_value(value, **{"as": kind}))
    assert judged(demand, rollout(said=text)).score.strict == int(met)
