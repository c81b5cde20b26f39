"""Text made ready for reading figures: any script's digits, grouping signs, superscripts.

Superscripts and grouping spaces are told apart before NFKC, which would make a superscript a digit
and a thin space a space. Every later position refers to the prepared text.
"""

import re
import unicodedata
from collections.abc import Iterator

GROUP = "\ue000"
"""Stands for a thin or no-break space between digits."""
BLANK_OUT = "\ue001"
"""Stands for a sign that is no digit and joins nothing."""
NOT_A_NUMBER = "_"
"""Stands for a fraction without a finite decimal form: digits beside it are no number."""

GROUP_SPACE = re.compile("(?<=\\d)[\u00a0\u2007\u2009\u202f](?=\\d)")
SEPARATORS = str.maketrans({"\u066b": ".", "\u066c": ",", "\u2010": "-", "\u2011": "-"})
CODES = (
    "USD|EUR|GBP|JPY|CNY|RMB|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|INR|KRW|BRL|MXN|ZAR|TRY|RUB"
    "|SGD|HKD|THB|AED|ILS"
)
GLUED_CODE = re.compile(rf"(?<![^\W\d_])(?:{CODES})(?=[\d.])|(?<=\d)(?:{CODES})(?![^\W_])")
FRACTIONS = {0.25: "25", 0.5: "5", 0.75: "75", 0.2: "2", 0.4: "4", 0.6: "6", 0.8: "8",
             0.125: "125", 0.375: "375", 0.625: "625", 0.875: "875", 0.1: "1"}  # fmt: skip


def prepared(text: str) -> str:
    """The text with plain digits, grouping signs marked and superscripts out of the way."""
    if not text.isascii():
        grouped = GROUP_SPACE.sub(GROUP, text)
        signs = "".join(plain_sign(sign, before) for before, sign in pairs(grouped))
        text = signs.translate(SEPARATORS)
    return GLUED_CODE.sub(lambda code: BLANK_OUT * len(code[0]), text)


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Each sign with the one before it; the first has a space before it."""
    return zip(" " + text[:-1], text, strict=True)


def plain_sign(sign: str, before: str) -> str:
    """One sign in its plain form."""
    if sign.isascii() or sign == GROUP:
        return sign
    kind = unicodedata.decomposition(sign).partition(" ")[0]
    if kind in {"<super>", "<sub>"}:
        return BLANK_OUT
    if kind == "<fraction>":
        return fraction(sign, before)
    if unicodedata.category(sign) == "Nd":
        return str(unicodedata.decimal(sign))
    return unicodedata.normalize("NFKC", sign)


def fraction(sign: str, before: str) -> str:
    """A vulgar fraction as the decimals of the number before it, or as a number of its own."""
    decimals = FRACTIONS.get(unicodedata.numeric(sign))
    if decimals is None:
        return NOT_A_NUMBER
    return ("." if before.isdigit() else "0.") + decimals
