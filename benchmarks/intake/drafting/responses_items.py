"""The items of a Responses request or answer as turns.

Neighbouring items of the model are one turn, so that a history equals the answers it was made of.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.intake.drafting.chat import ROLES
from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound, Role
from benchmarks.intake.drafting.media import UNKNOWN_MIME, data_url_media, encoded_media
from benchmarks.intake.values import id_text, objects, word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    Refusal,
    ResultPart,
    Text,
    UnknownPart,
)

TEXTS = frozenset({"input_text", "output_text", "text", "summary_text", "reasoning_text"})
IMAGES = frozenset({"input_image", "computer_screenshot", "image_url"})
CALL = "_call"
OUTPUT = "_output"
ANSWERS = ("output", "outputs", "result", "results")
"""Where an item of a provider's own tool keeps what the tool answered."""
ABOUT = frozenset({"type", "id", "call_id", "status", "container_id", "error", *ANSWERS})
"""What is no argument in such an item."""
DRAWING = "image_generation_call"
SOURCES = "sources"
THOUGHTS = ("summary", "content", "text")
"""Where a thought stands: in parts, or as texts where a kit writes items down anew."""
FAILED = "failed"


def input_items(request: Mapping[str, Any]) -> list[JsonObject]:
    """What a request sends: a text is one message of the user."""
    found = request.get("input")
    if isinstance(found, str):
        return [{"role": "user", "content": found}] if found else []
    return objects(found)


def add_history(draft: Draft, items: Sequence[JsonObject]) -> None:
    """Append the turns of a request's items."""
    said: list[Piece] = []
    start = 0
    for position, item in enumerate(items):
        role = role_of(item)
        pieces = item_pieces(draft, item)
        if role == "assistant":
            start = start if said else position
            said += pieces
            continue
        _flush(draft, said, start)
        said = []
        draft.add(role, pieces, source_index=position)
    _flush(draft, said, start)


def add_output(draft: Draft, items: Sequence[JsonObject], model: str | None) -> None:
    """Append an answer's items as its one turn."""
    pieces = [piece for item in items for piece in item_pieces(draft, item)]
    draft.add("assistant", pieces, origin="response", model=model)


def role_of(item: Mapping[str, Any]) -> Role:
    """Whose an item is: results are a tool's, messages say it, all others are the model's."""
    kind = kind_of(item)
    if kind == "message":
        return ROLES.get(str(item.get("role")), "user")
    if kind.endswith(OUTPUT):
        return "tool"
    return "user" if kind == "mcp_approval_response" else "assistant"


def kind_of(item: Mapping[str, Any]) -> str:
    """The type of an item; a message need not say that it is one."""
    return word(item.get("type")) or ("message" if "role" in item else "unknown")


def item_pieces(draft: Draft, item: JsonObject) -> list[Piece]:
    """The pieces of one item; what no rule knows is kept whole."""
    kind = kind_of(item)
    if kind == "message":
        return _message(draft, item.get("content"))
    if kind == "reasoning":
        return [_reasoning(item)]
    if kind == "function_call":
        return [CallFound(_call_id(item), word(item.get("name")), item.get("arguments"))]
    if kind == "custom_tool_call":
        given = {"input": item.get("input") or ""}
        return [CallFound(_call_id(item), word(item.get("name")), given)]
    if kind == "mcp_list_tools" and not item.get("error"):
        # The definitions are among the tools of the conversation.
        return []
    if kind == "mcp_call":
        return _server_call(draft, item)
    if kind.endswith(CALL):
        return _own_call(draft, item, kind)
    if kind.endswith(OUTPUT):
        failed = item.get("status") == FAILED
        parts = _answer(draft, item.get("output"))
        return [ResultFound(_call_id(item), None, parts, failed=failed or None)]
    return [UnknownPart(source_type=kind, value=item)]


def _flush(draft: Draft, said: Sequence[Piece], start: int) -> None:
    if said:
        draft.add("assistant", said, source_index=start)


def _call_id(item: Mapping[str, Any]) -> str | None:
    return id_text(item.get("call_id")) or id_text(item.get("id"))


def _message(draft: Draft, content: Any) -> list[Piece]:
    if isinstance(content, str):
        return [Text(text=content)] if content else []
    items = content if isinstance(content, list) else [content]
    return [piece for item in items if (piece := _part(draft, item)) is not None]


def _part(draft: Draft, item: Any) -> Text | Refusal | JsonPart | Media | UnknownPart | None:
    if isinstance(item, dict) and item.get("type") == "refusal":
        return Refusal(text=word(item.get("refusal")) or "")
    return _result_part(draft, item)


def _result_part(draft: Draft, item: Any) -> Text | JsonPart | Media | UnknownPart | None:
    if item is None or item == "":
        return None
    if isinstance(item, str):
        return Text(text=item)
    if not isinstance(item, dict):
        return JsonPart(value=item)
    kind = word(item.get("type")) or "unknown"
    if kind in TEXTS and isinstance(item.get("text"), str):
        return Text(text=item["text"]) if item["text"] else None
    if kind == "logs" and isinstance(item.get("logs"), str):
        return Text(text=item["logs"])
    return _media(draft, kind, item) or UnknownPart(source_type=kind, value=item)


def _media(draft: Draft, kind: str, item: JsonObject) -> Media | None:
    if kind in IMAGES:
        url = item.get("image_url")
        url = url.get("url") if isinstance(url, dict) else url
        return _referred(draft, "image", url, item)
    if kind == "image":
        return _referred(draft, "image", item.get("url"), item)
    if kind == "input_file":
        url = item.get("file_data") or item.get("file_url")
        found = _referred(draft, "file", url, item)
        return found.with_(name=word(item.get("filename"))) if found else None
    audio = item.get(kind)
    if kind == "input_audio" and isinstance(audio, dict) and isinstance(audio.get("data"), str):
        return encoded_media(draft.blobs, "audio", f"audio/{audio.get('format')}", audio["data"])
    return None


def _referred(draft: Draft, media: str, url: Any, item: Mapping[str, Any]) -> Media | None:
    """Media by its address, its bytes in a `data:` URL, or the id of a file kept elsewhere."""
    if isinstance(url, str) and url:
        return data_url_media(draft.blobs, media, url)
    file_id = word(item.get("file_id"))
    return Media(media=media, mime=UNKNOWN_MIME, uri=file_id) if file_id else None


def _reasoning(item: Mapping[str, Any]) -> Reasoning:
    """Its summary or its text; what came encrypted is a flag, never the blob."""
    texts = [text for key in THOUGHTS for text in _texts(item.get(key))]
    text = "\n".join(text for text in texts if text)
    return Reasoning(text=text or None, encrypted=True if item.get("encrypted_content") else None)


def _texts(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    found = (item.get("text") if isinstance(item, dict) else item for item in items)
    return [text for text in found if isinstance(text, str)]


def _server_call(draft: Draft, item: JsonObject) -> list[Piece]:
    """A call of a server's tool and, in the same item, its result."""
    raw_id = id_text(item.get("id"))
    call = CallFound(
        raw_id=raw_id,
        name=word(item.get("name")),
        arguments=item.get("arguments"),
        executed_by="provider",
        server=word(item.get("server_label")),
    )
    error = item.get("error")
    if item.get("output") is None and not error:
        return [call]
    parts = [*_answer(draft, item.get("output")), *_error(error)]
    return [call, ResultFound(raw_id, None, parts, failed=bool(error) or None)]


def _own_call(draft: Draft, item: JsonObject, kind: str) -> list[Piece]:
    """A call of a tool that the provider brings; one with a `call_id` the client answers.

    What the others found is shown on demand only, but for images that were drawn.
    """
    action = item.get("action")
    given = {key: value for key, value in item.items() if key not in ABOUT}
    if isinstance(action, dict):
        given = {key: value for key, value in action.items() if key != SOURCES}
    by_provider = not item.get("call_id")
    call = CallFound(
        raw_id=_call_id(item),
        name=kind.removesuffix(CALL),
        arguments=given,
        executed_by="provider" if by_provider else None,
        silent=by_provider and kind != DRAWING,
    )
    found = [item[key] for key in ANSWERS if item.get(key)]
    if isinstance(action, dict) and action.get(SOURCES):
        found.append(action[SOURCES])
    failed = item.get("status") == FAILED or bool(item.get("error"))
    if not found and not failed:
        return [call]
    if kind == DRAWING:
        parts: list[ResultPart] = [_drawn(draft, item, value) for value in found]
    else:
        parts = [part for value in found for part in _answer(draft, value)]
    parts += _error(item.get("error"))
    return [call, ResultFound(call.raw_id, None, parts, failed=failed or None)]


def _drawn(draft: Draft, item: Mapping[str, Any], value: Any) -> ResultPart:
    if not isinstance(value, str):
        return JsonPart(value=value)
    mime = f"image/{word(item.get('output_format')) or 'png'}"
    return encoded_media(draft.blobs, "image", mime, value)


def _answer(draft: Draft, value: Any) -> list[ResultPart]:
    """What a tool answered: a text, a list of parts, or a value."""
    if value is None or value == "":
        return []
    if isinstance(value, str):
        return [Text(text=value)]
    if isinstance(value, dict):
        return [_media(draft, str(value.get("type")), value) or JsonPart(value=value)]
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return [JsonPart(value=value)]
    found = [_result_part(draft, item) for item in value]
    return [
        JsonPart(value=part.value) if isinstance(part, UnknownPart) else part
        for part in found
        if part is not None
    ]


def _error(error: Any) -> list[ResultPart]:
    if not error:
        return []
    said = error.get("message") if isinstance(error, dict) else error
    return [Text(text=said) if isinstance(said, str) else JsonPart(value=error)]
