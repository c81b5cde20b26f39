import json
from typing import Any

import pytest

from benchmarks.intake.dialects.opik import Opik
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = Opik()
ASK = {"role": "user", "content": "Weather?"}
CALL = {"id": "c1", "type": "function",
        "function": {"name": "look", "arguments": '{"city": "Oslo"}'}}  # fmt: skip
ASKS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
CAME = {"role": "tool", "tool_call_id": "c1", "content": "rain"}
SAYS = {"role": "assistant", "content": "It rains."}
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]


def span(name: str, kind: str, second: int, given: Any, came: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": f"s{second}", "trace_id": "t1", "parent_span_id": None, "name": name, "type": kind,
        "start_time": f"2026-05-01T10:00:{second:02d}.250Z", "input": given, "output": came,
        "end_time": f"2026-05-01T10:00:{second:02d}.750Z", **more,
    }  # fmt: skip


def model(second: int, heard: list[Any], said: dict[str, Any], spent: int) -> dict[str, Any]:
    return span(
        "chat", "llm", second, {"messages": heard, "tools": TOOLS},
        {"choices": [{"message": said, "finish_reason": "stop"}]}, model="m-1", provider="openai",
        usage={"prompt_tokens": spent, "completion_tokens": 5, "total_tokens": spent + 5},
        metadata={"thread_id": "th-1"},
    )  # fmt: skip


SPANS = [
    model(1, [ASK], ASKS, 10),
    span("look", "general", 2, {"city": "Oslo"}, {"output": "rain"}),
    model(3, [ASK, ASKS, CAME], SAYS, 20),
]
WHOLE = [
    ("user", "Weather?", [], []),
    ("assistant", "", ["look"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "It rains.", [], []),
]


def camel(row: dict[str, Any]) -> dict[str, Any]:
    """The row as the TypeScript kit writes it."""
    names = {"trace_id": "traceId", "parent_span_id": "parentSpanId", "start_time": "startTime",
             "end_time": "endTime"}  # fmt: skip
    return {names.get(key, key): value for key, value in row.items()}


def test_the_spans_of_a_trace_are_one_conversation() -> None:
    got = reading_of(pieces_of(DIALECT, *SPANS))
    found = got.conversation
    assert shape(found) == WHOLE
    assert calls_in(found) == [("c1", {"city": "Oslo"})]
    assert results_in(found) == [((1, 0), "rain")]
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (30, 10, 2)
    assert (found.turns[1].usage.input_tokens, found.turns[1].model, found.turns[1].at) == (
        10, "m-1", "2026-05-01T10:00:01.250Z",
    )  # fmt: skip
    assert [tool.name for tool in found.tools] == ["look"]
    assert (got.frame.routing.provider, got.frame.identity.session_id) == ("openai", "th-1")
    assert (found.dialect, found.end.reason, found.issues) == ("opik", "reply", [])


def test_the_run_of_a_tool_gives_its_result_and_may_have_failed() -> None:
    ran = span("look", "tool", 2, {"city": "Oslo"}, {"output": "rain"})
    found = reading_of(pieces_of(DIALECT, SPANS[0], ran)).conversation
    assert results_in(found) == [((1, 0), "rain")]
    error = {"exception_type": "ValueError", "message": "no city"}
    failed = {**ran, "output": None, "error_info": error}
    found = reading_of(pieces_of(DIALECT, SPANS[0], failed)).conversation
    assert (shape(found)[2][3], results_in(found)) == (["error"], [((1, 0), "no city")])


@pytest.mark.parametrize("key", ["spans", "content", "data"])
def test_a_page_is_read_like_its_spans(key: str) -> None:
    assert shape(reading_of(pieces_of(DIALECT, {key: SPANS, "page": 1})).conversation) == WHOLE


def test_both_spellings_and_texts_of_json_are_read_alike() -> None:
    told = [{**one, "input": json.dumps(one["input"])} for one in SPANS]
    for rows in (list(map(camel, SPANS)), told):
        assert shape(reading_of(pieces_of(DIALECT, *rows)).conversation) == WHOLE


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"trace_id": "t", "type": "llm"},
        {"trace_id": "t", "type": "GENERATION", "parent_span_id": None},
        {"trace_id": 3, "type": "llm", "parent_span_id": None},
        {"trace_id": "t", "type": ["llm"], "parent_span_id": None},
        {"spans": [3]},
        {"data": []},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for one in SPANS:
        for key in (one.keys() | {"error_info"}) - {"trace_id", "type"}:
            assert pieces_of(DIALECT, {**one, key: odd}, SPANS[1])
    assert pieces_of(DIALECT, {"spans": [*SPANS, odd]})
