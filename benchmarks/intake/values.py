"""Values of a source as what they are meant to be, or as absent."""

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from benchmarks.records.base import JsonObject

INNER_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def word(value: object) -> str | None:
    """A name or an id; empty is absent."""
    return value if isinstance(value, str) and value else None


def id_text(value: object) -> str | None:
    """An id, whose digits a number is."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return word(value)


def number(value: object) -> float | int | None:
    """A finite number that a double holds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(float(value)) else None
    except OverflowError:
        return None


def objects(value: object) -> list[JsonObject]:
    """The objects of a list; anything else holds none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def one_object(value: object) -> JsonObject:
    """The object; anything else holds nothing."""
    return value if isinstance(value, dict) else {}


def either(found: Mapping[str, Any], name: str) -> Any:
    """The value under a key in camelCase, else in the snake_case that client libraries write."""
    value = found.get(name)
    return found.get(_snake(name)) if value is None else value


@cache
def _snake(name: str) -> str:
    return INNER_CAPITAL.sub("_", name).lower()
