"""The content blocks of an Anthropic message as pieces."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.intake.drafting.media import UNKNOWN_MIME, encoded_media
from benchmarks.intake.values import word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    ResultPart,
    Text,
    UnknownPart,
)

CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
MEDIA = {"image": "image", "document": "file"}


def block_pieces(draft: Draft, content: Any) -> list[Piece]:
    """The pieces of a text or a list of blocks, in order."""
    if isinstance(content, str):
        return [Text(text=content)] if content else []
    blocks = content if isinstance(content, list) else []
    return [
        piece
        for block in blocks
        if isinstance(block, dict) and (piece := _piece(draft, block)) is not None
    ]


def _piece(draft: Draft, block: JsonObject) -> Piece | None:
    kind = str(block.get("type"))
    if kind == "text" and isinstance(block.get("text"), str):
        return Text(text=block["text"]) if block["text"] else None
    if kind == "thinking":
        return Reasoning(text=str(block.get("thinking") or ""))
    if kind == "redacted_thinking":
        return Reasoning(encrypted=True)
    if kind in CALLS:
        return _call(kind, block)
    if kind.endswith("tool_result"):
        return _result(draft, kind, block)
    return _media(draft, kind, block) or UnknownPart(source_type=kind, value=block)


def _call(kind: str, block: Mapping[str, Any]) -> CallFound:
    return CallFound(
        raw_id=word(block.get("id")),
        name=word(block.get("name")),
        arguments=block.get("input"),
        executed_by=None if kind == "tool_use" else "provider",
        server=word(block.get("server_name")),
    )


def _result(draft: Draft, kind: str, block: Mapping[str, Any]) -> ResultFound:
    """A result of any tool; those of the provider's own hold a value or an error object."""
    content = block.get("content")
    parts = _result_parts(draft, content)
    failed = block.get("is_error") is True
    if isinstance(content, dict) and str(content.get("type", "")).endswith("_error"):
        failed = True
    return ResultFound(word(block.get("tool_use_id")), None, parts, failed=failed or None)


def _result_parts(draft: Draft, content: Any) -> list[ResultPart]:
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [Text(text=content)]
    if not isinstance(content, list):
        return [JsonPart(value=content)]
    return [_result_part(draft, item) for item in content]


def _result_part(draft: Draft, item: Any) -> ResultPart:
    if not isinstance(item, dict):
        return JsonPart(value=item)
    kind = str(item.get("type"))
    if kind == "text" and isinstance(item.get("text"), str):
        return Text(text=item["text"])
    return _media(draft, kind, item) or JsonPart(value=item)


def _media(draft: Draft, kind: str, block: Mapping[str, Any]) -> Media | None:
    source = block.get("source")
    if kind not in MEDIA or not isinstance(source, dict):
        return None
    mime = word(source.get("media_type")) or UNKNOWN_MIME
    name = word(block.get("title"))
    if source.get("type") == "base64" and isinstance(source.get("data"), str):
        found = encoded_media(draft.blobs, MEDIA[kind], mime, source["data"])
        return found.with_(name=name) if name else found
    uri = word(source.get("url")) or word(source.get("file_id"))
    return Media(media=MEDIA[kind], mime=mime, name=name, uri=uri) if uri else None
