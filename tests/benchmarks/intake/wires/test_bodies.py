import base64
import gzip
import zlib
from typing import Any

import pytest

from benchmarks.intake.wires.bodies import (
    Exchange,
    from_base64,
    from_hex,
    headers_of,
    http_time,
    pair_from,
    raw_answer,
    unpacked,
    why_no_call,
)

BODY = '{"text": "Grüß dich"}'.encode()
BARE = zlib.compressobj(wbits=-15)
DEFLATED = BARE.compress(BODY) + BARE.flush()
FRAMES = b"\x00\x00\x00\x10\xff\xfe"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (BODY, ""),
        (BODY, "identity"),
        (gzip.compress(BODY, mtime=0), "gzip"),
        (gzip.compress(BODY, mtime=0), "GZIP"),
        (gzip.compress(BODY, mtime=0), ""),
        (zlib.compress(BODY), "deflate"),
        (DEFLATED, "deflate"),
        (gzip.compress(zlib.compress(BODY), mtime=0), "deflate, gzip"),
        (BODY, "gzip"),
        (BODY, "deflate"),
        (BODY, "br"),
    ],
)
def test_a_body_comes_out_of_its_encodings_or_was_out_already(data: bytes, encoding: str) -> None:
    assert unpacked(data, encoding) == BODY


def test_what_was_captured_of_a_cut_body_comes_out() -> None:
    long = b"data: {}\n\n" * 5000
    packed = gzip.compress(long, mtime=0)
    found = unpacked(packed[:-10], "gzip")
    assert found is not None
    assert long.startswith(found)
    assert len(found) > 1000


def test_a_packing_that_cannot_be_undone_is_no_body() -> None:
    assert unpacked(FRAMES, "br") is None
    assert unpacked(b"\x1f\x8bnot gzip at all", "gzip") is None
    assert raw_answer(FRAMES, "zstd") == {"response": None}


def test_a_bomb_is_no_body() -> None:
    assert unpacked(gzip.compress(bytes(65 * 2**20), compresslevel=1), "gzip") is None


def test_an_answer_is_text_or_the_base64_of_what_is_none() -> None:
    assert raw_answer("data: {}") == {"response_raw": {"text": "data: {}"}}
    assert raw_answer(gzip.compress(BODY), "gzip") == {"response_raw": {"text": BODY.decode()}}
    assert raw_answer(FRAMES) == {"response_raw": {"b64": base64.b64encode(FRAMES).decode()}}
    assert raw_answer("") == raw_answer(None) == raw_answer(b"") == {"response": None}


def test_base64_and_hex_are_read_strictly() -> None:
    assert (from_base64("aGk="), from_base64("aG\nk="), from_base64("a?b")) == (b"hi", b"hi", None)
    assert (from_hex("6869"), from_hex("686"), from_hex("hi"), from_hex("")) == (
        b"hi", None, None, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    "found",
    [
        {"Content-Type": ["text/plain"], "Date": "today"},
        {"content-type": "text/plain", "DATE": ["today", "tomorrow"]},
        ["Content-Type", "text/plain", "Date", "today"],
        [{"name": "content-type", "value": "text/plain"}, {"name": "Date", "value": "today"}],
        ["Content-Type", "text/plain", "Date", "today", "odd"],
        {"Content-Type": "text/plain", "Date": "today", "n": 1, 2: "x", "empty": [], "none": None},
    ],
)
def test_headers_come_in_many_forms(found: Any) -> None:
    assert headers_of(found) == {"content-type": "text/plain", "date": "today"}


@pytest.mark.parametrize("found", [None, "text", 1, [], {}, [None, None], [1, 2, 3]])
def test_what_holds_no_headers_gives_none(found: Any) -> None:
    assert headers_of(found) == {}


def test_times_of_headers_and_of_rfc_3339() -> None:
    assert http_time("Tue, 28 Apr 2026 16:28:30 GMT") == "2026-04-28T16:28:30.000Z"
    assert http_time("2026-04-28T18:28:30.5+02:00") == "2026-04-28T16:28:30.500Z"


@pytest.mark.parametrize("text", [None, "", "soon", [], {}, "Tue, 99 Apr 2026 99:99:99 GMT"])
def test_other_times_are_unknown(text: Any) -> None:
    assert http_time(text) is None


def exchange(**more: Any) -> Exchange:
    given = {
        "method": "POST", "url": "https://h/p", "request": "{}", "status": 200,
        "answer": {"response": None}, "headers": {}, **more,
    }  # fmt: skip
    return Exchange(**given)


def test_an_exchange_is_a_pair_with_what_is_known_of_it() -> None:
    assert pair_from(exchange()) == {
        "url": "https://h/p", "method": "POST", "status": 200, "content_type": "",
        "request": "{}", "response": None,
    }  # fmt: skip
    about = {"content-type": "text/plain", "date": "Tue, 28 Apr 2026 16:28:30 GMT"}
    pair = pair_from(exchange(headers=about, latency_ms=7))
    assert pair["content_type"] == "text/plain"
    assert (pair["started_at"], pair["latency_ms"]) == ("2026-04-28T16:28:30.000Z", 7)


def test_what_can_be_no_call_of_a_model() -> None:
    assert why_no_call(exchange(method="OPTIONS")) == "a request by OPTIONS"
    assert why_no_call(exchange(method="head")) == "a request by HEAD"
    assert why_no_call(exchange(status=204)) == "an answer without a body"
    assert why_no_call(exchange(status=204, answer={"response_raw": {"text": "x"}})) == ""
    assert why_no_call(exchange()) == ""
