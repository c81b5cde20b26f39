"""Opaque cursors: signed, so that one from another list, filter or server is refused."""

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Any

from benchmarks.errors import CursorInvalid
from benchmarks.records.digest import json_digest

SIGNATURE_BYTES = 12
START = "c"
"""A cursor begins with a letter: one that began with `-` would be a flag in a shell."""


@dataclass(frozen=True, slots=True)
class Cursors:
    """The cursors of one list, asked for in one way."""

    secret: bytes
    filter: Any = field(default=None)
    """What the list was asked with; a cursor is good for this only."""

    def write(self, place: bytes) -> str:
        """The cursor of a place."""
        return START + base64.urlsafe_b64encode(self._sign(place) + place).decode("ascii")

    def read(self, cursor: str) -> bytes:
        """The place of a cursor.

        Raises:
            CursorInvalid: it is from another query, filter or secret.
        """
        if not cursor.startswith(START):
            raise foreign(cursor)
        try:
            text = cursor.removeprefix(START).encode("ascii")
            raw = base64.b64decode(text, altchars=b"-_", validate=True)
        except (ValueError, binascii.Error):
            raise foreign(cursor) from None
        signature, place = raw[:SIGNATURE_BYTES], raw[SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, self._sign(place)):
            raise foreign(cursor)
        return place

    def _sign(self, place: bytes) -> bytes:
        text = json_digest(self.filter).encode("ascii") + b":" + place
        return hmac.digest(self.secret, text, hashlib.sha256)[:SIGNATURE_BYTES]


def foreign(cursor: str) -> CursorInvalid:
    """The refusal of a cursor that is not one of this list."""
    return CursorInvalid(
        f"the cursor {cursor[:24]!r} is not one of this list",
        hint="ask for the first page again, without a cursor",
    )
