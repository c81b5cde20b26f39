import base64
import gzip
import json
from typing import Any

import pytest

from benchmarks.intake.dialect import Entry
from benchmarks.intake.dialects.cassette import Cassette
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.yaml_documents import yaml_document

CASSETTE = Cassette()
URL = "https://api.example.com/v1/messages"
ASKED = {"messages": [{"role": "user", "content": "Hi"}]}
SAID = {"type": "message", "content": [{"type": "text", "text": "Grüße"}]}
TEXT = json.dumps(SAID)
PACKED = {"base64_string": base64.b64encode(gzip.compress(TEXT.encode())).decode()}


def interaction(request: Any = None, response: Any = None, **more: Any) -> dict[str, Any]:
    asked = {"body": json.dumps(ASKED)} if request is None else request
    came = {"body": {"string": TEXT}} if response is None else response
    return {
        "request": {"method": "POST", "uri": URL, **asked},
        "response": {"status": {"code": 200, "message": "OK"}, **came},
        **more,
    }


def entries(*found: Any) -> list[Entry]:
    return list(CASSETTE.entries({"version": 1, "interactions": list(found)}))


def pair(request: Any = None, response: Any = None, **more: Any) -> dict[str, Any]:
    (only,) = entries(interaction(request, response, **more))
    assert only.refused is None
    record: dict[str, Any] = only.record
    return record


def test_a_list_of_interactions_is_one_and_nothing_else_is() -> None:
    assert CASSETTE.detect({"interactions": [], "version": 1})
    assert CASSETTE.detect({"http_interactions": [], "recorded_with": "recorder"})
    others = [{}, {"interactions": {}}, {"interactions": "x"}, [], [{"request": {}}], None]
    assert not any(CASSETTE.detect(other) for other in others)


def test_an_interaction_is_a_pair() -> None:
    headers = {"Content-Type": ["application/json"], "Date": ["Tue, 28 Apr 2026 16:28:30 GMT"]}
    (only,) = entries(interaction(response={"body": {"string": TEXT}, "headers": headers}))
    assert only == Entry(
        {
            "url": URL, "method": "POST", "status": 200, "content_type": "application/json",
            "request": json.dumps(ASKED), "response_raw": {"text": TEXT},
            "started_at": "2026-04-28T16:28:30.000Z",
        },
        "/interactions/0",
    )  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        {"body": {"string": TEXT}},
        {"body": TEXT},
        {"content": TEXT},
        {"body": {"string": PACKED}, "headers": {"content-encoding": ["gzip"]}},
        {"body": {"string": PACKED}},
        {"body": {"encoding": "ASCII-8BIT", **PACKED}},
    ],
)
def test_a_body_stands_where_its_recorder_put_it(body: Any) -> None:
    assert pair(response=body)["response_raw"] == {"text": TEXT}


def test_a_body_that_was_parsed_is_taken_as_it_is() -> None:
    record = pair({"parsed_body": ASKED}, {"parsed_body": SAID})
    assert (record["request"], record["response"]) == (ASKED, SAID)
    assert pair(response={"body": [SAID]})["response"] == [SAID]


def test_a_packed_request_is_unpacked() -> None:
    packed = {"base64_string": base64.b64encode(gzip.compress(b'{"a": 1}')).decode()}
    assert pair({"body": packed})["request"] == '{"a": 1}'


@pytest.mark.parametrize("status", [{"code": 404}, 404])
def test_the_status_has_two_forms(status: Any) -> None:
    assert pair(response={"status": status})["status"] == 404
    assert pair(response={"status": None, "status_code": 404})["status"] is None


def test_what_holds_the_time_of_recording() -> None:
    moment = "Tue, 28 Apr 2026 16:28:30 GMT"
    assert pair(recorded_at=moment)["started_at"] == "2026-04-28T16:28:30.000Z"


def test_a_document_of_yaml_is_one_with_bytes_in_it() -> None:
    frames = b"\x00\x00\x00\x10\xff\xfe"
    document = f"""
interactions:
- request:
    body: '{json.dumps(ASKED)}'
    headers: {{}}
    method: POST
    uri: {URL}
  response:
    body:
      string: !!binary |
        {base64.b64encode(frames).decode()}
    headers:
      content-type:
      - application/vnd.amazon.eventstream
    status: {{code: 200, message: OK}}
version: 1
"""
    (only,) = CASSETTE.entries(yaml_document(document.encode()))
    assert only.record["response_raw"] == {"b64": base64.b64encode(frames).decode()}
    assert only.record["content_type"] == "application/vnd.amazon.eventstream"


def test_each_interaction_has_its_place_and_a_bad_one_costs_itself() -> None:
    found = entries(interaction(), None, {"response": {}}, interaction())
    assert [one.within for one in found] == [f"/interactions/{place}" for place in range(4)]
    assert [one.refused for one in found[1:3]] == [
        Refused(Reason.NOT_A_CAPTURE, "an interaction without a request")
    ] * 2


def test_an_answer_of_204_without_a_body_is_no_call() -> None:
    (only,) = entries(interaction(response={"status": {"code": 204}, "body": {"string": ""}}))
    assert only.refused == Refused(Reason.NOT_A_CAPTURE, "an answer without a body")


def test_a_recorder_may_call_them_http_interactions() -> None:
    body = {"encoding": "UTF-8", "string": TEXT}
    found = interaction(response={"body": body}, recorded_at="Tue, 28 Apr 2026 16:28:30 GMT")
    (only,) = CASSETTE.entries({"http_interactions": [found], "recorded_with": "recorder"})
    assert only.within == "/http_interactions/0"
    assert only.record["response_raw"] == {"text": TEXT}
    assert only.record["started_at"] == "2026-04-28T16:28:30.000Z"


ODD = [None, 1, "x", [], {}, [None], {"string": 1}, {"base64_string": "?"}, {"code": True}, True]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("key", ["body", "content", "parsed_body", "headers", "status", "uri"])
def test_a_field_of_any_shape_raises_nothing(key: str, odd: Any) -> None:
    assert len(entries(interaction({key: odd}, {key: odd}, recorded_at=odd))) == 1


@pytest.mark.parametrize("odd", ODD)
def test_a_side_of_any_shape_raises_nothing(odd: Any) -> None:
    assert len(entries({"request": odd, "response": odd}, {"request": {}, "response": odd})) == 2
