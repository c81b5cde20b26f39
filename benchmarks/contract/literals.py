"""Lists and mappings that stand in text, as JSON or as a literal of Python; never evaluated."""

import json
import math
import re
from typing import Any

MAX_CHARS = 262_144
MAX_DEPTH = 64
MAX_DIGITS = 4_000

BLANKS = re.compile(r"[ \t\r\n]*")
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])", re.ASCII)
WORD = re.compile(r"[A-Za-z]+")
WORDS: dict[str, bool | None] = {
    "True": True,
    "False": False,
    "None": None,
    "true": True,
    "false": False,
    "null": None,
}
HEX_ESCAPES = {"x": 2, "u": 4, "U": 8}
ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0",
    "\\": "\\", "'": "'", '"': '"', "/": "/", "\n": "",
}  # fmt: skip
CLOSERS = {"[": "]", "(": ")", "{": "}"}


class NotLiteral(ValueError):
    """The text is no literal list or mapping."""


def parse_literal(text: str) -> list[Any] | dict[str, Any] | None:
    """The list or mapping that `text` is as a whole, as JSON or as a literal of Python, else None.

    Tuples and sets become lists, keys become text. Texts over 256 KiB or nested deeper than 64
    are not read.
    """
    trimmed = text.strip()
    if len(trimmed) > MAX_CHARS or trimmed[:1] not in CLOSERS:
        return None
    value = parse_json(trimmed)
    if not isinstance(value, list | dict):
        try:
            value = Reader(trimmed).whole()
        except NotLiteral:
            return None
    if not isinstance(value, list | dict):
        return None
    return repaired(value) if "\\" in trimmed else value


def parse_json(text: str) -> Any:
    """The JSON value that `text` is as a whole, numbers finite; None when it is none."""
    try:
        value = json.loads(text, parse_float=finite, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None
    return value if depth_within(value, MAX_DEPTH) else None


def finite(text: str) -> float:
    """The float that `text` spells, which must be finite."""
    value = float(text)
    if not math.isfinite(value):
        raise NotLiteral(text)
    return value


def refuse(text: str) -> Any:
    """No value: NaN and Infinity are not JSON."""
    raise NotLiteral(text)


def depth_within(value: Any, limit: int) -> bool:
    """Whether lists and mappings nest at most `limit` deep."""
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(limit):
        level = [
            item
            for holder in level
            for item in (holder if isinstance(holder, list) else holder.values())
            if isinstance(item, list | dict)
        ]
    return not level


def repaired(value: Any) -> Any:
    """The value with pairs of surrogates joined and lone ones replaced: it can be written."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [repaired(item) for item in value]
    if isinstance(value, dict):
        return {repaired(key): repaired(item) for key, item in value.items()}
    return value


class Reader:
    """A cursor over one literal."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def whole(self) -> Any:
        """The one value that fills the text."""
        value = self.value()
        self.skip()
        if self.at != len(self.text):
            raise NotLiteral(f"trailing text at {self.at}")
        return value

    def value(self) -> Any:
        """The value that starts here."""
        self.skip()
        sign = self.peek()
        if sign in CLOSERS:
            return self.container(sign)
        if sign in {"'", '"'}:
            return self.string()
        number = NUMBER.match(self.text, self.at)
        return self.number(number) if number else self.word()

    def container(self, opener: str) -> Any:
        """A list, tuple, set or mapping."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotLiteral("nested too deep")
        self.at += 1
        value = self.braces() if opener == "{" else self.items(CLOSERS[opener], [])
        self.depth -= 1
        return value

    def items(self, closer: str, found: list[Any]) -> Any:
        """The items up to `closer`; one item in parentheses without a comma is that item."""
        comma = not found or self.took(",")
        while not self.took(closer):
            if not comma:
                raise NotLiteral(f"no comma at {self.at}")
            found.append(self.value())
            comma = self.took(",")
        return found[0] if closer == ")" and len(found) == 1 and not comma else found

    def braces(self) -> Any:
        """A mapping, or the items of a set."""
        if self.took("}"):
            return {}
        first = self.value()
        if not self.took(":"):
            return self.items("}", [first])
        found = {self.key(first): self.value()}
        while self.took(",") and not self.sees("}"):
            key = self.key(self.value())
            if not self.took(":"):
                raise NotLiteral(f"no key at {self.at}")
            found[key] = self.value()
        if not self.took("}"):
            raise NotLiteral(f"no comma at {self.at}")
        return found

    def key(self, value: Any) -> str:
        """The key of a mapping as text."""
        if isinstance(value, list | dict):
            raise NotLiteral(f"no key at {self.at}")
        return value if isinstance(value, str) else json.dumps(value)

    def string(self) -> str:
        """A quoted text, its escapes resolved."""
        quote = self.peek()
        self.at += 1
        parts: list[str] = []
        while (sign := self.next()) != quote:
            parts.append(self.escape() if sign == "\\" else sign)
        return "".join(parts)

    def escape(self) -> str:
        """What the escape after a backslash stands for; an unknown one stands for itself."""
        sign = self.next()
        if sign not in HEX_ESCAPES:
            return ESCAPES.get(sign, "\\" + sign)
        digits = self.text[self.at : self.at + HEX_ESCAPES[sign]]
        self.at += HEX_ESCAPES[sign]
        try:
            return chr(int(digits, 16))
        except (ValueError, OverflowError):
            raise NotLiteral(f"bad escape at {self.at}") from None

    def number(self, match: re.Match[str]) -> int | float:
        """An integer, kept exactly, or a finite float."""
        self.at = match.end()
        spelled = match.group()
        if not spelled.lstrip("+-").isdigit():
            return finite(spelled)
        if len(spelled) > MAX_DIGITS:
            raise NotLiteral(f"a number of {len(spelled)} digits")
        return int(spelled)

    def word(self) -> bool | None:
        """A boolean or none, spelled as Python or JSON spells it."""
        match = WORD.match(self.text, self.at)
        if match is None or match.group() not in WORDS:
            raise NotLiteral(f"no value at {self.at}")
        self.at = match.end()
        return WORDS[match.group()]

    def skip(self) -> None:
        """Pass over blanks."""
        match = BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def peek(self) -> str:
        """The sign here, empty at the end."""
        return self.text[self.at : self.at + 1]

    def next(self) -> str:
        """The sign here, passed over."""
        sign = self.peek()
        if not sign:
            raise NotLiteral("the text ends inside a literal")
        self.at += 1
        return sign

    def took(self, sign: str) -> bool:
        """Whether `sign` stands here behind blanks; if so it is passed over."""
        if not self.sees(sign):
            return False
        self.at += 1
        return True

    def sees(self, sign: str) -> bool:
        """Whether `sign` is next behind blanks."""
        self.skip()
        return self.peek() == sign
