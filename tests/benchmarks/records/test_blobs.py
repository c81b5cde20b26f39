from typing import Any

import pytest

from benchmarks.artifacts.jsonl import encode_value
from benchmarks.errors import MissingBlob
from benchmarks.records.blobs import may_need_blobs, with_blobs, without_long_texts
from benchmarks.records.digest import bytes_digest

LONG = "ö" * 40_000
EDGE = "x" * 65_536


class Shelf(dict[str, bytes]):
    """Blobs in memory."""

    def keep(self, data: bytes) -> str:
        self[bytes_digest(data)] = data
        return bytes_digest(data)

    def read(self, digest: str) -> bytes:
        if digest not in self:
            raise MissingBlob(f"blob {digest} is missing")
        return self[digest]


def test_a_text_over_the_limit_becomes_its_digest_size_and_head() -> None:
    shelf = Shelf()
    assert without_long_texts({"a": [LONG, "short"]}, shelf.keep) == {
        "a": [{"$blob": bytes_digest(LONG.encode()), "bytes": 80_000, "head": "ö" * 400}, "short"]
    }
    assert list(shelf.values()) == [LONG.encode()]


def test_a_text_at_the_limit_stays() -> None:
    assert without_long_texts(EDGE, Shelf().keep) == EDGE
    assert without_long_texts(EDGE + "y", Shelf().keep) != EDGE + "y"


@pytest.mark.parametrize(
    "value",
    [
        {"turns": [{"parts": [{"type": "text", "text": LONG}]}]},
        {"arguments": {"$blob": "mine", "n": 10**30}},
        {"$blob": LONG},
        {"type": "media", "content": {"$blob": "d1", "bytes": 2, "head": ""}},
        {"type": "media", "content": LONG},
        {"type": "media", "content": {"$blob": LONG, "head": "own"}},
        {"content": None, "n": 1.5, "text": "short"},
    ],
)
def test_what_is_written_without_its_long_texts_is_read_with_them(value: Any) -> None:
    shelf = Shelf()
    assert with_blobs(without_long_texts(value, shelf.keep), shelf.read) == value


def test_the_bytes_of_a_media_part_are_no_text() -> None:
    part = {"type": "media", "content": {"$blob": "d1", "bytes": 2, "head": ""}}
    assert without_long_texts(part, Shelf().keep) == part
    assert with_blobs(part, Shelf().read) == part


def test_a_missing_blob_is_an_error_and_never_an_empty_text() -> None:
    with pytest.raises(MissingBlob):
        with_blobs({"a": [{"$blob": "d1"}]}, Shelf().read)


@pytest.mark.parametrize(
    "text", [LONG, EDGE + "y", 'a"\\' * 33_000, "\x01" * 70_000, "\\" * 65_537]
)
def test_a_line_with_a_long_text_is_looked_into(text: str) -> None:
    assert may_need_blobs(encode_value({"a": [text]}))


@pytest.mark.parametrize("value", [{"$blob": 1}, [{"a": {"$blob": None}}]])
def test_a_line_with_an_object_that_reads_as_a_reference_is_looked_into(value: Any) -> None:
    assert may_need_blobs(encode_value(value))


@pytest.mark.parametrize("value", [[EDGE, EDGE, "x"], ["a" * 60_000 + '"', "b" * 60_000], "$"])
def test_other_lines_are_not(value: Any) -> None:
    assert may_need_blobs(encode_value(value)) is False


@pytest.mark.parametrize("before", [0, 1, 5, 32_761, 32_767, 32_768, 40_000, 65_530])
@pytest.mark.parametrize("said", ["a", '"', "\\", '\\"', 'a"'])
@pytest.mark.parametrize(("extra", "may"), [(0, False), (1, True)])
def test_a_text_is_long_wherever_it_stands_and_whatever_is_in_it(
    before: int, said: str, extra: int, may: bool
) -> None:
    inside = encode_value(said)[1:-1]
    text = said * (65_536 // len(inside)) + "a" * (65_536 % len(inside) + extra)
    line = encode_value({"x": "b" * before, "y": [text], "z": "c"})
    assert may_need_blobs(line) is may
