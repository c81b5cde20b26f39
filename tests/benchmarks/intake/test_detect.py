from typing import Any

import pytest

from benchmarks.intake.detect import detect as detected
from benchmarks.intake.detect import nearest
from benchmarks.intake.table import TABLE


def detect(record: Any) -> str | None:
    found = detected(record)
    return found.name if found else None


EXAMPLES = [
    ("reference", {"schema_version": "understudy.normalized_capture.v1", "request": {}}),
    ("har", {"log": {"entries": []}}),
    ("cassette", {"interactions": [], "version": 1}),
    ("nock", {"scope": "https://api", "path": "/v1", "response": {}, "body": {}}),
    ("batch", {"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": {}}),
    ("batch", {"custom_id": "1", "response": {"body": {}}}),
    ("invocation_log", {"operation": "Converse", "modelId": "m", "input": {}, "output": {}}),
    ("continue", {"sessionId": "s", "history": [{"message": {"role": "user"}}]}),
    ("llama_index", {"store": {}, "class_name": "SimpleChatStore"}),
    ("mlflow", {"info": {"trace_id": "t"}, "data": {"spans": []}}),
    ("envelope", {"schema_version": 9, "request_id": "r", "request_body": {}, "response_body": {}}),
    ("atif", {"schema_version": "ATIF-1.2", "steps": []}),
    ("tau_bench", {"task_id": 0, "traj": [], "reward": 1.0, "info": {}, "trial": 0}),
    ("tau2", {"simulations": [], "tasks": [], "info": {}}),
    ("tau2", {"messages": [], "termination_reason": "user_stop"}),
    ("claude_code", {"sessionId": "s", "uuid": "u", "type": "user", "message": {}}),
    ("claude_code", {"direction": "in", "message": {}}),
    ("codex", {"timestamp": "t", "type": "response_item", "payload": {}}),
    ("gemini_cli", {"sessionId": "s", "projectHash": "h", "messages": []}),
    ("openhands", {"id": 1, "source": "agent", "action": "run"}),
    ("openhands", {"instance_id": "i", "history": [{"source": "agent", "action": "run"}]}),
    ("openhands_sdk", {"kind": "MessageEvent", "source": "user", "llm_message": {}}),
    ("openhands_sdk", {"agent": {}, "stats": {}, "execution_status": "finished"}),
    ("openhands_sdk", {"instance_id": "i", "history": [{"kind": "PauseEvent", "source": "user"}]}),
    ("swe_agent", {"trajectory": [], "info": {}}),
    ("swe_agent", {"messages": [], "trajectory_format": "mini"}),
    ("inspect", {"version": 2, "eval": {}, "plan": {}, "samples": []}),
    ("verifiers", {"prompt": [], "completion": [], "example_id": 0, "reward": 1}),
    ("deepeval", {"llmSpans": [], "toolSpans": []}),
    ("gemini_stream", {"type": "tool_use", "timestamp": "t", "tool_name": "n", "tool_id": "i"}),
    ("cursor_cli", {"type": "tool_call", "session_id": "s", "tool_call": {}}),
    ("opencode", {"type": "text", "sessionID": "s", "part": {"type": "text"}}),
    ("codex_exec", {"type": "item.completed", "item": {"id": "i", "type": "agent_message"}}),
    ("codex_exec", {"type": "turn.completed", "usage": {}}),
    ("pi", {"type": "session", "version": 3, "id": "s", "cwd": "/w"}),
    ("pi", {"type": "message", "id": "a", "parentId": None, "message": {"role": "user"}}),
    ("copilot_cli", {"type": "session.start", "data": {}, "id": "e", "parentId": None}),
    ("copilot_chat", {"requests": [], "responderUsername": "x"}),
    ("anthropic_managed", {"type": "agent.message", "id": "e"}),
    ("openclaw", {"type": "agent.start", "sessionKey": "agent:a:a", "prompt": "hi"}),
    ("openclaw", {"type": "tool.end", "toolName": "look", "agentId": "a", "success": True}),
    ("openclaw", {"type": "message.in", "channel": "chat", "content": "hi"}),
    ("openai_threads", {"object": "thread.run.step", "thread_id": "t", "step_details": {}}),
    ("openai_threads", {"object": "list", "data": [{"object": "thread.run", "thread_id": "t"}]}),
    ("google_adk", {"author": "user", "invocationId": "i", "content": {"parts": []}}),
    ("google_adk", {"events": [{"author": "user", "invocation_id": "i", "actions": {}}]}),
    ("autogen", {"type": "TextMessage", "source": "user", "models_usage": None, "content": "x"}),
    ("autogen", {"llm_context": {"messages": [{"type": "UserMessage", "content": "x"}]}}),
    ("opencode", {"info": {"role": "user"}, "parts": []}),
    ("opencode", {"info": {"id": "s"}, "messages": [{"info": {"role": "user"}, "parts": []}]}),
    ("smolagents", {"step_number": 1, "observations": "x", "tool_calls": []}),
    ("smolagents", {"steps": [{"task": "x", "task_images": None}]}),
    ("semantic_kernel", {"Role": {"Label": "user"}, "Items": []}),
    ("semantic_kernel", {"Messages": [{"Role": {"Label": "user"}, "Items": []}]}),
    ("strands", {"message_id": 0, "message": {"role": "user", "content": []}}),
    ("pydantic_ai", {"kind": "request", "parts": [{"part_kind": "user-prompt"}]}),
    ("pydantic_ai", {"messages": [{"kind": "response", "parts": [{"part_kind": "text"}]}]}),
    ("otlp", {"resourceSpans": []}),
    ("otlp", {"resourceLogs": []}),
    ("langfuse", {"trace": {}, "observations": []}),
    ("langfuse", {"id": "o", "traceId": "t", "type": "GENERATION"}),
    ("langsmith", {"run_type": "llm", "inputs": {}, "outputs": {}}),
    ("langsmith", {"post": [], "patch": []}),
    ("openai_agents", {"object": "trace.span", "id": "s", "span_data": {"type": "agent"}}),
    ("openai_agents", {"object": "trace", "id": "t", "workflow_name": "w", "group_id": None}),
    ("openai_agents", {"data": [{"object": "trace.span", "id": "s", "span_data": {}}]}),
    ("weave", {"op_name": "weave:///a/b/op/run:1", "trace_id": "t", "inputs": {}}),
    ("opik", {"id": "s", "trace_id": "t", "parent_span_id": None, "type": "tool"}),
    ("mastra", {"traceId": "t", "spanId": "s", "spanType": "tool_call"}),
    ("datadog", {"span_id": "s", "start_ns": 1, "meta": {"kind": "llm"}}),
    ("braintrust", {"span_id": "s", "root_span_id": "r", "span_attributes": {"type": "llm"}}),
    ("weave", {"calls": [{"op_name": "run", "trace_id": "t", "inputs": {}}]}),
    ("otel_spans", {"name": "chat", "attributes": {"gen_ai.system": "x"}}),
    ("otel_spans", {"gen_ai.request.model": "x"}),
    ("otel_spans", {"chat": [{"attributes": {}}], "embed": [{"attributes": {}}]}),
    ("pair", {"request": {}, "response": {}}),
    ("pair", {"request": {}, "response": None, "response_raw": {"text": "data: {}"}}),
    ("messages", {"messages": [{"role": "user", "content": "hi"}]}),
    ("messages", {"conversations": [{"from": "human", "value": "hi"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "record"), EXAMPLES)
def test_every_mark_of_the_table_gives_its_dialect_away(name: str, record: dict) -> None:
    assert detect(record) == name


def test_the_table_holds_no_name_without_an_example() -> None:
    assert {mark.name for mark in TABLE} == {name for name, _ in EXAMPLES}


def test_the_first_mark_wins() -> None:
    both = {"task_id": 1, "traj": [], "request": {}, "response": {}, "messages": []}
    assert detect(both) == "tau_bench"


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"a": 1},
        {"task_id": 1, "reward": 1.0},
        {"task_id": 1, "traj": "text"},
        {"traj": []},
        {"request": {}},
        {"response": {}},
        {"messages": []},
        {"messages": "hi"},
        {"messages": [{"role": "user"}]},
        {"log": {"lines": []}},
        {"custom_id": "1"},
        {"schema_version": 4, "request_id": "r"},
        {"observations": {}},
        {"attributes": {}},
        {"chat": [{"attributes": {}}], "count": 2},
        {"version": 2, "eval": {}},
        {"prompt": "p", "completion": "c"},
        {"type": "agentless"},
        [],
        [1, 2],
        ["client", {}],
        [{"role": "user"}],
    ],
)
def test_a_near_miss_is_no_capture(record: object) -> None:
    assert detect(record) is None


def test_a_list_is_a_conversation_or_a_managed_event_or_nothing() -> None:
    assert detect([{"role": "user", "content": "hi"}]) == "messages"
    assert detect(["client.beta.sessions.events", {}]) == "anthropic_managed"


def test_the_nearest_dialect_says_what_the_record_lacks() -> None:
    assert nearest({"messages": [], "model": "m"}) == (
        "openai.chat", "a response beside the request",
    )  # fmt: skip
    assert nearest({"traj": [], "reward": 1}) == ("tau_bench", "a list traj beside task_id")
    assert nearest({"zzz": 1}) is None
    assert nearest([1]) is None
