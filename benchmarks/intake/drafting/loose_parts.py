"""The content of a message, in the words of whichever kit wrote it, as pieces.

What a kind is called differs from kit to kit, what it holds hardly: a call has an id, a name and
arguments, a result an id and a value. So the kinds are tables of words, not a reader per kit.
"""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.drafting.chat import content_parts
from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.intake.drafting.kit_parts import plain_part
from benchmarks.intake.drafting.media import UNKNOWN_MIME, data_url_media, encoded_media
from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.values import id_text, word
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

TEXT_KINDS = frozenset({"text", "inputtext", "outputtext"})
TEXT_KEYS = ("text", "content", "value")
THOUGHT_KINDS = frozenset({"reasoning", "thinking", "reasoningcontent", "redactedthinking"})
THOUGHT_KEYS = ("text", "thinking", "reasoning", "content", "summary")
CALL_KINDS = frozenset({
    "toolcall", "tooluse", "servertooluse", "mcptooluse", "functioncall", "function",
    "customtoolcall",
})  # fmt: skip
RESULT_KINDS = frozenset({
    "toolresult", "toolcallresponse", "toolcallresult", "functioncalloutput", "toolcalloutput",
    "customtoolcalloutput", "functionresponse",
})  # fmt: skip
NESTED_CALLS = ("functionCall", "function_call", "toolUse", "tool_call")
NESTED_RESULTS = ("functionResponse", "function_response", "toolResult")
ID_KEYS = ("call_id", "toolCallId", "tool_call_id", "tool_use_id", "toolUseId", "id")
NAME_KEYS = ("name", "toolName", "tool_name")
ARGUMENT_KEYS = ("arguments", "args", "input", "parameters")
VALUE_KEYS = ("response", "result", "output", "content", "value")
FAILED_WORDS = frozenset({"error", "failed", "failure"})
MEDIA_KINDS = {"image": "image", "audio": "audio", "video": "video", "document": "file"}


def squashed(name: str) -> str:
    """A word for a kind or a role without its case and its joints, which differ from kit to kit."""
    return name.lower().replace("_", "").replace("-", "")


def loose_pieces(draft: Draft, content: Any) -> list[Piece]:
    """The pieces of a content: a text, a list of parts, or one part."""
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [Text(text=content)]
    if isinstance(content, dict) and "format" in content and isinstance(content.get("parts"), list):
        content = content["parts"]
    if isinstance(content, list):
        return [piece for item in content for piece in _item_pieces(draft, item)]
    return _item_pieces(draft, content)


def _item_pieces(draft: Draft, item: Any) -> list[Piece]:
    if isinstance(item, str):
        return [Text(text=item)] if item else []
    if not isinstance(item, dict):
        return [JsonPart(value=item)]
    found = plain_part(item)
    return [] if found is None else _part_pieces(draft, found)


def _part_pieces(draft: Draft, item: JsonObject) -> list[Piece]:
    kind = word(item.get("type")) or ""
    plain = squashed(kind)
    if plain in TEXT_KINDS or not kind:
        return _text_pieces(draft, item, kind)
    if plain in THOUGHT_KINDS or plain.endswith("reasoningcontent"):
        return [_thought(item)]
    if plain in CALL_KINDS:
        return [call_in(item)]
    if plain in RESULT_KINDS or plain.endswith("toolresult"):
        return [result_in(draft, item)]
    if word(item.get("toolCallId")):
        return _tool_part(draft, kind, item)
    return [_other(draft, kind, item)]


def _text_pieces(draft: Draft, item: JsonObject, kind: str) -> list[Piece]:
    """A text part, or an object without a kind, whose one telling key says what it is."""
    text = first_of(item, TEXT_KEYS)
    if isinstance(text, str):
        return [Text(text=text)] if text else []
    for key in NESTED_CALLS:
        if isinstance(item.get(key), dict):
            return [call_in(item[key])]
    for key in NESTED_RESULTS:
        if isinstance(item.get(key), dict):
            return [result_in(draft, item[key])]
    return [UnknownPart(source_type=kind or "unknown", value=item)]


def _thought(item: JsonObject) -> Reasoning:
    text = first_of(item, THOUGHT_KEYS)
    if isinstance(text, str) and text:
        return Reasoning(text=text)
    return Reasoning(encrypted=True)


def call_in(item: Mapping[str, Any]) -> CallFound:
    """The call that an object describes, in whichever words."""
    function = item.get("function")
    inner = function if isinstance(function, dict) else item
    raw_id = next((found for key in ID_KEYS if (found := id_text(item.get(key)))), None)
    name = next((found for key in NAME_KEYS if (found := word(inner.get(key)))), None)
    arguments = first_of(inner, ARGUMENT_KEYS)
    kind = squashed(str(item.get("type")))
    if kind.startswith("custom") and isinstance(arguments, str):
        arguments = {"input": arguments}
    by_provider = kind in {"servertooluse", "mcptooluse"}
    return CallFound(
        raw_id=raw_id,
        name=name or (function if isinstance(function, str) else None),
        arguments=arguments,
        executed_by="provider" if by_provider else None,
        server=word(item.get("server_name")),
    )


def result_in(draft: Draft, item: Mapping[str, Any]) -> ResultFound:
    """The result that an object describes, in whichever words."""
    raw_id = next((found for key in ID_KEYS if (found := id_text(item.get(key)))), None)
    name = next((found for key in NAME_KEYS if (found := word(item.get(key)))), None)
    value = first_of(item, VALUE_KEYS)
    return ResultFound(raw_id, name, result_parts(draft, value), failed=says_failed(item))


def says_failed(item: Mapping[str, Any]) -> bool | None:
    """Whether a result says that it is an error; None where it says nothing of the kind."""
    if item.get("is_error") is True or item.get("isError") is True:
        return True
    return True if str(item.get("status")).lower() in FAILED_WORDS else None


def result_parts(draft: Draft, value: Any) -> list[ResultPart]:
    """What came back: text as written, parts apart, any other value as a value."""
    if isinstance(value, dict) and "value" in value and value.keys() <= {"type", "value"}:
        value = value["value"]
    if isinstance(value, dict) and value.keys() == {"content"}:
        value = value["content"]
    if value is None or value == "":
        return []
    if isinstance(value, str):
        return [Text(text=value)]
    if isinstance(value, list) and value and all(_is_result_part(item) for item in value):
        return [_result_part(draft, item) for item in value]
    return [JsonPart(value=value)]


def _is_result_part(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    kind = item.get("type", item.get("block_type"))
    if isinstance(kind, str):
        return squashed(kind) in TEXT_KINDS or kind in MEDIA_KINDS or kind in {"image_url", "json"}
    return item.keys() <= {"text"} or item.keys() <= {"json"}


def _result_part(draft: Draft, item: JsonObject) -> ResultPart:
    if isinstance(item.get("text"), str):
        return Text(text=item["text"])
    if "json" in item:
        return JsonPart(value=item["json"])
    found = _other(draft, str(item.get("type")), item)
    return found if isinstance(found, Media) else JsonPart(value=item)


def _tool_part(draft: Draft, kind: str, item: JsonObject) -> list[Piece]:
    """A call and its result in one part, as user interfaces keep them."""
    name = word(item.get("toolName")) or kind.removeprefix("tool-")
    call = CallFound(word(item.get("toolCallId")), name, first_of(item, ("input", "args")))
    failed = str(item.get("state")).endswith("error")
    value = item.get("errorText") if failed else first_of(item, ("output", "result"))
    if value is None:
        return [call]
    answer = ResultFound(call.raw_id, name, result_parts(draft, value), failed=failed or None)
    return [call, answer]


def _other(draft: Draft, kind: str, item: JsonObject) -> Refusal | Media | UnknownPart:
    """A refusal or media; anything else is kept whole."""
    if kind == "refusal":
        return Refusal(text=str(item.get("refusal", "")))
    media = _media(draft, kind, item)
    if media is not None:
        return media
    found = content_parts(draft, [item])[0]
    return found if isinstance(found, Media) else UnknownPart(source_type=kind, value=item)


def _media(draft: Draft, kind: str, item: JsonObject) -> Media | None:
    """Media in the words of those who do not write as chat does: a `source`, a URL, plain data."""
    media = MEDIA_KINDS.get(kind)
    if media is None and kind in {"blob", "uri", "file", "media"}:
        media = str(item.get("modality") or item.get("mime_type") or "file").partition("/")[0]
        media = media if media in MEDIA_KINDS else "file"
    if media is None:
        return None
    inner = item["source"] if isinstance(item.get("source"), dict) else item
    mime = first_of(inner, ("media_type", "mime_type", "mediaType", "mimeType"))
    mime = mime if isinstance(mime, str) and mime else UNKNOWN_MIME
    data = first_of(inner, ("data", kind, "content", "base64"))
    uri = word(first_of(inner, ("url", "uri", "file_id")))
    if isinstance(data, str) and data.startswith(("http:", "https:", "data:")):
        uri = data
    if uri is not None:
        return data_url_media(draft.blobs, media, uri)
    return encoded_media(draft.blobs, media, mime, data) if isinstance(data, str) else None


def calls_in_text(text: str) -> list[CallFound]:
    """The calls that a text is as a whole: JSON of one chat call or of a list of them."""
    if '"function"' not in text or text.lstrip()[:1] not in {"[", "{"}:
        return []
    value = decoded(text)
    items = value if isinstance(value, list) else [value]
    if not items or not all(_is_chat_call(item) for item in items):
        return []
    return [call_in(item) for item in items]


def _is_chat_call(item: Any) -> bool:
    function = item.get("function") if isinstance(item, dict) else None
    return (
        isinstance(function, dict) and bool(word(function.get("name"))) and "arguments" in function
    )


def decoded(value: Any, times: int = 3) -> Any:
    """The JSON that a text holds, sometimes several times over; other values as they are."""
    for _ in range(times):
        if not isinstance(value, str) or value.lstrip()[:1] not in {"[", "{", '"'}:
            return value
        try:
            value = Parser().whole(value)
        except BadJson:
            return value
    return value


def first_of(found: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """The value under the first key that has one."""
    return next((found[key] for key in keys if found.get(key) is not None), None)
