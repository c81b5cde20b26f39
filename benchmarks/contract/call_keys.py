"""When two calls are the same call to the world: tool and canonical arguments.

The canonical form of a value is that of the matcher it would get (spec/build.md 4.3), so what the
scorer holds equal the world answers alike: numbers by value, ids exactly, words normalised, sets
in any order. Null, empty values and defaults say nothing and are dropped.
"""

import unicodedata
from collections.abc import Mapping
from datetime import UTC, time
from decimal import Decimal
from typing import Any

from benchmarks.contract.declared import Declared
from benchmarks.contract.inferring import Path, infer_matcher
from benchmarks.contract.iso_dates import Moment, read_moment
from benchmarks.contract.literals import parse_literal
from benchmarks.contract.plain_text import folded
from benchmarks.contract.values import read_decimal, scalar_text
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool
from benchmarks.records.digest import canonical

CallKey = tuple[str, str]
"""A tool and the canonical text of its arguments."""

TEXT_ONLY = frozenset({"string"})


class CallKeys:
    """Gives each call its key, by the definitions of the tools."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self.tools = tools
        self.declared = {name: Declared.of(tool.parameters) for name, tool in tools.items()}

    def key(self, tool: str, arguments: Mapping[str, Any]) -> CallKey:
        """The key of a call; equal for calls that ask for the same."""
        declared = self.declared.get(tool, Declared())
        return tool, canonical(object_form((), arguments, declared)).decode()


def object_form(path: Path, value: Mapping[str, Any], declared: Declared) -> JsonObject:
    """The canonical form of an object: what says nothing is dropped."""
    properties = declared.properties()
    forms: JsonObject = {}
    for name, item in value.items():
        inner = properties.get(name, Declared())
        form = value_form((*path, str(name)), item, inner)
        if not is_empty(form) and not is_default((*path, str(name)), form, inner):
            forms[str(name)] = form
    return forms


def value_form(path: Path, value: Any, declared: Declared) -> Any:
    """The canonical form of one value; None for null."""
    if isinstance(value, str) and declared.types() != TEXT_ONLY:
        parsed = parse_literal(value)
        value = value if parsed is None else parsed
    if isinstance(value, Mapping):
        return object_form(path, value, declared)
    if isinstance(value, list):
        return list_form(path, value, declared)
    return scalar_form(infer_matcher(path, value, declared))


def list_form(path: Path, values: list[Any], declared: Declared) -> list[Any]:
    """The canonical form of a list: in its own order where order matters, else sorted."""
    forms = [value_form(path, value, declared.items()) for value in values]
    is_ordered = infer_matcher(path, [], declared)["match"] == "list"
    return forms if is_ordered else sorted(forms, key=canonical)


def scalar_form(matcher: Mapping[str, Any]) -> Any:
    """What a matcher of one value holds equal: a text; booleans and null as themselves."""
    value = matcher.get("value")
    if value is None or isinstance(value, bool):
        return value
    number = read_decimal(value) if matcher["match"] == "number" else None
    if number is not None:
        return decimal_text(number)
    moment = read_moment(value) if matcher["match"] == "date" else None
    if moment is not None:
        return moment_text(moment)
    text = scalar_text(value) or ""
    return unicodedata.normalize("NFC", text) if matcher["match"] == "exact" else folded(text)


def decimal_text(number: Decimal) -> str:
    """A decimal as its shortest text: 25 for 25.00, so that it equals the text that spells it."""
    return "0" if number == 0 else format(number.normalize(), "f")


def moment_text(moment: Moment) -> str:
    """A day, or an instant in UTC; midnight is its day, a clock without zone is taken as it is."""
    at = moment.at.astimezone(UTC).replace(tzinfo=None) if moment.has_zone else moment.at
    return at.date().isoformat() if at.time() == time() else at.isoformat()


def is_empty(form: Any) -> bool:
    """Whether a form says nothing: null, no text, no element."""
    return form is None or form in ("", [], {})


def is_default(path: Path, form: Any, declared: Declared) -> bool:
    """Whether a form is that of the schema's default, which needs no saying."""
    if not declared.has("default"):
        return False
    return bool(value_form(path, declared.get("default"), declared) == form)
