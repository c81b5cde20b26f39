from typing import Any

import pytest

from benchmarks.contract.contract_words import wrong_in_matcher, wrong_words
from benchmarks.records.contract import Contract

MATCHERS = "absent, any, date, exact, list, number, object, one_of, prose, ref, set, text"
TYPES = "no_state_change, read_obligation, response_obligation, state_effect, value_propagation"
NEAR = {"match": "near", "value": 1}


def told(**parts: Any) -> list[str]:
    return list(map(str, wrong_words(Contract.read({"status": "human_approved", **parts}))))


def test_a_contract_of_known_words_has_nothing_wrong() -> None:
    matcher = {"match": "set", "of": "number", "value": [1, 2]}
    effect = {"tool": "pay", "arguments": {"parts": matcher}}
    reply = {"type": "response_obligation", "kind": "value", "at": "/a", "matcher": matcher}
    assert told(writes="forbid", required=[effect, reply], forbidden=[{"tool": "ship"}]) == []


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"writes": "maybe"}, "writes: unknown word 'maybe'; known: allow, forbid"),
        (
            {"required": [{"type": "vibe"}]},
            f"o1 (required[0].type): unknown type 'vibe'; known: {TYPES}",
        ),
        (
            {"required": [{"id": "pay", "tool": "pay", "arguments": {"n": NEAR}}]},
            f"pay (required[0].arguments.n.match): unknown matcher 'near'; known: {MATCHERS}",
        ),
        ({"required": [{}]}, "o1 (required[0].tool): names no tool"),
        (
            {"required": [{"type": "value_propagation", "value": 1, "as": "near"}]},
            "o1 (required[0].as): unknown `as` 'near'; known: date, exact, number, text",
        ),
        (
            {"required": [
                {"type": "value_propagation", "value": 1, "must_reach": {"kind": "moon"}},
            ]},
            "o1 (required[0].must_reach.kind): unknown must_reach 'moon'; "
            "known: final_response, response, tool_args",
        ),
        (
            {"required": [{"type": "response_obligation", "kind": "kind"}]},
            "o1 (required[0].kind): unknown kind 'kind'; known: answered, consulted, "
            "contains_category, json_parses, schema_valid, token_f1, value",
        ),
        (
            {"preserved": [{"type": "kept"}]},
            "p1 (preserved[0].type): unknown type 'kept'; known: preserved",
        ),
        (
            {"forbidden": [{"type": "taboo"}]},
            "x1 (forbidden[0].type): unknown type 'taboo'; known: forbidden, forbidden_value",
        ),
        (
            {"forbidden": [{"type": "forbidden_value", "value": 1, "where": "dreams"}]},
            "x1 (forbidden[0].where): unknown place 'dreams'; "
            "known: any, final_response, tool_args",
        ),
        (
            {"required": [
                {"tool": "pay", "arguments": {"id": {"match": "ref", "entry": "o9", "path": ""}}},
            ]},
            "o1 (required[0].arguments): refers to 'o9', which is no entry; known: o1",
        ),
    ],
)  # fmt: skip
def test_a_word_that_no_rule_knows_is_told_with_place_and_the_known_ones(
    parts: dict[str, Any], words: str
) -> None:
    assert told(**parts) == [words]


@pytest.mark.parametrize(
    ("matcher", "wrong"),
    [
        ({"match": "exact", "value": 1}, []),
        ({"match": "object", "fields": {"a": NEAR}}, [("fields.a.match", "near")]),
        ({"match": "set", "items": [{"match": "any"}, NEAR]}, [("items[1].match", "near")]),
        ({"match": "set", "of": "fuzzy", "value": ["a"]}, [("of", "fuzzy")]),
        ({"match": "set", "value": "a"}, [("value", "a")]),
        ({"match": "one_of", "options": [NEAR]}, [("options[0].match", "near")]),
        ({"match": "one_of", "options": "any"}, [("options", "any")]),
        ({"match": "date", "value": "2026-05-12", "precision": "week"}, [("precision", "week")]),
        ({"match": ["exact"], "value": 1}, [("match", ["exact"])]),
        ({"value": 1}, [("match", None)]),
        ("exact", [("", "exact")]),
        ({"match": "object", "fields": ["a"]}, [("fields", ["a"])]),
    ],
)
def test_wrong_words_of_a_matcher_are_found_at_any_depth(
    matcher: Any, wrong: list[tuple[str, Any]]
) -> None:
    assert [(one.path, one.value) for one in wrong_in_matcher(matcher)] == wrong
