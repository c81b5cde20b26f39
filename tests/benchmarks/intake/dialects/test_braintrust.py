import json
from typing import Any

import pytest

from benchmarks.intake.dialects.braintrust import Braintrust
from benchmarks.records.conversation import Conversation
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = Braintrust()
ASK = {"role": "user", "content": "Weather?"}
CALL = {
    "id": "c1", "type": "function",
    "function": {"name": "look", "arguments": '{"city": "Oslo"}'},
}  # fmt: skip
ASKS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
CAME = {"role": "tool", "tool_call_id": "c1", "content": "rain"}
SAYS = {"role": "assistant", "content": "It rains."}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}]


def row(span_id: str, parent: str | None, kind: str, name: str, second: int, **about: Any) -> dict:
    return {
        "id": f"row-{span_id}",
        "span_id": span_id,
        "root_span_id": "a",
        "span_parents": [parent] if parent else None,
        "created": f"2026-05-01T10:00:{second:02d}.000Z",
        "span_attributes": {"name": name, "type": kind},
        "input": None,
        "output": None,
        "error": None,
        "scores": {},
        "metadata": {},
        **about,
        "metrics": {"start": 1777629600.0 + second, "end": 1777629600.5 + second,
                    **about.get("metrics", {})},
    }  # fmt: skip


def chosen(message: dict[str, Any], reason: str) -> list[dict[str, Any]]:
    return [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}]


ABOUT = {"model": "m-1", "provider": "openai", "tools": TOOLS, "temperature": 0.5}
ROWS = [
    row("a", None, "task", "desk", 0, input={"q": "?"}, output="It rains.",
        scores={"Correctness": 0.75, "Latency": 3}),
    row("b", "a", "llm", "Chat Completion", 1, input=[ASK], output=chosen(ASKS, "tool_calls"),
        metadata=ABOUT, metrics={"prompt_tokens": 10, "completion_tokens": 5, "tokens": 15,
                                 "prompt_cached_tokens": 4}),
    row("c", "a", "function", "look", 3, input={"city": "Oslo"}, output="rain"),
    row("d", "a", "llm", "Chat Completion", 5, input=[ASK, ASKS, CAME],
        output=chosen(SAYS, "stop"), metadata=ABOUT,
        metrics={"prompt_tokens": 20, "completion_tokens": 6.0, "estimated_cost": 0.25}),
]  # fmt: skip
WHOLE = [
    ("user", "Weather?", [], []),
    ("assistant", "", ["look"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "It rains.", [], []),
]


def conversation(*rows: Any) -> Conversation:
    return reading_of(pieces_of(DIALECT, *rows)).conversation


def test_the_rows_of_a_trace_are_one_conversation() -> None:
    found = conversation(*ROWS)
    assert shape(found) == WHOLE
    assert calls_in(found) == [("c1", {"city": "Oslo"})]
    assert results_in(found) == [((1, 0), "rain")]
    assert [(tool.name, tool.parameters) for tool in found.tools] == [("look", SCHEMA)]
    assert (found.dialect, found.stop.raw, found.end.reason) == ("braintrust", "stop", "reply")
    assert found.issues == []


@pytest.mark.parametrize("key", ["events", "data", "rows"])
def test_a_page_is_read_like_its_rows(key: str) -> None:
    assert shape(conversation({key: ROWS, "cursor": None})) == WHOLE


def test_values_as_texts_of_json_are_read_as_what_they_hold() -> None:
    keys = ("input", "output", "metadata", "metrics", "span_attributes", "scores")
    told = [{**one, **{key: json.dumps(one[key]) for key in keys}} for one in ROWS]
    assert shape(conversation(*told)) == WHOLE


def test_usage_model_time_and_settings_stand_at_the_call() -> None:
    got = reading_of(pieces_of(DIALECT, *ROWS))
    found = got.conversation
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (30, 11, 2)
    assert found.usage.reported_cost_usd == 0.25
    first = found.turns[1]
    assert (first.usage.input_tokens, first.usage.cache_read_tokens) == (10, 4)
    assert (first.model, first.at) == ("m-1", "2026-05-01T10:00:01.000Z")
    assert got.frame.routing.provider == "openai"
    assert got.request.settings == {"model": "m-1", "temperature": 0.5}


def test_what_the_scores_of_the_root_say_is_the_outcome() -> None:
    outcome = conversation(*ROWS).outcome
    assert (outcome.reward, outcome.source) == (0.75, "score Correctness")
    scored = {**ROWS[1], "scores": {"Correctness": 1}}
    assert conversation({**ROWS[0], "scores": None}, scored).outcome is None


def test_a_run_of_a_tool_that_failed_is_an_error() -> None:
    failed = {**ROWS[2], "output": None, "error": "no city"}
    found = conversation(*ROWS[:2], failed)
    assert shape(found)[2] == ("tool", "", [], ["error"])
    assert results_in(found) == [((1, 0), "no city")]


def test_a_count_that_is_none_is_said() -> None:
    bad = {**ROWS[1], "metrics": {"prompt_tokens": -1}}
    found = conversation(bad)
    assert found.usage is None
    assert [(issue.code, issue.detail) for issue in found.issues] == [
        ("bad_usage", "prompt_tokens: '-1'"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"span_id": "s", "root_span_id": "r"},
        {"span_id": "s", "root_span_id": 3, "span_attributes": {}},
        {"events": []},
        {"events": [3]},
        {"rows": [{"id": "x"}]},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for at, one in enumerate(ROWS):
        for key in one.keys() - {"root_span_id"}:
            assert pieces_of(DIALECT, *ROWS[:at], {**one, key: odd}, *ROWS[at + 1 :])
        for key in one["metrics"]:
            assert pieces_of(DIALECT, {**one, "metrics": {**one["metrics"], key: odd}})
    for key in ABOUT:
        assert pieces_of(DIALECT, {**ROWS[1], "metadata": {**ABOUT, key: odd}})
