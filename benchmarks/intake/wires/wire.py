"""Which provider's wire a captured call spoke: by its address, else by the shape of its bodies."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from benchmarks.intake.wires.envelope import Pair

OPENAI_CHAT = "openai.chat"
OPENAI_RESPONSES = "openai.responses"
ANTHROPIC = "anthropic.messages"
GEMINI = "gemini"
BEDROCK = "bedrock"
COHERE = "cohere"
OLLAMA = "ollama"

ADDRESSES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/chat/completions$"), OPENAI_CHAT),
    (re.compile(r"/responses(?:/resp_[^/]+)?$"), OPENAI_RESPONSES),
    (re.compile(r"/v1/messages$"), ANTHROPIC),
    (re.compile(r":(?:stream)?[gG]enerateContent$"), GEMINI),
    (re.compile(r"/converse(?:-stream)?$"), BEDROCK),
    (re.compile(r"/v[12]/chat$"), COHERE),
    (re.compile(r"/api/chat$"), OLLAMA),
)
ANSWER_KEYS: tuple[tuple[str, str], ...] = (
    ("choices", OPENAI_CHAT),
    ("candidates", GEMINI),
    ("prompt_eval_count", OLLAMA),
)
RESPONSE_OBJECTS = {"chat.completion": OPENAI_CHAT, "response": OPENAI_RESPONSES}
BEDROCK_BLOCKS = frozenset({"text", "toolUse", "toolResult", "image", "document"})


def wire_of(pair: Pair) -> str | None:
    """The dialect of a call, or None when it was no call of a model."""
    path = urlsplit(pair.url).path
    by_address = next((name for pattern, name in ADDRESSES if pattern.search(path)), None)
    if by_address is not None:
        return by_address
    request = pair.request if isinstance(pair.request, dict) else {}
    response = pair.response if isinstance(pair.response, dict) else {}
    return _by_request(request, response) or _by_response(response)


def _by_request(request: Mapping[str, Any], response: Mapping[str, Any]) -> str | None:
    if isinstance(request.get("contents"), list):
        return GEMINI
    if isinstance(request.get("messages"), list):
        return _by_messages(request, response)
    if "message" in request and "chat_history" in request:
        return COHERE
    if isinstance(request.get("input"), str | list) and (
        "instructions" in request or response.get("object") == "response"
    ):
        return OPENAI_RESPONSES
    return None


def _by_messages(request: Mapping[str, Any], response: Mapping[str, Any]) -> str:
    if _is_bedrock(request, response):
        return BEDROCK
    if _is_anthropic(request, response):
        return ANTHROPIC
    if "prompt_eval_count" in response or ("done" in response and "message" in response):
        return OLLAMA
    return OPENAI_CHAT


def _is_bedrock(request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
    if "toolConfig" in request or "inferenceConfig" in request or "stopReason" in response:
        return True
    blocks = [
        block
        for message in request["messages"]
        if isinstance(message, dict) and isinstance(message.get("content"), list)
        for block in message["content"]
        if isinstance(block, dict)
    ]
    return bool(blocks) and all("type" not in b and b.keys() & BEDROCK_BLOCKS for b in blocks)


def _is_anthropic(request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
    if response.get("type") == "message" or "anthropic_version" in request:
        return True
    if "choices" in response:
        return False
    if "system" in request and "max_tokens" in request:
        return True
    tools = request.get("tools")
    return isinstance(tools, list) and any(
        isinstance(tool, dict) and "input_schema" in tool for tool in tools
    )


def _by_response(response: Mapping[str, Any]) -> str | None:
    named = RESPONSE_OBJECTS.get(str(response.get("object")))
    if named is not None:
        return named
    if response.get("type") == "message" and "content" in response:
        return ANTHROPIC
    return next((name for key, name in ANSWER_KEYS if key in response), None)
