"""Reported faults of trace importers, wires of calls: the right value of each."""

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.intake.reading import Reading
from benchmarks.intake.recognising import read_call
from benchmarks.intake.sources.parsing import Parser
from benchmarks.records.conversation import Conversation

CHAT = "https://api.groq.com/openai/v1/chat/completions"
MESSAGES = "https://api.anthropic.com/v1/messages"
RESPONSES = "https://api.openai.com/v1/responses"
ASK = {"role": "user", "content": "What is the weather in three cities?"}
CITIES = ("San Francisco", "Tokyo", "Paris")


def conversation(url: str, request: Any, response: Any) -> Conversation:
    record = {"url": url, "request": request, "response_body": response, "status": 200}
    found = read_call(record, Parser(), None).result
    assert isinstance(found, Reading)
    return found.conversation


def streamed(*events: Any) -> str:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


def answers(found: Conversation) -> list[tuple[str, Any]]:
    return [(call.call_id, call.arguments) for call in found.turns[-1].calls()]


def chat_chunks(calls: Sequence[Any]) -> str:
    deltas = [{"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]} for call in calls]
    return streamed(*deltas, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})


def whole_call(index: int, raw_id: str | None, **arguments: Any) -> dict[str, Any]:
    function = {"name": "get_current_weather", "arguments": json.dumps(arguments)}
    return {"index": index, "function": function, **({"id": raw_id} if raw_id else {})}


def test_a01_a_new_id_starts_a_new_call_though_the_index_repeats() -> None:
    calls = [whole_call(0, f"call_{n}", location=city) for n, city in enumerate(CITIES)]
    found = conversation(CHAT, {"messages": [ASK]}, chat_chunks(calls))
    assert answers(found) == [
        ("call_0", {"location": "San Francisco"}), ("call_1", {"location": "Tokyo"}),
        ("call_2", {"location": "Paris"}),
    ]  # fmt: skip
    assert {call.name for call in found.turns[-1].calls()} == {"get_current_weather"}
    assert [issue.code for issue in found.issues] == ["missing_usage"]


def test_a02_arguments_stay_with_their_id_whatever_the_indexes_are() -> None:
    for indexes in ((0, 0, 1), (0, 1, 1), (2, 2, 2), (0, 1, 2)):
        calls = [
            whole_call(index, f"call_{city}", location=city)
            for index, city in zip(indexes, CITIES, strict=True)
        ]
        found = conversation(CHAT, {"messages": [ASK]}, chat_chunks(calls))
        assert answers(found) == [(f"call_{city}", {"location": city}) for city in CITIES]


def test_a03_whole_calls_that_all_have_index_0_are_two_calls() -> None:
    calls = [whole_call(0, None, path=path) for path in ("a.rs", "b.rs")]
    found = conversation(CHAT, {"messages": [ASK]}, chat_chunks(calls))
    assert [arguments for _, arguments in answers(found)] == [{"path": "a.rs"}, {"path": "b.rs"}]
    lines = [
        {"message": {"role": "assistant", "content": "", "tool_calls": [
            {"function": {"index": 0, "name": "read", "arguments": {"path": path}}}]},
         "done": path == "b.rs"}
        for path in ("a.rs", "b.rs")
    ]  # fmt: skip
    text = "\n".join(json.dumps(line) for line in lines)
    found = conversation("http://localhost:11434/api/chat", {"messages": [ASK]}, text)
    assert [arguments for _, arguments in answers(found)] == [{"path": "a.rs"}, {"path": "b.rs"}]


def test_a03_a_string_that_was_merged_already_is_kept_and_flagged() -> None:
    merged = {
        "role": "assistant",
        "tool_calls": [
            {
                "id": "a",
                "function": {"name": "read", "arguments": '{"path": "a.rs"}{"path": "b.rs"}'},
            }
        ],
    }
    result = {"role": "tool", "tool_call_id": "a", "content": "fn main() {}"}
    answer = {"choices": [{"message": {"content": "Read."}, "finish_reason": "stop"}], "usage": {}}
    found = conversation(CHAT, {"messages": [ASK, merged, result]}, answer)
    assert [call.arguments for call in found.turns[1].calls()] == [
        {"path": "a.rs"}, {"path": "b.rs"},
    ]  # fmt: skip
    assert "glued_arguments" in {issue.code for issue in found.issues}
    assert found.turns[2].results()[0].call.part == 0
    broken = '{"path": "a.rs"}{"path": '
    merged["tool_calls"][0]["function"]["arguments"] = broken
    found = conversation(CHAT, {"messages": [ASK, merged, result]}, answer)
    (call,) = found.turns[1].calls()
    assert (call.arguments, call.arguments_raw) == (None, broken)
    assert "arguments_unparsed" in {issue.code for issue in found.issues}


def test_a04_calls_of_a_responses_stream_stand_at_their_output_index() -> None:
    calls = [("call_abc", "San Francisco"), ("call_def", "New York")]
    items = [
        {"type": "function_call", "call_id": raw_id, "name": "get_weather", "arguments": ""}
        for raw_id, _ in calls
    ]
    added = [
        {"type": "response.output_item.added", "output_index": at, "item": item}
        for at, item in enumerate(items)
    ]
    deltas = [
        {"type": "response.function_call_arguments.delta", "output_index": at,
         "delta": json.dumps({"location": city})}
        for at, (_, city) in reversed(list(enumerate(calls)))
    ]  # fmt: skip
    found = conversation(RESPONSES, {"input": [ASK]}, streamed(*added, *deltas))
    assert answers(found) == [(raw_id, {"location": city}) for raw_id, city in calls]


def test_a08_two_calls_of_one_turn_are_two_calls_streamed_or_not() -> None:
    calls = [{"type": "tool_use", "id": f"toolu_{at}", "name": f"get_{at}", "input": {}}
             for at in (1, 2)]  # fmt: skip
    starts = [
        {"type": "content_block_start", "index": at, "content_block": call}
        for at, call in enumerate(calls, start=1)
    ]
    pieces = [(1, '{"city": '), (2, '{"zone"'), (1, '"Paris"}'), (2, ': "CET"}')]
    deltas = [
        {"type": "content_block_delta", "index": at,
         "delta": {"type": "input_json_delta", "partial_json": text}}
        for at, text in pieces
    ]  # fmt: skip
    stop = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}
    request = {"messages": [ASK], "max_tokens": 9}
    found = conversation(MESSAGES, request, streamed(*starts, *deltas, stop))
    expected = [("toolu_1", {"city": "Paris"}), ("toolu_2", {"zone": "CET"})]
    assert answers(found) == expected
    assert [call.name for call in found.turns[-1].calls()] == ["get_1", "get_2"]
    whole = [{**call, "input": given} for call, (_, given) in zip(calls, expected, strict=True)]
    message = {"type": "message", "content": [{"type": "text", "text": "Looking."}, *whole]}
    assert answers(conversation(MESSAGES, request, message)) == expected


def test_a10_every_result_of_one_turn_is_bound_to_its_own_call() -> None:
    calls = [{"type": "tool_use", "id": f"toolu_{name}", "name": "add", "input": {"n": name}}
             for name in "AB"]  # fmt: skip
    results = [
        {"type": "tool_result", "tool_use_id": "toolu_A", "content": "RESULT-A: 4"},
        {"type": "tool_result", "tool_use_id": "toolu_B", "content": "RESULT-B: 6"},
    ]
    request = {
        "max_tokens": 9,
        "messages": [
            ASK,
            {"role": "assistant", "content": calls},
            {"role": "user", "content": results},
        ],
    }
    answer = {"type": "message", "content": [{"type": "text", "text": "10"}]}
    found = conversation(MESSAGES, request, answer)
    assert [turn.role for turn in found.turns] == ["user", "assistant", "tool", "assistant"]
    assert [
        (result.call_id, result.call.turn, result.call.part, result.parts[0].text)
        for result in found.turns[2].results()
    ] == [("toolu_A", 1, 0, "RESULT-A: 4"), ("toolu_B", 1, 1, "RESULT-B: 6")]


def test_a12_the_tool_surface_survives_though_no_tool_was_called() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tools = [{"name": "get_weather", "description": "Look the weather up.",
              "input_schema": schema, "annotations": {"readOnlyHint": True}}]  # fmt: skip
    answer = {"type": "message", "content": [{"type": "text", "text": "Hello."}]}
    request = {"messages": [ASK], "max_tokens": 9, "tools": tools}
    (tool,) = conversation(MESSAGES, request, answer).tools
    assert (tool.name, tool.description) == ("get_weather", "Look the weather up.")
    assert (tool.parameters, tool.required) == (schema, ["city"])
    assert tool.annotations == {"readOnlyHint": True}
