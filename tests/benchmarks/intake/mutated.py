"""Whole records of every dialect, and the same with something strange inside."""

import copy
import json
from typing import Any

from hypothesis import strategies as st

CALL = {"id": "a", "type": "function", "function": {"name": "go", "arguments": '{"n": 1}'}}
CHAT = {
    "id": "p", "url": "https://api.openai.com/v1/chat/completions", "status": 200,
    "ts": "2026-11-02T09:14:03Z", "workload_name": "desk", "trace": {"trace_id": "4b" * 16},
    "request": {
        "model": "m", "tools": [{"type": "function", "function": {
            "name": "go", "description": "d", "parameters": {"type": "object", "required": ["n"]},
            "annotations": {"readOnlyHint": True}}}],
        "functions": [{"name": "old", "parameters": {}}],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [
                {"type": "text", "text": "hi"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}},
                {"type": "input_audio", "input_audio": {"data": "aGVsbG8=", "format": "wav"}},
                {"type": "file", "file": {"file_data": "data:,x", "filename": "f"}}]},
            {"role": "assistant", "content": "", "tool_calls": [CALL], "reasoning": "hm"},
            {"role": "tool", "tool_call_id": "a", "name": "go", "content": "Error: no"},
            {"role": "assistant", "function_call": {"name": "old", "arguments": "{'n': 1}"}},
            {"role": "function", "name": "old", "content": None}],
    },
    "response": {
        "id": "c1", "object": "chat.completion", "model": "m-1", "created": 1793610843,
        "choices": [
            {"index": 1, "message": {"content": "two", "refusal": "no"}, "finish_reason": "stop"},
            {"index": 0, "message": {"tool_calls": [CALL]}, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3,
                  "prompt_tokens_details": {"cached_tokens": 0}},
    },
}  # fmt: skip
ANTHROPIC = {
    "request": {
        "model": "m", "max_tokens": 5, "system": [{"type": "text", "text": "Be brief."}],
        "tools": [{"name": "go", "input_schema": {"required": ["n"]}}, {"type": "x", "name": "w"}],
        "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "tool_use", "id": "a", "name": "go", "input": {"n": 1}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "is_error": True, "content": [
                    {"type": "text", "text": "no"},
                    {"type": "image", "source": {"type": "base64", "data": "aGVsbG8="}}]},
                {"type": "document", "source": {"type": "url", "url": "https://x.test"}}]}],
    },
    "response": {
        "id": "msg_1", "type": "message", "model": "m", "stop_reason": "end_turn",
        "content": [
            {"type": "server_tool_use", "id": "s", "name": "w", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "s", "content": {"type": "x_error"}},
            {"type": "text", "text": "done"}],
        "usage": {"input_tokens": 1, "output_tokens": 2, "server_tool_use": {"n": 1},
                  "cache_creation": {"ephemeral_1h_input_tokens": 0}},
    },
}  # fmt: skip
ENVELOPE = {
    "schema_version": 4, "request_id": "r", "placement_id": "w", "latency_ms": 1,
    "status_code": 200,
    "customer_request_body": json.dumps(CHAT["request"]),
    "customer_response_body": json.dumps(CHAT["response"]),
    "upstream_request_body": {"model": "m"},
}  # fmt: skip
TAU = {
    "task_id": 1, "trial": 0, "reward": 1.0, "info": {"error": "boom\nx", "task": {"actions": []}},
    "traj": [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "name": "go", "content": '{"error": "no"}'},
        {"role": "user", "content": "bye ###STOP###"}],
}  # fmt: skip
FAILED = {"status": 500, "request": CHAT["request"], "response": {"error": {"message": "no"}}}
WHOLE: tuple[dict[str, Any], ...] = (CHAT, ANTHROPIC, ENVELOPE, TAU, FAILED)

STRANGE = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.floats(allow_nan=False, allow_infinity=False),
    st.just(10**400), st.text(max_size=4), st.just("\x00"), st.just([]), st.just({}), st.just([[]]),
    st.just([{}]), st.just([None]), st.just({"": None}), st.just("{"), st.just('{"a": 1}'),
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += places(item, (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            found += places(item, (*path, at))
    return found


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A whole record in which up to three values were replaced or taken away."""
    record = copy.deepcopy(draw(st.sampled_from(WHOLE)))
    for _ in range(draw(st.integers(0, 3))):
        *above, last = draw(st.sampled_from(places(record)))
        holder: Any = record
        for step in above:
            holder = holder[step]
        if isinstance(holder, dict) and draw(st.booleans()):
            del holder[last]
        else:
            holder[last] = copy.deepcopy(draw(STRANGE))
        if not record:
            break
    return record
