"""The turns of one conversation from the calls and tool runs that saw it (rules 3 and 4 of 1.4).

Where each input holds what was said before, the last one and its answer are the history. Where
inputs lost it, turns are stitched from answers and tool runs in the order of time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from benchmarks.intake.drafting.draft import CallFound, ResultFound
from benchmarks.intake.drafting.joining import Joiner
from benchmarks.intake.spans.calls import ModelCall
from benchmarks.intake.spans.messages import (
    Message,
    arguments_key,
    common_prefix,
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

    def take(self, call: ModelCall, start: int | None) -> None:
        """Go on with one call: what its input adds, then its answer."""
        system, messages = _without_leading_system(call.content.heard.messages)
        self.system = system or self.system
        shared = self._shared(messages)
        if shared < len(self.entries):
            self.stitched = True
            at = common_prefix([message.key for message in messages], self._keys())
            self._add_unseen(messages[at:])
        else:
            self._enrich(messages[:shared])
            self.entries += [Entry(message) for message in messages[shared:]]
        if call.answer is not None:
            self.entries.append(Entry(call.answer, start, call))

    def _keys(self) -> list[str]:
        return [entry.message.key for entry in self.entries]

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
        known = set(self._keys())
        texts = [entry.message.text for entry in self.entries if entry.message.role == "assistant"]
        for message in messages:
            if message.key in known or not message.pieces:
                continue
            text = message.text.strip()
            is_echo = not text or any(text in said for said in texts)
            if message.role == "assistant" and not message.calls and is_echo:
                continue
            known.add(message.key)
            self.entries.append(Entry(message))

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
    has_id: bool
    answered: bool = False
    claimed: bool = False


class Runs:
    """Tool runs matched with the calls of a history, and put where they belong in time."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.by_id: dict[str, list[_Asked]] = {}
        self.by_arguments: dict[tuple[str, str], list[_Asked]] = {}
        self.by_name: dict[str, list[_Asked]] = {}
        self.added: dict[int, list[Entry]] = {}
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
                        asked[call.at.turn, call.at.part].answered = True

    def _note(self, joiner: Joiner, piece: CallFound, place: int, position: int) -> _Asked:
        name = piece.name or ""
        found = _Asked(
            place, position, name, arguments_key(piece.arguments), piece.raw_id is not None
        )
        joiner.open(CallRef(turn=place, part=position), piece.raw_id, name)
        if piece.raw_id is not None:
            self.by_id.setdefault(piece.raw_id, []).append(found)
        self.by_arguments.setdefault((name, found.arguments), []).append(found)
        self.by_name.setdefault(name, []).append(found)
        return found

    def add(self, run: ToolRun) -> None:
        """Give a run's result to its call, or make a call of its own of it."""
        asked = self._asked(run)
        if asked is None:
            self._infer(run)
            return
        asked.claimed = True
        if asked.answered or run.parts is None:
            return
        result = self._result(run, asked)
        self._put(self._after(asked.place, run), Message("tool", (result,)))

    def _asked(self, run: ToolRun) -> _Asked | None:
        if run.call_id is not None:
            found = _free(self.by_id.get(run.call_id))
            if found is not None:
                return found
        for key in run.argument_keys:
            found = _free(self.by_arguments.get((run.name, key)))
            if found is not None:
                return found
        return _free(self.by_name.get(run.name))

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
        for place, entry in enumerate(self.history.entries):
            if entry.at is not None and start is not None and entry.at > start:
                return place
        return len(self.history.entries)

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


def _free(calls: Sequence[_Asked] | None) -> _Asked | None:
    """The first call that no run has claimed, an unanswered one before others."""
    free = [call for call in calls or () if not call.claimed]
    return next((call for call in free if not call.answered), free[0] if free else None)
