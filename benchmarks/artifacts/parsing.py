"""JSON text to values, exactly.

A fast parser reads what it reads exactly; everything else goes through a slower one that keeps
every digit, reads a number beyond a double as null and counts what it had to change
(spec/files.md 2.1).
"""

import json
import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

MAX_DEPTH = 200
TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
BOM = b"\xef\xbb\xbf"


class Malformed(StrEnum):
    """Why a line is not counted as an object."""

    BAD_JSON = "bad_json"
    BAD_UTF8 = "bad_utf8"
    NOT_OBJECT = "not_object"
    TOO_DEEP = "too_deep"
    TOO_LONG = "too_long"
    INVALID = "invalid"
    """An object of the right schema that is not a valid record."""
    DUPLICATE = "duplicate"
    """A line of a table whose key an earlier line has."""


class BadJson(ValueError):
    """Bytes that are not one JSON value."""

    def __init__(self, kind: Malformed, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value, with what had to be changed to read it."""

    value: Any
    non_finite: int = 0
    repaired: int = 0


def parse_json(data: bytes) -> Parsed:
    """The value in `data`: integers exact, non-finite numbers null, lone surrogates U+FFFD.

    Raises:
        BadJson: `data` is not UTF-8, not one JSON value, or nested more than 200 levels deep.
    """
    data = data.removeprefix(BOM)
    if is_deeper(data, MAX_DEPTH):
        raise BadJson(Malformed.TOO_DEEP, TOO_DEEP)
    if not has_long_number(data):
        try:
            return Parsed(orjson.loads(data))
        except orjson.JSONDecodeError:
            pass
    return _parse_exactly(data)


def parse_given(text: str) -> Any:
    """The value that somebody wrote down: taken as it stands, nothing made null, nothing repaired.

    Raises:
        BadJson: it is not one JSON value, holds a number that is none, or is nested more than 200
            levels deep.
    """
    if is_deeper(text.encode("utf-8", "replace"), MAX_DEPTH):
        raise BadJson(Malformed.TOO_DEEP, TOO_DEEP)
    try:
        return json.loads(text, parse_constant=_no_number, parse_int=exact_integer)
    except RecursionError:
        raise BadJson(Malformed.TOO_DEEP, TOO_DEEP) from None
    except ValueError as error:
        raise BadJson(Malformed.BAD_JSON, str(error)) from None


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is not a number")


OPENERS_AND_CLOSERS = bytes.maketrans(b"[]", b"{}")
NOT_OPENERS = bytes(byte for byte in range(256) if byte not in b"{[")
NOT_STRUCTURE = bytes(byte for byte in range(256) if byte not in b'{}[]"')


def is_deeper(data: bytes, levels: int) -> bool:
    """Whether JSON text nests more than `levels` deep; says nothing of text that is not JSON."""
    if len(data.translate(None, NOT_OPENERS)) <= levels:
        return False
    outside = data.replace(rb"\\", b"").replace(rb"\"", b"")
    outside = outside.translate(OPENERS_AND_CLOSERS, NOT_STRUCTURE)
    braces = b"".join(outside.split(b'"')[::2])
    for _ in range(levels):
        # Every pass takes off the innermost level everywhere, at the speed of memcpy.
        inner = len(braces)
        braces = braces.replace(b"{}", b"")
        if len(braces) == inner:
            return False
    return b"{}" in braces


DIGITS = bytes.maketrans(b"0123456789", b"0000000000")
LONG_RUN = b"0" * 19


def has_long_number(data: bytes) -> bool:
    """Whether 19 digits in a row occur: the fast parser may round such an integer."""
    # A run of 19 digits holds three of every sixth byte in a row: most lines are settled here.
    if b"000" not in data[::6].translate(DIGITS):
        return False
    return LONG_RUN in data.translate(DIGITS)


SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
SURROGATE = re.compile("[\ud800-\udfff]")
MAX_DIGITS = 10_000
PLAIN_DIGITS = 640
"""`int` takes as many under every limit that a process may have set."""


def _parse_exactly(data: bytes) -> Parsed:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson(Malformed.BAD_UTF8, str(error)) from None
    reader = _ExactReader()
    try:
        value = json.loads(
            text,
            parse_constant=reader.constant,
            parse_float=reader.number,
            parse_int=exact_integer,
        )
    except RecursionError:
        raise BadJson(Malformed.TOO_DEEP, TOO_DEEP) from None
    except ValueError as error:
        raise BadJson(Malformed.BAD_JSON, str(error)) from None
    if SURROGATE_ESCAPE.search(text):
        value = reader.repair(value)
    return Parsed(value, reader.non_finite, reader.repaired)


class _ExactReader:
    """The counting hooks of the slow parser."""

    def __init__(self) -> None:
        self.non_finite = 0
        self.repaired = 0

    def constant(self, _name: str) -> None:
        self.non_finite += 1

    def number(self, text: str) -> float | None:
        number = float(text)
        if math.isfinite(number):
            return number
        self.non_finite += 1
        return None

    def repair(self, value: Any) -> Any:
        if isinstance(value, str):
            text, count = SURROGATE.subn("\ufffd", value)
            self.repaired += count
            return text
        if isinstance(value, dict):
            return {self.repair(key): self.repair(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.repair(item) for item in value]
        return value


def exact_integer(text: str) -> int:
    """An integer from its decimal digits, all of them kept.

    Raises:
        ValueError: it has more than 10,000 digits: reading it would take for ever.
    """
    digits = len(text.removeprefix("-"))
    if digits > MAX_DIGITS:
        raise ValueError(f"a number of {digits} digits")
    if len(text) <= PLAIN_DIGITS:
        return int(text)
    half = len(text) // 2
    shift: int = 10**half
    high, low = exact_integer(text[:-half]), exact_integer(text[-half:])
    return high * shift + (-low if text.startswith("-") else low)
