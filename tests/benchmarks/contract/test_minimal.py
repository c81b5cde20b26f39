"""The smallest arguments a schema allows (spec/run.md 5.4)."""

from typing import Any

import pytest

from benchmarks.contract.minimal import minimal_arguments


def of(schema: Any) -> Any:
    return minimal_arguments({"type": "object", "properties": {"v": schema}, "required": ["v"]})[
        "v"
    ]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 7, "default": 8}, 7),
        ({"type": "string", "default": "EUR", "enum": ["USD", "EUR"]}, "EUR"),
        ({"type": "string", "enum": ["USD", "EUR"]}, "USD"),
        ({"type": "string"}, ""),
        ({"type": "string", "minLength": 3}, "xxx"),
        ({"type": "string", "format": "date"}, "2000-01-01"),
        ({"type": "string", "format": "date-time"}, "2000-01-01"),
        ({"type": "integer"}, 0),
        ({"type": "number", "minimum": 2.5}, 2.5),
        ({"type": "boolean"}, False),
        ({"type": "array", "items": {"type": "string"}}, []),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [0, 0]),
        ({"type": ["null", "string"]}, ""),
        ({"anyOf": [{"type": "boolean"}, {"type": "string"}]}, False),
        ({"oneOf": [{"type": "integer", "minimum": 4}, {"type": "string"}]}, 4),
        ({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]}, {"a": ""}),
        ({}, None),
    ],
)
def test_value_is_the_smallest(schema: Any, value: Any) -> None:
    assert of(schema) == value


def test_only_required_keys_are_there() -> None:
    schema = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "note": {"type": "string"}},
        "required": ["id"],
    }
    assert minimal_arguments(schema) == {"id": ""}


def test_required_key_without_a_schema_is_null() -> None:
    assert minimal_arguments({"type": "object", "required": ["id"]}) == {"id": None}


def test_tool_without_parameters_takes_none() -> None:
    assert minimal_arguments(None) == {}


def test_local_reference_is_followed() -> None:
    schema = {
        "type": "object",
        "$defs": {"money": {"type": "number", "minimum": 1}},
        "properties": {"amount": {"$ref": "#/$defs/money"}},
        "required": ["amount"],
    }
    assert minimal_arguments(schema) == {"amount": 1}


def test_schema_that_holds_itself_ends() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"child": {"$ref": "#"}},
        "required": ["child"],
    }
    depth, value = 0, minimal_arguments(schema)
    while value is not None:
        depth, value = depth + 1, value["child"]
    assert depth < 20
