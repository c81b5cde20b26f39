"""The JSON that an answer holds: fenced, whole, or the first span that parses."""

import json
import re
from typing import Any

from benchmarks.contract.literals import MAX_DEPTH, depth_within, finite, parse_json, refuse

MAX_CHARS = 262_144
MAX_STARTS = 256
FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
OPENERS = re.compile(r"[\[{]")
DECODER = json.JSONDecoder(parse_float=finite, parse_constant=refuse)


def extract_json(text: str) -> list[Any] | dict[str, Any] | None:
    """The object or array of an answer: a fenced block, else the whole text, else a span of it."""
    whole = whole_json(text)
    return whole if whole is not None else first_span(text)


def whole_json(text: str) -> list[Any] | dict[str, Any] | None:
    """The object or array that an answer is: its first fenced block that parses, else all of it."""
    candidates = [*fenced(text), text]
    values = (parse_json(candidate.strip()) for candidate in candidates)
    return next((value for value in values if isinstance(value, list | dict)), None)


def fenced(text: str) -> list[str]:
    """What stands in the fenced blocks of a text."""
    return [match[2] for match in FENCE.finditer(text)] if "``" in text or "~~" in text else []


def first_span(text: str) -> list[Any] | dict[str, Any] | None:
    """The first balanced span of brackets that parses; brackets inside strings are text.

    At most 256 KiB and 256 opening brackets are looked at.
    """
    head = text[:MAX_CHARS]
    for _, opener in zip(range(MAX_STARTS), OPENERS.finditer(head), strict=False):
        try:
            value, _ = DECODER.raw_decode(head, opener.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list | dict) and depth_within(value, MAX_DEPTH):
            return value
    return None


def bare_scalar(text: str) -> Any:
    """The JSON string, number or boolean that a text is as a whole, fenced or not; else None."""
    for candidate in [*fenced(text), text]:
        value = parse_json(candidate.strip())
        if value is not None and not isinstance(value, list | dict):
            return value
    return None


def pointed(value: Any, pointer: str) -> tuple[bool, Any]:
    """Whether a JSON Pointer leads somewhere in `value`, and what stands there."""
    if pointer == "":
        return True, value
    if not pointer.startswith("/"):
        return False, None
    for step in pointer[1:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif (
            isinstance(value, list) and name.isascii() and name.isdigit() and int(name) < len(value)
        ):
            value = value[int(name)]
        else:
            return False, None
    return True, value


def pointer_to(path: tuple[str, ...]) -> str:
    """The JSON Pointer of a path of names."""
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in path)
