"""Text as it is compared, never as it is stored: normalised, masked, and cut into shingles."""

import re
import unicodedata
from collections.abc import Iterator

SHINGLE = 5
MASK = "§"
"""Stands for a masked token: a character that no word of a language holds."""
EMAIL = re.compile(r"[^\s@<>()\[\]]+@[^\s@<>()\[\]]+\.[a-z]{2,}", re.IGNORECASE)
TOKEN = re.compile(r"[^\W_][\w@./:#+-]*")
EDGE = ".,;:!?…'\"`()[]{}<>/+-"


def normal(text: str) -> str:
    """NFKC, casefold, runs of blanks one space, trimmed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def shingles(text: str) -> frozenset[str]:
    """The character 5-grams of a normalised text, one space at both ends.

    A text under five characters is compared whole: it is its own only shingle.
    """
    bare = normal(text)
    if len(bare) < SHINGLE:
        return frozenset({bare})
    padded = f" {bare} "
    return frozenset(padded[at : at + SHINGLE] for at in range(len(padded) - SHINGLE + 1))


def tokens(text: str) -> Iterator[str]:
    """The tokens of a text, outer punctuation off; an id, an e-mail and a number are whole."""
    for found in TOKEN.finditer(text):
        token = found[0].rstrip(EDGE)
        if token:
            yield token


def is_specific(token: str) -> bool:
    """Whether a token is an id, an e-mail or a number rather than a word."""
    return any(char.isdigit() for char in token) or EMAIL.fullmatch(token) is not None


def masked_words(text: str) -> list[str]:
    """The words of a text in comparison form, ids, e-mails and numbers as one mask."""
    return [MASK if is_specific(token) else normal(token) for token in tokens(text)]


def masked(text: str) -> str:
    """A text in comparison form without what is specific to one case."""
    return " ".join(masked_words(text))


def specific_tokens(text: str) -> list[str]:
    """The ids, e-mails and numbers of a text, in order, each once."""
    return list(dict.fromkeys(token for token in tokens(text) if is_specific(token)))
