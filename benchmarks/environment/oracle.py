"""The source of a task played again, through the world.

What the source wrote was answered by its own world with its own ids. Here the world makes other
ones, so an id that an accepted write made is replaced, in later arguments, by the one it has here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.json_text import pointed
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.environment.made_ids import as_object, new_ids, stands_in, words
from benchmarks.environment.prestate import as_text, leaf_texts
from benchmarks.environment.world import Answer, World
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Fidelity
from benchmarks.records.environment import GoldTask, RecordedCall
from benchmarks.records.vocabulary import Termination

MAX_REPEATS = 16
"""How often an accepted call is sent again while recorded errors stand before it."""


@dataclass(frozen=True, slots=True)
class PlayedCall:
    """One call that was sent, and what the world said."""

    tool: str
    arguments: JsonObject
    answer: Answer
    place: int
    """Which of the recorded calls it plays, from 0."""
    turn: int | None = None
    """The source's turn that made the call."""
    call_id: str | None = None

    @property
    def observed(self) -> ObservedCall:
        """The call as the scorer sees it."""
        return ObservedCall(
            tool=self.tool,
            arguments=self.arguments,
            status=self.answer.status,
            result=self.answer.content,
            call_id=self.call_id,
            turn=self.turn,
        )


@dataclass(frozen=True, slots=True)
class Played:
    """A source played through a world."""

    calls: tuple[PlayedCall, ...]
    observed: Observed
    fidelity: Fidelity


def play_source(world: World, gold: GoldTask) -> Played:
    """The accepted calls and the texts of a task's source, sent through a fresh world."""
    calls = tuple(play_calls(world, gold.calls))
    texts = texts_of(gold)
    observed = Observed(
        calls=tuple(call.observed for call in calls),
        texts=texts,
        final_response=gold.final_response,
        termination=gold.termination or Termination.FINISHED,
        text_turns=tuple(gold.text_turns or ()),
    )
    return Played(calls, observed, world.fidelity())


def texts_of(gold: GoldTask) -> tuple[str, ...]:
    """What the source said; its final response alone in an older file."""
    if gold.texts is not None:
        return tuple(gold.texts)
    return (gold.final_response,) if gold.final_response else ()


def play_calls(world: World, recorded: Sequence[RecordedCall]) -> Iterator[PlayedCall]:
    """Each accepted call in order, its ids those of this world.

    A read whose result was never captured told the source nothing and is left out.

    Where the world still owes a recorded error for a call that the source later made with success,
    the call is sent again: the source, too, had to.
    """
    renamed = Renamed(last_named(recorded))
    for place, item in enumerate(recorded):
        if not isinstance(item.arguments, dict) or is_passed_over(item, world):
            continue
        arguments = renamed.in_value(item.arguments)
        answer = world.call(item.tool, arguments)
        for _ in range(MAX_REPEATS):
            if answer.status != "error" or answer.counted != "served":
                break
            yield PlayedCall(item.tool, arguments, answer, place, item.turn, item.call_id)
            answer = world.call(item.tool, arguments)
        yield PlayedCall(item.tool, arguments, answer, place, item.turn, item.call_id)
        renamed.learn(item, answer, place)


def last_named(recorded: Sequence[RecordedCall]) -> dict[str, int]:
    """The last call whose arguments name each id-like text."""
    return {
        leaf: place for place, item in enumerate(recorded) for leaf in leaf_texts(item.arguments)
    }


def is_passed_over(item: RecordedCall, world: World) -> bool:
    """Whether a recorded call is not played: it was rejected, or it is a read without an answer."""
    if item.status != "ok":
        return True
    return item.confirmed is False and not item.write and not world.closes(item.tool)


@dataclass(slots=True)
class Renamed:
    """The ids that the source's writes made, and what this world made in their place."""

    named: Mapping[str, int] = field(default_factory=dict)
    """The last of the source's calls that names a text: an id is one that a later call names."""
    ids: dict[str, Any] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)

    def in_value(self, value: Any) -> Any:
        """The value with every text that is such an id replaced."""
        if isinstance(value, Mapping):
            return {name: self.in_value(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.in_value(item) for item in value]
        if isinstance(value, bool) or not isinstance(value, str | int):
            return value
        return self.ids.get(str(value), value)

    def learn(self, recorded: RecordedCall, answer: Answer, place: int) -> None:
        """Take note of what an accepted write made, there and here."""
        self.known.append(as_text(recorded.arguments))
        if recorded.write and answer.status == "ok":
            for pointer, there in self.made(recorded.content, place).items():
                here = made_at(pointer, answer.content)
                if here is not None:
                    self.ids[there] = here
        self.known.append(as_text(recorded.content))

    def made(self, content: Any, place: int) -> Mapping[str, str]:
        """The ids that a reply made; of a text the word that a later call names, if any is."""
        if isinstance(as_object(content), str):
            for word in words(content):
                is_used = self.named.get(word, place) > place
                if is_used and not any(stands_in(word, text) for text in self.known):
                    return {"": word}
        return new_ids(content, self.known)


def made_at(pointer: str, content: Any) -> Any:
    """The id at a pointer of an echo; the last word of an echo that is text."""
    if pointer:
        return pointed(as_object(content), pointer)[1]
    said = words(content) if isinstance(content, str) else []
    return said[-1] if said else None
