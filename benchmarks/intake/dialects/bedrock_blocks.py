"""The content blocks of a Bedrock Converse message as pieces: one key names what a block is."""

from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.intake.drafting.media import UNKNOWN_MIME, encoded_media
from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    ResultPart,
    Text,
    UnknownPart,
)

MEDIA = {"image": "image", "document": "file", "video": "video", "audio": "audio"}
MIME_TOPS = {"image": "image", "video": "video", "audio": "audio"}
DOCUMENT_MIMES = {
    "pdf": "application/pdf",
    "csv": "text/csv",
    "html": "text/html",
    "txt": "text/plain",
    "md": "text/markdown",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
IMAGE_MIMES = {"jpg": "image/jpeg"}
CACHE_MARK = "cachePoint"
"""Where the provider may cache what stands before it: no content of the conversation."""
REJECTED = "error"


def block_pieces(draft: Draft, content: Any) -> list[Piece]:
    """The pieces of a list of blocks, in order; a bare text is one."""
    if isinstance(content, str):
        return [Text(text=content)] if content else []
    return [piece for block in objects(content) for piece in _pieces(draft, block)]


def _pieces(draft: Draft, block: JsonObject) -> list[Piece]:
    if isinstance(block.get("text"), str):
        return [Text(text=block["text"])] if block["text"] else []
    kind = next((key for key, value in block.items() if value is not None), None)
    if kind is None or kind == CACHE_MARK:
        return []
    value = block[kind]
    if isinstance(value, dict):
        found = _known(draft, kind, value)
        if found is not None:
            return found
    return [UnknownPart(source_type=kind, value=block)]


def _known(draft: Draft, kind: str, value: JsonObject) -> list[Piece] | None:
    """The pieces of a block whose kind is known and whose value is what it should be."""
    if kind == "toolUse":
        return [_call(value)]
    if kind == "toolResult":
        return [_result(draft, value)]
    if kind == "reasoningContent":
        return [_reasoning(value)]
    if kind == "guardContent":
        return _guarded(draft, value)
    if kind == "citationsContent":
        return _cited(value)
    media = _media(draft, kind, value)
    return [media] if media else None


def _call(value: JsonObject) -> CallFound:
    by_provider = value.get("type") == "server_tool_use"
    return CallFound(
        raw_id=word(value.get("toolUseId")),
        name=word(value.get("name")),
        arguments=value.get("input"),
        executed_by="provider" if by_provider else None,
    )


def _result(draft: Draft, value: JsonObject) -> ResultFound:
    parts = [_result_part(draft, item) for item in objects(value.get("content"))]
    failed = value.get("status") == REJECTED
    return ResultFound(word(value.get("toolUseId")), None, parts, failed or None)


def _result_part(draft: Draft, item: JsonObject) -> ResultPart:
    if isinstance(item.get("text"), str):
        return Text(text=item["text"])
    if "json" in item:
        return JsonPart(value=item["json"])
    kind = next((key for key in MEDIA if isinstance(item.get(key), dict)), None)
    media = _media(draft, kind, item[kind]) if kind else None
    return media or JsonPart(value=item)


def _reasoning(value: JsonObject) -> Reasoning:
    inner = value.get("reasoningText")
    text = inner.get("text") if isinstance(inner, dict) else None
    if isinstance(text, str):
        return Reasoning(text=text)
    return Reasoning(encrypted=True)


def _guarded(draft: Draft, value: JsonObject) -> list[Piece] | None:
    """What a guardrail is asked to look at is said all the same."""
    inner = value.get("text")
    if isinstance(inner, dict) and isinstance(inner.get("text"), str):
        return [Text(text=inner["text"])]
    image = value.get("image")
    media = _media(draft, "image", image) if isinstance(image, dict) else None
    return [media] if media else None


def _cited(value: JsonObject) -> list[Piece]:
    """What was said, and the citations whole beside it."""
    said: list[Piece] = [
        Text(text=item["text"])
        for item in objects(value.get("content"))
        if isinstance(item.get("text"), str)
    ]
    cited = value.get("citations")
    return [*said, UnknownPart(source_type="citations", value=cited)] if cited else said


def _media(draft: Draft, kind: str, value: JsonObject) -> Media | None:
    source = value.get("source")
    if kind not in MEDIA or not isinstance(source, dict):
        return None
    mime = _mime(kind, word(value.get("format")))
    name = word(value.get("name"))
    if isinstance(source.get("bytes"), str):
        media = encoded_media(draft.blobs, MEDIA[kind], mime, source["bytes"])
        return media.with_(name=name) if name else media
    place = source.get("s3Location")
    uri = word(place.get("uri")) if isinstance(place, dict) else None
    return Media(media=MEDIA[kind], mime=mime, name=name, uri=uri) if uri else None


def _mime(kind: str, written: str | None) -> str:
    if written is None:
        return UNKNOWN_MIME
    if kind == "document":
        return DOCUMENT_MIMES.get(written, UNKNOWN_MIME)
    return IMAGE_MIMES.get(written, f"{MIME_TOPS[kind]}/{written}")
