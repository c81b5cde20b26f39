"""The rules of spec/build.md 4.3, by row."""

from typing import Any

import pytest

from benchmarks.contract.declared import Declared
from benchmarks.contract.inferring import (
    Recorded,
    infer_arguments,
    infer_matcher,
    structured_paths,
)
from benchmarks.contract.shapes import id_tokens, is_id_shaped

LONG = "the parcel came with a torn corner and water inside it"


def kind(name: str, value: Any, schema: Any = None) -> str:
    return str(infer_matcher((name,), value, Declared.of(schema))["match"])


@pytest.mark.parametrize(
    ("name", "value", "schema", "match"),
    [
        ("token", "[redacted:api_key]", None, "prose"),
        ("note", "use [redacted:password] to log in", None, "prose"),
        ("nothing", None, None, "absent"),
        ("flag", True, None, "exact"),
        ("amount", 25, None, "number"),
        ("order_id", 25, None, "number"),
        ("amount", "25", {"type": "number"}, "number"),
        ("code", "25", {"type": "integer"}, "number"),
        ("amount", "0.5", None, "number"),
        ("amount", "-7", None, "number"),
        ("amount", "+5", None, "exact"),
        ("amount", "02139", None, "exact"),
        ("zip", "12345", None, "exact"),
        ("order_id", "12345", None, "exact"),
        ("day", "2026-05-12", None, "date"),
        ("at", "2026-05-12T09:00:00Z", None, "date"),
        ("day", "2026-13-45", None, "exact"),
        ("size", "large", {"enum": ["small", "large"]}, "exact"),
        ("currency", "euro", None, "exact"),
        ("user_id", "mia", None, "exact"),
        ("userId", "mia", None, "exact"),
        ("who", "mia_li", None, "exact"),
        ("who", "mia@x.org", None, "exact"),
        ("where", "https://x.org/a", None, "exact"),
        ("where", "/home/My Docs/a.txt", None, "exact"),
        ("where", "C:\\dir\\a b", None, "exact"),
        ("airport", "JFK", None, "exact"),
        ("airport", "J", None, "text"),
        ("airport", "JFKXYZ", None, "text"),
        ("name", "Mia", None, "text"),
        ("name", "Mia Li", None, "text"),
        ("account", "two words", None, "text"),
        ("note", "", None, "text"),
        ("note", "one two three four five six seven eight", None, "text"),
        ("note", "one two three four five six seven eight nine", None, "prose"),
        ("note", "x" * 81, None, "prose"),
        ("note", "東" * 40, None, "text"),
        ("note", "東" * 41, None, "prose"),
        ("note", LONG, None, "prose"),
        ("items", ["a"], None, "set"),
        ("steps", ["a"], None, "list"),
        ("build_commands", ["a"], None, "list"),
        ("items", ["a"], {"type": "array", "x-order": True}, "list"),
        ("pax", {"a": 1}, None, "object"),
        ("items", "['a']", None, "text"),
        ("items", "['a']", {"type": "array"}, "set"),
        ("pax", '{"a": 1}', {"type": "object"}, "object"),
        ("items", "not a list", {"type": "array"}, "text"),
        ("amount", 5, {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "number"),
        ("amount", "7", {"type": ["integer", "null"]}, "number"),
    ],
)
def test_the_first_rule_that_applies(name: str, value: Any, schema: Any, match: str) -> None:
    assert kind(name, value, schema) == match


def test_elements_get_matchers_of_their_own() -> None:
    assert infer_matcher(("items",), ["a", LONG]) == {
        "match": "set",
        "items": [{"match": "text", "value": "a"}, {"match": "prose", "value": LONG}],
    }
    assert infer_matcher(("item_ids",), ["7", "8"]) == {
        "match": "set",
        "value": ["7", "8"],
        "of": "exact",
    }


def test_a_list_under_an_ordered_name_is_ordered_at_any_depth() -> None:
    matcher = infer_matcher(("steps",), [{"tags": ["a", "b"]}])
    assert matcher["match"] == "list"
    assert matcher["items"][0]["fields"]["tags"]["match"] == "list"


def test_what_was_recorded_empty_is_optional() -> None:
    assert infer_matcher(("items",), []) == {
        "match": "set",
        "value": [],
        "of": "exact",
        "optional": True,
    }
    assert infer_matcher(("pax",), {}) == {"match": "object", "fields": {}, "optional": True}
    assert infer_matcher(("address2",), "") == {"match": "text", "value": "", "optional": True}


PROPERTIES = {
    "flag": {"type": "boolean"},
    "mode": {"enum": ["a", "b"]},
    "count": {"type": "integer"},
    "user_id": {"type": "string"},
    "email": {"type": "string", "format": "email"},
    "note": {"type": "string"},
    "items": {"type": "array"},
    "pax": {"type": "object"},
    "unit": {"type": "string", "default": "kg"},
    "page": {"type": "integer", "default": None},
}


def test_what_the_incumbent_left_out() -> None:
    declared = Declared.of({"type": "object", "properties": PROPERTIES})
    assert infer_arguments({}, declared) == {
        "flag": {"match": "absent"},
        "mode": {"match": "absent"},
        "count": {"match": "absent"},
        "user_id": {"match": "absent"},
        "email": {"match": "absent"},
        "unit": {"match": "exact", "value": "kg", "optional": True},
        "page": {"match": "absent"},
    }


def test_references_of_a_schema_are_followed() -> None:
    schema = {
        "properties": {"size": {"$ref": "#/$defs/Size"}},
        "$defs": {"Size": {"type": "string", "enum": ["a"]}},
    }
    matchers = infer_arguments({"size": "a"}, Declared.of(schema))
    assert matchers == {"size": {"match": "exact", "value": "a"}}


def test_a_schema_in_a_circle_ends() -> None:
    declared = Declared.of({"$ref": "#"})
    assert declared.types() == frozenset()
    assert declared.properties() == {}


def test_capital_types_of_another_dialect_are_read() -> None:
    assert kind("amount", "25", {"type": "NUMBER"}) == "number"


def test_another_recorded_call_shows_that_a_text_is_a_list() -> None:
    structured = structured_paths([{"ids": ["1"], "pax": [{"tags": ["x"]}]}, {"ids": "['2']"}])
    assert structured == {("ids",), ("pax",), ("pax", "tags")}
    recorded = Recorded(structured=structured)
    assert infer_arguments({"ids": "['2']"}, recorded=recorded) == {
        "ids": {"match": "set", "value": ["2"], "of": "exact"}
    }


def test_a_made_id_is_a_reference() -> None:
    ref = {"match": "ref", "entry": "o1", "path": "/id"}
    recorded = Recorded(reference=lambda text, name: ref if text == "tkt-1" else None)
    matchers = infer_arguments({"ticket": "tkt-1", "other": "tkt-2"}, recorded=recorded)
    assert matchers == {"ticket": ref, "other": {"match": "exact", "value": "tkt-2"}}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Created (tkt-1).", ["tkt-1"]),
        ("**#W123**, JFK; see /a/b.", ["#W123", "JFK", "/a/b"]),
        ("to mia@x.org.", ["mia@x.org"]),
        ("plain words only", []),
        ("A-7 and A-7", ["A-7"]),
        ("[Reset it](https://x.org/a?b=1).", ["https://x.org/a?b=1"]),
        ("the key [redacted:api_key], A-7", ["A-7"]),
    ],
)
def test_id_shaped_tokens_of_a_text(text: str, tokens: list[str]) -> None:
    assert id_tokens(text) == tokens


def test_the_name_makes_a_plain_word_an_id() -> None:
    assert is_id_shaped("mia", "user_id")
    assert not is_id_shaped("mia", "user")
    assert not is_id_shaped("two words", "user_id")
