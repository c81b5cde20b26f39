import json
from typing import Any

import pytest

from benchmarks.intake.dialect import Piece
from benchmarks.intake.dialects.deepeval import DeepEval, spans_of
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.records.conversation import CallRef

CALL = {"name": "find", "args": {"id": 7}, "id": "c1"}
TOOL = "{'type': 'function', 'function': {'name': 'find', 'parameters': {'required': ['id']}}}"
STATE = [
    {"type": "human", "content": "Where is it?"},
    {"type": "ai", "content": "", "tool_calls": [CALL]},
    {"type": "tool", "name": "find", "content": "at the door", "tool_call_id": "c1"},
]
PLAIN = [
    {"role": "human", "content": "You find parcels."},
    {"role": "human", "content": "Where is it?"},
    {"role": "ai", "content": ""},
    {"role": "tool", "content": "at the door"},
]
OFFER = {"role": "Tool Input", "content": TOOL}


def llm(uuid: str, came_in: Any, came_out: Any, start: str, **more: Any) -> dict[str, Any]:
    return {
        "uuid": uuid, "name": "model", "parentUuid": f"node-{uuid}", "type": "llm",
        "startTime": start, "endTime": start, "input": json.dumps(came_in),
        "output": json.dumps(came_out), "model": "m-1", "provider": "OpenAI",
        "inputTokenCount": 40.0, "outputTokenCount": 4.0, **more,
    }  # fmt: skip


def node(uuid: str, messages: list[Any]) -> dict[str, Any]:
    return {
        "uuid": f"node-{uuid}",
        "parentUuid": "g",
        "name": "agent",
        "startTime": "2026-03-01T10:00:00Z",
        "input": json.dumps({"messages": messages}),
    }


def trace(**more: Any) -> dict[str, Any]:
    asked = llm("1", [*PLAIN[:2], OFFER], {"role": "AI", "content": "", "tool_calls": [CALL]},
                "2026-03-01T10:00:00Z")  # fmt: skip
    answered = llm("2", [*PLAIN, OFFER], {"role": "AI", "content": "At your door."},
                   "2026-03-01T10:00:02Z")  # fmt: skip
    run = {
        "uuid": "t", "parentUuid": "g", "name": "find", "type": "tool",
        "startTime": "2026-03-01T10:00:01Z", "input": {"id": 7}, "output": json.dumps(STATE[2]),
    }  # fmt: skip
    return {
        "uuid": "trace-1", "threadId": "thread", "userId": "kim",
        "agentSpans": [{"uuid": "g", "type": "agent", "name": "graph",
                        "startTime": "2026-03-01T10:00:00Z"}],
        "llmSpans": [asked, answered], "toolSpans": [run],
        "baseSpans": [node("1", STATE[:1]), node("2", STATE)], **more,
    }  # fmt: skip


def pieces(record: dict[str, Any]) -> list[Piece]:
    return list(DeepEval().read("trace-1", [Found(record, "f#", "", "", "f", "")]))


def spans(record: dict[str, Any]) -> list[Span]:
    return spans_of(record, "trace-1", 0)


def reading(record: dict[str, Any]) -> Reading:
    [piece] = pieces(record)
    assert isinstance(piece.result, Reading)
    return piece.result


def test_every_list_of_spans_gives_its_kind() -> None:
    found = {span.span_id: span.kind for span in spans(trace())}
    assert found == {
        "g": SpanKind.AGENT, "1": SpanKind.INFERENCE, "2": SpanKind.INFERENCE, "t": SpanKind.TOOL,
        "node-1": SpanKind.OTHER, "node-2": SpanKind.OTHER,
    }  # fmt: skip


def test_the_state_around_a_call_gives_back_the_calls_that_its_input_lost() -> None:
    turns = reading(trace()).conversation.turns
    assert [turn.role for turn in turns] == ["user", "user", "assistant", "tool", "assistant"]
    assert [turn.text() for turn in turns[:2]] == ["You find parcels.", "Where is it?"]
    [call] = turns[2].calls()
    assert (call.call_id, call.name, call.arguments) == ("c1", "find", {"id": 7})
    assert turns[3].results()[0].call == CallRef(turn=2, part=0)


def test_a_state_that_says_something_else_is_left_alone() -> None:
    other = [{**STATE[0], "content": "Where was it?"}, *STATE[1:]]
    by_id = {
        span.span_id: span for span in spans(trace(baseSpans=[node("1", []), node("2", other)]))
    }
    assert by_id["2"].input == PLAIN


def test_offered_tools_are_told_from_the_messages() -> None:
    found = reading(trace()).conversation
    assert [(tool.name, tool.required) for tool in found.tools] == [("find", ["id"])]
    assert all("function" not in turn.text() for turn in found.turns)


def test_a_message_of_an_unknown_role_that_defines_nothing_stays() -> None:
    odd = {"role": "note", "content": "{'name': 'find'}"}
    [span] = spans({"llmSpans": [llm("1", [odd], None, "2026-03-01T10:00:00Z")]})
    assert span.input == [odd]
    assert span.attributes == {"gen_ai.provider.name": "openai"}


def test_a_tool_run_names_its_call_and_gives_what_the_message_holds() -> None:
    run = next(span for span in spans(trace()) if span.span_id == "t")
    assert (run.attributes["gen_ai.tool.call.id"], run.output) == ("c1", "at the door")


def test_model_usage_session_and_times_are_kept() -> None:
    found = reading(trace())
    usage = found.conversation.usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.calls) == (80, 8, 2)
    assert found.frame.identity.session_id == "thread"
    assert found.frame.captured_at == "2026-03-01T10:00:00.000Z"
    assert found.conversation.turns[-1].model == "m-1"


def test_a_failed_span_says_what_it_failed_with() -> None:
    failed = {"toolSpans": [{"uuid": "t", "name": "find", "status": "ERRORED", "error": "gone"}]}
    assert [span.error for span in spans(failed)] == ["gone"]
    assert [span.error for span in spans({"toolSpans": [{"status": "SUCCESS"}]})] == [None]


def test_a_trace_without_a_word_has_no_messages() -> None:
    [piece] = pieces({"llmSpans": [{"uuid": "1", "type": "llm"}], "agentSpans": []})
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NO_MESSAGES


@pytest.mark.parametrize(
    "record",
    [
        {"llmSpans": []},
        {"llmSpans": None},
        {"agentSpans": "x"},
        {"llmSpans": [1, {}, {"uuid": 1, "input": 7, "output": "{", "parentUuid": {}}]},
        {"llmSpans": [{"uuid": "a", "parentUuid": "a", "input": "[1, null]", "startTime": []}]},
        {"toolSpans": [{"output": "[]"}, {"output": '{"type": "tool"}'}], "agentSpans": [{}]},
    ],
)
def test_no_trace_is_too_odd(record: dict[str, Any]) -> None:
    assert DeepEval().detect(record)
    assert isinstance(pieces(record), list)


@pytest.mark.parametrize("record", [None, [], {}, {"toolSpans": []}, {"spans": []}])
def test_other_records_are_no_trace(record: Any) -> None:
    assert not DeepEval().detect(record)
