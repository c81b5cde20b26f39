import base64
import json
import struct
from typing import Any

import pytest

from benchmarks.intake.wires.aws_frames import (
    Event,
    Events,
    framed_bytes,
    framed_events,
    is_framed,
)
from benchmarks.intake.wires.stream import Stream
from tests.benchmarks.intake.wires.frames import event, frame, text_header

START = event("messageStart", {"role": "assistant", "p": "abc"})
HELLO = event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Grüß dich"}})
BOTH = (
    Event("messageStart", {"role": "assistant", "p": "abc"}),
    Event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Grüß dich"}}),
)


def events(data: bytes) -> Events | None:
    return framed_events(Stream(data=data))


def test_frames_are_read_in_order() -> None:
    assert events(START + HELLO) == Events(BOTH)


def test_a_wrong_checksum_is_tolerated() -> None:
    wrong = frame({"role": "assistant"}, checksum=77, event_type="messageStart")
    assert events(wrong) == Events((Event("messageStart", {"role": "assistant"}),))


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(START + HELLO).decode(),
        f"\n{base64.b64encode(START + HELLO).decode()}\n",
        (START + HELLO).hex(),
        (START + HELLO).hex().upper(),
    ],
)
def test_frames_may_stand_in_a_text(text: str) -> None:
    assert framed_events(Stream(text=text)) == Events(BOTH)


def test_a_text_that_is_neither_is_its_own_bytes() -> None:
    assert framed_bytes("Hello!") == b"Hello!"
    assert framed_bytes("abc") == b"abc"


def test_events_of_a_client_library_have_one_key_each() -> None:
    chunks = (
        {"messageStart": {"role": "assistant", "p": "abc"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Grüß dich"}}},
    )
    assert framed_events(Stream(chunks=chunks)) == Events(BOTH)


@pytest.mark.parametrize(
    "chunks", [({"a": {}, "b": {}},), ({"a": 1},), ("text",), ({},), ({"a": {}}, None)]
)
def test_other_chunks_are_no_events(chunks: tuple[Any, ...]) -> None:
    assert framed_events(Stream(chunks=chunks)) is None


@pytest.mark.parametrize("cut", range(1, len(HELLO)))
def test_a_frame_that_breaks_off_is_told_and_those_before_it_stay(cut: int) -> None:
    assert events(START + HELLO[:cut]) == Events(BOTH[:1], truncated=True)


def test_a_payload_that_is_no_object_costs_its_frame() -> None:
    broken = frame(b"{not json", event_type="contentBlockDelta", message_type="event")
    assert events(START + broken + HELLO) == Events(BOTH, truncated=True)


def test_an_exception_ends_the_stream_with_its_name_and_message() -> None:
    failure = frame(
        {"message": "Too many tokens"},
        exception_type="throttlingException",
        message_type="exception",
    )
    assert events(START + failure + HELLO) == Events(
        BOTH[:1], error="throttlingException: Too many tokens"
    )


def test_an_error_frame_says_it_in_its_headers() -> None:
    failure = frame(
        b"", error_code="InternalError", error_message="Try later", message_type="error"
    )
    assert events(START + failure) == Events(BOTH[:1], error="InternalError: Try later")


def test_an_exception_without_words_has_its_name() -> None:
    failure = frame({}, exception_type="modelTimeoutException", message_type="exception")
    assert events(failure) == Events((), error="modelTimeoutException")
    assert framed_events(Stream(chunks=({"validationException": {"message": "bad"}},))) == Events(
        (), error="validationException: bad"
    )


def test_what_a_models_own_events_are_wrapped_in_is_taken_off() -> None:
    inner = {"type": "message_stop"}
    wrapped = {"bytes": base64.b64encode(json.dumps(inner).encode()).decode(), "p": "abcd"}
    assert events(event("chunk", wrapped)) == Events((Event("chunk", inner),))
    assert framed_events(Stream(chunks=({"chunk": wrapped},))) == Events((Event("chunk", inner),))


@pytest.mark.parametrize("wrapped", ["!", base64.b64encode(b"no json").decode()])
def test_a_wrapping_that_holds_no_object_stays(wrapped: str) -> None:
    value = {"bytes": wrapped}
    assert events(event("chunk", value)) == Events((Event("chunk", value),))


def test_headers_of_every_type_are_passed_over() -> None:
    others = b"".join([
        b"\x02:a\x00", b"\x02:b\x01", b"\x02:c\x02\x05", b"\x02:d\x03\x00\x01",
        b"\x02:e\x04" + bytes(4), b"\x02:f\x05" + bytes(8), b"\x02:g\x06\x00\x02hi",
        b"\x02:h\x08" + bytes(8), b"\x02:i\x09" + bytes(16),
    ])  # fmt: skip
    head = others + text_header("event_type", "messageStart")
    body = b'{"role": "assistant"}'
    data = struct.pack(">III", 16 + len(head) + len(body), len(head), 0) + head + body + bytes(4)
    assert events(data) == Events((Event("messageStart", {"role": "assistant"}),))


@pytest.mark.parametrize("head", [b"\x02:a\xff", b"\x02:a", b"\x40:a\x07", b"\x02:a\x07\x00"])
def test_headers_that_no_rule_knows_end_the_headers(head: bytes) -> None:
    data = struct.pack(">III", 16 + len(head) + 2, len(head), 0) + head + b"{}" + bytes(4)
    assert events(data) == Events((Event("", {}),))


@pytest.mark.parametrize(
    "data", [b"", b"data: {}", b"\x00\x00", b"{" * 40, bytes(40), b"\x1f\x8b" + bytes(30)]
)
def test_other_bytes_are_no_frames(data: bytes) -> None:
    assert not is_framed(data)
    assert events(data) is None


def test_a_text_whose_fourteenth_letter_is_a_colon_is_no_frame() -> None:
    text = 'data: {"type": "message_stop"}\n\n'
    assert text[13] == ":"
    assert framed_events(Stream(text=text)) is None
