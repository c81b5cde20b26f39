"""Cases A11, A13, A15 and A16 of the public reports: what broke importers of spans."""

from typing import Any

import pytest

from benchmarks.intake.dialects.otlp import Otlp, OtlpTrace
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.spans.making import (
    chat,
    codes,
    conversation,
    found_of,
    pieces,
    says,
    span,
    told,
    tool,
    user,
)

TRACE = "0af7651916cd43dd8448eb211c80319c"


def read(*spans: dict[str, Any]) -> list[Any]:
    record = {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}
    results = []
    for entry in Otlp().entries(record):
        found = found_of(entry.record)
        for key in OtlpTrace().keys(found):
            results += [piece.result for piece in OtlpTrace().read(key, [found])]
    return results


def exported(trace_id: str | None, span_id: str | None, name: str) -> dict[str, Any]:
    ids = {"traceId": trace_id, "spanId": span_id}
    text = '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]'
    attributes = [{"key": "gen_ai.input.messages", "value": {"stringValue": text}}]
    return {**{k: v for k, v in ids.items() if v is not None}, "name": name,
            "attributes": attributes}  # fmt: skip


def test_a11_a_tool_span_that_says_only_its_kind_is_named_after_itself_and_missing() -> None:
    bare = span(1, name="get_weather", attributes={"openinference.span.kind": "TOOL"})
    found = conversation(bare)
    assert told(found) == ["assistant: get_weather({})"]
    assert codes(found) == ["call_inferred", "missing_result"]
    assert [turn.results() for turn in found.turns] == [[]]


def test_a11_beside_a_call_the_run_leaves_the_call_unanswered_instead_of_empty_and_ok() -> None:
    asked = chat(1, [user("Weather?")], {"role": "assistant", "parts": [
        {"type": "tool_call", "id": "c1", "name": "get_weather", "arguments": {"city": "Rome"}}
    ]})  # fmt: skip
    bare = span(2, name="get_weather", at=1, attributes={"openinference.span.kind": "TOOL"})
    found = conversation(asked, bare)
    assert told(found) == ["user: Weather?", 'assistant: get_weather({"city": "Rome"})']
    assert codes(found) == ["missing_result", "missing_usage"]


def test_a13_a_span_whose_parent_was_never_exported_is_a_root() -> None:
    orphan = chat(1, [user("hi")], says("hello"), parent=99)
    assert told(conversation(orphan)) == ["user: hi", "assistant: hello"]


def test_a13_without_content_it_is_reported_and_not_fatal() -> None:
    (piece,) = pieces(chat(1, [], None, parent=99))
    assert piece.result == Refused(
        Reason.NO_MESSAGES,
        "a call: neither input nor output; from 2023-11-14T22:13:20.000Z to an unknown end",
    )


@pytest.mark.parametrize(
    ("trace_id", "span_id"),
    [
        (None, None),
        (TRACE, None),
        (None, "00f067aa0ba902b7"),
        ("0a", "00f067aa0ba902b7"),
        (TRACE, "0a0b0c"),
        ("0" * 32, "00f067aa0ba902b7"),
        (TRACE, "0" * 16),
        ("", ""),
    ],
)
def test_a15_spans_without_ids_or_with_short_ones_go_and_the_rest_stays(
    trace_id: str | None, span_id: str | None
) -> None:
    good = exported(TRACE, "00f067aa0ba902b8", "good")
    results = read(exported(trace_id, span_id, "x"), good)
    refused = [found for found in results if isinstance(found, Refused)]
    kept = [found for found in results if isinstance(found, Reading)]
    assert [(one.reason, one.detail) for one in refused] == [
        (Reason.MISSING_IDS, "a span named 'x' without an id of a trace and of a span")
    ]
    assert [told(one.conversation) for one in kept] == [["user: hi"]]


def test_a15_a_payload_of_log_records_at_the_wrong_place_costs_nothing_but_itself() -> None:
    (refused,) = read({"name": "x"})
    assert refused.reason is Reason.MISSING_IDS


def test_a16_the_usage_of_a_trace_is_the_sum_of_its_calls() -> None:
    def counted(spent: int, answered: int) -> dict[str, int]:
        return {"gen_ai.usage.input_tokens": spent, "gen_ai.usage.output_tokens": answered}

    root = span(1, attributes={"gen_ai.operation.name": "invoke_agent"})
    first = chat(2, [user("a")], says("b"), parent=1, at=1, more=counted(10, 3))
    again = [user("a"), says("b"), user("c")]
    second = chat(3, again, says("d"), parent=1, at=2, more=counted(21, 4))
    usage = conversation(root, first, second).usage
    assert usage is not None
    assert usage.dump() == {"input_tokens": 31, "output_tokens": 7, "calls": 2}


def test_a16_a_call_without_usage_makes_the_sum_a_lower_bound() -> None:
    counted = {"gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 1}
    first = chat(1, [user("a")], says("b"), more=counted)
    second = chat(2, [user("a"), says("b"), user("c")], says("d"), at=1)
    usage = conversation(first, second, tool(3, "find", {}, "ok", at=3)).usage
    assert usage is not None
    assert usage.dump() == {
        "input_tokens": 5, "output_tokens": 1, "calls": 2, "unreported_calls": 1,
    }  # fmt: skip
