"""What came out of a call, from whatever value its span kept: a message, a body, a text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.drafting.draft import CallFound, Draft, Piece
from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_messages import ROLES, is_message_list
from benchmarks.intake.drafting.loose_parts import call_in, decoded, loose_pieces
from benchmarks.intake.spans.inputs import LOST, LOST_WORDS, are_plain
from benchmarks.intake.spans.items import answer_of, holds_items, is_item_list
from benchmarks.intake.spans.messages import FINISH_KEYS, Memory, Message, read_messages, said
from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import JsonPart, Text

TEXT_KEYS = ("text", "content", "output_text", "response", "answer", "output", "result")
CALL_KEYS = ("tool_calls", "toolCalls")
SPOKEN_TYPES = frozenset({"message", "ai", "AIMessage"})


@dataclass(frozen=True, slots=True)
class Answer:
    """The message that came out, and those that were not taken."""

    message: Message | None = None
    alternatives: list[Message] = field(default_factory=list)
    response_id: str | None = None
    usage: Any = None
    """The counts that stand beside the answer in a response body."""


NOTHING = Answer()


def answer_in(value: Any, memory: Memory) -> Answer:
    """The answer in an output: a message, several choices, a response body, or a text."""
    found = unwrapped(decoded(value))
    if found is None or found in LOST:
        return NOTHING
    if isinstance(found, str):
        return NOTHING if found.strip() in LOST_WORDS else Answer(said("assistant", found))
    if isinstance(found, list):
        return _answer_list(found, memory)
    if isinstance(found, dict):
        return _answer_object(found, memory)
    return Answer(Message("assistant", (JsonPart(value=found),)))


def _answer_list(items: list[Any], memory: Memory) -> Answer:
    if len(items) == 1 and isinstance(items[0], list):
        return _answer_list(items[0], memory)
    if items and all(isinstance(item, str) for item in items):
        return Answer(said("assistant", "\n".join(items)))
    if items and all(_is_sdk_call(item) for item in items):
        return Answer(Message("assistant", tuple(call_in(item) for item in items)))
    if is_item_list(items):
        return _of_pieces(answer_of(items, memory))
    if are_plain(items) or is_message_list(items):
        return _chosen(read_messages(items, memory))
    if len(items) == 1:
        return answer_in(items[0], memory)
    return _of_pieces(_pieces(items, memory))


def _is_sdk_call(item: Any) -> bool:
    return isinstance(item, dict) and "toolName" in item and "type" not in item


def _chosen(messages: list[Message]) -> Answer:
    """The first of several answers; the last one where a whole history came out."""
    if all(message.role == "assistant" for message in messages):
        return Answer(messages[0], messages[1:]) if messages else NOTHING
    spoken = [message for message in messages if message.role == "assistant"]
    return Answer(spoken[-1]) if spoken else NOTHING


def _answer_object(found: JsonObject, memory: Memory) -> Answer:
    for read in (_choices, _candidates, _generations, _items, _inner_message, _messages):
        answer = read(found, memory)
        if answer is not None:
            return Answer(
                answer.message,
                answer.alternatives,
                answer.response_id or word(found.get("id")),
                found.get("usage") or found.get("usageMetadata") or found.get("usage_metadata"),
            )
    if _says_role(found) or word(found.get("type")) in SPOKEN_TYPES:
        return _one_message(found, memory)
    return _plain_object(found, memory)


def _choices(found: JsonObject, memory: Memory) -> Answer | None:
    """Chat completions, and the text completions before them."""
    choices = objects(found.get("choices"))
    if not choices:
        return None
    messages: list[Message] = []
    for choice in choices:
        inner = choice.get("message") or choice.get("delta") or {"content": choice.get("text")}
        if isinstance(inner, dict):
            messages += _assistant(inner, choice, memory)
    return Answer(messages[0], messages[1:]) if messages else None


def _candidates(found: JsonObject, memory: Memory) -> Answer | None:
    """What Gemini answers, and one candidate of it alone."""
    messages: list[Message] = []
    for candidate in objects(found.get("candidates")) or [found]:
        content = candidate.get("content")
        if isinstance(content, dict) and "parts" in content:
            messages += _assistant(content, candidate, memory)
    return Answer(messages[0], messages[1:]) if messages else None


def _generations(found: JsonObject, memory: Memory) -> Answer | None:
    """What LangChain keeps of an answer."""
    listed = found.get("generations")
    first = listed[0] if isinstance(listed, list) and listed else None
    generations = objects(first if isinstance(first, list) else listed)
    messages: list[Message] = []
    for generation in generations:
        inner = unwrapped(generation.get("message"))
        inner = inner if isinstance(inner, dict) else {"content": generation.get("text")}
        info = generation.get("generation_info")
        messages += _assistant(inner, info if isinstance(info, dict) else {}, memory)
    return Answer(messages[0], messages[1:]) if messages else None


def _items(found: JsonObject, memory: Memory) -> Answer | None:
    """The output of a Responses body: its items are one turn."""
    output = found.get("output")
    if isinstance(output, dict) and isinstance(output.get("message"), dict):
        messages = _assistant(output["message"], found, memory)
        return Answer(messages[0]) if messages else None
    items = objects(output)
    if not items or not all(word(item.get("type")) for item in items):
        return None
    if holds_items(items):
        return _of_pieces(answer_of(items, memory))
    pieces: list[Piece] = []
    for item in items:
        inner = item.get("content") if item.get("type") == "message" else [item]
        pieces += _pieces(inner, memory)
    return _of_pieces(pieces)


def _inner_message(found: JsonObject, memory: Memory) -> Answer | None:
    inner = unwrapped(decoded(found.get("message")))
    if not isinstance(inner, dict):
        return None
    messages = _assistant(inner, found, memory)
    return Answer(messages[0]) if messages else None


def _messages(found: JsonObject, memory: Memory) -> Answer | None:
    listed = decoded(found.get("messages"))
    if not isinstance(listed, list) or not listed or not isinstance(listed[0], dict):
        return None
    return _chosen(read_messages(listed, memory))


def _says_role(found: Mapping[str, Any]) -> bool:
    return isinstance(found.get("role"), str) and found["role"].lower() in ROLES


def _one_message(found: JsonObject, memory: Memory) -> Answer:
    messages = _assistant(found, found, memory)
    return Answer(
        messages[0] if messages else None,
        response_id=word(found.get("id")),
        usage=found.get("usage"),
    )


def _assistant(inner: JsonObject, beside: Mapping[str, Any], memory: Memory) -> list[Message]:
    """The message as the assistant's, with the reason why it ended."""
    role = "assistant"
    messages = read_messages([{**inner, "role": role}], memory)
    finish = next((found for key in FINISH_KEYS if (found := word(beside.get(key)))), None)
    return [
        Message("assistant", message.pieces, message.name, message.finish or finish)
        for message in messages
    ]


def _plain_object(found: JsonObject, memory: Memory) -> Answer:
    """An answer in words of its own: a text and calls under telling keys, else a value."""
    finish = next((value for key in FINISH_KEYS if (value := word(found.get(key)))), None)
    pieces: list[Piece] = []
    for key in TEXT_KEYS:
        value = found.get(key)
        if isinstance(value, str) and value.strip() not in LOST_WORDS:
            pieces.append(Text(text=value))
            break
        if key == "content" and isinstance(value, list):
            pieces += _pieces(value, memory)
            break
    for key in CALL_KEYS:
        listed = decoded(found.get(key))
        pieces += [call_in(item) for item in objects(listed)]
    if not pieces:
        pieces.append(JsonPart(value=found))
    return Answer(Message("assistant", tuple(pieces), finish=finish))


def _pieces(content: Any, memory: Memory) -> list[Piece]:
    return loose_pieces(Draft(blobs=memory.blobs), content)


def _of_pieces(pieces: list[Piece]) -> Answer:
    return Answer(Message("assistant", tuple(pieces))) if pieces else NOTHING


def calls_in(value: Any) -> list[CallFound]:
    """The calls of a list in whichever words, or of its JSON text."""
    listed = decoded(value)
    items = (decoded(item) for item in (listed if isinstance(listed, list) else []))
    return [call_in(item) for item in items if isinstance(item, dict)]
