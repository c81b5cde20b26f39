"""Whether a value can hold a secret at all: most hold none, and are then not walked.

The value is written as JSON once and looked through as one text. What is said here is never "none"
of a value in which the redactor would find one.
"""

import re
from collections.abc import Iterator
from typing import Any

import orjson

KEY_OWNERS = ("api", "access", "private", "secret")
TOKEN_OWNERS = ("access", "refresh", "id", "auth", "bearer", "session", "api")
NAME_WORDS = ("passw", "pwd", "passphrase", "secret", "credential", "authorization", "cookie")
JOINT = re.compile(r"[^a-z0-9]*$")
JOINTS = "".join(char for char in map(chr, range(128)) if JOINT.match(char))
"""What joins an owner and its word, of ASCII: a strip is many times faster than a pattern."""
SCHEMES = tuple(re.compile(rf"{word}[\s\\]") for word in ("basic", "token"))
ESCAPED_SLASH = re.compile(r"\\+/")
ESCAPED_ASCII = re.compile(r"\\+u00([2-7][0-9a-f])")
JOINT_CHARS = 24
"""How far before a word its owner may end."""


def written(found: Any) -> str | None:
    """The value as one text in lower case; None where it cannot be written at once."""
    try:
        return unescaped(orjson.dumps(found).decode().lower())
    except TypeError:
        return None


def unescaped(text: str) -> str:
    r"""The text with `/` and `&` where some JSON has them escaped: `\/`, `\u0026`."""
    if "\\/" in text:
        text = ESCAPED_SLASH.sub("/", text)
    if "\\u00" in text:
        text = ESCAPED_ASCII.sub(lambda match: chr(int(match[1], 16)), text)
    return text


def may_name_a_secret(text: str) -> bool:
    """Whether a key, a header or a word before a value may tell of a secret."""
    if any(word in text for word in NAME_WORDS):
        return True
    return _owned(text, "key", KEY_OWNERS) or _owned(text, "token", TOKEN_OWNERS)


def may_be_a_scheme(text: str) -> bool:
    """Whether `basic` or `token` stands before something that may be a credential."""
    return any(scheme.search(text) for scheme in SCHEMES)


def may_be_a_key(text: str, hints: tuple[str, ...], pattern: re.Pattern[str]) -> bool:
    """Whether the pattern fits where one of its beginnings stands."""
    return any(
        pattern.match(text, end - len(hint)) is not None
        for hint in hints
        if hint in text
        for end in _ends(text, hint)
    )


def _owned(text: str, word: str, owners: tuple[str, ...]) -> bool:
    for end in _ends(text, word):
        before = text[max(0, end - len(word) - JOINT_CHARS) : end - len(word)].rstrip(JOINTS)
        if not before.isascii():
            before = JOINT.sub("", before)
        if before.endswith(owners):
            return True
    return False


def _ends(text: str, word: str) -> Iterator[int]:
    """Where each occurrence of a word ends."""
    place = text.find(word)
    while place >= 0:
        yield place + len(word)
        place = text.find(word, place + 1)
