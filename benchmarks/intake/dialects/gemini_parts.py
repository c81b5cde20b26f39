"""The parts of a Gemini message as pieces; keys are read in either of their two spellings."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.intake.drafting.media import UNKNOWN_MIME, encoded_media
from benchmarks.intake.values import either, objects, word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    ResultPart,
    Text,
    UnknownPart,
)

CODE_TOOL = "code_execution"
"""The provider's own tool, whose calls and results have parts of their own and no name."""
CODE_OK = "OUTCOME_OK"
NOTES = frozenset({"thought", "thoughtSignature", "thought_signature", "videoMetadata"})
"""Keys that say something about a part and are none."""
MEDIA_KINDS = ("image", "audio", "video")


def parts_of(content: Any) -> list[Any]:
    """The parts of a content, also of one that is a text or a list of them."""
    if isinstance(content, str):
        return [{"text": content}]
    found = content.get("parts") if isinstance(content, dict) else content
    if isinstance(found, dict | str):
        return parts_of([found])
    listed = found if isinstance(found, list) else []
    return [{"text": part} if isinstance(part, str) else part for part in listed]


def part_pieces(draft: Draft, content: Any) -> list[Piece]:
    """The pieces of a content, in order."""
    return [
        piece for part in objects(parts_of(content)) if (piece := _piece(draft, part)) is not None
    ]


def _piece(draft: Draft, part: JsonObject) -> Piece | None:
    if isinstance(part.get("text"), str):
        return _said(part)
    for name, read in READERS.items():
        value = either(part, name)
        if isinstance(value, dict):
            return read(draft, value)
    media = _media(draft, part)
    if media is not None:
        return media
    kinds = [key for key, value in part.items() if key not in NOTES and value is not None]
    return UnknownPart(source_type=kinds[0], value=part) if kinds else None


def _said(part: JsonObject) -> Piece | None:
    if not part["text"]:
        return None
    return Reasoning(text=part["text"]) if part.get("thought") is True else Text(text=part["text"])


def _call(_: Draft, found: JsonObject) -> CallFound:
    return CallFound(word(found.get("id")), word(found.get("name")), found.get("args"))


def _result(draft: Draft, found: JsonObject) -> ResultFound:
    """A result: `response.error` says that the call was rejected."""
    response = found.get("response")
    parts: list[ResultPart] = []
    if isinstance(response, str):
        parts = [Text(text=response)] if response else []
    elif response is not None:
        parts = [JsonPart(value=response)]
    parts += [_result_part(draft, part) for part in objects(found.get("parts"))]
    failed = isinstance(response, dict) and bool(response.get("error"))
    return ResultFound(word(found.get("id")), word(found.get("name")), parts, failed or None)


def _result_part(draft: Draft, part: JsonObject) -> ResultPart:
    if isinstance(part.get("text"), str):
        return Text(text=part["text"])
    return _media(draft, part) or JsonPart(value=part)


def _code(_: Draft, found: JsonObject) -> CallFound:
    arguments = {key: value for key, value in found.items() if key != "id"}
    return CallFound(word(found.get("id")), CODE_TOOL, arguments, executed_by="provider")


def _code_result(_: Draft, found: JsonObject) -> ResultFound:
    output = found.get("output")
    parts = [Text(text=output)] if isinstance(output, str) and output else []
    failed = found.get("outcome", CODE_OK) != CODE_OK
    return ResultFound(word(found.get("id")), CODE_TOOL, parts, failed or None)


READERS: Mapping[str, Callable[[Draft, JsonObject], Piece]] = {
    "functionCall": _call,
    "functionResponse": _result,
    "executableCode": _code,
    "codeExecutionResult": _code_result,
}


def _media(draft: Draft, part: JsonObject) -> Media | None:
    inline, file = either(part, "inlineData"), either(part, "fileData")
    found = inline if isinstance(inline, dict) else file
    if not isinstance(found, dict):
        return None
    mime = word(either(found, "mimeType")) or UNKNOWN_MIME
    kind = next((kind for kind in MEDIA_KINDS if mime.startswith(f"{kind}/")), "file")
    name = word(either(found, "displayName"))
    if isinstance(found.get("data"), str):
        media = encoded_media(draft.blobs, kind, mime, found["data"])
        return media.with_(name=name) if name else media
    uri = word(either(found, "fileUri"))
    return Media(media=kind, mime=mime, name=name, uri=uri) if uri else None
