"""Harmless in how values are written: the verifier accepts each spelling."""

import json
from typing import Any

import pytest

from benchmarks.contract.json_answers import json_answer
from benchmarks.contract.mutants.harmless.spelling import (
    date_spelling,
    null_optional,
    number_spelling,
    reorder_keys,
    reorder_list,
    text_spelling,
)
from benchmarks.contract.mutants.original import Original
from tests.benchmarks.contract.making import (
    call,
    contract,
    effect,
    exact,
    response,
    rollout,
    said_value,
    tool,
)
from tests.benchmarks.contract.mutants.probing import (
    arguments,
    finals,
    made,
    original,
    said,
    verdicts,
)


def one_argument(matcher: dict[str, Any], value: Any) -> Original:
    return original(
        contract(effect("send-email", to=matcher)), rollout(call("send-email", to=value))
    )


@pytest.mark.parametrize(
    ("value", "spellings"),
    [
        (25, ["25", "25.0", "25.00", 25.0]),
        (2.5, ["2.5", "2.50"]),
        ("25", ["25.0", "25.00", 25]),
        ("-2.50", ["-2.5", -2.5]),
    ],
)
def test_numbers(value: Any, spellings: list[Any]) -> None:
    source = one_argument({"match": "number", "value": value}, value)
    found = made(number_spelling, source)
    written = [one["to"] for one in arguments(found)]
    assert written == spellings
    assert [type(one) for one in written] == [type(one) for one in spellings]
    assert verdicts(source, found) == {1}


@pytest.mark.parametrize(
    ("value", "spellings"),
    [
        ("Mia Li", ["MIA LI", "mIA lI", " Mia  Li "]),
        ("café", ["CAFÉ", " café ", "cafe\u0301"]),
        ("Straße", ["STRASSE", "sTRASSE", " Straße "]),
        ("東京", [" 東京 "]),
        ("ılık", [" ılık "]),
    ],
)
def test_texts(value: str, spellings: list[str]) -> None:
    source = one_argument({"match": "text", "value": value}, value)
    found = made(text_spelling, source)
    assert [one["to"] for one in arguments(found)] == spellings
    assert verdicts(source, found) == {1}


@pytest.mark.parametrize(
    ("value", "spellings"),
    [
        ("2024-05-20", ["2024-05-20T00:00:00"]),
        ("2024-05-20T09:30", ["2024-05-20T09:30:00"]),
        ("2024-05-20T09:30:00Z", []),
    ],
)
def test_dates(value: str, spellings: list[str]) -> None:
    source = one_argument({"match": "date", "value": value}, value)
    found = made(date_spelling, source)
    assert [one["to"] for one in arguments(found)] == spellings
    assert verdicts(source, found) <= {1}


def test_ids_have_one_spelling():
    source = one_argument(exact("A-7"), "A-7")
    assert made(text_spelling, source) == made(number_spelling, source) == []


def test_days_and_words_in_replies():
    day = original(contract(said_value("2024-05-20", **{"as": "date"})), rollout(said="2024-05-20"))
    found = made(date_spelling, day)
    assert finals(found) == ["All of this is settled now. It is May 20, 2024."]
    assert verdicts(day, found) == {1}
    words = original(contract(said_value("blue whale")), rollout(said="A blue whale."))
    found = made(text_spelling, words)
    assert finals(found)[0] == "All of this is settled now. It is BLUE WHALE."
    assert verdicts(words, found) == {1}


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        ("Spam", ["SPAM", "sPAM", " Spam ", "Spam."]),
        ('{"label": "Spam"}', ['{"label": "SPAM"}', '{"label": "sPAM"}', '{"label": " Spam "}']),
    ],
)
def test_labels(text: str, spellings: list[str]) -> None:
    entry = response("contains_category", expected="Spam", labels=["Spam", "Ham"])
    source = original(contract(entry), rollout(said=text))
    found = made(text_spelling, source)
    assert finals(found) == spellings
    assert verdicts(source, found) == {1}


def test_sets_are_turned_around_and_lists_are_not():
    many = {"match": "set", "value": ["a", "b", "b"], "of": "exact"}
    source = one_argument(many, ["a", "b", "b"])
    found = made(reorder_list, source)
    assert arguments(found) == [{"to": ["b", "b", "a"]}]
    assert verdicts(source, found) == {1}
    assert made(reorder_list, one_argument({**many, "match": "list"}, ["a", "b", "b"])) == []


def test_keys_are_turned_around_at_every_depth():
    person = {"match": "object", "fields": {"a": exact(1), "b": exact(2)}}
    source = original(
        contract(effect("send-email", to={"match": "set", "items": [person]}, cc=exact("x"))),
        rollout(call("send-email", to=[{"a": 1, "b": 2}], cc="x")),
    )
    found = made(reorder_keys, source)
    assert json.dumps(arguments(found)) == '[{"cc": "x", "to": [{"b": 2, "a": 1}]}]'
    assert verdicts(source, found) == {1}


def test_what_is_left_out_may_be_null_or_its_default():
    kind = tool("send-email", ["to", "note", "limit", "lang"])
    demand = effect(
        "send-email",
        to=exact("a@b.c"),
        limit={"match": "absent"},
        lang={"match": "exact", "value": "en", "optional": True},
    )
    source = original(contract(demand), rollout(call("send-email", to="a@b.c")), tools=[kind])
    found = made(null_optional, source)
    assert arguments(found) == [
        {"to": "a@b.c", "limit": None},
        {"to": "a@b.c", "lang": None},
        {"to": "a@b.c", "lang": "en"},
        {"to": "a@b.c", "note": None},
    ]
    assert verdicts(source, found) == {1}


def test_json_answers_are_spelled_otherwise_too():
    answer = {"n": 3, "day": "2024-05-20", "name": "noise", "tags": ["a", "b"], "ref": None}
    entries = json_answer(json.dumps(answer)).entries
    demand = contract(*({**one.dump(), "id": f"j{at}"} for at, one in enumerate(entries)))
    source = original(demand, rollout(said=json.dumps(answer)))
    operators = (
        number_spelling, date_spelling, text_spelling, reorder_list, reorder_keys, null_optional,
    )  # fmt: skip
    found = {one.__name__: made(one, source) for one in operators}
    assert {name: said(variants)[0] for name, variants in found.items()} == {
        "number_spelling": '/n written "3"',
        "date_spelling": '/day written "2024-05-20T00:00:00"',
        "text_spelling": '/name written "NOISE"',
        "reorder_list": "/tags in another order",
        "reorder_keys": "answers with its keys in another order",
        "null_optional": "answers without /ref",
    }
    for variants in found.values():
        assert verdicts(source, variants) == {1}
