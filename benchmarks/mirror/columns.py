"""Values of records as columns hold them: a line may say anything, a column may not."""

from collections.abc import Mapping
from typing import Any

from benchmarks.models.dated import moment_of
from benchmarks.records.digest import bytes_digest
from benchmarks.records.times import read_time

WORD = 255
NUL = "\x00"
DIGEST_CHARS = 64
LARGEST = 2**63 - 1


def word(value: object, limit: int = WORD) -> str:
    """A text that fits a column and an index; nothing for what is no text.

    An id that is longer ends in its digest, so that two stay two, and is looked up by the same
    form; of a short word the beginning is kept. The line itself is whole in the file and in `raw`.
    """
    if not isinstance(value, str):
        return ""
    return text(_shortened(value, limit) if len(value) > limit else value)


def _shortened(value: str, limit: int) -> str:
    if limit < 2 * DIGEST_CHARS:
        return value[:limit]
    digest = bytes_digest(value.encode("utf-8", "surrogatepass"))
    return f"{value[: limit - DIGEST_CHARS - 1]}~{digest}"


def excerpt(value: object, limit: int) -> str:
    """The beginning of a text."""
    return text(value)[:limit]


def text(value: object) -> str:
    """A text of any length."""
    if type(value) is str and NUL not in value:
        return value
    return str(value).replace(NUL, "\ufffd") if isinstance(value, str) else ""


def whole(value: object) -> int | None:
    """An integer that every database holds; None for anything else."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return int(value) if -LARGEST <= value <= LARGEST else None


def real(value: object) -> float | None:
    """A number as a double; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def plain(value: Any) -> Any:
    """A JSON value without what a JSON column refuses."""
    kind = type(value)
    if kind is dict:
        return {text(key): plain(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [plain(item) for item in value]
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int) and abs(value) > LARGEST:
        return None
    return plain(dict(value)) if isinstance(value, Mapping) else value


def dated(said: object) -> dict[str, Any]:
    """The columns of `DatedEntry` for a time as a line has it."""
    return {"created_at": word(said, 64), "moment": moment_of(read_time(said))}
