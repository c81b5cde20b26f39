"""The builtin `arithmetic`: sums in text, read by a parser of its own and never evaluated.

A calculator is recognised by its records alone: a tool with one text argument whose every record,
at least five, comes out the same. How it writes numbers is learned from the same records.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.records.base import JsonObject

MIN_RECORDS = 5
MAX_CHARS = 2_000
MAX_DEPTH = 50
MAX_DIGITS = 300

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*|\.\d+)|([-+*/()]))", re.ASCII)
BLANK_END = re.compile(r"\s*\Z")

Number = int | float


class NotArithmetic(ValueError):
    """The text is no sum of numbers, + - * / and parentheses, or has no finite result."""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How a calculator writes its results."""

    decimals: int | None
    """Rounded to so many decimals; None leaves the result as it is."""
    style: str
    """`float` (12.0), `shortest` (12), `fixed` (12.00) or `number` (a JSON number)."""

    def write(self, value: Number) -> str | Number:
        """The result as the calculator would have given it."""
        rounded = value if self.decimals is None else round(float(value), self.decimals)
        if self.style == "fixed":
            return f"{rounded:.{self.decimals or 0}f}"
        if self.style == "float":
            return repr(float(rounded))
        whole = int(rounded) if float(rounded).is_integer() else rounded
        return whole if self.style == "number" else repr(whole)

    def document(self) -> JsonObject:
        """The form kept in schemas.json."""
        return {"decimals": self.decimals, "style": self.style}

    @classmethod
    def read(cls, document: JsonObject | None) -> "NumberFormat":
        """The format of a schemas.json entry."""
        found = document or {}
        decimals = found.get("decimals")
        style = str(found.get("style", "shortest"))
        return cls(decimals if isinstance(decimals, int) else None, style)


FORMATS = tuple(
    NumberFormat(decimals, style)
    for decimals in (None, 2, 4, 6, 3, 1, 0, 8, 10)
    for style in ("number", "shortest", "float", "fixed")
    if not (style == "fixed" and decimals is None)
)


def learn_format(records: Sequence[tuple[str, Any]]) -> NumberFormat | None:
    """The first format that gives every `(expression, result)` exactly; None for too few or none.

    Results are compared as given: the text `"12.0"` is not the number 12.
    """
    if len(records) < MIN_RECORDS:
        return None
    try:
        computed = [(evaluate(expression), result) for expression, result in records]
    except NotArithmetic:
        return None
    return next((form for form in FORMATS if reproduces(form, computed)), None)


def reproduces(form: NumberFormat, computed: Iterable[tuple[Number, Any]]) -> bool:
    """Whether the format writes every value as it was recorded."""
    return all(same(form.write(value), result) for value, result in computed)


def same(written: str | Number, result: Any) -> bool:
    """Whether two results are equal as JSON values."""
    if isinstance(result, bool) or isinstance(written, str) != isinstance(result, str):
        return False
    return bool(written == result)


def evaluate(text: str) -> Number:
    """The value of a sum of numbers, + - * / and parentheses.

    Raises:
        NotArithmetic: anything else, a division by zero, or a result that is not finite.
    """
    if len(text) > MAX_CHARS:
        raise NotArithmetic(f"longer than {MAX_CHARS} characters")
    try:
        value = Sum(tokens(text)).whole()
        finite = abs(value) < 10**MAX_DIGITS
    except (ZeroDivisionError, OverflowError) as error:
        raise NotArithmetic(str(error)) from None
    if not finite:
        raise NotArithmetic("the result is too large")
    return value


def is_sum(text: str) -> bool:
    """Whether `evaluate` gives the text a value."""
    try:
        evaluate(text)
    except NotArithmetic:
        return False
    return True


def tokens(text: str) -> list[str]:
    """Numbers, operators and parentheses in order."""
    found: list[str] = []
    at = 0
    while not BLANK_END.match(text, at):
        match = TOKEN.match(text, at)
        if match is None:
            raise NotArithmetic(f"unexpected character at {at}")
        found.append(match.group(1) or match.group(2))
        at = match.end()
    return found


class Sum:
    """A cursor over the tokens of one sum; products bind before sums."""

    def __init__(self, found: list[str]) -> None:
        self.tokens = found
        self.at = 0
        self.depth = 0

    def whole(self) -> Number:
        """The value of all tokens."""
        value = self.terms()
        if self.at != len(self.tokens):
            raise NotArithmetic(f"unexpected {self.tokens[self.at]!r}")
        return value

    def terms(self) -> Number:
        """Products, added and subtracted."""
        value = self.factors()
        while self.peek() in {"+", "-"}:
            value = value + self.factors() if self.take() == "+" else value - self.factors()
        return value

    def factors(self) -> Number:
        """Signed numbers and parentheses, multiplied and divided."""
        value = self.signed()
        while self.peek() in {"*", "/"}:
            value = value * self.signed() if self.take() == "*" else value / self.signed()
        return value

    def signed(self) -> Number:
        """A number or parenthesis behind any signs."""
        negative = False
        while self.peek() in {"+", "-"}:
            negative ^= self.take() == "-"
        value = self.atom()
        return -value if negative else value

    def atom(self) -> Number:
        """One number, or a sum in parentheses."""
        token = self.take()
        if token == "(":
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise NotArithmetic(f"nested deeper than {MAX_DEPTH}")
            value = self.terms()
            if self.take() != ")":
                raise NotArithmetic("a parenthesis is not closed")
            self.depth -= 1
            return value
        if token in "+-*/)":
            raise NotArithmetic(f"unexpected {token!r}")
        return float(token) if "." in token else int(token)

    def peek(self) -> str:
        """The next token, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        """The next token, passed over."""
        token = self.peek()
        if not token:
            raise NotArithmetic("the sum ends too early")
        self.at += 1
        return token
