"""What a definition declares is enforced, read as the scorer reads values."""

from typing import Any

import pytest

from benchmarks.environment.breaches import breaches

SCHEMA = {
    "type": "object",
    "properties": {
        "room": {"type": "string"},
        "nights": {"type": "integer"},
        "rate": {"type": "number"},
        "view": {"type": "string", "enum": ["sea", "garden"]},
        "late": {"type": "boolean"},
        "guests": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                "required": ["name"],
            },
        },
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "floor": {"enum": [1, 2]},
    },
    "required": ["room"],
}


def keys(arguments: dict[str, Any], schema: Any = SCHEMA) -> list[str]:
    return [breach.key for breach in breaches(schema, arguments)]


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"nights": 3},
        {"nights": 3.0},
        {"nights": "3"},
        {"rate": 12.5},
        {"rate": "12.50"},
        {"view": "sea"},
        {"late": False},
        {"guests": [{"name": "Mia"}]},
        {"guests": '[{"name": "Mia"}]'},
        {"guests": "[{'name': 'Mia'}]"},
        {"guests": []},
        {"note": None},
        {"view": None},
        {"floor": "2"},
        {"undeclared": {"any": "thing"}},
    ],
)
def test_what_the_schema_allows_breaks_nothing(extra: dict[str, Any]) -> None:
    assert keys({"room": "12", **extra}) == []


@pytest.mark.parametrize(
    ("arguments", "broken"),
    [
        ({}, ["missing_required:room"]),
        ({"room": None}, ["missing_required:room"]),
        ({"room": 12}, ["type:room"]),
        ({"room": "12", "nights": "three"}, ["type:nights"]),
        ({"room": "12", "nights": 3.5}, ["type:nights"]),
        ({"room": "12", "nights": True}, ["type:nights"]),
        ({"room": "12", "rate": "12 USD"}, ["type:rate"]),
        ({"room": "12", "late": "false"}, ["type:late"]),
        ({"room": "12", "late": 0}, ["type:late"]),
        ({"room": "12", "view": "Sea"}, ["enum:view"]),
        ({"room": "12", "view": "street"}, ["enum:view"]),
        ({"room": "12", "floor": 3}, ["enum:floor"]),
        ({"room": "12", "guests": "Mia"}, ["type:guests"]),
        ({"room": "12", "guests": [{"age": 4}]}, ["missing_required:guests[].name"]),
        ({"room": "12", "guests": [{"name": "Mia", "age": "x"}]}, ["type:guests[].age"]),
        ({"room": "12", "note": 5}, ["type:note"]),
        ({"nights": "x", "view": "y"}, ["missing_required:room", "type:nights", "enum:view"]),
    ],
)
def test_each_broken_rule_is_named(arguments: dict[str, Any], broken: list[str]) -> None:
    assert keys(arguments) == broken


def test_enum_names_what_is_allowed() -> None:
    (breach,) = breaches(SCHEMA, {"room": "12", "view": "street"})
    assert breach.expected == "sea, garden"


@pytest.mark.parametrize("schema", [None, {}, {"type": "object"}, {"properties": "odd"}])
def test_no_declaration_enforces_nothing(schema: Any) -> None:
    assert keys({"room": 12}, schema) == []


def test_required_null_is_there_where_null_is_a_value() -> None:
    schema = {"properties": {"end": {"type": ["string", "null"]}}, "required": ["end"]}
    assert keys({"end": None}, schema) == []
    assert keys({}, schema) == ["missing_required:end"]


def test_local_reference_is_followed() -> None:
    schema = {
        "$defs": {"view": {"enum": ["sea"]}},
        "properties": {"view": {"$ref": "#/$defs/view"}},
    }
    assert keys({"view": "street"}, schema) == ["enum:view"]


def test_schema_that_holds_itself_ends() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"$ref": "#"}}}
    value: dict[str, Any] = {}
    for _ in range(40):
        value = {"a": value}
    assert keys(value, schema) == []


def test_schema_that_branches_into_itself_ends() -> None:
    schema: dict[str, Any] = {
        "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}] * 10, "enum": [1]}},
        "properties": {"a": {"$ref": "#/$defs/a"}},
    }
    assert keys({"a": 2}, schema) == ["type:a"]
