"""A reply as typed parts: fenced or bare, values or matchers."""

import json
from typing import Any

import pytest

from benchmarks.authoring.reply import read_reply

WHOLE: dict[str, Any] = {
    "statement": " Refund it. ",
    "success_criteria": ["It is refunded."],
    "category_proposal": {"id": "refunds", "name": "Refunds", "more": 1},
    "difficulty": "easy",
    "difficulty_reason": "One call.",
    "intent_summary": "Refund it",
    "confidence": "high",
}


@pytest.mark.parametrize(
    "form",
    ["{}", "```json\n{}\n```", "Here it is:\n```\n{}\n```\nDone.", "Sure! {} Anything else?"],
)
def test_the_object_is_found_where_models_put_it(form: str) -> None:
    reply, wrong = read_reply(form.replace("{}", json.dumps(WHOLE)))
    assert wrong == []
    assert reply is not None
    assert reply.statement == "Refund it."
    assert reply.category_proposal == {"id": "refunds", "name": "Refunds"}
    assert reply.parts.dump() == {"required": [], "preserved": [], "forbidden": []}


def test_plain_values_get_the_matcher_of_their_kind_and_matchers_stay() -> None:
    arguments = {
        "order_id": "A-1001",
        "amount": "25.0",
        "note": {"match": "any"},
        "state": {"match": "one_of", "options": [{"match": "text", "value": "open"}]},
    }
    entry = {"type": "state_effect", "tool": "refund", "arguments": arguments}
    reply, wrong = read_reply(json.dumps({**WHOLE, "contract": {"required": [entry]}}))
    assert wrong == []
    assert reply is not None
    (demand,) = reply.demands("required")
    assert demand.id == "required[0]"
    assert demand.matchers == {
        "order_id": {"match": "exact", "value": "A-1001"},
        "amount": {"match": "number", "value": "25.0"},
        "note": {"match": "any"},
        "state": {"match": "one_of", "options": [{"match": "text", "value": "open"}]},
    }


@pytest.mark.parametrize("value", [None, 3, "text", ["list"], {"required": {}}, {"required": [3]}])
def test_no_odd_contract_is_more_than_a_complaint(value: Any) -> None:
    reply, wrong = read_reply(json.dumps({**WHOLE, "contract": value}))
    assert (reply is None) == bool(wrong)
    assert bool(wrong) == (value is not None)


@pytest.mark.parametrize("depth", [5, 2000, 100_000])
def test_a_deep_reply_costs_nothing(depth: int) -> None:
    reply, wrong = read_reply('{"statement": ' + "[" * depth)
    assert reply is None
    assert wrong


def test_words_that_only_repeat_the_instructions_describe_nothing() -> None:
    echo = {
        **WHOLE,
        "success_criteria": ["1 to 8 short sentences", "It is refunded."],
        "category_proposal": {"id": "x", "name": "A few words"},
        "difficulty_reason": "One  Sentence",
    }
    _, wrong = read_reply(json.dumps(echo))
    assert wrong == [
        "rule 1: success_criteria only repeats the instructions",
        "rule 1: difficulty_reason only repeats the instructions",
        "rule 1: category_proposal only repeats the instructions",
    ]
