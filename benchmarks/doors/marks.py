"""Characters that could move, hide or reorder the text around them, spelled out."""

import unicodedata
from collections.abc import Iterator
from typing import Any

PLAIN = {True: "yes", False: "no"}
BIDI_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(value: Any) -> str:
    """The value as one safe text: control characters and bidirectional marks are spelled out."""
    text = shown(value)
    if text.isascii() and text.isprintable():
        return text
    return "".join(spelled(char) if is_mark(char) else char for char in text)


def shown(value: Any) -> str:
    """The value as a person reads it: `-` for none, yes or no for a truth value."""
    return "-" if value is None else PLAIN[value] if isinstance(value, bool) else str(value)


def is_mark(char: str) -> bool:
    """Whether a character does something to the text around it; newline and tab do not count."""
    if char in "\n\t":
        return False
    return char in BIDI_MARKS or unicodedata.category(char) in {"Cc", "Cs"}


def spelled(char: str) -> str:
    r"""The character in a form that does nothing: `\x1b`, `\u202e`."""
    return f"\\u{ord(char):04x}" if ord(char) > 0xFF else f"\\x{ord(char):02x}"


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in runs of ordinary characters, and each mark by itself: `(piece, is a mark)`."""
    run: list[str] = []
    for char in text:
        if is_mark(char):
            if run:
                yield "".join(run), False
                run = []
            yield char, True
        else:
            run.append(char)
    if run:
        yield "".join(run), False
