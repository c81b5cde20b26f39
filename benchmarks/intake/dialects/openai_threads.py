"""OpenAI Assistants: the messages, runs and steps of a thread, one a record or in pages.

Steps tell what a run called and what came back, and name the message that they wrote. Pages come
with the newest first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.gateway.usage import total_usage
from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.media import UNKNOWN_MIME
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.intake.wires.usage import chat_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Media, Text, Tool
from benchmarks.records.times import stamp

NAME = "openai_threads"
MESSAGE, RUN, STEP = "thread.message", "thread.run", "thread.run.step"
OBJECTS = (MESSAGE, RUN, STEP)
CUT = ("incomplete", "expired")
FAILED = ("failed", "cancelled")


class OpenAiThreads(GroupDialect):
    """The messages, runs and steps of one thread, over all records that tell of it."""

    name = NAME
    lacks = "object and thread_id"

    def detect(self, record: Any) -> bool:
        """Whether a record is a message, a run or a step, or a page of them."""
        if not isinstance(record, dict):
            return False
        listed = record.get("data")
        is_page = isinstance(listed, list) and bool(listed) and _is_object(listed[0])
        return is_page or _is_object(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The threads that a record tells of."""
        return list(dict.fromkeys(str(item["thread_id"]) for item in _told(found.record)))

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a thread."""
        thread = _Thread(key)
        for found in records:
            page = [item for item in _told(found.record) if str(item["thread_id"]) == key]
            for item in _oldest_first(page):
                thread.take(item)
        return [Piece(thread.reading())]


def _is_object(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("object") in OBJECTS
        and isinstance(value.get("thread_id"), str)
    )


def _told(record: JsonObject) -> Iterator[JsonObject]:
    if _is_object(record):
        yield record
    else:
        yield from (item for item in objects(record.get("data")) if _is_object(item))


def _oldest_first(page: list[JsonObject]) -> list[JsonObject]:
    is_newest_first = len(page) > 1 and _created(page[0]) > _created(page[-1])
    return page[::-1] if is_newest_first else page


def _created(item: Mapping[str, Any]) -> str:
    return _moment(item) or ""


def _moment(item: Mapping[str, Any]) -> str | None:
    moment = read_moment(item.get("created_at"))
    return stamp(moment) if moment else None


@dataclass(slots=True)
class _Thread:
    """All that is known of one thread; what is told later of an object counts."""

    key: str
    messages: dict[str, JsonObject] = field(default_factory=dict)
    runs: dict[str, JsonObject] = field(default_factory=dict)
    steps: dict[str, JsonObject] = field(default_factory=dict)
    draft: Draft = field(default_factory=Draft)
    told: list[str] = field(default_factory=list)
    """The instructions so far."""

    def take(self, item: JsonObject) -> None:
        """Take in one object."""
        kept = {MESSAGE: self.messages, RUN: self.runs, STEP: self.steps}[item["object"]]
        kept[id_text(item.get("id")) or f"{item['object']} {len(kept)}"] = item

    def reading(self) -> Reading | Refused:
        """The conversation that all objects together are."""
        runs = sorted(self.runs.values(), key=_created)
        if runs:
            self._instruct(runs[0])
        for item in self._in_time():
            self._instruct(self.runs.get(word(item.get("run_id")) or "", {}))
            if item["object"] == STEP:
                self._step(item)
            else:
                self._message(item, None)
        if not any(turn.role != "system" for turn in self.draft.turns):
            return Refused(Reason.NO_MESSAGES, "a thread without a message")
        self.draft.close()
        return self._read(runs)

    def _in_time(self) -> list[JsonObject]:
        """Steps, and the messages that no step names, in order."""
        named = {_message_id(step) for step in self.steps.values()}
        alone = [message for name, message in self.messages.items() if name not in named]
        return sorted(
            [*alone, *self.steps.values()],
            key=lambda item: (_created(item), item["object"] == STEP, item.get("role") == "user"),
        )

    def _instruct(self, run: Mapping[str, Any]) -> None:
        said = word(run.get("instructions"))
        if said and said not in self.told:
            self.told.append(said)
            self.draft.add("system", [Text(text=said)])

    def _message(self, message: JsonObject, step: JsonObject | None) -> None:
        pieces = _said(self.draft, message.get("content"))
        role: Any = "assistant" if message.get("role") == "assistant" else "user"
        about = self._about(step) if step else {}
        if pieces or about:
            self.draft.add(role, pieces, at=_moment(message), **about)

    def _about(self, step: Mapping[str, Any]) -> dict[str, Any]:
        model = word(self.runs.get(word(step.get("run_id")) or "", {}).get("model"))
        found = {"usage": chat_usage(step.get("usage")).usage, "model": model}
        return {name: value for name, value in found.items() if value is not None}

    def _step(self, step: JsonObject) -> None:
        """What a run did: it called tools, or wrote a message."""
        calls = objects(one_object(step.get("step_details")).get("tool_calls"))
        if not calls:
            message = self.messages.get(_message_id(step) or "", {"role": "assistant"})
            self._message({**message, "created_at": step.get("created_at")}, step)
            return
        error = word(one_object(step.get("last_error")).get("message"))
        found = [_called(self.draft, call, error) for call in calls]
        about = {"at": _moment(step), **self._about(step)}
        self.draft.add("assistant", [call for call, _ in found], **about)
        results = [result for _, result in found if result is not None]
        if results:
            self.draft.add("tool", results, at=_moment(step))

    def _read(self, runs: Sequence[JsonObject]) -> Reading:
        last = runs[-1] if runs else {}
        spent = [usage for run in runs if (usage := _usage(run)) is not None]
        why = word(one_object(last.get("incomplete_details")).get("reason"))
        error = word(one_object(last.get("last_error")).get("message"))
        status = word(last.get("status")) or ""
        end = end_of(
            self.draft.turns,
            limit=why or status if status in CUT else "",
            failed=error or status if status in FAILED else "",
        )
        model = word(last.get("model"))
        frame = Frame(
            identity=Identity(session_id=self.key),
            routing=Routing(requested_model=model, upstream_model=model),
            captured_at=next((turn.at for turn in self.draft.turns if turn.at), None),
        )
        usage = total_usage(spent) if spent else None
        parts = SessionParts(NAME, end=end, tools=_tools(runs), usage=usage)
        return session_reading(self.draft, frame, parts)


def _message_id(step: Mapping[str, Any]) -> str | None:
    details = one_object(step.get("step_details"))
    return word(one_object(details.get("message_creation")).get("message_id"))


def _usage(run: Mapping[str, Any]) -> Usage | None:
    return chat_usage(run.get("usage")).usage


def _tools(runs: Iterable[JsonObject]) -> list[Tool]:
    """The tools of all runs, each name once: the later definition is the one in force."""
    named: dict[str, Tool] = {}
    for run in runs:
        named |= {tool.name: tool for tool in chat_tools(run)}
    return list(named.values())


def _said(draft: Draft, content: Any) -> list[TurnPiece]:
    items = content if isinstance(content, list) else [content]
    return [piece for item in items for piece in _part(draft, item)]


def _part(draft: Draft, item: Any) -> list[TurnPiece]:
    """One part of a message, whose value stands under the name of its type."""
    found = one_object(item)
    inner = found.get(word(found.get("type")) or "")
    if isinstance(inner, dict) and isinstance(inner.get("value"), str):
        return [Text(text=inner["value"])] if inner["value"] else []
    if isinstance(inner, dict) and word(inner.get("file_id")):
        return [Media(media="image", mime=UNKNOWN_MIME, uri=inner["file_id"])]
    return loose_pieces(draft, item)


def _called(draft: Draft, call: JsonObject, error: str | None) -> tuple[CallFound, Any]:
    """One call, and its result where there is one."""
    raw_id, kind = id_text(call.get("id")), word(call.get("type")) or "unknown"
    inner = one_object(call.get(kind))
    if kind == "function":
        found = CallFound(raw_id, word(inner.get("name")), inner.get("arguments"))
        output = inner.get("output")
    else:
        output = inner.get("outputs") if "outputs" in inner else inner.get("results")
        given = {key: value for key, value in inner.items() if key not in ("outputs", "results")}
        found = CallFound(raw_id, kind, given, executed_by="provider", silent=True)
    if output is None and error is None:
        return found, None
    parts = result_parts(draft, _shown(error if output is None else output))
    return found, ResultFound(raw_id, found.name, parts, failed=output is None or None)


def _shown(output: Any) -> Any:
    """What came back, the log of one run of code as the text that it is."""
    if isinstance(output, list) and len(output) == 1 and isinstance(output[0], dict):
        logs = output[0].get("logs")
        return logs if isinstance(logs, str) else output
    return output
