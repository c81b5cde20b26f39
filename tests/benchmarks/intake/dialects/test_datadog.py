from typing import Any

import pytest

from benchmarks.intake.dialects.datadog import Datadog
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = Datadog()
START = 1_777_629_600_000_000_000
ASK = {"role": "user", "content": "Weather?"}
ASKS = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {"name": "look", "arguments": {"city": "Oslo"}, "tool_id": "c1", "type": "function"}
    ],
}


def span(number: int, parent: str, meta: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "trace_id": "t1", "span_id": str(number), "parent_id": parent, "name": "look",
        "start_ns": START + number * 10**9, "duration": 5 * 10**8, "meta": meta,
        "metrics": {}, "session_id": "s-1", **more,
    }  # fmt: skip


MODEL = {
    "kind": "llm", "model_name": "m-1", "model_provider": "openai", "input": {"messages": [ASK]},
    "output": {"messages": [ASKS]},
    "tool_definitions": [{"name": "look", "schema": {}, "description": "Looks."}],
}  # fmt: skip
TOOL = {"kind": "tool", "input": {"value": '{"city": "Oslo"}'}, "output": {"value": "rain"}}
SPANS = [
    span(1, "undefined", {"kind": "workflow", "input": {"value": "x"}}),
    span(2, "1", MODEL, metrics={"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}),
    span(3, "1", TOOL),
]
WHOLE = [
    ("user", "Weather?", [], []), ("assistant", "", ["look"], []), ("tool", "", [], ["ok"]),
]  # fmt: skip


def test_the_spans_of_a_trace_are_one_conversation() -> None:
    got = reading_of(pieces_of(DIALECT, *SPANS))
    found = got.conversation
    assert shape(found) == WHOLE
    assert (calls_in(found), results_in(found)) == ([("c1", {"city": "Oslo"})], [((1, 0), "rain")])
    turn = found.turns[1]
    assert (turn.usage.input_tokens, turn.usage.output_tokens) == (10, 5)
    assert (turn.model, turn.at) == ("m-1", "2026-05-01T10:00:02.000Z")
    assert (got.frame.routing.provider, got.frame.identity.session_id) == ("openai", "s-1")
    assert [(tool.name, tool.description) for tool in found.tools] == [("look", "Looks.")]
    assert (found.dialect, found.issues) == ("datadog", [])


def test_the_other_name_of_the_kind_and_a_list_are_read_alike() -> None:
    meta = {key: value for key, value in MODEL.items() if key != "kind"}
    renamed = {**SPANS[1], "meta": {**meta, "span.kind": "llm"}}
    assert shape(reading_of(pieces_of(DIALECT, renamed, SPANS[2])).conversation) == WHOLE
    assert shape(reading_of(pieces_of(DIALECT, {"spans": SPANS})).conversation) == WHOLE


def test_a_run_that_failed_is_an_error() -> None:
    meta = {**TOOL, "output": None, "error": {"message": "no city"}}
    found = reading_of(pieces_of(DIALECT, *SPANS[:2], span(3, "1", meta))).conversation
    assert (shape(found)[2][3], results_in(found)) == (["error"], [((1, 0), "no city")])


@pytest.mark.parametrize(
    "record",
    [{}, [], {"span_id": "1", "meta": {"kind": "llm"}}, {"span_id": "1", "start_ns": 1, "meta": {}},
     {"span_id": "1", "start_ns": 1, "meta": "llm"}, {"meta": {"kind": "llm"}, "start_ns": 1},
     {"spans": [3]}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for one in SPANS:
        for key in one.keys() - {"meta"}:
            assert pieces_of(DIALECT, *SPANS, {**one, key: odd})
        for key in (*one["meta"], "error"):
            changed = {**one["meta"], key: odd}
            if isinstance(changed["kind"], str):
                assert pieces_of(DIALECT, *SPANS, {**one, "meta": changed})
