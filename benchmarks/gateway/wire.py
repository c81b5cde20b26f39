"""The form of OpenAI-compatible chat completions: what is sent, and what an answer says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from benchmarks.gateway.base import AskedCall, ChatAnswer, ChatCall
from benchmarks.gateway.failures import BAD_BODY, DETAIL_CHARS, CallFailed, error_text
from benchmarks.gateway.usage import read_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool
from benchmarks.records.digest import json_digest
from benchmarks.records.json_bytes import json_bytes

NAME_CHARS = 64
PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
LIMIT_SETTING = "max_output_tokens"
LIMIT_KEY = "max_tokens"
NEWER_LIMIT_KEY = "max_completion_tokens"


@dataclass(frozen=True, slots=True)
class WireTools:
    """Tool definitions for the wire, and which name there stands for which tool."""

    definitions: tuple[JsonObject, ...] = ()
    originals: Mapping[str, str] = field(default_factory=dict)
    """Only the names that had to change."""

    def original(self, name: str) -> str:
        """The tool that the model means by a name on the wire."""
        return self.originals.get(name, name)

    def on_wire(self, name: str) -> str:
        """The name on the wire of a tool."""
        return next((wire for wire, own in self.originals.items() if own == name), name)


def wire_tools(tools: Sequence[Tool]) -> WireTools:
    """The tools in the order given; names that providers refuse are replaced, one to one."""
    taken = {tool.name for tool in tools if PLAIN_NAME.fullmatch(tool.name)}
    definitions: list[JsonObject] = []
    originals: dict[str, str] = {}
    for tool in tools:
        name = tool.name
        if not PLAIN_NAME.fullmatch(name):
            name = _free_name(name, taken)
            taken.add(name)
            originals[name] = tool.name
        definitions.append(_definition(tool, name))
    return WireTools(tuple(definitions), originals)


def _free_name(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:NAME_CHARS] or "_"
    candidate, number = plain, 2
    while candidate in taken:
        ending = f"_{number}"
        candidate = plain[: NAME_CHARS - len(ending)] + ending
        number += 1
    return candidate


def _definition(tool: Tool, name: str) -> JsonObject:
    function: JsonObject = {"name": name}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.parameters is not None:
        function["parameters"] = tool.parameters
    if tool.strict is not None:
        function["strict"] = tool.strict
    return {"type": "function", "function": function}


def request_body(call: ChatCall, *, limit_key: str = LIMIT_KEY) -> bytes:
    """The request as it is sent: model, messages, tools, no streaming, and the settings."""
    body: JsonObject = {"model": call.model, "messages": list(call.messages)}
    if call.tools:
        body["tools"] = list(call.tools)
    body["stream"] = False
    for name, value in call.settings.items():
        body[limit_key if name == LIMIT_SETTING else name] = value
    return json_bytes(body)


def treatment_digest(
    system: str | None, tools: Sequence[JsonObject], messages: Sequence[JsonObject]
) -> str:
    """JSON digest of what a model is shown first."""
    return json_digest({"system": system, "tools": list(tools), "messages": list(messages)})


def delivered_digest(sent: bytes) -> str:
    """The treatment digest of a request body, parsed back from its bytes."""
    body = orjson.loads(sent)
    messages = body.get("messages") or []
    system = None
    if messages and messages[0].get("role") == "system":
        system, messages = messages[0].get("content"), messages[1:]
    return treatment_digest(system, body.get("tools") or [], messages)


def read_answer(data: bytes, *, sent: bytes = b"", latency_ms: float = 0.0) -> ChatAnswer:
    """The first choice of a response body, with what was asked and how long it took.

    Raises:
        CallFailed: the body is not JSON, or holds no choice with a message.
    """
    try:
        body = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _bad_body(f"the answer is not JSON: {error}") from error
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise _bad_body(error_text(body, "the answer has no choice with a message"))
    reported = read_usage(body.get("usage"))
    return ChatAnswer(
        text=_text(message.get("content")),
        calls=tuple(_calls(message.get("tool_calls"))),
        stop=_word(choice.get("finish_reason")),
        usage=reported.usage,
        model=_word(body.get("model")),
        refusal=_word(message.get("refusal")),
        reasoning=_word(message.get("reasoning_content")) or _word(message.get("reasoning")),
        sent=sent,
        latency_ms=latency_ms,
        bad_usage=reported.bad,
    )


def _bad_body(message: str) -> CallFailed:
    return CallFailed(f"BadAnswer: {message}"[:DETAIL_CHARS], kind=BAD_BODY)


def _text(content: Any) -> str | None:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [part["text"] for part in content if _is_text(part)]
        return "".join(texts) if texts else None
    return None


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _calls(value: Any) -> list[AskedCall]:
    if not isinstance(value, list):
        return []
    asked = []
    for item in value:
        function = item.get("function") if isinstance(item, dict) else None
        if not isinstance(function, dict):
            continue
        asked.append(
            AskedCall(
                call_id=_word(item.get("id")),
                name=str(function.get("name") or ""),
                arguments=_arguments(function.get("arguments")),
            )
        )
    return asked


def _arguments(value: Any) -> str:
    """The arguments as text; some servers send the object itself."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json_bytes(value).decode()
