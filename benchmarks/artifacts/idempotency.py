"""A write asked for twice with one key is done once (spec/surface.md 1.5)."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from benchmarks.errors import IdempotencyConflict, InvalidArguments
from benchmarks.records.caller import Caller
from benchmarks.records.digest import json_digest

T = TypeVar("T")

KEY_CHARS = 128


def replayed(records: Iterable[T], caller: Caller, arguments: Any) -> T | None:
    """The record that this key of this actor wrote already, or None: write it, under one lock.

    A key is its actor's own: the same word of another actor is another key, so that nobody's write
    is taken for somebody else's.

    Raises:
        InvalidArguments: the key is not 1 to 128 printable ASCII characters.
        IdempotencyConflict: the key wrote something else.
    """
    key = caller.idempotency_key
    if key is None:
        return None
    _check_key(key)
    first = next((record for record in records if is_keyed(record, caller)), None)
    if first is None:
        return None
    if _field(first, "arguments_sha256") == json_digest(arguments):
        return first
    raise IdempotencyConflict(
        f"idempotency key {key!r} was used with other arguments",
        hint="use a new key for a new write",
        details={"idempotency_key": key},
    )


def is_keyed(record: object, caller: Caller) -> bool:
    """Whether the caller's actor wrote the record under the caller's key."""
    theirs = (_field(record, "idempotency_key"), _field(record, "actor"))
    return theirs == (caller.idempotency_key, caller.actor)


def _check_key(key: str) -> None:
    if not (1 <= len(key) <= KEY_CHARS and key.isascii() and key.isprintable()):
        raise InvalidArguments(
            f"idempotency key {key!r} is not 1 to {KEY_CHARS} printable ASCII characters"
        )


def _field(record: object, name: str) -> object:
    return record.get(name) if isinstance(record, Mapping) else getattr(record, name, None)
