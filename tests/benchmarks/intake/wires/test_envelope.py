import json
from typing import Any

import pytest

from benchmarks.intake.reading import Frame
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.wires.envelope import (
    Pair,
    frame_of,
    is_envelope,
    is_known_version,
    is_pair,
    pair_of,
)

ASK = {"model": "m-1", "messages": [{"role": "user", "content": "hi"}]}
ANSWER = {"id": "chatcmpl-1", "model": "m-1-2026", "choices": []}


def pair(**record: Any) -> Pair:
    return pair_of(record, Parser())


def frame(**record: Any) -> Frame:
    return frame_of(pair(**{"request": ASK, "response": ANSWER, **record}))


@pytest.mark.parametrize(
    "keys",
    [
        ("customer_request_body", "response_body"),
        ("request_body", "customer_response_body"),
        ("request", "response"),
        ("body", "response_text"),
        ("request", "response_raw"),
        ("full_request", "full_response"),
    ],
)
def test_a_pair_is_known_by_its_two_keys(keys: tuple[str, str]) -> None:
    assert is_pair(dict.fromkeys(keys))
    assert not is_pair({keys[0]: {}})
    assert not is_pair({keys[1]: {}})


def test_bodies_come_out_of_up_to_three_strings() -> None:
    once = json.dumps(ASK)
    thrice = json.dumps(json.dumps(once))
    four = json.dumps(thrice)
    assert pair(request=once, response={}).request == ASK
    assert pair(request=thrice, response={}).request == ASK
    assert pair(request=four, response={}).request == once


def test_a_body_that_is_no_json_stays_text() -> None:
    assert pair(request="{broken", response={}).request == "{broken"


@pytest.mark.parametrize(
    "record",
    [
        {"response_raw": {"text": 'data: {"id": "x"}\n\n'}},
        {"response_raw": {"text": 'event: message_start\ndata: {"a": 1}\n'}},
        {"response_raw": {"text": ": OPENROUTER PROCESSING\n\ndata: {}"}},
        {"response_body": 'data: {"id": "x"}\n\n'},
        {"response_text": 'data: {"id": "x"}\n\n'},
        {"response_raw": {"b64": "AAAA"}, "content_type": "application/vnd.amazon.eventstream"},
        {"response": [{"candidates": []}, {"candidates": []}]},
        {"response": {"object": "chat.completion.chunk"}},
        {"response": "x", "content_type": "text/event-stream; charset=utf-8"},
        {"response": '\ufeffdata: {"id": "x"}\n\n'},
        {"response_body": '{"done": false}\n{"done": true}\n'},
        {"response_text": '{"done": false}\r\n\r\n{"done": true}'},
    ],
)
def test_a_stream_is_known_whatever_holds_it(record: dict) -> None:
    assert pair(request=ASK, **record).stream is not None


@pytest.mark.parametrize(
    "record",
    [
        {"response": ANSWER},
        {"response_body": json.dumps(ANSWER)},
        {"response": None, "response_raw": {"text": json.dumps(ANSWER)}},
        {"response": ANSWER, "response_raw": {"text": ""}},
        {"response": ANSWER, "content_type": "text/event-stream"},
        {"response": "the data: none"},
        {"response": '{"broken": 1'},
        {"response": []},
    ],
)
def test_a_whole_answer_is_no_stream(record: dict) -> None:
    assert pair(request=ASK, **record).stream is None


def test_an_answer_that_was_not_captured_is_none() -> None:
    assert pair(request=ASK, response=None).response is None
    assert pair(request=ASK, response=None, response_raw={"text": ""}).response is None


@pytest.mark.parametrize(
    ("record", "failed"),
    [
        ({"status": 400, "response": {}}, True),
        ({"status_code": 503, "response": None}, True),
        ({"status": 200, "response": {"error": {"message": "no"}}}, True),
        ({"response": {"error": "no"}}, True),
        ({"status": 200, "response": ANSWER}, False),
        ({"status": 399, "response": {}}, False),
        ({"status": "500", "response": {}}, False),
        ({"response": {"error": None}}, False),
        ({"response": {"error": {"x": 1}, "choices": [{}]}}, False),
    ],
)
def test_a_call_failed_by_its_status_or_its_error_body(record: dict, failed: bool) -> None:
    assert pair(request=ASK, **record).failed is failed


@pytest.mark.parametrize("version", [2, 3, 4, "2", "4", "understudy.capture.v1"])
def test_known_versions_of_the_envelope(version: object) -> None:
    record = {"schema_version": version, "request_id": "r", "request_body": {}, "response_body": {}}
    assert is_envelope(record)
    assert is_known_version(record)


@pytest.mark.parametrize("version", [1, 5, "5", True, None, 4.5, "understudy.capture.v2"])
def test_other_versions_are_not_read(version: object) -> None:
    assert not is_known_version({"schema_version": version})


def test_the_frame_of_an_envelope() -> None:
    found = frame(
        schema_version=3, request_id="req-1", ts="2026-11-02T09:14:03Z", org_id="o", project_id=7,
        placement_id="w-1", workload_name="desk", upstream_model="m-2", requested_model="m-0",
        provider="acme", url="https://gw.acme.test/v1/chat/completions?key=k", status_code=200,
        latency_ms=640, session_id="s-1", conversation_id="c-1",
        trace={"trace_id": "4BF92F3577B34DA6A3CE929D0E0E4736", "caller_span_id": "ab",
               "trace_context_status": "valid"},
        customer_response_body=json.dumps(ANSWER), response=None,
    )  # fmt: skip
    assert found.capture_id == "req-1"
    assert found.captured_at == "2026-11-02T09:14:03.000Z"
    assert (found.scope.org_id, found.scope.project_id) == ("o", "7")
    assert (found.scope.workload_id, found.scope.workload_name) == ("w-1", "desk")
    assert found.routing.dump() == {
        "provider": "acme", "requested_model": "m-0", "upstream_model": "m-2",
    }  # fmt: skip
    assert found.transport.dump() == {
        "endpoint": "/v1/chat/completions", "status_code": 200, "latency_ms": 640,
    }  # fmt: skip
    assert (found.identity.session_id, found.identity.conversation_id) == ("s-1", "c-1")
    assert found.trace is not None
    assert found.trace.valid
    assert found.warnings == (
        "legacy_placement_id", "legacy_customer_response_body", "upstream_request_unavailable",
    )  # fmt: skip


def test_a_bare_pair_has_no_warnings_of_a_gateway() -> None:
    assert frame().warnings == ()


def test_the_id_of_the_request_is_tried_first_then_of_the_record_then_of_the_answer() -> None:
    assert frame(request_id="r", id="i").capture_id == "r"
    assert frame(id="i").capture_id == "i"
    assert frame().capture_id == "chatcmpl-1"
    assert frame(response={"choices": []}).capture_id is None


def test_models_come_from_the_bodies_when_the_record_names_none() -> None:
    assert frame().routing.dump() == {
        "provider": None, "requested_model": "m-1", "upstream_model": "m-1-2026",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("url", "provider"),
    [
        ("https://api.openai.com/v1/chat/completions", "openai"),
        ("https://api.anthropic.com/v1/messages", "anthropic"),
        ("https://openrouter.ai/api/v1/chat/completions", "openrouter.ai"),
        ("/v1/chat/completions", None),
        ("", None),
    ],
)
def test_the_host_names_the_provider(url: str, provider: str | None) -> None:
    assert frame(url=url).routing.provider == provider


@pytest.mark.parametrize(
    ("record", "moment", "unread"),
    [
        ({"timestamp": "2026-11-02T10:14:03+01:00"}, "2026-11-02T09:14:03.000Z", None),
        ({"ts": 1793610843}, "2026-11-02T09:14:03.000Z", None),
        ({"ts": 1793610843500}, "2026-11-02T09:14:03.500Z", None),
        ({"response": {**ANSWER, "created": 1793610843}}, "2026-11-02T09:14:03.000Z", None),
        ({"response": {"created_at": "2026-11-02T09:14:03Z"}}, "2026-11-02T09:14:03.000Z", None),
        ({"ts": "yesterday"}, None, "yesterday"),
        ({"ts": 10**30}, None, str(10**30)),
        ({}, None, None),
    ],
)
def test_times_of_every_form(record: dict, moment: str | None, unread: str | None) -> None:
    found = frame(**record)
    assert (found.captured_at, found.unread_time) == (moment, unread)


@pytest.mark.parametrize(
    ("trace_id", "status", "valid"),
    [
        ("4bf92f3577b34da6a3ce929d0e0e4736", None, True),
        ("4bf92f3577b34da6a3ce929d0e0e4736", "valid", True),
        ("4bf92f3577b34da6a3ce929d0e0e4736", "malformed", False),
        ("0" * 32, None, False),
        ("4bf9", None, False),
        ("g" * 32, None, False),
    ],
)
def test_a_trace_id_is_valid_or_not(trace_id: str, status: str | None, valid: bool) -> None:
    found = frame(trace_id=trace_id, trace_context_status=status).trace
    assert found is not None
    assert found.valid is valid


LOGGED = {"id": "z", "object": "chat.completion", "choices": [{"message": {"content": "A"}}]}


def test_a_record_that_is_a_request_itself_is_a_pair_with_the_answer_beside_its_messages() -> None:
    messages = [{"role": "user", "content": "q"}]
    record = {
        "id": "log-1", "model": "m", "messages": messages, "response": json.dumps(LOGGED),
        "model_parameters": {"temperature": 0, "tools": []}, "startTime": 1_767_225_600.5,
    }  # fmt: skip
    assert not is_pair({**record, "response": "a text"})
    assert not is_pair({**record, "response": {"role": "assistant", "content": "A"}})
    assert not is_pair({**record, "response": LOGGED, "messages": "q"})
    message = {"type": "message", "content": [], "stop_reason": "end_turn"}
    assert is_pair({**record, "response": message})
    assert is_pair(record)
    pair = pair_of(record, Parser())
    assert pair.request == {"temperature": 0, "tools": [], "model": "m", "messages": messages}
    assert pair.response == LOGGED
    assert pair.record.keys() == {"id", "model", "response", "startTime"}
    assert frame_of(pair).captured_at == "2026-01-01T00:00:00.500Z"
