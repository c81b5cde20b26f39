import gzip
import json
from typing import Any

import pytest

from benchmarks.intake.dialect import Entry
from benchmarks.intake.dialects.nock import Nock
from benchmarks.intake.reasons import Reason, Refused

NOCK = Nock()
ASKED = {"messages": [{"role": "user", "content": "Hi"}]}
SAID = {"choices": [{"message": {"content": "Hello"}}]}


def exchange(response: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "scope": "https://api.example.com:443", "method": "POST", "path": "/v1/chat/completions",
        "body": ASKED, "status": 200, "response": SAID if response is None else response, **more,
    }  # fmt: skip


def pair(response: Any = None, **more: Any) -> dict[str, Any]:
    (only,) = NOCK.entries(exchange(response, **more))
    assert only.refused is None
    record: dict[str, Any] = only.record
    return record


def test_an_exchange_is_one_and_nothing_else_is() -> None:
    assert NOCK.detect(exchange())
    for key in ("scope", "path", "response"):
        record = exchange()
        del record[key]
        assert not NOCK.detect(record)
    assert not NOCK.detect([exchange()])


def test_an_exchange_is_a_pair() -> None:
    headers = ["Date", "Fri, 18 Jul 2025 19:03:06 GMT", "Content-Type", "application/json"]
    assert list(NOCK.entries(exchange(rawHeaders=headers))) == [
        Entry(
            {
                "url": "https://api.example.com:443/v1/chat/completions", "method": "POST",
                "status": 200, "content_type": "application/json", "request": ASKED,
                "response": SAID, "started_at": "2025-07-18T19:03:06.000Z",
            },
            "",
        )
    ]  # fmt: skip


def test_a_text_is_a_raw_answer() -> None:
    assert pair("data: {}\n\n")["response_raw"] == {"text": "data: {}\n\n"}


def test_hex_is_read_where_it_is_said_to_be_bytes() -> None:
    frames = b"\x00\x00\x00\x10\xff"
    assert pair(frames.hex(), responseIsBinary=True)["response_raw"] == {"b64": "AAAAEP8="}
    assert pair("00000010ff", responseIsBinary=False)["response_raw"] == {"text": "00000010ff"}
    assert pair("no hex", responseIsBinary=True)["response_raw"] == {"text": "no hex"}


def test_pieces_in_hex_are_one_packed_body() -> None:
    packed = gzip.compress(json.dumps(SAID).encode())
    pieces = [packed[:9].hex(), packed[9:].hex()]
    headers = ["Content-Encoding", "gzip"]
    assert pair(pieces, rawHeaders=headers)["response_raw"] == {"text": json.dumps(SAID)}


@pytest.mark.parametrize("response", [[{"a": 1}], ["a", "b"], [], ["00", None]])
def test_a_list_that_is_no_hex_is_the_value_it_is(response: Any) -> None:
    record = pair(response, rawHeaders=["Content-Encoding", "gzip"])
    assert record["response"] == response


def test_an_answer_of_204_without_a_body_is_no_call() -> None:
    (only,) = NOCK.entries(exchange("", status=204))
    assert only.refused == Refused(Reason.NOT_A_CAPTURE, "an answer without a body")


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [None], True])
@pytest.mark.parametrize(
    "key", ["scope", "path", "response", "body", "status", "method", "rawHeaders", "headers"]
)
def test_a_field_of_any_shape_raises_nothing(key: str, odd: Any) -> None:
    found = {**exchange(), key: odd}
    assert len(list(NOCK.entries({**found, "responseIsBinary": True}))) == 1
