"""Chat messages, the form that several dialects share, as turns and as chat for older readers."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Origin, Piece, ResultFound, Role
from benchmarks.intake.drafting.media import UNKNOWN_MIME, data_url_media, encoded_media
from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import CaptureRequest, CaptureResponse
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
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
ContentPart = Text | JsonPart | Media | UnknownPart
TEXT_TYPES = frozenset({"text", "input_text", "output_text"})


def add_message(
    draft: Draft,
    message: Mapping[str, Any],
    *,
    source_index: int | None,
    origin: Origin = "request",
    **about: Any,
) -> Turn:
    """Append one chat message as a turn; a role no rule knows is kept whole as a tool turn."""
    role = ROLES.get(str(message.get("role")))
    if role is None:
        pieces: list[Piece] = [UnknownPart(source_type=str(message.get("role")), value=message)]
    elif role == "tool":
        pieces = [_result(draft, message)]
    else:
        pieces = _said(draft, message)
    if isinstance(message.get("name"), str) and role != "tool":
        about.setdefault("name", message["name"])
    return draft.add(role or "tool", pieces, origin=origin, source_index=source_index, **about)


def content_parts(draft: Draft, content: Any) -> list[ContentPart]:
    """The content of a message or a result: text as written, media apart, values as values."""
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [Text(text=content)]
    if isinstance(content, list) and all(isinstance(item, dict) for item in content):
        return [_content_part(draft, item) for item in content]
    return [JsonPart(value=content)]


def _content_part(draft: Draft, item: JsonObject) -> Text | Media | UnknownPart:
    kind = str(item.get("type", "text" if "text" in item else "unknown"))
    if kind in TEXT_TYPES and isinstance(item.get("text"), str):
        return Text(text=item["text"])
    media = _media(draft, kind, item.get(kind))
    return media or UnknownPart(source_type=kind, value=item)


def _media(draft: Draft, kind: str, value: Any) -> Media | None:
    if kind == "image_url":
        url = value.get("url") if isinstance(value, dict) else value
        return data_url_media(draft.blobs, "image", url) if isinstance(url, str) else None
    if not isinstance(value, dict):
        return None
    if kind == "input_audio" and isinstance(value.get("data"), str):
        return encoded_media(draft.blobs, "audio", f"audio/{value.get('format')}", value["data"])
    if kind == "file" and isinstance(value.get("file_data"), str):
        media = data_url_media(draft.blobs, "file", value["file_data"])
        return media.with_(name=word(value.get("filename")))
    if kind == "file" and isinstance(value.get("file_id"), str):
        return Media(
            media="file", mime=UNKNOWN_MIME, name=word(value.get("filename")), uri=value["file_id"]
        )
    return None


def _said(draft: Draft, message: Mapping[str, Any]) -> list[Piece]:
    pieces: list[Piece] = [*_reasoning(message)]
    content = message.get("content")
    pieces += [_unless_refusal(item) for item in content_parts(draft, content)]
    if isinstance(message.get("refusal"), str) and message["refusal"]:
        pieces.append(Refusal(text=message["refusal"]))
    if isinstance(message.get("audio"), dict):
        pieces += _spoken(draft, message["audio"])
    pieces += [_call(found) for found in objects(message.get("tool_calls"))]
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        pieces.append(CallFound(None, word(legacy.get("name")), legacy.get("arguments")))
    return pieces


def _spoken(draft: Draft, audio: Mapping[str, Any]) -> list[Piece]:
    """An answer that was spoken: its words, and the sound or where it is kept."""
    said = word(audio.get("transcript"))
    pieces: list[Piece] = [Text(text=said)] if said else []
    if word(audio.get("data")):
        pieces.append(encoded_media(draft.blobs, "audio", UNKNOWN_MIME, audio["data"]))
    elif word(audio.get("id")):
        pieces.append(Media(media="audio", mime=UNKNOWN_MIME, uri=audio["id"]))
    return pieces


def _unless_refusal(item: ContentPart) -> Piece:
    if isinstance(item, UnknownPart) and item.source_type == "refusal":
        return Refusal(text=str(item.value.get("refusal", "")))
    return item


def _reasoning(message: Mapping[str, Any]) -> list[Reasoning]:
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key]:
            return [Reasoning(text=message[key])]
    return []


def _call(found: JsonObject) -> CallFound:
    raw_id = word(found.get("id"))
    custom = found.get("custom")
    if isinstance(custom, dict):
        return CallFound(raw_id, word(custom.get("name")), {"input": custom.get("input", "")})
    function = found.get("function")
    inner = function if isinstance(function, dict) else found
    return CallFound(raw_id, word(inner.get("name")), inner.get("arguments"))


def _result(draft: Draft, message: Mapping[str, Any]) -> ResultFound:
    parts: Sequence[ResultPart] = content_parts(draft, message.get("content"))
    return ResultFound(word(message.get("tool_call_id")), word(message.get("name")), parts)


def chat_form(messages: Sequence[JsonObject]) -> tuple[CaptureRequest, CaptureResponse]:
    """A whole session for older readers: all before its last assistant turn, and that turn."""
    last = max(
        (at for at, message in enumerate(messages) if message.get("role") == "assistant"),
        default=len(messages),
    )
    request = chat_request(messages[:last], tools=[], settings={})
    answer = messages[last] if last < len(messages) else None
    if answer is None:
        return request, CaptureResponse(encoding="json", body=None, tool_calls=[])
    body = {"choices": [{"index": 0, "message": answer}]}
    return request, CaptureResponse(encoding="json", body=body, tool_calls=chat_calls(answer))


def chat_request(
    messages: Sequence[JsonObject], *, tools: Sequence[JsonObject], settings: JsonObject
) -> CaptureRequest:
    """The request in chat form: the leading system texts apart, the rest as found."""
    leading = 0
    while leading < len(messages) and ROLES.get(str(messages[leading].get("role"))) == "system":
        leading += 1
    texts = [_plain_text(message.get("content")) for message in messages[:leading]]
    return CaptureRequest(
        system="\n".join(texts) if texts else None,
        messages=list(messages[leading:]),
        tools=list(tools),
        settings=settings,
    )


def chat_calls(message: Mapping[str, Any]) -> list[JsonObject]:
    """The calls of an assistant message as `{id, name, arguments}`, arguments as found."""
    found = [_call(item) for item in objects(message.get("tool_calls"))]
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        found.append(CallFound(None, word(legacy.get("name")), legacy.get("arguments")))
    return [{"id": call.raw_id, "name": call.name, "arguments": call.arguments} for call in found]


def _plain_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    items = content if isinstance(content, list) else []
    texts = [item.get("text") for item in items if isinstance(item, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))
