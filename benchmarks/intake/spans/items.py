"""The items of a Responses request or answer among what spans hold, as messages.

An answer is many items and one turn, and so are they when a later input holds them again.
"""

from collections.abc import Sequence
from typing import Any

from benchmarks.intake.drafting.draft import Draft, Piece
from benchmarks.intake.drafting.responses_items import item_pieces, kind_of, role_of
from benchmarks.intake.spans.messages import Memory, Message
from benchmarks.intake.values import word
from benchmarks.records.base import JsonObject

CALLS = frozenset({
    "function_call", "custom_tool_call", "web_search_call", "file_search_call",
    "code_interpreter_call", "computer_call", "image_generation_call", "local_shell_call",
    "shell_call", "apply_patch_call", "mcp_call",
})  # fmt: skip
OTHERS = frozenset({"reasoning", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response"})
TELLING = CALLS | {f"{kind}_output" for kind in CALLS} | OTHERS
"""Types of items that no chat message has."""
OWN_KEYS = frozenset({"id", "call_id", "arguments", "output", "summary", "action", "name"})
"""What an item of such a type holds and a part of a message hardly does."""


def is_item_list(items: Sequence[Any]) -> bool:
    """Whether a list holds items of the Responses API, and nothing else but messages."""
    return any(map(_is_telling, items)) and all(_is_item(item) for item in items)


def _is_item(item: Any) -> bool:
    return _is_telling(item) or (isinstance(item, dict) and word(item.get("role")) is not None)


def _is_telling(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("type"), str)
        and item["type"] in TELLING
        and "role" not in item
        and bool(item.keys() & OWN_KEYS)
    )


def item_messages(items: Sequence[JsonObject], memory: Memory) -> list[Message]:
    """The messages that items are, neighbouring ones of the model one message."""
    scratch = Draft(blobs=memory.blobs)
    messages: list[Message] = []
    said: list[Piece] = []
    for item in items:
        role = role_of(item)
        pieces = item_pieces(scratch, item)
        if role == "assistant":
            said += pieces
            continue
        messages += _turn(said)
        said = []
        if pieces:
            messages.append(Message(role, tuple(pieces)))
    return [*messages, *_turn(said)]


def answer_of(items: Sequence[JsonObject], memory: Memory) -> list[Piece]:
    """All that an answer's items say: one turn, the results of the provider's tools in it."""
    scratch = Draft(blobs=memory.blobs)
    return [piece for item in items for piece in item_pieces(scratch, item)]


def _turn(said: Sequence[Piece]) -> list[Message]:
    return [Message("assistant", tuple(said))] if said else []


def holds_items(items: Sequence[JsonObject]) -> bool:
    """Whether each object of a list names a type that the Responses API has, messages too."""
    return bool(items) and all(kind_of(item) in TELLING | {"message"} for item in items)
