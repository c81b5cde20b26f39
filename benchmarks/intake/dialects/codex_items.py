"""The items of a Codex rollout as pieces: the items of the Responses API, and older messages."""

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Piece, ResultFound
from benchmarks.intake.drafting.loose_parts import decoded, loose_pieces, result_parts
from benchmarks.intake.values import number, objects, word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Reasoning, Text, UnknownPart

OUTPUT = "_call_output"
NOTES = frozenset({"ghost_snapshot", "compaction", "compaction_summary", "other"})
"""Items that are nobody's words."""
CONTEXT = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted"
    r"|collaboration_mode|apps_instructions|skills_instructions|INSTRUCTIONS)\b"
    r"|# AGENTS\.md instructions\b)"
)
"""How a text begins that the program wrote in the user's name."""
FAILED_EXIT = re.compile(r"(?:Exit code: |Process exited with code )(-?\d+)")
REFUSED_BY_USER = re.compile(r"[^\n]{0,80}(?:rejected|aborted|denied) by (?:the )?user")
HEAD_CHARS = 400
"""Where in a result the exit code of a command stands, if it does."""


def is_item(payload: Any) -> bool:
    """Whether an object is an item that a rollout of an old version holds bare."""
    if not isinstance(payload, dict):
        return False
    kind = payload.get("type")
    if kind == "message":
        texts = {"input_text", "output_text"}
        return any(word(part.get("type")) in texts for part in objects(payload.get("content")))
    if kind == "reasoning":
        return isinstance(payload.get("summary"), list)
    return is_call(payload) and "call_id" in payload or is_output(payload)


def is_call(item: Mapping[str, Any]) -> bool:
    """Whether an item is a call."""
    kind = str(item.get("type"))
    return kind.endswith("_call") and ("call_id" in item or "action" in item or "name" in item)


def is_output(item: Mapping[str, Any]) -> bool:
    """Whether an item is the result of a call."""
    return str(item.get("type")).endswith(OUTPUT) and "call_id" in item


def call_id(item: Mapping[str, Any]) -> str | None:
    """The id by which a call and its result know each other."""
    return word(item.get("call_id")) or word(item.get("id"))


def call_of(item: JsonObject) -> CallFound:
    """The call that an item is."""
    kind = str(item.get("type")).removesuffix("_call")
    if kind == "custom_tool":
        return CallFound(call_id(item), word(item.get("name")), {"input": item.get("input", "")})
    name = word(item.get("name")) or kind
    arguments = item.get("arguments")
    if arguments is None:
        arguments = item.get("action")
    by_provider = kind not in {"function", "local_shell"} and "name" not in item
    return CallFound(
        call_id(item),
        name,
        arguments,
        executed_by="provider" if by_provider else None,
        silent=by_provider,
        server=word(item.get("server_label")),
    )


def result_of(draft: Draft, raw_id: str | None, name: str | None, output: Any) -> ResultFound:
    """A result; its command's exit code or the user's no makes it an error."""
    value = output
    failed = False
    if isinstance(value, dict) and "content" in value:
        failed = value.get("success") is False
        value = value["content"]
    if isinstance(value, list):
        parts = result_parts(draft, _plain(value))
    else:
        parts = result_parts(draft, value)
    texts = [part.text for part in parts if isinstance(part, Text)]
    failed = failed or any(_failed(text) for text in texts)
    return ResultFound(raw_id, name, parts, failed=failed or None)


def _plain(items: list[Any]) -> list[Any]:
    """Content items whose texts are texts, whichever side wrote them."""
    texts = {"input_text", "output_text"}
    return [
        {**item, "type": "text"}
        if isinstance(item, dict) and word(item.get("type")) in texts
        else item
        for item in items
    ]


def _failed(text: str) -> bool:
    if REFUSED_BY_USER.match(text.lstrip()):
        return True
    code = FAILED_EXIT.search(text, 0, HEAD_CHARS)
    if code is not None and int(code[1]) != 0:
        return True
    found = decoded(text, 1) if text.lstrip()[:1] == "{" else None
    metadata = found.get("metadata") if isinstance(found, dict) else None
    exit_code = number(metadata.get("exit_code")) if isinstance(metadata, dict) else None
    return exit_code is not None and exit_code != 0


def reasoning_of(item: Mapping[str, Any]) -> list[Piece]:
    """What a reasoning item says, or that it is encrypted."""
    parts = [*objects(item.get("summary")), *objects(item.get("content"))]
    texts = [text for part in parts if isinstance(text := part.get("text"), str) and text]
    if texts:
        return [Reasoning(text="\n".join(texts))]
    return [Reasoning(encrypted=True)] if word(item.get("encrypted_content")) else []


def said_in(draft: Draft, item: JsonObject) -> list[Piece]:
    """The pieces of a message, with the call that an older one holds beside its content."""
    pieces = loose_pieces(draft, item.get("content"))
    legacy = item.get("function_call")
    if isinstance(legacy, dict):
        pieces.append(CallFound(call_id(legacy), word(legacy.get("name")), legacy.get("arguments")))
    return pieces


def typed_in(draft: Draft, item: JsonObject) -> list[Piece]:
    """The pieces of a user's message without what the program wrote into it."""
    return [
        piece
        for piece in said_in(draft, item)
        if not (isinstance(piece, Text) and (not piece.text.strip() or CONTEXT.match(piece.text)))
    ]


def unknown_of(item: JsonObject) -> list[Piece]:
    """An item that no rule knows, kept whole; the program's own notes are nothing."""
    kind = str(item.get("type"))
    return [] if kind in NOTES else [UnknownPart(source_type=kind, value=item)]
