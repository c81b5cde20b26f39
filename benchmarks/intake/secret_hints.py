"""Whether a value can hold a secret at all: most hold none, and are then not walked.

The value is written as JSON once, and all hints look through that one text together. What is said
here is never "none" of a value in which the redactor would find one.
"""

import re
from collections.abc import Sequence, Set
from typing import Any

import orjson

from benchmarks.records.sought import Sought

START = r"(?:^|[^a-z0-9]|\\[bfnrt]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|[\[;][0-9]{1,2}m)"
"""A word begins, as the patterns of the redactor have it."""
BLANK = r"(?:[\s\v\x1c-\x1f]|[^\x00-\x7f]|\\+[a-z](?:[0-9a-f]{4}|[0-9a-f]{2})?)"
"""A blank, or an escape that may be one."""
NAME = (
    "passw|pwd|passphrase|secret|credential|authorization|cookie"
    "|(?:api|access|private|secret)[^a-z0-9]*key"
    "|(?:access|refresh|id|auth|bearer|session|api)[^a-z0-9]*token"
    "|(?-i:[A-Z0-9]_TOKEN)|x-[a-z-]+token|private-token"
)
"""A key, a header or a word before a value that may tell of a secret."""
OPTION = rf"--.*(?:{NAME})"
SCHEME = rf"(?:basic|token){BLANK}+[a-z0-9._~+/=-]{{12}}"
LOGIN = r":(?:\\*/){2}[^\s/:@'\"]*:[^\s/?'\"]+@"
KEY = START + "(?:{})".format(
    "|".join((
        "(?:sk-|pk-lf-|glpat-)[a-z0-9_-]{16}",
        "(?:lsv2_|github_pat_)[a-z0-9_]{16}",
        "(?:hf_|gsk_|npm_|gh[pousr]_|sk_live_|sk_test_|rk_live_|dop_v1_|akia|asia)[a-z0-9]{16}",
        "aiza[a-z0-9_-]{35}",
        "(?:xai-|pplx-|r8_|lin_api_|whsec_|age-secret-key-1)[a-z0-9]{20}",
        "(?:shp(?:at|ss|ca|pa)_|dapi)[0-9a-f]{32}",
        r"(?:nvapi-|tvly-|pypi-age|xapp-[0-9]-|ya29\.|hvs\.)[a-z0-9_-]{20}",
        "xox[abprs]-[a-z0-9-]{16}",
        r"sg\.[a-z0-9_.-]{16}",
    ))
)
JWT = (
    r"(?:^|[^a-z0-9_-]|\\[nrt])"
    r"e(?:y[jiab]|w[ok])[a-z0-9_-]{7}[a-z0-9_-]*\.[a-z0-9_-]{2}[a-z0-9_-]*\."
)
"""A JWT begins as an object begins in base64."""

ESCAPED_ASCII = re.compile(rb"\\(?<!\\\\)\\*(?:u00|x)([2-7][0-9a-f])", re.IGNORECASE)
"""From the first of a row of backslashes: a literal beginning is sought at the speed of memory."""
ESCAPED_SLASH = re.compile(rb"\\(?<!\\\\)\\*/")
LIKE_ASCII = {"\u0130": b"i", "\u0131": b"i", "\u017f": b"s", "\u212a": b"k"}
"""The characters beyond ASCII that patterns take for letters of ASCII, whatever their case."""
LIKE_ASCII_BYTES = tuple((char.encode(), letter) for char, letter in LIKE_ASCII.items())
CODES = tuple(f"{ord(char):04x}" for char in LIKE_ASCII)
ESCAPED_LIKE_ASCII = re.compile(rb"\\(?<!\\\\)\\*u(%b)" % "|".join(CODES).encode(), re.IGNORECASE)
DISGUISED = rf"\\(?:(?:u00|x)[2-7][0-9a-f]|/|u(?:{'|'.join(CODES)}))|(?-i:[{''.join(LIKE_ASCII)}])"
"""A character that hints know in another form: they look once more, at the text without it."""


class FirstLook:
    """Hints of secrets, sought together; each is known by its number."""

    def __init__(self, hints: Sequence[str]) -> None:
        self._hints = Sought([*hints, DISGUISED], either_case=True)
        self._disguised = len(hints)

    def in_value(self, found: Any) -> Set[int]:
        """The hints that occur in a value, its keys included."""
        try:
            return self.in_text(orjson.dumps(found))
        except TypeError:
            # A lone surrogate, a very long integer: the fast encoder refuses them.
            texts: list[str] = []
            _collect(found, texts)
            return self.in_text("\0".join(texts).encode("utf-8", "replace"))

    def in_text(self, text: bytes) -> Set[int]:
        """The hints that occur in a text, as it stands and as it reads without its escapes."""
        found = self._hints.within(text)
        if self._disguised in found:
            found = (found | self._hints.within(undisguised(text))) - {self._disguised}
        return found


def undisguised(text: bytes) -> bytes:
    r"""The text without escapes of ASCII (`\/`, `\u0026`), letters like ASCII as ASCII."""
    for char, letter in LIKE_ASCII_BYTES:
        text = text.replace(char, letter)
    text = ESCAPED_SLASH.sub(b"/", text)
    text = ESCAPED_ASCII.sub(_character, text)
    return ESCAPED_LIKE_ASCII.sub(_letter, text)


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
