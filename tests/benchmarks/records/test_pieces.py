import pytest

from benchmarks.errors import InvalidArguments
from benchmarks.records.pieces import at_pointer, piece

LONG = "".join(chr(0x4E00 + n % 500) for n in range(200_000))
DOCUMENT = {"events": [{"content": "short"}, {"content": LONG}], "a/b": {"~": "tilde"}, "n": 7}


def test_thirteen_pieces_give_two_hundred_thousand_characters_back() -> None:
    pieces, offset, calls = [], 0, 0
    while offset is not None:
        found = piece(DOCUMENT, "/events/1/content", offset)
        pieces.append(found["text"])
        offset = found["next_offset"]
        calls += 1
    assert "".join(pieces) == LONG
    assert calls == 13


def test_a_short_text_is_one_piece() -> None:
    assert piece(DOCUMENT, "/events/0/content") == {
        "field": "/events/0/content",
        "offset": 0,
        "text": "short",
        "next_offset": None,
        "total_chars": 5,
    }


def test_escaped_keys_are_found() -> None:
    assert at_pointer(DOCUMENT, "/a~1b/~0") == "tilde"
    assert at_pointer(DOCUMENT, "") == DOCUMENT


@pytest.mark.parametrize(
    "pointer", ["events", "/nothing", "/events/2/content", "/events/-1", "/n/0", "/events/x"]
)
def test_a_pointer_to_nothing_is_named(pointer: str) -> None:
    with pytest.raises(InvalidArguments, match="field"):
        at_pointer(DOCUMENT, pointer)


def test_what_is_no_text_has_no_pieces() -> None:
    with pytest.raises(InvalidArguments, match="no text"):
        piece(DOCUMENT, "/events")


@pytest.mark.parametrize("offset", [-1, 6])
def test_an_offset_outside_the_text_is_refused(offset: int) -> None:
    with pytest.raises(InvalidArguments, match=r"0\.\.5"):
        piece(DOCUMENT, "/events/0/content", offset)
