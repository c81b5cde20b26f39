"""Pydantic AI: histories of messages as the library writes them, `kind` request or response.

A request holds what the model is told (prompts, what tools returned, what to try again), a
response what it answers. One message is a record of a list, or a list of them is one record.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.stops import REASONS
from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Reasoning, Stop, Text, UnknownPart
from benchmarks.records.times import stamp

NAME = "pydantic_ai"
KINDS = frozenset({"request", "response"})
LIST_KEYS = ("messages", "all_messages", "message_history", "new_messages")
THOUGHTS = ("reasoning_tokens", "thoughts_tokens")
COUNTS = {
    "input_tokens": ("input_tokens", "request_tokens"),
    "output_tokens": ("output_tokens", "response_tokens"),
    "cache_read_tokens": ("cache_read_tokens",),
    "cache_write_tokens": ("cache_write_tokens",),
    "reasoning_tokens": THOUGHTS,
}
CALLS = frozenset({"tool-call", "builtin-tool-call"})
RESULTS = frozenset({"tool-return", "builtin-tool-return"})
URLS = {
    "image-url": "image",
    "audio-url": "audio",
    "video-url": "video",
    "document-url": "document",
}


class PydanticAiMessages(GroupDialect):
    """One message a record: those of a file are a conversation."""

    name = NAME
    lacks = "kind and parts[] of part_kind"

    def detect(self, record: Any) -> bool:
        """Whether a record is one message."""
        return _is_message(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The file."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a file."""
        return [Piece(_reading([found.record for found in records]))]


class PydanticAiHistory(RecordDialect):
    """A history in one record: a list of messages, or an object that holds one."""

    name = NAME
    lacks = "messages[] of kind and parts"

    def detect(self, record: Any) -> bool:
        """Whether a record is a history, or holds one."""
        return bool(_history(record))

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation of the record."""
        return [Piece(_reading(_history(record)))]


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or word(value.get("kind")) not in KINDS:
        return False
    parts = value.get("parts")
    if not isinstance(parts, list):
        return False
    return not parts or (isinstance(parts[0], dict) and "part_kind" in parts[0])


def _history(record: Any) -> list[JsonObject]:
    """The messages of a record; none where the first of a list is no message."""
    if isinstance(record, list):
        return objects(record) if record and _is_message(record[0]) else []
    for key in LIST_KEYS if isinstance(record, dict) else ():
        listed = record.get(key)
        if listed and isinstance(listed, list) and _is_message(listed[0]):
            return objects(listed)
    return []


def _reading(messages: Sequence[JsonObject]) -> Reading | Refused:
    history = _History()
    for position, message in enumerate(messages):
        history.add(message, position)
    if not any(turn.role != "system" for turn in history.draft.turns):
        return Refused(Reason.NO_MESSAGES, "a history without a message")
    return history.reading()


class _History:
    """Messages in order, becoming turns."""

    def __init__(self) -> None:
        self.draft = Draft()
        self.instructions = ""
        self.started_at: str | None = None
        self.last: JsonObject = {}
        """The last response."""

    def add(self, message: JsonObject, position: int) -> None:
        """Take in one message."""
        if message.get("kind") == "response":
            self._answer(message, position)
        else:
            self._tell(message, position)

    def _tell(self, message: JsonObject, position: int) -> None:
        """What a request adds: each of its parts is a turn of its own."""
        told = word(message.get("instructions")) or ""
        if told and told != self.instructions:
            self.draft.add("system", [Text(text=told)], source_index=position)
            self.instructions = told
        for part in objects(message.get("parts")):
            at = _moment(part)
            self.started_at = self.started_at or at
            self._part(part, {"source_index": position, "at": at})

    def _part(self, part: JsonObject, about: dict[str, Any]) -> None:
        kind = word(part.get("part_kind"))
        content = part.get("content")
        if kind == "system-prompt":
            self.draft.add("system", _said(self.draft, content), **about)
        elif kind == "user-prompt":
            self.draft.add("user", _said(self.draft, content), **about)
        elif kind in RESULTS:
            self.draft.add("tool", [_result(self.draft, part, failed=None)], **about)
        elif kind == "retry-prompt" and word(part.get("tool_name")):
            self.draft.add("tool", [_result(self.draft, part, failed=True)], **about)
        elif kind == "retry-prompt":
            self.draft.add("user", [*result_parts(self.draft, content)], **about)
        else:
            unknown = UnknownPart(source_type=kind or "unknown", value=part)
            self.draft.add("user", [unknown], **about)

    def _answer(self, message: JsonObject, position: int) -> None:
        self.last = message
        usage = message.get("usage")
        read = inclusive_usage(_with_thought(usage), COUNTS) if usage else None
        about: dict[str, Any] = {
            "usage": read.usage if read else None,
            "model": word(message.get("model_name")),
            "id": word(message.get("provider_response_id")),
            "at": _moment(message),
        }
        about = {name: value for name, value in about.items() if value is not None}
        pieces = [p for part in objects(message.get("parts")) for p in _spoken(self.draft, part)]
        turn = self.draft.add("assistant", pieces, source_index=position, **about)
        if read is not None and read.issue:
            self.draft.note(read.issue, turn.index, None, read.detail)

    def reading(self) -> Reading:
        """The conversation that all messages together are."""
        self.draft.close()
        model = word(self.last.get("model_name"))
        raw = word(self.last.get("finish_reason"))
        stop = Stop(reason=REASONS.get(raw or "", "unknown"), raw=raw)
        limit = "the answer was cut for length" if stop.reason == "length" else ""
        frame = Frame(
            identity=Identity(conversation_id=word(self.last.get("conversation_id"))),
            routing=Routing(provider=word(self.last.get("provider_name")), upstream_model=model),
            captured_at=self.started_at or _moment(self.last),
        )
        end = end_of(self.draft.turns, limit=limit)
        return session_reading(self.draft, frame, SessionParts(NAME, end=end, stop=stop))


def _with_thought(usage: Any) -> JsonObject:
    """The counts, with those of the thought that stand among a provider's own."""
    found = usage if isinstance(usage, dict) else {}
    details = found.get("details")
    own = details if isinstance(details, dict) else {}
    return {**{name: own[name] for name in THOUGHTS if own.get(name)}, **found}


def _moment(holder: Mapping[str, Any]) -> str | None:
    moment = read_moment(holder.get("timestamp"))
    return stamp(moment) if moment else None


def _said(draft: Draft, content: Any) -> list[TurnPiece]:
    """A prompt: a text, or a list of texts and of media."""
    items = content if isinstance(content, list) else [content]
    return [piece for item in items for piece in loose_pieces(draft, _medium(item))]


def _medium(item: Any) -> Any:
    """Media in the words that other kits have for it."""
    if not isinstance(item, dict):
        return item
    kind = word(item.get("kind")) or ""
    if kind in URLS and word(item.get("url")):
        return {"type": URLS[kind], "url": item["url"]}
    if kind == "binary":
        mime = word(item.get("media_type")) or ""
        start = mime.partition("/")[0]
        media = start if start in {"image", "audio", "video"} else "document"
        return {"type": media, "media_type": mime, "data": item.get("data")}
    return item


def _result(draft: Draft, part: JsonObject, *, failed: bool | None) -> ResultFound:
    raw_id, name = word(part.get("tool_call_id")), word(part.get("tool_name"))
    failed = True if word(part.get("outcome")) in {"failed", "denied"} else failed
    return ResultFound(raw_id, name, result_parts(draft, part.get("content")), failed=failed)


def _spoken(draft: Draft, part: JsonObject) -> list[TurnPiece]:
    """What one part of a response says."""
    kind = word(part.get("part_kind")) or ""
    content = part.get("content")
    if kind == "text":
        return [Text(text=content)] if isinstance(content, str) and content else []
    if kind == "thinking":
        text = word(content)
        return [Reasoning(text=text, encrypted=None if text else True)]
    if kind in CALLS:
        by = "provider" if kind != "tool-call" else None
        raw_id, name = word(part.get("tool_call_id")), word(part.get("tool_name"))
        return [CallFound(raw_id, name, part.get("args"), executed_by=by, silent=by is not None)]
    if kind in RESULTS:
        return [_result(draft, part, failed=None)]
    if kind == "file":
        return [*loose_pieces(draft, _medium(content))]
    return [UnknownPart(source_type=kind or "unknown", value=part)]
