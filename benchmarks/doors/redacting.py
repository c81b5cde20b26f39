"""Secrets out once more, on the way to a caller: what intake kept or never saw stays here."""

import re
from collections.abc import Mapping
from typing import Any

import orjson

from benchmarks.intake.redact import RULES, Redactor

WARNINGS = "warnings"
OWN_KEYS = (
    '"input_tokens":',
    '"output_tokens":',
    '"cache_read_tokens":',
    '"cache_write_tokens":',
    '"reasoning_tokens":',
    '"tokens":',
    '"tokens_from":',
    '"tokens_per_sec":',
    '"max_total_tokens":',
)
"""Keys of our own records that look like the name of a secret, and hold numbers."""
NAME_SIGNS = ("authorization", "cookie", "private", "access", "token", "pwd", "api")
KEY_SIGN = "sk-"
"""How some keys begin; it stands inside many words, such as every id of a task."""
BEGINNING = re.compile(r"(?:^|[^a-z0-9]|\\[bfnrt]|\\u[0-9a-f]{4})$")
"""What stands before a word, also behind an escape of JSON."""
HINTS = frozenset(hint for rule in RULES for hint in rule.hints)
SIGNS = tuple(sorted({*NAME_SIGNS, *HINTS} - {KEY_SIGN}))
"""Without one of these in it, no text holds a secret and no name tells of one."""


def redacted(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document without secrets in its texts; how many were taken out is a warning."""
    if not may_hold_secrets(document):
        return dict(document)
    redactor = Redactor()
    clean: dict[str, Any] = redactor.clean(dict(document))
    found = redactor.counts
    if not found:
        return clean
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))
    said = f"secrets were taken out of this answer: {kinds}"
    return {**clean, WARNINGS: [*(clean.get(WARNINGS) or []), said]}


def may_hold_secrets(document: Mapping[str, Any]) -> bool:
    """Whether it is worth looking: false only where nothing would be found.

    A list of rows is looked through in a fraction of the time that it takes to walk it.
    """
    try:
        text = orjson.dumps(document).decode().lower()
    except TypeError:
        return True
    for key in OWN_KEYS:
        text = text.replace(key, "")
    return any(sign in text for sign in SIGNS) or _begins(KEY_SIGN, text)


def _begins(sign: str, text: str) -> bool:
    """Whether a word of the text begins with the sign."""
    place = text.find(sign)
    while place >= 0:
        if BEGINNING.search(text[max(0, place - 6) : place]):
            return True
        place = text.find(sign, place + 1)
    return False
