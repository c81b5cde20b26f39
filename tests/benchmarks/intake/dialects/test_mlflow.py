import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.dialects.mlflow import MlflowTrace
from benchmarks.intake.ingest import IntakeOptions, ingest
from tests.benchmarks.intake.shapes import ODD, calls_in, results_in, shape

DIALECT = MlflowTrace()
ASK = {"role": "user", "content": "Weather?"}
CALL = {
    "id": "c1", "type": "function",
    "function": {"name": "look", "arguments": '{"city": "Oslo"}'},
}  # fmt: skip
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}]
ANSWER = {
    "model": "m-1",
    "choices": [{"finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": None, "tool_calls": [CALL]}}],
}  # fmt: skip
USED = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
START = 1_777_629_600_000_000_000


def span(number: int, parent: int | None, kind: str, given: Any, came: Any, **more: Any) -> dict:
    return {
        "name": "look" if kind == "TOOL" else "step",
        "context": {"span_id": f"0x{number:016x}", "trace_id": "0x" + "a" * 32},
        "parent_id": None if parent is None else f"0x{parent:016x}",
        "start_time": START + number * 10**9,
        "end_time": START + number * 10**9 + 1,
        "status_code": "OK",
        "status_message": "",
        "attributes": {
            "mlflow.spanType": json.dumps(kind),
            "mlflow.spanInputs": json.dumps(given),
            "mlflow.spanOutputs": json.dumps(came),
            **more,
        },
    }


SPANS = [
    span(1, None, "AGENT", {"q": "Weather?"}, "It rains."),
    span(
        2, 1, "CHAT_MODEL", {"model": "m", "messages": [ASK]}, ANSWER,
        **{"mlflow.chat.tokenUsage": json.dumps(USED), "mlflow.chat.tools": json.dumps(TOOLS)},
    ),
    span(3, 1, "TOOL", {"city": "Oslo"}, "rain"),
]  # fmt: skip
TRACE = {
    "info": {"request_id": "tr-1", "request_metadata": {"mlflow.trace.session": "s-1"}},
    "data": {"spans": SPANS, "request": "{}", "response": "{}"},
}


def read(folder: Path, record: Any) -> Any:
    path = folder / "traces.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    found = ingest([path], options=IntakeOptions(now=datetime(2026, 6, 1, tzinfo=UTC)))
    (capture,) = found.captures
    return capture


def newer(one: dict[str, Any]) -> dict[str, Any]:
    """A span as the third version writes it: ids and times by other names."""
    kept = {key: one[key] for key in ("name", "attributes")}
    return {
        **kept, "span_id": one["context"]["span_id"], "trace_id": "q6qqqqqqqqqqqqqqqqqqqg==",
        "parent_span_id": one["parent_id"], "start_time_unix_nano": one["start_time"],
        "end_time_unix_nano": one["end_time"], "status": {"code": "STATUS_CODE_OK"},
    }  # fmt: skip


def bare(one: dict[str, Any]) -> dict[str, Any]:
    """A span that leaves the trace to what it stands in."""
    return {**one, "context": None, "span_id": one["context"]["span_id"]}


@pytest.mark.parametrize("form", [dict, newer, bare])
def test_the_spans_of_a_trace_are_one_conversation(tmp_path: Path, form: Any) -> None:
    data = {"spans": [form(one) for one in SPANS]}
    capture = read(tmp_path, {**TRACE, "data": data})
    found = capture.conversation
    assert shape(found) == [
        ("user", "Weather?", [], []), ("assistant", "", ["look"], []), ("tool", "", [], ["ok"]),
    ]  # fmt: skip
    assert calls_in(found) == [("c1", {"city": "Oslo"})]
    assert results_in(found) == [((1, 0), "rain")]
    assert [(tool.name, tool.parameters) for tool in found.tools] == [("look", SCHEMA)]
    assert (found.turns[1].usage.input_tokens, found.turns[1].usage.output_tokens) == (10, 5)
    assert (found.turns[1].model, found.turns[1].at) == ("m-1", "2026-05-01T10:00:02.000Z")
    assert (capture.routing.requested_model, capture.routing.upstream_model) == ("m", "m-1")


def test_data_that_is_a_text_of_json_is_read_as_what_it_holds(tmp_path: Path) -> None:
    capture = read(tmp_path, {**TRACE, "data": json.dumps(TRACE["data"])})
    assert len(capture.conversation.turns) == 3


def test_a_span_that_failed_makes_its_result_an_error(tmp_path: Path) -> None:
    failed = {**SPANS[2], "status_code": "ERROR", "status_message": "no city"}
    capture = read(tmp_path, {**TRACE, "data": {"spans": [*SPANS[:2], failed]}})
    assert capture.conversation.turns[2].results()[0].status == "error"


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"info": {}, "data": {"spans": []}},
        {"info": {"request_id": "t"}},
        {"info": {"request_id": "t"}, "data": {}},
        {"info": {"request_id": "t"}, "data": "text"},
        {"info": [], "data": {"spans": []}},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for key in SPANS[1]:
        assert len(list(DIALECT.entries({**TRACE, "data": {"spans": [{**SPANS[1], key: odd}]}})))
    for name in SPANS[1]["attributes"]:
        changed = {**SPANS[1], "attributes": {**SPANS[1]["attributes"], name: odd}}
        assert list(DIALECT.entries({**TRACE, "data": {"spans": [changed, odd]}}))
    for info in ({"request_id": odd}, {"trace_id": "t", "trace_metadata": odd}):
        assert list(DIALECT.entries({"info": info, "data": {"spans": SPANS}}))
