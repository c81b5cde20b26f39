from typing import Any

import pytest

from benchmarks.contract.words import (
    contract_in_words,
    entry_in_words,
    entry_label,
    extra_writes_in_words,
    sentence,
)
from benchmarks.records.contract import Entry
from tests.benchmarks.contract.making import contract, effect, exact, response, said_value

REFUND = effect(
    "issue_refund",
    order_id=exact("A-1007"),
    amount={"match": "number", "value": 25},
    note={"match": "prose", "value": "Arrived broken."},
    currency={"match": "exact", "value": "EUR", "optional": True},
    dry_run={"match": "absent"},
)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (
            REFUND,
            "issue_refund with order_id = A-1007, amount = 25, note present (not compared), "
            "currency = EUR or left out, dry_run left out",
        ),
        (effect("ping"), "ping, whatever its arguments"),
        (
            effect("x", a={"match": "number", "value": 5, "tolerance": 0.5}),
            "x with a = 5 (within 0.5)",
        ),
        (
            effect("x", ids={"match": "set", "value": ["a", "b"], "of": "exact"}),
            "x with ids = [a, b] (in any order)",
        ),
        (
            effect("x", ids={"match": "list", "value": [1, 2], "of": "number", "contains": True}),
            "x with ids = [1, 2] (in this order, among others)",
        ),
        (effect("x", ids={"match": "set", "value": []}), "x with ids = []"),
        (
            effect("x", pax={"match": "object", "fields": {"first": exact("A")}}),
            "x with pax holding first = A",
        ),
        (
            effect("x", a={"match": "one_of", "options": [exact("b"), exact("c")]}),
            'x with a = "b" or "c"',
        ),
        (
            effect("x", a={"match": "ref", "entry": "o1", "path": "/id"}),
            "x with a = /id of the result of o1",
        ),
        (effect("x", a={"match": "any"}), "x with a anything"),
        (effect("x", a={"match": "regex"}), "x with a by unknown 'regex'"),
        ({**effect("x"), "any_of": "end"}, "x, whatever its arguments (or another of end)"),
        ({**effect("x"), "optional": True}, "x, whatever its arguments (may, need not)"),
        ({"tool": "x", "observed_arguments": {"n": 3}}, "x with n = 3"),
        (said_value("RF-1"), "says RF-1 (exact) in the final text"),
        (said_value(7, must_reach={"kind": "response"}), "says 7 (number) in some text"),
        (
            said_value("x y", must_reach={"kind": "tool_args", "tool": "mail"}),
            "says x y (text) in an argument of mail",
        ),
        ({"type": "no_state_change"}, "no accepted write"),
        ({"type": "no_state_change", "tools": ["a", "b"]}, "no accepted write to a, b"),
        (response("answered"), "comes to its own end with an answer"),
        (response("consulted"), "at least one accepted call"),
        (response("json_parses"), "answers in JSON"),
        (response("schema_valid", expected_keys=["a", "b"]), "answers with the keys a, b"),
        (response("schema_valid", schema={}), "answers in the expected shape"),
        (response("contains_category", expected="spam"), "the label is spam"),
        (response("value", at="/a", matcher=exact("p3")), "/a = p3"),
        (response("value", at="answer", matcher={"match": "number", "value": 7}), "the answer = 7"),
        (response("token_f1", expected="a b"), 'answers in words like "a b"'),
        (response("vibes"), "unknown response kind 'vibes': cannot be judged"),
        ({"type": "vibes"}, "unknown entry type 'vibes': cannot be judged"),
    ],
)
def test_an_entry_in_words(entry: dict[str, Any], words: str) -> None:
    assert entry_in_words(Entry.read(entry)) == words


@pytest.mark.parametrize(
    ("entry", "label"),
    [
        (REFUND, "issue_refund order_id=A-1007 amount=25"),
        (effect("ping"), "ping"),
        (response("answered"), "comes to its own end with an answer"),
    ],
)
def test_a_label_names_the_tool_and_what_is_compared(entry: dict[str, Any], label: str) -> None:
    assert entry_label(Entry.read(entry)) == label


def test_a_contract_is_its_entries_and_the_rule_for_extra_writes() -> None:
    demand = contract(
        effect("ping"),
        preserved=[
            {"entity": {"type": "order", "id": "A-1"}, "tools": ["x"], "reason": "not theirs"},
            {"tool": "cancel"},
        ],
        forbidden=[
            {"tool": "wipe", "reason": "irreversible"},
            {"tool": "pay", "arguments": {"to": exact("me")}},
            {"type": "forbidden_value", "value": "S-1", "where": "final_response"},
        ],
    )
    assert contract_in_words(demand) == [
        "ping, whatever its arguments",
        "must leave alone: order A-1 by x (not theirs)",
        "must leave alone: cancel",
        "must not happen: any wipe (irreversible)",
        "must not happen: pay with to = me",
        'must not happen: "S-1" in the final text',
        "any other accepted write fails",
    ]


def test_the_rule_for_extra_writes_follows_the_contract() -> None:
    assert contract_in_words(contract(effect("ping"), writes="allow"))[-1] == (
        "any other accepted write is allowed"
    )
    assert contract_in_words(contract()) == ["nothing: cannot be judged"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (
            REFUND,
            "calls issue_refund with order_id exactly A-1007, amount 25 by value, "
            "note present (not compared), currency exactly EUR or left out, dry_run left out",
        ),
        (effect("ping"), "calls ping whatever its arguments"),
        (
            effect("x", a={"match": "number", "value": 5, "tolerance": 0.5}),
            "calls x with a 5 by value (within 0.5)",
        ),
        (
            effect("x", at={"match": "date", "value": "2026-11-02"}, to=exact("{value}")),
            "calls x with at 2026-11-02 as a date, to exactly {value}",
        ),
        (
            effect("x", why={"match": "text", "value": "Too late"}),
            "calls x with why Too late in these words",
        ),
        (
            {**effect("x"), "optional": True, "any_of": "g1"},
            "calls x whatever its arguments (or another of g1) (may, need not)",
        ),
        (response("answered"), "comes to its own end with an answer"),
    ],
)
def test_sentences_say_how_each_value_is_compared(entry: dict[str, Any], words: str) -> None:
    assert sentence(Entry.read(entry)) == words


def test_extra_writes_fail_only_where_the_contract_forbids_them() -> None:
    assert extra_writes_in_words(contract(writes="forbid")) == "any other accepted write fails"
    assert extra_writes_in_words(contract(writes="allow")) == "any other accepted write is allowed"
