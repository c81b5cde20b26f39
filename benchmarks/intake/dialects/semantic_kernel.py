"""Semantic Kernel, .NET: a chat history as it is serialised, one message a record or a list."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_messages import role_of
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Routing
from benchmarks.records.conversation import Text, UnknownPart

NAME = "semantic_kernel"
COUNTS = {
    "input_tokens": ("InputTokenCount", "PromptTokens"),
    "output_tokens": ("OutputTokenCount", "CompletionTokens"),
}
LIST_KEYS = ("Messages", "messages", "ChatHistory", "chatHistory")


class SemanticKernelMessages(GroupDialect):
    """One message a record: those of a file are a conversation."""

    name = NAME
    lacks = "Role.Label and Items[]"

    def detect(self, record: Any) -> bool:
        """Whether a record is one message."""
        return _is_message(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The file."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a file."""
        return [Piece(_reading([found.record for found in records]))]


class SemanticKernelHistory(RecordDialect):
    """A whole history in one record."""

    name = NAME
    lacks = "messages[] of Role.Label and Items"

    def detect(self, record: Any) -> bool:
        """Whether a record is a list of messages, or holds one."""
        return bool(_history(record))

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation of the record."""
        return [Piece(_reading(_history(record)))]


def _is_message(value: Any) -> bool:
    role = value.get("Role") if isinstance(value, dict) else None
    if not isinstance(role, dict) or not isinstance(role.get("Label"), str):
        return False
    return "Items" in value or "Content" in value


def _history(record: Any) -> list[JsonObject]:
    if isinstance(record, list):
        return objects(record) if record and _is_message(record[0]) else []
    for key in LIST_KEYS if isinstance(record, dict) else ():
        listed = record.get(key)
        if listed and isinstance(listed, list) and _is_message(listed[0]):
            return objects(listed)
    return []


def _reading(messages: Sequence[JsonObject]) -> Reading | Refused:
    draft = Draft()
    model: str | None = None
    for position, message in enumerate(messages):
        _add(draft, message, position)
        model = word(message.get("ModelId")) or model
    if not any(turn.role != "system" for turn in draft.turns):
        return Refused(Reason.NO_MESSAGES, "a history without a message")
    draft.close()
    frame = Frame(routing=Routing(upstream_model=model))
    return session_reading(draft, frame, SessionParts(NAME, end=end_of(draft.turns)))


def _add(draft: Draft, message: JsonObject, position: int) -> None:
    items = objects(message.get("Items"))
    pieces = [piece for item in items for piece in _item(draft, item)]
    if not items:
        pieces = loose_pieces(draft, message.get("Content"))
    role = role_of(word(one_object(message.get("Role")).get("Label"))) or "user"
    if not pieces:
        return
    about: dict[str, Any] = {"name": word(message.get("AuthorName"))}
    if role == "assistant":
        about |= {"model": word(message.get("ModelId")), "usage": _usage(message).usage}
    about = {name: value for name, value in about.items() if value is not None}
    draft.add(role, pieces, source_index=position, **about)


def _usage(message: Mapping[str, Any]) -> UsageRead:
    counts = one_object(one_object(message.get("Metadata")).get("Usage"))
    return inclusive_usage(counts, COUNTS)


def _item(draft: Draft, item: JsonObject) -> list[TurnPiece]:
    """One item by its type; a function bears the name of its plugin before its own."""
    kind = word(item.get("$type")) or "unknown"
    if kind == "TextContent":
        text = word(item.get("Text"))
        return [Text(text=text)] if text else []
    if kind == "FunctionCallContent":
        return [CallFound(id_text(item.get("Id")), _name(item), item.get("Arguments"))]
    if kind == "FunctionResultContent":
        parts = result_parts(draft, item.get("Result"))
        return [ResultFound(id_text(item.get("CallId")), _name(item), parts)]
    if kind == "ImageContent":
        uri = item.get("Uri") or item.get("DataUri")
        data = {"media_type": item.get("MimeType"), "url": uri, "data": item.get("Data")}
        return loose_pieces(draft, {"type": "image", **data})
    return [UnknownPart(source_type=kind, value=item)]


def _name(item: Mapping[str, Any]) -> str | None:
    plugin, own = word(item.get("PluginName")), word(item.get("FunctionName"))
    return f"{plugin}-{own}" if plugin and own else own
