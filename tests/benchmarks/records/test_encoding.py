from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.artifacts.jsonl import encode_record, encode_value
from benchmarks.records.base import Record, as_given, nullable
from benchmarks.records.conversation import JsonPart, Text, ToolCall, Turn
from benchmarks.records.encoding import encoded

TEXTS = st.text() | st.lists(
    st.sampled_from(['"', "\\", ":", ",", "[", "1", "-", ".0", "e", "\u2028", "\x85", "$blob"])
).map("".join)
FLOATS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**54), 2**54).map(float)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | TEXTS,
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=15,
)
PARTS = st.one_of(
    TEXTS.map(lambda text: Text(text=text)),
    VALUES.map(lambda value: JsonPart(value=value)),
    st.dictionaries(TEXTS, VALUES).map(
        lambda found: ToolCall(call_id="c", name="n", arguments=found)
    ),
)


class Odd(Record):
    """A record with every kind of presence."""

    shown: str | None = nullable()
    said: int | None = as_given()
    held: float | None = None
    names: frozenset[str] = frozenset()


@given(st.lists(PARTS), FLOATS, st.dictionaries(st.from_regex(r"x_[a-z]+", fullmatch=True), VALUES))
def test_the_line_of_a_record_is_its_dump(parts: list[Any], number: float, extra: dict) -> None:
    turn = Turn(index=0, role="user", origin="request", parts=parts, latency_ms=number, **extra)
    assert encode_record(turn) == encode_value(turn.dump())


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (Odd(), b'{"shown":null,"names":[]}'),
        (Odd(said=None, held=2.0), b'{"shown":null,"said":null,"held":2,"names":[]}'),
        (Odd(shown="a", names={"b", "a"}), b'{"shown":"a","names":["a","b"]}'),
        (Odd(held=-0.0), b'{"shown":null,"held":0,"names":[]}'),
        (Odd(held=2.0**53), b'{"shown":null,"held":9007199254740992.0,"names":[]}'),
        (Odd(shown=',-1.0,"1.0'), b'{"shown":",-1.0,\\"1.0","names":[]}'),
        (JsonPart(value={"n": 2**70}), b'{"type":"json","value":{"n":1180591620717411303424}}'),
    ],
)
def test_fields_stand_as_a_dump_has_them(record: Record, line: bytes) -> None:
    assert encode_record(record) == line == encode_value(record.dump())


def test_a_number_that_is_not_finite_is_refused_by_its_key() -> None:
    turn = Turn(index=0, role="user", origin="request", parts=[], latency_ms=float("inf"))
    with pytest.raises(ValueError, match="latency_ms"):
        encoded(turn)
    with pytest.raises(ValueError, match="held"):
        encoded(Turn(index=0, role="user", origin="request", parts=[], x=Odd(held=float("nan"))))


def test_what_has_no_json_form_is_refused_by_its_key() -> None:
    with pytest.raises(TypeError, match=r"value\.at: datetime"):
        encode_record(JsonPart(value={"at": datetime(2026, 1, 1, tzinfo=UTC)}))
