from typing import Any

import pytest

from benchmarks.intake.dialects.mastra import Mastra
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = Mastra()
ASK = {"role": "user", "content": "Weather?"}
ABOUT = {"model": "m-1", "provider": "openai", "usage": {"inputTokens": 10, "outputTokens": 5}}


def span(kind: str, second: int, parent: str | None, given: Any, came: Any, **more: Any) -> dict:
    return {
        "traceId": "t1", "spanId": f"s{second}", "parentSpanId": parent, "spanType": kind,
        "name": f"{kind} {second}", "startedAt": f"2026-05-01T10:00:{second:02d}.250Z",
        "endedAt": f"2026-05-01T10:00:{second:02d}.750Z", "input": given, "output": came,
        "attributes": {}, "metadata": {"threadId": "th-1"}, **more,
    }  # fmt: skip


ASKED = {"text": "", "toolCalls": [
    {"toolCallId": "c1", "toolName": "look", "args": {"city": "Oslo"}}]}  # fmt: skip
SPANS = [
    span("agent_run", 0, None, [ASK], {"text": "It rains."}),
    span("model_generation", 1, "s0", {"messages": [ASK]}, ASKED, attributes=ABOUT),
    span("tool_call", 2, "s0", {"city": "Oslo"}, {"t": 5}, attributes={"toolId": "look"}),
]
WHOLE = [
    ("user", "Weather?", [], []), ("assistant", "", ["look"], []), ("tool", "", [], ["ok"]),
]  # fmt: skip


def test_the_spans_of_a_trace_are_one_conversation() -> None:
    got = reading_of(pieces_of(DIALECT, *SPANS))
    found = got.conversation
    assert shape(found) == WHOLE
    assert (calls_in(found), results_in(found)) == (
        [("c1", {"city": "Oslo"})], [((1, 0), {"t": 5})],
    )  # fmt: skip
    turn = found.turns[1]
    assert (turn.usage.input_tokens, turn.usage.output_tokens) == (10, 5)
    assert (turn.model, turn.at) == ("m-1", "2026-05-01T10:00:01.250Z")
    assert (got.frame.routing.provider, got.frame.identity.session_id) == ("openai", "th-1")
    assert (found.dialect, found.issues) == ("mastra", [])


@pytest.mark.parametrize("key", ["spans", "data"])
def test_a_list_is_read_like_its_spans(key: str) -> None:
    assert shape(reading_of(pieces_of(DIALECT, {key: SPANS})).conversation) == WHOLE


def test_a_run_that_failed_is_an_error_and_may_name_its_call() -> None:
    failed = {**SPANS[2], "output": None, "errorInfo": {"message": "no city"},
              "metadata": {"toolCallId": "c1"}}  # fmt: skip
    found = reading_of(pieces_of(DIALECT, *SPANS[:2], failed)).conversation
    assert (shape(found)[2][3], results_in(found)) == (["error"], [((1, 0), "no city")])


@pytest.mark.parametrize(
    "record",
    [{}, [], {"traceId": "t"}, {"traceId": 3, "spanType": "x"}, {"traceId": "t", "spanType": 3},
     {"spans": []}, {"spans": [3]}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for one in SPANS:
        for key in (one.keys() | {"errorInfo"}) - {"traceId", "spanType"}:
            assert pieces_of(DIALECT, *SPANS, {**one, key: odd})
    for key in ABOUT:
        assert pieces_of(DIALECT, {**SPANS[1], "attributes": {**ABOUT, key: odd}})
