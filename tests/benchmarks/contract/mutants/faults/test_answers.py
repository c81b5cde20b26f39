"""Faults in what is answered: said values, labels, JSON, plain answers."""

import json
from typing import Any

import pytest

from benchmarks.contract.json_answers import json_answer
from benchmarks.contract.mutants.faults.answers import negated_answer, no_answer, wrong_answer
from benchmarks.contract.mutants.original import Original
from tests.benchmarks.contract.making import (
    call,
    contract,
    response,
    rollout,
    said_value,
)
from tests.benchmarks.contract.mutants.probing import (
    arguments,
    finals,
    made,
    original,
    said,
    verdicts,
)

REACH = {"kind": "response"}
NOTHING = "I have looked into it and this is what I found."
LABELLED = response("contains_category", expected="spam", labels=["spam", "ham"])
ANSWER = {"category": "noise", "count": 3, "ref": None, "inner": {"id": "X-19"}}


def answered(entry: dict[str, Any], text: str, **more: Any) -> Original:
    return original(contract(entry), rollout(said=text), **more)


def test_a_number_said_is_another_wherever_it_was_said():
    demand = contract(said_value(1250, must_reach=REACH))
    source = original(demand, rollout(said=["It is $1,250.00 now.", "So: 1250 (of 7)."]))
    found = made(wrong_answer, source)
    assert [one.observed.texts for one in found] == [
        ("It is $1251 now.", "So: 1251 (of 7)."),
        ("It is $12500 now.", "So: 12500 (of 7)."),
    ]
    assert said(found) == ['says "1251" instead of 1250', 'says "12500" instead of 1250']
    assert verdicts(source, found) == {0}


@pytest.mark.parametrize(
    ("value", "text", "others"),
    [
        (-5, "It is −5 °C.", ["It is -4 °C.", "It is -50 °C."]),
        (-5, "Minus: -5 C.", ["Minus: -4 C.", "Minus: -50 C."]),
        ("50%", "Half, 50% off", ["Half, 51% off", "Half, 500% off"]),
        (0, "0 left", ["1 left", "10 left"]),
    ],
)
def test_signs_and_percentages_go_with_their_number(
    value: Any, text: str, others: list[str]
) -> None:
    source = answered(said_value(value, **({"as": "number"} if value == "50%" else {})), text)
    found = made(wrong_answer, source)
    assert finals(found) == others
    assert verdicts(source, found) == {0}


@pytest.mark.parametrize(
    ("value", "text", "others"),
    [
        ("RF-88", "Your RF-88 is booked.", ["Your RF-99 is booked."]),
        ("blue whale", "A Blue  Whale.", ["It is something else."]),
        ("blue whale", "A Blue Whale.", ["A something else."]),
    ],
)
def test_an_id_and_words_are_replaced(value: str, text: str, others: list[str]) -> None:
    source = answered(said_value(value), text)
    found = made(wrong_answer, source)
    assert finals(found) == others
    assert verdicts(source, found) == {0}


def test_a_day_said_is_the_next_or_the_one_before():
    source = answered(said_value("2024-05-20", **{"as": "date"}), "On May 20, 2024.")
    found = made(wrong_answer, source)
    assert finals(found) == ["It is 2024-05-21.", "It is 2024-05-19."]
    assert verdicts(source, found) == {0}


def test_what_was_asked_is_said_nowhere():
    source = original(contract(said_value(7, must_reach=REACH)), rollout(said=["7 bags", "Bye."]))
    found = made(no_answer, source)
    assert [one.observed.texts for one in found] == [(NOTHING, "Bye.")]
    assert verdicts(source, found) == {0}


def test_words_of_a_finish_call_are_answers_too():
    source = original(contract(said_value(7)), rollout(call("finish", answer="7 bags"), said=""))
    found = made(wrong_answer, source)
    assert arguments(found) == [{"answer": "8 bags"}, {"answer": "70 bags"}]
    assert verdicts(source, found) == {0}


def test_a_value_that_a_call_must_send_is_another():
    demand = contract(said_value(25, must_reach={"kind": "tool_args"}), writes="allow")
    observed = rollout(call("issue_refund", order_id="A-7", amount="25"))
    source = original(demand, observed)
    found = made(wrong_answer, source)
    assert arguments(found) == [
        {"order_id": "A-7", "amount": 26},
        {"order_id": "A-7", "amount": 250},
    ]
    assert verdicts(source, found) == {0}
    assert made(no_answer, source) == []


@pytest.mark.parametrize(
    ("text", "wrong", "negated"),
    [
        ("spam", ["ham", "spam, ham"], ["not spam"]),
        ("Label: Spam.", ["Label: ham.", "Label: spam, ham."], ["Label: not spam."]),
        (
            '{"label": "spam", "why": "ads"}',
            ['{"label": "ham", "why": "ads"}', '{"label": "spam, ham", "why": "ads"}'],
            ['{"label": "not spam", "why": "ads"}'],
        ),
        ('["spam"]', ['["ham"]', '["spam, ham"]'], ['["not spam"]']),
    ],
)
def test_labels(text: str, wrong: list[str], negated: list[str]) -> None:
    source = answered(LABELLED, text)
    assert finals(made(wrong_answer, source)) == wrong
    assert finals(made(negated_answer, source)) == negated
    assert finals(made(no_answer, source)) == ["I am not sure."]
    for operator in (wrong_answer, negated_answer, no_answer):
        assert verdicts(source, made(operator, source)) == {0}


def test_a_label_without_a_list_of_them():
    gold = response("contains_category", expected="spam", provenance={"kind": "dataset_gold"})
    source = answered(gold, "spam")
    assert finals(made(wrong_answer, source)) == ["other than spam"]
    assert verdicts(source, made(wrong_answer, source)) == {0}


def json_source() -> Original:
    entries = json_answer(json.dumps(ANSWER)).entries
    demand = contract(*({**one.dump(), "id": f"j{at}"} for at, one in enumerate(entries)))
    return original(demand, rollout(said=json.dumps(ANSWER)))


def test_each_judged_place_of_a_json_answer_holds_another_value():
    source = json_source()
    found = made(wrong_answer, source)
    assert said(found) == [
        "answers without category",
        "answers without count",
        "answers without inner",
        'answers with /category "noise other" instead of "noise"',
        "answers with /count 4 instead of 3",
        "answers with /count 2 instead of 3",
        "answers with /count 30 instead of 3",
        "answers with /count -3 instead of 3",
        "answers with /count 73 instead of 3",
        'answers with /inner/id "X-20" instead of "X-19"',
    ]
    assert json.loads(finals(found)[-1] or "") == {**ANSWER, "inner": {"id": "X-20"}}
    assert verdicts(source, found) == {0}


def test_a_json_answer_without_its_keys_and_no_json_at_all():
    source = json_source()
    found = made(no_answer, source)
    assert finals(found)[0] == NOTHING
    assert said(found)[1:] == [
        "answers without /category",
        "answers without /count",
        "answers without /inner/id",
    ]
    assert verdicts(source, found) == {0}


def test_plain_answers():
    number = answered(
        response("value", at="answer", matcher={"match": "number", "value": 18}),
        "Six times three.\n#### 18",
    )
    found = made(wrong_answer, number)
    assert finals(found)[:2] == ["Six times three.\n#### 19", "Six times three.\n#### 17"]
    assert verdicts(number, found) == {0}
    text = answered(
        response("value", at="answer", matcher={"match": "text", "value": "yes"}), "Yes."
    )
    assert finals(made(negated_answer, text)) == ["not yes."]
    assert verdicts(text, made(negated_answer, text)) == {0}
    many = answered(
        response("value", at="answer", matcher={"match": "set", "value": ["a", "b"], "of": "text"}),
        '["b", "a"]',
    )
    assert finals(made(wrong_answer, many)) == ['["b"]', '["a", "b", "another"]']
    assert verdicts(many, made(wrong_answer, many)) == {0}


def test_a_text_with_no_word_in_common():
    source = answered(response("token_f1", expected="quite a fox", threshold=0.5), "quite a fox")
    found = made(wrong_answer, source)
    assert finals(found) == ["Nothing like that, rather this instead."]
    assert verdicts(source, found) == {0}
