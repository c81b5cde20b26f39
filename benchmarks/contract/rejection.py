"""Whether a tool's result says that the call was rejected (spec/build.md 1.6).

The words decide where the dialect says nothing. A look-up may well return a failed order, so the
two status keys of a result object are read for writes only.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from benchmarks.contract.literals import parse_json

HEAD_BYTES = 4096
FAILED_STATUS = frozenset({"error", "failed", "failure", "denied"})
STATUS_KEYS = ("status", "response_status")
TELLING = ('"error"', '"isError"', '"success"', '"ok"', '"exit_code"', r"\u")
"""What stands in every JSON text with one of the keys that are read; an escape may hide any."""
TELLING_OF_WRITES = (*TELLING, *(f'"{key}"' for key in STATUS_KEYS))

WRAPPER = r"(?:\#\s*[^\W\d][\w.]*\s*=\s*|[^\W\d][\w.]*\s*=\s*|Out\[\d*\]:\s*)?"
ERROR_TEXT = re.compile(
    rf"""\s*{WRAPPER}["'`“‘]?\s*error[ \t]*(?:[:\r\n]|["'`”’]?\s*\Z)""", re.IGNORECASE
)

Status = Literal["ok", "error"]


def result_status(content: object, *, is_write: bool) -> Status:
    """`error` when a result's text or object says that the call was rejected, else `ok`.

    `content` is the result as found: text, or a parsed JSON value. `is_write` lets the keys
    `status` and `response_status` of an object count.
    """
    if isinstance(content, Mapping):
        return "error" if object_failed(content, is_write=is_write) else "ok"
    if not isinstance(content, str):
        return "ok"
    if says_error(content):
        return "error"
    telling = TELLING_OF_WRITES if is_write else TELLING
    may_tell = content.lstrip()[:1] == "{" and any(word in content for word in telling)
    value = parse_json(content) if may_tell else None
    failed = isinstance(value, dict) and object_failed(value, is_write=is_write)
    return "error" if failed else "ok"


def says_error(text: str) -> bool:
    """Whether a text begins with the word error, behind at most a wrapper that names the value."""
    head = text if len(text) <= HEAD_BYTES else text[:HEAD_BYTES] + "…"
    return ERROR_TEXT.match(head) is not None


def object_failed(value: Mapping[str, Any], *, is_write: bool) -> bool:
    """Whether one of the keys that report a failure does."""
    if value.get("error") or value.get("isError") is True:
        return True
    if value.get("success") is False or value.get("ok") is False:
        return True
    code = value.get("exit_code")
    if isinstance(code, int | float) and not isinstance(code, bool) and code != 0:
        return True
    return is_write and any(failed_status(value.get(key)) for key in STATUS_KEYS)


def failed_status(word: object) -> bool:
    """Whether a status word reports a failure."""
    return isinstance(word, str) and word.strip().casefold() in FAILED_STATUS
