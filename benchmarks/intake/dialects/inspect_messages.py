"""The messages of an Inspect log as turns: its words for parts, calls, errors and tokens."""

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound, Role
from benchmarks.intake.drafting.media import UNKNOWN_MIME, data_url_media, encoded_media
from benchmarks.intake.values import id_text, number, objects, word
from benchmarks.intake.wires.usage import UsageRead, chat_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    Refusal,
    ResultPart,
    Text,
    Turn,
    UnknownPart,
)

ROLES: Mapping[str, Role] = {
    "system": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}
ATTACHMENT = re.compile(r"(?:attachment|tc)://")
MEDIA = {"image": "image", "audio": "audio", "video": "video", "document": "file"}
MEDIA_URL = re.compile(r"(?:https?|data):")


def resolved(value: Any, attachments: Mapping[str, Any]) -> Any:
    """The value with every text that stands for an attachment replaced by its text."""
    if not attachments:
        return value
    if isinstance(value, str):
        mark = ATTACHMENT.match(value)
        found = attachments.get(value[mark.end() :]) if mark else None
        return found if isinstance(found, str) else value
    if isinstance(value, list):
        return [resolved(item, attachments) for item in value]
    if isinstance(value, dict):
        return {key: resolved(item, attachments) for key, item in value.items()}
    return value


def role_of(message: Mapping[str, Any]) -> str:
    """Who speaks: `[TOOL]` is the same role as `tool`."""
    return str(message.get("role")).strip("[]").lower()


def add_inspect_message(
    draft: Draft, message: JsonObject, *, source_index: int | None, **about: Any
) -> Turn:
    """Append one message; a role no rule knows is kept whole as a tool turn."""
    role = ROLES.get(role_of(message))
    if role is None:
        pieces: list[Piece] = [UnknownPart(source_type=role_of(message), value=message)]
    elif role == "tool":
        pieces = [_result(draft, message)]
    else:
        pieces = [*_said(draft, message.get("content")), *_calls(draft, message)]
    about = {key: value for key, value in about.items() if value is not None}
    return draft.add(role or "tool", pieces, source_index=source_index, **about)


def _calls(draft: Draft, message: Mapping[str, Any]) -> list[CallFound]:
    calls = []
    for found in objects(message.get("tool_calls")):
        function = found.get("function")
        inner = function if isinstance(function, dict) else found
        name = word(function) or word(inner.get("name"))
        calls.append(CallFound(id_text(found.get("id")), name, inner.get("arguments")))
        if found.get("parse_error"):
            draft.note("arguments_unparsed", len(draft.turns), None, str(found["parse_error"]))
    return calls


def _result(draft: Draft, message: Mapping[str, Any]) -> ResultFound:
    """What a tool answered; an error of any type is one, whatever the text says."""
    error = message.get("error")
    failed = bool(error)
    parts = result_parts(draft, message.get("content"))
    if failed and not parts:
        said = error.get("message") if isinstance(error, dict) else error
        parts = [Text(text=said)] if isinstance(said, str) and said else []
    name = word(message.get("function")) or word(message.get("name"))
    return ResultFound(id_text(message.get("tool_call_id")), name, parts, failed=failed or None)


def result_parts(draft: Draft, content: Any) -> list[ResultPart]:
    """A text, a list of parts, or any other value that a tool gave back."""
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [Text(text=content)]
    if isinstance(content, list) and content and all(_is_part(item) for item in content):
        return [_result_part(draft, item) for item in content]
    return [JsonPart(value=content)]


def _is_part(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") in {"text", *MEDIA}


def _result_part(draft: Draft, item: JsonObject) -> ResultPart:
    if isinstance(item.get("text"), str):
        return Text(text=item["text"])
    return _media(draft, item) or JsonPart(value=item)


def _said(draft: Draft, content: Any) -> list[Piece]:
    if isinstance(content, str):
        return [Text(text=content)] if content else []
    if content is None:
        return []
    items = content if isinstance(content, list) else [content]
    return [piece for item in items for piece in _pieces(draft, item)]


def _pieces(draft: Draft, item: Any) -> list[Piece]:
    if isinstance(item, str):
        return [Text(text=item)] if item else []
    if not isinstance(item, dict):
        return [JsonPart(value=item)]
    kind = str(item.get("type"))
    if kind == "text" and isinstance(item.get("text"), str):
        return _text(item)
    if kind == "reasoning":
        return [_reasoning(item)]
    if kind == "tool_use":
        return _server_tool(draft, item)
    if kind == "data":
        return [JsonPart(value=item.get("data"))]
    return [_media(draft, item) or UnknownPart(source_type=kind, value=item)]


def _text(item: Mapping[str, Any]) -> list[Piece]:
    text = item["text"]
    if item.get("refusal") is True:
        return [Refusal(text=text)]
    return [Text(text=text)] if text else []


def _reasoning(item: Mapping[str, Any]) -> Reasoning:
    """Thought; the text of a redacted one is a provider's blob."""
    text = word(item.get("reasoning"))
    if item.get("redacted") is True or text is None:
        summary = word(item.get("summary"))
        return Reasoning(text=summary, encrypted=True)
    return Reasoning(text=text)


def _server_tool(draft: Draft, item: Mapping[str, Any]) -> list[Piece]:
    """A call that the provider ran: it and its result stand in one turn."""
    raw_id = id_text(item.get("id"))
    name = word(item.get("name")) or word(item.get("tool_type"))
    error = item.get("error")
    is_silent = item.get("result") is None and not error
    call = CallFound(
        raw_id,
        name,
        item.get("arguments"),
        executed_by="provider",
        server=word(item.get("context")),
        silent=is_silent,
    )
    if is_silent:
        return [call]
    parts = result_parts(draft, item.get("result") or error)
    return [call, ResultFound(raw_id, name, parts, failed=bool(error) or None)]


def _media(draft: Draft, item: JsonObject) -> Media | None:
    kind = str(item.get("type"))
    data = item.get(kind)
    if kind not in MEDIA or not isinstance(data, str):
        return None
    if MEDIA_URL.match(data):
        found = data_url_media(draft.blobs, MEDIA[kind], data)
    else:
        form = word(item.get("mime_type")) or _mime(kind, item.get("format"))
        found = encoded_media(draft.blobs, MEDIA[kind], form, data)
    name = word(item.get("filename"))
    return found.with_(name=name) if name else found


def _mime(kind: str, form: Any) -> str:
    return f"{kind}/{form}" if word(form) else UNKNOWN_MIME


def inspect_usage(found: Any) -> UsageRead:
    """Tokens of one call. Whether its input holds the cached ones, the reported total says."""
    if not isinstance(found, dict):
        return UsageRead(None, "missing_usage")
    spent = found.get("input_tokens")
    read, written = found.get("input_tokens_cache_read"), found.get("input_tokens_cache_write")
    total = number(found.get("total_tokens"))
    parts = [number(value) or 0 for value in (spent, found.get("output_tokens"), read, written)]
    if total is not None and sum(parts[:2]) != total and sum(parts) == total:
        spent = parts[0] + parts[2] + parts[3]
    usage = chat_usage({
        "prompt_tokens": spent,
        "completion_tokens": found.get("output_tokens"),
        "total_tokens": found.get("total_tokens"),
        "prompt_tokens_details": {"cached_tokens": read},
        "completion_tokens_details": {"reasoning_tokens": found.get("reasoning_tokens")},
        "cost": found.get("total_cost"),
    })
    if usage.usage is None or type(written) is not int or written < 0:
        return usage
    return UsageRead(usage.usage.with_(cache_write_tokens=written), usage.issue, usage.detail)
