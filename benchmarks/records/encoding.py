"""A record as the bytes of its line, without the walk over every value that a dump is."""

import math
from collections.abc import Iterable
from typing import Any

import orjson

from benchmarks.records.base import JsonObject, Record, plain
from benchmarks.records.written_numbers import whole_number, with_floats

OPTIONS = (
    orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)
EXACT_INTEGERS = 2**53


def encoded(record: Record) -> bytes | None:
    """The compact JSON of `record.dump()`; None where only the dump itself can be written.

    What a record keeps of a source was read from JSON, and so holds no number that is not finite.

    Raises:
        ValueError: a number of a field is not finite; the message names the key.
    """
    try:
        data = orjson.dumps(_fields(record), default=_fields, option=OPTIONS)
    except orjson.JSONEncodeError as error:
        if isinstance(error.__cause__, ValueError):
            raise error.__cause__ from None
        return None
    return with_floats(data, _written_float)


def _fields(value: Any) -> Any:
    """What is written of a record, those inside it left to the encoder."""
    if not isinstance(value, Record):
        return plain(value, "value")
    fields = value.written()
    if value.number_keys:
        _check_finite(fields, value.number_keys)
    if value.__pydantic_extra__:
        _check_finite(fields, value.__pydantic_extra__)
    return fields


def _check_finite(fields: JsonObject, keys: Iterable[str]) -> None:
    for key in keys:
        item = fields.get(key)
        if type(item) is float and not math.isfinite(item):
            raise ValueError(f"{key}: {item} is not a finite number")


def _written_float(written: bytes) -> bytes:
    """Whole floats are integers, as far as a float holds each of them."""
    whole = whole_number(written)
    return whole if whole is not None and abs(int(whole)) < EXACT_INTEGERS else written
