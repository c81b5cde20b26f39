"""Foreign JSON read tolerantly: what was repaired is counted, what cannot be read is named.

The parser of `artifacts/parsing.py` is the rejected way here: it does not say that a key stood
twice, and it cannot read one element of an array after the other.
"""

import json
import math
import re
import sys
from collections import Counter
from functools import cached_property
from typing import Any

from benchmarks.artifacts.parsing import (
    MAX_DEPTH,
    MAX_DIGITS,
    SURROGATE_ESCAPE,
    exact_integer,
)
from benchmarks.intake.sources.bytestreams import text_of
from benchmarks.intake.sources.plain_json import NotPlain, plain_json
from benchmarks.records.digest import whole_text

TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
UNFINISHED_WORDS = ("true", "false", "null", "-")
NEWLINE = "\n"
BLANK = re.compile(r"[ \t\r\n]*")


class BadJson(ValueError):
    """Text that is no JSON value: `what` is wrong with it, at which place."""

    def __init__(self, what: str, where: str = "", *, cut: bool = False, at: int = 0) -> None:
        super().__init__(f"{what} {where}".rstrip())
        self.what = what
        self.cut = cut
        """Whether it breaks off inside a value."""
        self.at = at


class Parser:
    """Reads JSON values and counts what it repaired in `repairs`."""

    def __init__(self) -> None:
        self.repairs: Counter[str] = Counter()
        self._found: Counter[str] = Counter()

    @cached_property
    def _slow_decoder(self) -> json.JSONDecoder:
        return self._made(parse_int=exact_integer)

    @cached_property
    def _decoder(self) -> json.JSONDecoder:
        is_plain = 0 < sys.get_int_max_str_digits() <= MAX_DIGITS
        return self._made() if is_plain else self._slow_decoder

    def _made(self, **hooks: Any) -> json.JSONDecoder:
        return json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_constant=self._constant,
            parse_float=self._number,
            **hooks,
        )

    def whole(self, text: str | bytes) -> Any:
        """The one value that fills the text; bytes that are no UTF-8 become U+FFFD.

        Raises:
            BadJson: there is none, or more.
        """
        try:
            return plain_json(text)
        except NotPlain:
            return self._whole(text if isinstance(text, str) else text_of(text, self.repairs))

    def _whole(self, text: str) -> Any:
        value, end = self.value(text, skip_blanks(text, 0))
        end = skip_blanks(text, end)
        if end != len(text):
            raise BadJson("further text", f"at column {end + 1}", at=end)
        return value

    def value(self, text: str, position: int) -> tuple[Any, int]:
        """The value that starts at `position`, and where it ends.

        Raises:
            BadJson: no value starts there, or it nests more than 200 levels deep.
        """
        try:
            value, end = self._decoded(text, position)
        except json.JSONDecodeError as error:
            raise _explained(text, error) from None
        except RecursionError:
            raise BadJson(TOO_DEEP, at=position) from None
        except ValueError:
            message = f"an integer of more than {MAX_DIGITS} digits"
            raise BadJson(message, at=position) from None
        if not _within_depth(text, position, end, value):
            raise BadJson(TOO_DEEP, at=position)
        if SURROGATE_ESCAPE.search(text, position, end):
            value = self._whole_texts(value)
        self.repairs.update(self._found)
        return value, end

    def _decoded(self, text: str, position: int) -> tuple[Any, int]:
        self._found.clear()
        try:
            return self._decoder.raw_decode(text, position)
        except json.JSONDecodeError:
            raise
        except ValueError:
            # `int` has a limit of its own, which belongs to the process and not to this rule.
            self._found.clear()
            return self._slow_decoder.raw_decode(text, position)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            self._found["duplicate_key"] += len(pairs) - len(value)
        return value

    def _constant(self, _: str) -> None:
        self._found["non_finite"] += 1

    def _number(self, text: str) -> float | None:
        number = float(text)
        if math.isfinite(number):
            return number
        self._found["non_finite"] += 1
        return None

    def _whole_texts(self, value: Any) -> Any:
        if isinstance(value, str):
            whole = whole_text(value)
            if whole != value:
                self._found["surrogate_replaced"] += 1
            return whole
        if isinstance(value, list):
            return [self._whole_texts(item) for item in value]
        if isinstance(value, dict):
            return {self._whole_texts(key): self._whole_texts(item) for key, item in value.items()}
        return value


def skip_blanks(text: str, position: int) -> int:
    """The first position at or after `position` that is no JSON blank."""
    match = BLANK.match(text, position)
    return match.end() if match else position


def _explained(text: str, error: json.JSONDecodeError) -> BadJson:
    rest = text[error.pos :].rstrip()
    cut = (
        not rest
        or error.msg.startswith("Unterminated string")
        or any(word.startswith(rest) for word in UNFINISHED_WORDS)
    )
    if cut:
        column = len(text) - text.rfind(NEWLINE)
        line = text.count(NEWLINE) + 1
        where = f"at line {line} column {column}" if line > 1 else f"at column {column}"
        return BadJson("end of text", where, cut=True, at=error.pos)
    where = f"line {error.lineno} column" if error.lineno > 1 else "column"
    return BadJson(error.msg, f"at {where} {error.colno}", at=error.pos)


def _within_depth(text: str, start: int, end: int, value: Any) -> bool:
    if text.count("[", start, end) + text.count("{", start, end) <= MAX_DEPTH:
        return True
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for holder in level
            for item in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(item, dict | list)
        ]
        if not level:
            return True
    return False
