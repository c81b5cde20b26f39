"""The last resort: anything that holds a list of messages, in whatever words.

Each is a whole conversation. Records that repeat the history before them and go on are earlier
and later forms of one: nothing names it, so it is known by how it opens.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.drafting.chat_form import session_form
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.finding_messages import (
    NO_ANSWER,
    NO_MESSAGES,
    MessagesFound,
    NoneFound,
    conversations_in,
    is_conversation,
    own_tools,
)
from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_messages import add_loose_message, is_message, speaks
from benchmarks.intake.drafting.retellings import fullest, names_of
from benchmarks.intake.drafting.sessions import usage_of_turns
from benchmarks.intake.drafting.written_calls import with_calls
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.buckets import bucketed
from benchmarks.intake.spans.counts import usage_in_details
from benchmarks.intake.values import id_text, number, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.tools import chat_definition, chat_tools
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Conversation, Outcome, Stop, Turn
from benchmarks.records.digest import json_digest
from benchmarks.records.times import stamp

NAME = "messages"
OPENING_CHARS = 32
SESSION_KEYS = ("session_id", "sessionId", "conversation_id", "thread_id")
ANSWER_KEYS = ("responseId", "response_id", "id")
TIME_KEYS = ("timestamp", "created_at", "createdAt", "created")
TASK_KEYS = ("task_id", "taskId")

Entries = list[MessagesFound | NoneFound]


class Messages(RecordDialect):
    """Lists of messages that nothing else knows."""

    name = NAME
    lacks = "messages[] of role and content"

    def __init__(self) -> None:
        self._detected: tuple[Any, Entries] = (None, [])
        """The last record that was recognised and what was found in it: most are read next."""

    def detect(self, record: Any) -> bool:
        """Whether a record holds a list of messages, or entries that do."""
        entries = conversations_in(record)
        self._detected = (record, entries) if entries else (None, [])
        return bool(entries)

    def read(self, record: Any) -> Iterable[Piece]:
        """Every entry of the record with its place: a conversation, or why it is none.

        Entries that tell the same conversation are known by one name.
        """
        detected, entries = self._detected
        self._detected = (None, [])
        if detected is not record:
            entries = conversations_in(record)
        results = [
            _reading(entry) if isinstance(entry, MessagesFound) else entry.why for entry in entries
        ]
        named = iter(_named([result for result in results if isinstance(result, Reading)]))
        return [
            Piece(next(named) if isinstance(result, Reading) else result, within=entry.within)
            for entry, result in zip(entries, results, strict=True)
        ]


class MessageLines(GroupDialect):
    """One message a record: those of a file, or of one session in it, are a conversation."""

    name = NAME
    lacks = "a role beside content"

    def detect(self, record: Any) -> bool:
        """Whether a record is one message by itself."""
        return is_message(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The file, and the session where the message names it."""
        return [f"{found.local_path} {_first_id(found.record, SESSION_KEYS) or ''}"]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation that the messages are together."""
        listed = [found.record for found in records]
        found = MessagesFound(listed, holder=listed[0])
        if is_conversation(found):
            return [Piece(_reading(found))]
        return [Piece(NO_ANSWER if speaks(listed, "user") else NO_MESSAGES)]


def _named(told: Sequence[Reading]) -> list[Reading]:
    """The conversations of one document, those that are one under one name, each told in full.

    The id of an answer is the name of a conversation that is told once.
    """
    if len(told) < 2:
        return [*told]
    places = fullest([one.conversation.turns for one in told])
    told = [told[place] for place in places]
    names = names_of([one.conversation.turns for one in told])
    times = Counter(names)
    return [
        replace(one, response_id=name) if times[name] > 1 or not one.response_id else one
        for one, name in zip(told, names, strict=True)
    ]


def _reading(found: MessagesFound) -> Reading:
    draft = Draft()
    answer = _answer_start(found)
    messages = with_calls(found.messages)
    for position, message in enumerate(messages):
        origin: Any = "response" if position >= answer else "request"
        usage = usage_said(unwrapped(message))
        about = {} if usage is None else {"usage": usage}
        add_loose_message(draft, message, source_index=position, origin=origin, **about)
    draft.close()
    tools = chat_tools({"tools": own_tools(found), "functions": found.holder.get("functions")})
    conversation = Conversation(
        dialect=NAME,
        granularity="session",
        turns=draft.turns,
        tools=tools,
        stop=Stop(reason="unknown"),
        usage=usage_of_turns(draft.turns),
        issues=draft.issues,
        end=end_of(draft.turns),
        outcome=_outcome(found.holder),
    )
    request, response = session_form(draft.turns)
    request = request.with_(tools=[chat_definition(tool) for tool in tools])
    return Reading(
        conversation,
        request,
        response,
        replace(_frame(found), capture_id=_opening(draft.turns)),
        blobs=draft.blobs,
        response_id=_response_id(found.messages),
        taken_apart=any(
            told is not own for told, own in zip(messages, found.messages, strict=True)
        ),
    )


def _response_id(messages: Sequence[Any]) -> str | None:
    """The id of the last answer, and what was said since: records that repeat both are one."""
    for back, message in enumerate(map(unwrapped, reversed(messages))):
        if speaks([message], "assistant"):
            own = _first_id(message, ANSWER_KEYS)
            since = [*messages[len(messages) - back :]]
            return f"{own} {json_digest(since)}" if own and since else own
    return None


def _opening(turns: Sequence[Turn]) -> str:
    """What a conversation is known by while it grows: all that was said until a user spoke."""
    first = next((at for at, turn in enumerate(turns) if turn.role == "user"), len(turns))
    said = [[turn.role, turn.dump()["parts"]] for turn in turns[: first + 1]]
    return json_digest(said)[:OPENING_CHARS]


def _answer_start(found: MessagesFound) -> int:
    """Where the answer begins: where the source says so, else at a last turn of the model."""
    count = len(found.messages)
    if found.answered:
        return count - found.answered
    return count - 1 if speaks(found.messages[-1:], "assistant") else count


def usage_said(message: Any) -> Usage | None:
    """What a message says that it cost."""
    if not isinstance(message, dict):
        return None
    found = message.get("usage_metadata") or message.get("usage")
    if not isinstance(found, dict):
        return None
    return usage_in_details(bucketed(found)).usage


def _outcome(holder: Mapping[str, Any]) -> Outcome | None:
    reward, success = number(holder.get("reward")), holder.get("success")
    if reward is not None:
        return Outcome(reward=reward, source="reward")
    return Outcome(success=success, source="success") if isinstance(success, bool) else None


def _frame(found: MessagesFound) -> Frame:
    holder = found.holder
    written = next((holder[key] for key in TIME_KEYS if holder.get(key) is not None), None)
    moment = read_moment(written)
    return Frame(
        identity=Identity(
            request_id=id_text(holder.get("id")),
            session_id=_first_id(holder, SESSION_KEYS),
            task_id=_first_id(holder, TASK_KEYS),
        ),
        routing=Routing(requested_model=word(holder.get("model"))),
        captured_at=stamp(moment) if moment is not None else None,
    )


def _first_id(holder: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((found for key in keys if (found := id_text(holder.get(key)))), None)
