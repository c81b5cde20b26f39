"""The turns of one conversation from the calls and tool runs that saw it (rules 3 and 4 of 1.4).

Where each input holds what was said before, the last one and its answer are the history. Where
inputs lost it, turns are stitched from answers and tool runs in the order of time.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from benchmarks.intake.drafting.draft import CallFound, ResultFound
from benchmarks.intake.drafting.joining import Joiner
from benchmarks.intake.spans.calls import ModelCall
from benchmarks.intake.spans.messages import (
    Message,
    arguments_key,
    size_of,
)
from benchmarks.intake.spans.tool_runs import ToolRun
from benchmarks.records.conversation import CallRef


@dataclass(slots=True)
class Entry:
    """One message in its place; `at` is the start of the call that gave it."""

    message: Message
    at: int | None = None
    call: ModelCall | None = None
    """The call whose answer it is."""
    inferred: ToolRun | None = None
    """The tool run that it was made from, where no model asked for it."""


@dataclass(slots=True)
class History:
    """The messages of a conversation so far."""

    system: list[Message] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    stitched: bool = False
    known: set[str] = field(default_factory=set)
    """The keys of all that was said."""

    def take(self, call: ModelCall, start: int | None) -> None:
        """Go on with one call: what its input adds, then its answer."""
        system, messages = _without_leading_system(call.content.heard.messages)
        self.system = system or self.system
        shared = self._shared(messages)
        if shared < len(self.entries):
            self.stitched = True
            self._add_unseen(messages)
        else:
            self._enrich(messages[:shared])
            for message in messages[shared:]:
                self._append(Entry(message))
        if call.answer is not None:
            self._append(Entry(call.answer, start, call))

    def _append(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.known.add(entry.message.key)

    def _shared(self, messages: Sequence[Message]) -> int:
        """How many messages so far an input begins with, an answer told in other words included."""
        shared = 0
        for entry, message in zip(self.entries, messages, strict=False):
            if not _is_alike(entry.message, message):
                break
            shared += 1
        return shared

    def _enrich(self, messages: Sequence[Message]) -> None:
        """Keep the fuller of two forms of a message."""
        for entry, message in zip(self.entries, messages, strict=False):
            if len(message.pieces) > len(entry.message.pieces):
                entry.message = replace(message, finish=entry.message.finish)

    def _add_unseen(self, messages: Sequence[Message]) -> None:
        """Add what nobody has said yet; what an answer becomes in a lossy input is not new."""
        for message in messages:
            if message.key in self.known or not message.pieces:
                continue
            if message.role == "assistant" and not message.calls and self._is_echo(message):
                continue
            self._append(Entry(message))

    def _is_echo(self, message: Message) -> bool:
        """Whether an answer said all of it before."""
        text = message.text.strip()
        answers = (entry.message for entry in self.entries if entry.message.role == "assistant")
        return not text or any(text in answer.text for answer in answers)

    @property
    def size(self) -> int:
        """How many pieces it holds."""
        return size_of(entry.message for entry in self.entries)


def _is_alike(said: Message, held: Message) -> bool:
    """Whether an input holds a message; an answer of words may be told in others."""
    if said.key == held.key:
        return True
    is_answer = said.role == held.role == "assistant" and not said.calls and not held.calls
    return is_answer and bool(held.text.strip())


def _without_leading_system(
    messages: Sequence[Message],
) -> tuple[list[Message], list[Message]]:
    first = next((at for at, one in enumerate(messages) if one.role != "system"), len(messages))
    return list(messages[:first]), list(messages[first:])


def history_of(
    calls: Sequence[ModelCall], starts: Sequence[int | None], asked: Sequence[Message]
) -> History:
    """The reading of calls in order that holds the most; `asked` is what the root was asked."""
    stitched = History()
    for call, start in zip(calls, starts, strict=True):
        stitched.take(call, start)
    chosen = stitched
    if stitched.stitched:
        whole = _richest(calls, starts)
        chosen = whole if whole.size >= stitched.size else stitched
    _put_first(chosen, asked)
    return chosen


def _richest(calls: Sequence[ModelCall], starts: Sequence[int | None]) -> History:
    """The history that one call alone tells: the last of those that tell most."""
    place = max(range(len(calls)), key=lambda at: (calls[at].content.size, at))
    whole = History()
    whole.take(calls[place], starts[place])
    return whole


def _put_first(history: History, asked: Sequence[Message]) -> None:
    """Begin with what the root was asked, where no input tells; with its system text likewise."""
    system, messages = _without_leading_system(asked)
    if not any(entry.message.role == "user" for entry in history.entries):
        history.entries[:0] = [Entry(message) for message in messages]
        history.stitched = history.stitched or bool(messages)
    keys = {message.key for message in messages}
    is_asked = any(entry.message.key in keys for entry in history.entries)
    if system and not history.system and history.stitched and is_asked:
        history.system = system


@dataclass(slots=True)
class _Asked:
    """A call of a tool in the history, and whether it has been answered or run."""

    place: int
    piece: int
    name: str
    arguments: str
    raw_id: str | None
    answer: tuple[int, int] | None = None
    """Where its result stands, once there is one."""
    claimed: bool = False

    @property
    def answered(self) -> bool:
        """Whether the history holds its result."""
        return self.answer is not None


class _Waiting:
    """Calls by what they are asked for by, unanswered ones before others, in order."""

    def __init__(self) -> None:
        self.open: dict[object, deque[_Asked]] = {}
        self.answered: dict[object, deque[_Asked]] = {}

    def add(self, key: object, call: _Asked) -> None:
        """One more call."""
        calls = self.answered if call.answered else self.open
        calls.setdefault(key, deque()).append(call)

    def first(self, key: object) -> _Asked | None:
        """The first call that no run has claimed."""
        for calls in (self.open.get(key), self.answered.get(key)):
            while calls:
                if not calls[0].claimed:
                    return calls[0]
                calls.popleft()
        return None


class Runs:
    """Tool runs matched with the calls of a history, and put where they belong in time."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.by_id = _Waiting()
        self.by_arguments = _Waiting()
        self.by_name = _Waiting()
        self.added: dict[int, list[Entry]] = {}
        self.latest = list(accumulate((entry.at or 0 for entry in history.entries), max))
        """The latest start up to each entry."""
        self._collect()

    def _collect(self) -> None:
        joiner = Joiner()
        asked: dict[tuple[int, int], _Asked] = {}
        for place, entry in enumerate(self.history.entries):
            for position, piece in enumerate(entry.message.pieces):
                if isinstance(piece, CallFound):
                    asked[place, position] = self._note(joiner, piece, place, position)
                elif isinstance(piece, ResultFound):
                    call = joiner.answer(piece.raw_id, piece.name)
                    if call is not None:
                        asked[call.at.turn, call.at.part].answer = (place, position)
        for found in asked.values():
            if found.raw_id is not None:
                self.by_id.add(found.raw_id, found)
            self.by_arguments.add((found.name, found.arguments), found)
            self.by_name.add(found.name, found)

    def _note(self, joiner: Joiner, piece: CallFound, place: int, position: int) -> _Asked:
        name = piece.name or ""
        found = _Asked(place, position, name, arguments_key(piece.arguments), piece.raw_id)
        joiner.open(CallRef(turn=place, part=position), piece.raw_id, name)
        return found

    def add(self, run: ToolRun) -> None:
        """Give a run's result to its call, or make a call of its own of it."""
        asked = self._asked(run)
        if asked is None:
            self._infer(run)
            return
        asked.claimed = True
        if asked.answer is not None and run.failed:
            self._fail(*asked.answer)
        if asked.answered or run.parts is None:
            return
        result = self._result(run, asked)
        self._put(self._after(asked.place, run), Message("tool", (result,)))

    def _asked(self, run: ToolRun) -> _Asked | None:
        """The call that a run is of: by its id, else by name and arguments, else by name."""
        found = self.by_id.first(run.call_id) if run.call_id is not None else None
        for key in run.argument_keys:
            found = found or self.by_arguments.first((run.name, key))
        return found or self.by_name.first(run.name)

    def _result(self, run: ToolRun, asked: _Asked) -> ResultFound:
        """The result; a call without an id gets the run's, so that the two stay together."""
        entry = self.history.entries[asked.place]
        piece = entry.message.pieces[asked.piece]
        assert isinstance(piece, CallFound)
        if piece.raw_id is None:
            piece = replace(piece, raw_id=run.call_id or run.span.span_id)
            pieces = list(entry.message.pieces)
            pieces[asked.piece] = piece
            entry.message = replace(entry.message, pieces=tuple(pieces))
        return ResultFound(piece.raw_id, asked.name or None, run.parts or (), run.failed)

    def _fail(self, place: int, position: int) -> None:
        """A result in the history is an error, as the run that it came from says."""
        entry = self.history.entries[place]
        pieces = list(entry.message.pieces)
        piece = pieces[position]
        assert isinstance(piece, ResultFound)
        pieces[position] = replace(piece, failed=True)
        entry.message = replace(entry.message, pieces=tuple(pieces))

    def _infer(self, run: ToolRun) -> None:
        """A call that no model is known to have made, and its result."""
        raw_id = run.call_id or run.span.span_id
        place = self._before(run)
        call = CallFound(raw_id, run.name, run.arguments)
        self._put(place, Message("assistant", (call,)), run)
        if run.parts is not None:
            result = ResultFound(raw_id, run.name, run.parts, run.failed)
            self._put(place, Message("tool", (result,)))

    def _put(self, place: int, message: Message, inferred: ToolRun | None = None) -> None:
        entry = Entry(message, inferred=inferred)
        self.added.setdefault(place, []).append(entry)

    def _after(self, place: int, run: ToolRun) -> int:
        """Behind a call, the other results beside it, and all that was said before the run."""
        entries = self.history.entries
        start = run.span.start
        place += 1
        while place < len(entries):
            at = entries[place].at
            is_before = at is not None and start is not None and at <= start
            if entries[place].message.role != "tool" and not is_before:
                break
            place += 1
        return place

    def _before(self, run: ToolRun) -> int:
        """In front of the first answer that was given after the run."""
        start = run.span.start
        return len(self.latest) if start is None else bisect_right(self.latest, start)

    def done(self) -> None:
        """Put everything in its place."""
        if not self.added:
            return
        entries: list[Entry] = []
        for place, entry in enumerate(self.history.entries):
            entries += self.added.get(place, ())
            entries.append(entry)
        entries += self.added.get(len(self.history.entries), ())
        self.history.entries = entries
