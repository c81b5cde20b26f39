import base64
import gzip
import json
from typing import Any

import pytest

from benchmarks.intake.dialect import Entry
from benchmarks.intake.dialects.har import Har
from benchmarks.intake.reasons import Reason, Refused

HAR = Har()
URL = "https://api.example.com/v1/chat/completions"
ASKED = json.dumps({"messages": [{"role": "user", "content": "Hi"}]})
SAID = json.dumps({"choices": [{"message": {"content": "Grüße"}}]})


def entry(content: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "startedDateTime": more.pop("at", "2026-04-28T16:28:30.000Z"),
        "time": more.pop("time", 612.5),
        "request": {
            "method": more.pop("method", "POST"), "url": URL,
            "postData": {"mimeType": "application/json", "text": ASKED},
        },
        "response": {
            "status": more.pop("status", 200), "headers": more.pop("headers", []),
            "content": content if content is not None else {"text": SAID},
        },
        **more,
    }  # fmt: skip


def entries(*found: Any) -> list[Entry]:
    return list(HAR.entries({"log": {"version": "1.2", "entries": list(found)}}))


def pair(content: Any = None, **more: Any) -> dict[str, Any]:
    (only,) = entries(entry(content, **more))
    assert only.refused is None
    record: dict[str, Any] = only.record
    return record


@pytest.mark.parametrize("record", [{"log": {"entries": []}}, {"log": {"entries": [1]}, "x": 1}])
def test_a_log_of_entries_is_one(record: Any) -> None:
    assert HAR.detect(record)


@pytest.mark.parametrize("record", [{}, {"log": []}, {"log": {"entries": {}}}, {"entries": []}, []])
def test_other_records_are_none(record: Any) -> None:
    assert not HAR.detect(record)


def test_an_entry_is_a_pair() -> None:
    (only,) = entries(entry({"mimeType": "application/json", "text": SAID}))
    assert only == Entry(
        {
            "url": URL, "method": "POST", "status": 200, "content_type": "application/json",
            "request": ASKED, "response_raw": {"text": SAID},
            "started_at": "2026-04-28T16:28:30.000Z", "latency_ms": 612.5,
        },
        "/log/entries/0",
    )  # fmt: skip


def test_bodies_come_out_of_base64_and_of_gzip() -> None:
    plain = base64.b64encode(SAID.encode()).decode()
    packed = base64.b64encode(gzip.compress(SAID.encode())).decode()
    assert pair({"text": plain, "encoding": "base64"})["response_raw"] == {"text": SAID}
    assert pair({"text": packed, "encoding": "base64"})["response_raw"] == {"text": SAID}
    frames = b"\x00\x00\x00\x10\xff"
    binary = base64.b64encode(frames).decode()
    assert pair({"text": binary, "encoding": "base64"})["response_raw"] == {"b64": binary}


def test_a_text_that_is_no_base64_is_taken_as_it_is() -> None:
    assert pair({"text": "not ?", "encoding": "base64"})["response_raw"] == {"text": "not ?"}


def test_each_entry_has_its_place_and_a_bad_one_costs_itself() -> None:
    found = entries(entry(), None, {"response": {}}, entry())
    assert [one.within for one in found] == [f"/log/entries/{place}" for place in range(4)]
    assert [one.refused for one in found[1:3]] == [
        Refused(Reason.NOT_A_CAPTURE, "an entry without a request")
    ] * 2
    assert found[0].record == found[3].record


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"method": "OPTIONS"}, "a request by OPTIONS"),
        ({"status": 204, "content": {}}, "an answer without a body"),
    ],
)
def test_what_can_be_no_call_is_named(more: dict[str, Any], why: str) -> None:
    (only,) = entries(entry(more.pop("content", None), **more))
    assert only.refused == Refused(Reason.NOT_A_CAPTURE, why)


def test_an_entry_that_was_never_answered_has_no_status_and_no_answer() -> None:
    record = pair({}, status=0, time=-1, at="soon")
    assert (record["status"], record["response"]) == (None, None)
    assert record.keys() & {"latency_ms", "started_at"} == set()


ODD = [None, 1, "x", [], {}, [None], {"text": 1}, True]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("key", ["request", "response", "startedDateTime", "time"])
def test_a_field_of_any_shape_raises_nothing(key: str, odd: Any) -> None:
    assert len(entries({**entry(), key: odd})) == 1


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("key", ["status", "headers", "content"])
def test_a_response_of_any_shape_raises_nothing(key: str, odd: Any) -> None:
    found = entry()
    assert len(entries({**found, "response": {**found["response"], key: odd}})) == 1
