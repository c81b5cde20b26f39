"""Messages whose writer chose the words: what is one, who speaks, and what is said.

The keys and roles of chat completions come first; then those of LangChain, of ShareGPT files, of
user interfaces and of the other providers. A message that no rule knows is kept whole.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Origin, Piece, ResultFound, Role
from benchmarks.intake.drafting.kit_parts import whole_body
from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_parts import (
    CALL_KINDS,
    NAME_KEYS,
    RESULT_KINDS,
    call_in,
    calls_in_text,
    decoded,
    first_of,
    loose_pieces,
    result_parts,
    says_failed,
    squashed,
)
from benchmarks.intake.values import id_text, word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Reasoning, Refusal, Turn, UnknownPart

ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "gpt": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "chatbot": "assistant",
    "functioncall": "assistant",
    "toolcall": "assistant",
    "tool": "tool",
    "function": "tool",
    "observation": "tool",
    "toolresult": "tool",
    "toolresponse": "tool",
    "functionresponse": "tool",
    "functioncalloutput": "tool",
}
"""Who speaks, by the word for it without case and joints."""
WHO_KEYS = ("role", "from", "type")
SPEAKING_TYPES = frozenset({"human", "ai", "user", "assistant", "system", "tool", "function"})
"""What a `type` may be that says who speaks; others are kinds of parts."""
BODY_KEYS = ("content", "value", "text", "parts", "blocks", "items")
SPOKEN_CALLS = frozenset({"functioncall", "toolcall"})
"""Roles whose text is a call."""
ANSWERED_KEYS = ("tool_call_id", "toolCallId", "tool_use_id", "call_id")
THOUGHT_KEYS = ("reasoning_content", "reasoning")
ACTING_KEYS = ("tool_calls", "function_call", "toolCalls")
OTHER_BODIES = frozenset({"tool_calls", "function_call", "tool_call_id", "refusal"})


def is_message_list(value: Any) -> bool:
    """Whether a value is a list of messages: all of them are, and one has a role that is known."""
    if not isinstance(value, list) or not value:
        return False
    is_known = False
    for item in map(unwrapped, value):
        if not _is_message(item):
            return False
        is_known = is_known or _known_role(item) is not None
    return is_known


def is_message(value: Any) -> bool:
    """Whether a value is one message of a role that is known."""
    return is_message_list([value])


def _is_message(item: Any) -> bool:
    """Whether an object says who speaks and what; a part of a message says no role."""
    if not isinstance(item, dict):
        return False
    who = _who(item)
    if who is None:
        return False
    if _is_item(item):
        return True
    if not (word(item.get("role")) or word(item.get("from"))) and who not in SPEAKING_TYPES:
        return False
    return any(key in item for key in (*BODY_KEYS, *OTHER_BODIES))


def _is_item(item: Mapping[str, Any]) -> bool:
    """Whether a call or a result stands among the messages as an item of its own."""
    kind = item.get("type")
    if not isinstance(kind, str) or word(item.get("role")) or word(item.get("from")):
        return False
    if squashed(kind) in CALL_KINDS:
        return bool(word(item.get("name"))) and "arguments" in item
    return squashed(kind) in RESULT_KINDS and "output" in item


def _who(item: Mapping[str, Any]) -> str | None:
    return next((found for key in WHO_KEYS if (found := word(item.get(key)))), None)


def _known_role(item: Mapping[str, Any]) -> Role | None:
    return role_of(_who(item))


def role_of(who: str | None) -> Role | None:
    """The role that a word for a speaker means; None for a word that nobody uses so."""
    return ROLES.get(squashed(who)) if who else None


def speaks(value: Any, role: Role) -> bool:
    """Whether somebody of a role speaks in a list of messages."""
    items = value if isinstance(value, list) else []
    messages = (unwrapped(item) for item in items)
    return any(isinstance(item, dict) and _known_role(item) == role for item in messages)


def acts(messages: Iterable[Any]) -> bool:
    """Whether a model calls a tool in a list of messages, or a tool answers."""
    return any(isinstance(item, dict) and _acts(item) for item in map(unwrapped, messages))


def _acts(message: Mapping[str, Any]) -> bool:
    if _known_role(message) == "tool" or _is_item(message):
        return True
    if any(message.get(key) for key in ACTING_KEYS):
        return True
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return any(isinstance(part, dict) and _is_call(part) for part in parts)


def said_by(message: Any) -> list[Any]:
    """Who speaks in a message and what, however it was wrapped: equal for what is said again."""
    found = unwrapped(message)
    if not isinstance(found, dict):
        return ["", found]
    who = _who(found)
    return [role_of(who) or who, first_of(found, BODY_KEYS)]


def add_loose_message(
    draft: Draft,
    message: Any,
    *,
    source_index: int | None,
    origin: Origin = "request",
    **about: Any,
) -> list[Turn]:
    """Append one message: its results as a tool turn, what else it holds as a turn of its own."""
    found = unwrapped(message)
    if not isinstance(found, dict):
        found = {"content": found}
    role, pieces = spoken(draft, found)
    if isinstance(found.get("name"), str) and found["name"] and role != "tool":
        about.setdefault("name", found["name"])
    results = [piece for piece in pieces if isinstance(piece, ResultFound)]
    rest = [piece for piece in pieces if not isinstance(piece, ResultFound)]
    turns: list[Turn] = []
    if role == "assistant" or not results:
        turns.append(draft.add(role, pieces, origin=origin, source_index=source_index, **about))
        return turns
    turns.append(draft.add("tool", results, origin=origin, source_index=source_index))
    if rest:
        turns.append(draft.add(role, rest, origin=origin, source_index=source_index, **about))
    return turns


def spoken(draft: Draft, message: JsonObject) -> tuple[Role, list[Piece]]:
    """Who speaks in a message, and the pieces of what is said."""
    if _is_item(message):
        if squashed(str(message.get("type"))) in CALL_KINDS:
            return "assistant", [call_in(message)]
        return "tool", [_result(draft, message, message.get("output"))]
    who = _who(message)
    role = role_of(who)
    whole = whole_body(message)
    content = first_of(message, BODY_KEYS) if whole is None else whole
    if role is None and who is not None and _is_open_call(draft, who):
        return "tool", [_result(draft, {**message, "name": who}, content)]
    if role is None:
        return "tool", [UnknownPart(source_type=who or "unknown", value=message)]
    flattened = _flattened(role, squashed(who or ""), message, content)
    if flattened:
        return "assistant", [*_thoughts(message), *flattened]
    if role == "tool":
        return "tool", _tool_pieces(draft, message, content)
    return role, [*_thoughts(message), *loose_pieces(draft, content), *_added(message)]


def _is_open_call(draft: Draft, name: str) -> bool:
    return any(call.name == name for call in draft.joiner.waiting)


def _flattened(role: Role, who: str, message: JsonObject, content: Any) -> list[CallFound]:
    """The calls that stand in the text of a message which has none of its own."""
    if not isinstance(content, str) or message.get("tool_calls"):
        return []
    if who in SPOKEN_CALLS:
        value = decoded(content)
        items = value if isinstance(value, list) else [value]
        spoken = [item for item in items if isinstance(item, dict) and word(item.get("name"))]
        return [call_in(item) for item in spoken] if len(spoken) == len(items) else []
    return calls_in_text(content) if role in {"assistant", "tool"} else []


def _tool_pieces(draft: Draft, message: JsonObject, content: Any) -> list[Piece]:
    """The results of a tool message; one whose content holds none of its own is itself one."""
    if isinstance(content, list):
        inner = [piece for piece in loose_pieces(draft, content) if isinstance(piece, ResultFound)]
        if inner:
            return [*inner]
    return [_result(draft, message, content)]


def _result(draft: Draft, message: Mapping[str, Any], content: Any) -> ResultFound:
    """The result that a message is; some repeat the call that it answers, or say an error apart."""
    extra = message.get("additional_kwargs")
    about = {**extra, **message} if isinstance(extra, dict) else message
    raw_id = next((found for key in ANSWERED_KEYS if (found := id_text(about.get(key)))), None)
    name = next((found for key in NAME_KEYS if (found := word(about.get(key)))), None)
    asked = message.get("tool_call")
    if isinstance(asked, dict):
        call = call_in(asked)
        raw_id, name = raw_id or call.raw_id, name or call.name
    error = word(message.get("error"))
    parts = result_parts(draft, content) or result_parts(draft, error)
    return ResultFound(
        raw_id, name, parts, failed=says_failed(message) or (True if error else None)
    )


def _thoughts(message: Mapping[str, Any]) -> list[Reasoning]:
    text = first_of(message, THOUGHT_KEYS)
    return [Reasoning(text=text)] if isinstance(text, str) and text else []


def _added(message: JsonObject) -> list[Piece]:
    """What stands beside the content: a refusal and calls, in whichever key."""
    pieces: list[Piece] = []
    if isinstance(message.get("refusal"), str) and message["refusal"]:
        pieces.append(Refusal(text=message["refusal"]))
    extra = message.get("additional_kwargs")
    extra = extra if isinstance(extra, dict) else {}
    listed = _listed(message.get("tool_calls")) or _listed(extra.get("tool_calls"))
    listed += _listed(message.get("invalid_tool_calls"))
    inside = _inner_ids(message)
    calls = [call_in(item) for item in listed]
    pieces += [call for call in calls if call.raw_id is None or call.raw_id not in inside]
    legacy = message.get("function_call") or extra.get("function_call")
    if isinstance(legacy, dict) and not listed:
        pieces.append(call_in(legacy))
    return pieces


def _inner_ids(message: JsonObject) -> set[str]:
    """The ids of calls that stand in the content too, as LangChain keeps a provider's blocks."""
    content = message.get("content")
    items = content if isinstance(content, list) else []
    blocks = (item for item in items if isinstance(item, dict) and _is_call(item))
    return {found for item in blocks if (found := call_in(item).raw_id) is not None}


def _is_call(item: Mapping[str, Any]) -> bool:
    return squashed(str(item.get("type"))) in CALL_KINDS


def _listed(value: Any) -> list[JsonObject]:
    """The calls of a list, each an object or the text of one."""
    found = decoded(value)
    items = [decoded(item) for item in found] if isinstance(found, list) else []
    return [item for item in items if isinstance(item, dict)]
