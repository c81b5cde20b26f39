"""Whether a value can hold a secret at all: most hold none, and are then not walked.

The value is written as JSON once and looked through as one text. What is said here is never "none"
of a value in which the redactor would find one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson

KEY_OWNERS = (b"api", b"access", b"private", b"secret")
TOKEN_OWNERS = (b"access", b"refresh", b"id", b"auth", b"bearer", b"session", b"api")
NAME_WORDS = (
    b"passw", b"pwd", b"passphrase", b"secret", b"credential", b"authorization", b"cookie",
)  # fmt: skip
"""Words that name a secret whatever stands before them."""
JOINTS = bytes(byte for byte in range(256) if not chr(byte).isalnum() or byte > 127)
"""What joins an owner and its word: anything but a letter or a digit of ASCII."""
JOINT_BYTES = 96
"""How far before a word its owner may end."""
ESCAPED_SLASH = re.compile(rb"\\(?<!\\\\)\\*/")
ESCAPED_ASCII = re.compile(rb"\\(?<!\\\\)\\*(?:u00|x)([2-7][0-9a-f])")
"""From the first of a row of backslashes: a literal beginning is sought at the speed of memory."""
LONG_RUN = 16
"""A key has no fewer characters, nor has a JWT whose head names its `alg`."""
RUN = bytes(
    ord("a") if chr(byte).isalnum() and byte < 128 or byte in b"_-." else ord(" ")
    for byte in range(256)
)
LIKE_ASCII = {"\u0130": b"i", "\u0131": b"i", "\u017f": b"s", "\u212a": b"k"}
"""The characters beyond ASCII that patterns take for letters of ASCII, whatever their case."""
LIKE_ASCII_BYTES = tuple((char.encode(), letter) for char, letter in LIKE_ASCII.items())
ESCAPED_LIKE_ASCII = re.compile(
    rb"\\(?<!\\\\)\\*u(%b)" % b"|".join(b"%04x" % ord(char) for char in LIKE_ASCII)
)
BLANK = rb"(?:[\s\x80-\xff]|\\+[a-z](?:[0-9a-f]{4}|[0-9a-f]{2})?)"
"""A blank, or an escape that may be one."""
SCHEME = re.compile(rb"(?:basic|token)%b+[a-z0-9._~+/=-]{12}" % BLANK)
LOGIN = re.compile(rb":(?:\\*/){2}[^\s/:@'\"]*:[^\s/?'\"]+@")


def written(found: Any) -> bytes:
    """The value as one text in lower case: its JSON, or all of its texts one behind the other."""
    try:
        return lowered(orjson.dumps(found))
    except TypeError:
        # A lone surrogate, a very long integer: the fast encoder refuses them.
        texts: list[str] = []
        _collect(found, texts)
        return lowered("\0".join(texts).encode("utf-8", "replace"))


def lowered(text: bytes) -> bytes:
    r"""The text in lower case, and once more as it reads without its escapes: `\/`, `\u0026`."""
    text = text.lower()
    if not text.isascii():
        for char, letter in LIKE_ASCII_BYTES:
            text = text.replace(char, letter)
    plain = text
    if b"\\/" in plain:
        plain = ESCAPED_SLASH.sub(b"/", plain)
    if b"\\u00" in plain or b"\\x" in plain:
        plain = ESCAPED_ASCII.sub(_character, plain)
    if b"\\u01" in plain or b"\\u21" in plain:
        plain = ESCAPED_LIKE_ASCII.sub(_letter, plain)
    return text if plain is text or plain == text else text + b"\0" + plain.lower()


def long_runs(text: bytes) -> bytes:
    """What of a text may be a key: all runs of at least 16 letters, digits, `_`, `-` and `.`."""
    shape = text.translate(RUN)
    runs = []
    start = shape.find(b"a" * LONG_RUN)
    while start >= 0:
        end = shape.find(b" ", start)
        end = len(shape) if end < 0 else end
        runs.append(text[start:end])
        start = shape.find(b"a" * LONG_RUN, end)
    return b" ".join(runs)


class Words:
    """Words that are sought together in one text."""

    def __init__(self, words: Iterable[bytes]) -> None:
        known: list[bytes] = []
        self._with_parts: list[tuple[bytes, bytes | None]] = []
        """Each word with a shorter one in it, which is sought before: without it there is none."""
        for word in sorted(set(words), key=len):
            self._with_parts.append((word, next((one for one in known if one in word), None)))
            known.append(word)

    def among(self, text: bytes) -> set[bytes]:
        """The words that occur in a text."""
        found: set[bytes] = set()
        for word, part in self._with_parts:
            if (part is None or part in found) and word in text:
                found.add(word)
        return found


def may_name_a_secret(text: bytes, hints: Sequence[bytes] = NAME_WORDS) -> bool:
    """Whether a key, a header or a word before a value may tell of a secret."""
    if any(word in hints and word in text for word in NAME_WORDS):
        return True
    return _owned(text, b"key", KEY_OWNERS) or _owned(text, b"token", TOKEN_OWNERS)


def may_be_a_scheme(text: bytes, hints: Sequence[bytes]) -> bool:
    """Whether `basic` or `token` stands before something that may be a credential."""
    return fits_at(text, hints, SCHEME)


def may_be_a_login(text: bytes, _: Sequence[bytes]) -> bool:
    """Whether an address names a user and a password."""
    return b"@" in text and LOGIN.search(text) is not None


def fits_at(text: bytes, hints: Sequence[bytes], pattern: re.Pattern[bytes]) -> bool:
    """Whether the pattern fits where one of its beginnings stands."""
    return any(
        pattern.match(text, end - len(hint)) is not None
        for hint in hints
        for end in _ends(text, hint)
    )


def _collect(found: Any, texts: list[str]) -> None:
    """Every text of a value, its keys included."""
    if isinstance(found, str):
        texts.append(found)
    elif isinstance(found, list):
        for item in found:
            _collect(item, texts)
    elif isinstance(found, dict):
        texts.extend(found)
        for item in found.values():
            _collect(item, texts)


def _character(escape: re.Match[bytes]) -> bytes:
    return bytes([int(escape[1], 16)])


def _letter(escape: re.Match[bytes]) -> bytes:
    return LIKE_ASCII[chr(int(escape[1], 16))]


def _owned(text: bytes, word: bytes, owners: tuple[bytes, ...]) -> bool:
    for end in _ends(text, word):
        start = end - len(word)
        if text[max(0, start - JOINT_BYTES) : start].rstrip(JOINTS).endswith(owners):
            return True
    return False


def _ends(text: bytes, word: bytes) -> Iterator[int]:
    """Where each occurrence of a word ends."""
    place = text.find(word)
    while place >= 0:
        yield place + len(word)
        place = text.find(word, place + 1)
