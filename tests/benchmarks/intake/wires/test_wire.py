from typing import Any

import pytest

from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.table import WIRES
from benchmarks.intake.wires.envelope import pair_of
from benchmarks.intake.wires.wire import wire_of

SAID = [{"role": "user", "content": "hi"}]
BLOCKS = [{"role": "user", "content": [{"text": "hi"}]}]
TYPED = [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]


def wire(request: Any, response: Any = None, url: str = "") -> str | None:
    pair = pair_of({"request": request, "response": response, "url": url}, Parser())
    found = wire_of(pair, WIRES)
    return found.name if found else None


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1/chat/completions", "openai.chat"),
        ("https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
         "openai.chat"),
        ("https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
         "openai.chat"),
        ("https://api.openai.com/v1/responses", "openai.responses"),
        ("https://api.openai.com/v1/responses/resp_01?stream=false", "openai.responses"),
        ("https://api.anthropic.com/v1/messages?beta=true", "anthropic.messages"),
        ("https://g.test/v1beta/models/gemini-2:generateContent", "gemini"),
        ("https://g.test/v1beta/models/gemini-2:streamGenerateContent?alt=sse", "gemini"),
        ("https://b.test/model/nova/converse-stream", "bedrock"),
        ("https://api.cohere.com/v1/chat", "cohere"),
        ("http://localhost:11434/api/chat", "ollama"),
    ],
)  # fmt: skip
def test_a_known_address_decides(url: str, name: str) -> None:
    assert wire(None, None, url) == name


@pytest.mark.parametrize(
    ("request_body", "response", "name"),
    [
        ({"messages": SAID}, {"choices": []}, "openai.chat"),
        ({"messages": TYPED, "max_tokens": 5}, {"choices": []}, "openai.chat"),
        ({"messages": SAID, "system": "s", "max_tokens": 5}, {"choices": []}, "openai.chat"),
        ({"messages": SAID}, None, "openai.chat"),
        ({"contents": []}, {"candidates": []}, "gemini"),
        ({"messages": BLOCKS}, {}, "bedrock"),
        ({"messages": SAID, "inferenceConfig": {}}, {}, "bedrock"),
        ({"messages": SAID, "toolConfig": {}}, {}, "bedrock"),
        ({"messages": SAID, "anthropic_version": "bedrock-2023-05-31"}, {}, "anthropic.messages"),
        ({"messages": SAID, "tools": [{"name": "t", "input_schema": {}}]}, {},
         "anthropic.messages"),
        ({"messages": SAID, "system": "s", "max_tokens": 5}, {}, "anthropic.messages"),
        ({"messages": SAID}, {"type": "message", "content": []}, "anthropic.messages"),
        ({"input": "hi", "instructions": "i"}, {}, "openai.responses"),
        ({"input": []}, {"object": "response"}, "openai.responses"),
        ({"message": "hi", "chat_history": []}, {}, "cohere"),
        ({"messages": SAID}, {"message": {}, "done": True}, "ollama"),
        ({"messages": SAID}, {"message": {}, "finish_reason": "COMPLETE"}, "cohere"),
        ({"messages": SAID}, 'data: {"type": "message-start", "id": "x"}', "cohere"),
        ({"message": "hi"}, '{"event_type": "stream-start"}\n{"event_type": "stream-end"}',
         "cohere"),
        ({"messages": SAID}, '{"message": {}, "done": false}\n{"message": {}, "done": true}',
         "ollama"),
        ({"messages": SAID}, 'event: message_start\ndata: {"message": {}}', "anthropic.messages"),
        ({"messages": SAID, "system": "s", "max_tokens": 5}, 'data: {"choices": []}',
         "openai.chat"),
        ({"input": "hi"}, 'data: {"type": "response.created"}', "openai.responses"),
        (None, 'data: {"choices": []}', "openai.chat"),
        (None, {"object": "chat.completion", "choices": []}, "openai.chat"),
        (None, {"type": "message", "content": []}, "anthropic.messages"),
    ],
)  # fmt: skip
def test_without_an_address_the_bodies_decide(request_body: Any, response: Any, name: str) -> None:
    assert wire(request_body, response) == name


@pytest.mark.parametrize(
    ("request_body", "response", "url"),
    [
        ({"session_id": "s", "data": {}}, {"status": "success"}, "https://t.test/telemetry/runs"),
        ({"input": "embed me"}, {"data": []}, "https://api.openai.com/v1/embeddings"),
        ({}, {"id": "conv_1", "object": "conversation"}, "https://api.openai.com/v1/conversations"),
        ({"messages": "hi"}, {}, ""),
        ({"prompt": "p"}, {"type": "error"}, ""),
        (None, None, ""),
        ("text", "text", ""),
    ],
)
def test_what_is_no_call_of_a_model_has_no_wire(request_body: Any, response: Any, url: str) -> None:
    assert wire(request_body, response, url) is None
