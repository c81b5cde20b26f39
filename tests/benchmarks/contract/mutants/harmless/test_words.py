"""Harmless in the words: other sentences, groupings, wrappings."""

from typing import Any

import pytest

from benchmarks.contract.mutants.harmless.words import (
    PROSE,
    answer_spelling,
    fence,
    other_prose,
)
from tests.benchmarks.contract.making import (
    call,
    contract,
    effect,
    response,
    rollout,
    said_value,
)
from tests.benchmarks.contract.mutants.probing import (
    ANSWERED,
    arguments,
    finals,
    made,
    original,
    verdicts,
)

REACH = {"kind": "response"}


def test_prose_is_taken_from_a_list():
    demand = contract(effect("send-email", body={"match": "prose", "value": "x"}))
    source = original(demand, rollout(call("send-email", body="It arrived broken."), said=""))
    found = made(other_prose, source)
    assert arguments(found) == [{"body": words} for words in PROSE]
    assert verdicts(source, found) == {1}


def test_the_last_words_are_reworded_and_keep_every_asked_value():
    demand = contract(
        ANSWERED, said_value(7, "v1", must_reach=REACH), said_value("RF-88", "v2", must_reach=REACH)
    )
    source = original(demand, rollout(said=["7 bags", "RF-88, bye."]))
    found = made(other_prose, source)
    assert [one.observed.texts for one in found] == [
        ("7 bags", "All of this is settled now. It is 7. It is RF-88."),
        ("7 bags", "That is everything; have a good day! It is 7. It is RF-88."),
    ]
    assert verdicts(source, found) == {1}


def test_forbidden_words_are_never_put_in():
    entry = {"id": "x1", "type": "forbidden_value", "value": "good day"}
    source = original(contract(ANSWERED, forbidden=[entry]), rollout())
    assert finals(made(other_prose, source)) == ["All of this is settled now."]


@pytest.mark.parametrize(
    ("value", "spellings"),
    [
        (1250, ["1,250", "$1,250"]),
        (-18240.5, ["-18,240.5", "-$18,240.5"]),
        (7, ["$7"]),
    ],
)
def test_numbers_in_replies(value: Any, spellings: list[str]) -> None:
    source = original(contract(said_value(value)), rollout(said=f"It is {value}."))
    found = made(answer_spelling, source)
    assert finals(found) == [f"All of this is settled now. It is {one}." for one in spellings]
    assert verdicts(source, found) == {1}


def test_a_plain_number_in_its_own_sentence():
    entry = response("value", at="answer", matcher={"match": "number", "value": 1250})
    source = original(contract(entry), rollout(said="#### 1250"))
    found = made(answer_spelling, source)
    assert finals(found) == ["#### 1,250", "#### $1,250"]
    assert verdicts(source, found) == {1}


def test_a_percentage_stays_as_it_is():
    entry = said_value("50%", **{"as": "number"})
    assert made(answer_spelling, original(contract(entry), rollout(said="50%"))) == []


def test_a_json_answer_in_a_fence_and_in_a_sentence():
    source = original(contract(response("json_parses")), rollout(said='{"a": 1}'))
    found = made(fence, source)
    assert finals(found) == ['```json\n{"a": 1}\n```', 'Here it is: {"a": 1}']
    assert verdicts(source, found) == {1}


def test_a_label_is_read_of_the_whole_text_and_gets_a_fence_only():
    entry = response("contains_category", expected="spam", labels=["spam", "ham"])
    source = original(contract(entry), rollout(said='{"label": "spam"}'))
    found = made(fence, source)
    assert finals(found) == ['```json\n{"label": "spam"}\n```']
    assert verdicts(source, found) == {1}
    assert made(fence, original(contract(ANSWERED), rollout())) == []
