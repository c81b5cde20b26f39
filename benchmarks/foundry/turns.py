"""When two turns of two captures are the same turn.

Two assistant turns are equal when they hold the same calls, by tool and canonical arguments or by
raw ids, whatever text stands beside them; every other turn by what it says, its reasoning aside.
Results under the same raw ids are the same turn where one form of it was cut, and so are words
beside media of which one form is a reference.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.foundry.wording import normal
from benchmarks.intake.drafting.echoes import is_lesser, is_lighter
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
    Turn,
    UnknownPart,
)
from benchmarks.records.digest import bytes_digest, json_digest

GIVEN_ID = re.compile(r"call-\d+")
"""Ids that intake gave to calls without one: equal by position, so they prove nothing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a turn is compared by."""

    role: str
    content: str
    call_ids: tuple[str, ...] = ()
    turn: Turn | None = field(default=None, compare=False, repr=False)
    """The turn, where a lesser form of it is the same turn."""

    def same(self, other: "Mark") -> bool:
        """Whether both marks stand for the same turn."""
        if self.role != other.role:
            return False
        if self.content == other.content:
            return True
        if self.call_ids:
            return self.call_ids == other.call_ids
        if self.turn is None or other.turn is None:
            return False
        return _is_form(self.turn, other.turn) or _is_form(other.turn, self.turn)


@dataclass(frozen=True, slots=True)
class History:
    """Turns as marks, with a digest of every prefix, so that two long histories compare fast."""

    marks: tuple[Mark, ...]
    prefixes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.marks)

    def up_to(self, length: int) -> "History":
        """The first turns of it."""
        return History(self.marks[:length], self.prefixes[:length])


def mark_of(turn: Turn) -> Mark:
    """The mark of a turn."""
    calls = turn.calls()
    if turn.role == "assistant" and calls:
        said: Any = [[call.name, _arguments(call)] for call in calls]
        return Mark(turn.role, json_digest(["calls", said]), _raw_ids(calls))
    content = json_digest(["said", *_words(turn)])
    return Mark(turn.role, content, turn=turn if _has_forms(turn) else None)


class Marks:
    """The marks of turns, each made once: the captures of a growing history hold the same turns."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Turn, Mark]] = {}

    def of(self, turn: Turn) -> Mark:
        """The mark of a turn."""
        found = self._made.get(id(turn))
        if found is None:
            # The turn is held too: its id stays its own.
            found = self._made[id(turn)] = (turn, mark_of(turn))
        return found[1]


def history_of(turns: Sequence[Turn], made: Marks | None = None) -> History:
    """The marks of all turns but the system's, which hold clocks and change from call to call."""
    marked = mark_of if made is None else made.of
    marks = tuple(marked(turn) for turn in turns if turn.role != "system")
    prefixes = []
    before = ""
    for mark in marks:
        before = bytes_digest(f"{before}{mark.role}{mark.content}".encode())
        prefixes.append(before)
    return History(marks, tuple(prefixes))


def common_prefix(left: History, right: History) -> int:
    """How many turns both begin with."""
    shared = _equal_prefix(left.prefixes, right.prefixes)
    for one, other in zip(left.marks[shared:], right.marks[shared:], strict=False):
        if not one.same(other):
            break
        shared += 1
    return shared


def echoes(earlier: History, later: History) -> list[tuple[int, int]]:
    """The turns of a history that a later one goes through, from the first on, as pairs of places.

    A turn of results that the later one leaves out is passed over where it goes on after it.
    """
    shared = _equal_prefix(earlier.prefixes, later.prefixes)
    pairs = [(place, place) for place in range(shared)]
    one = other = shared
    while one < len(earlier) and other < len(later):
        if earlier.marks[one].same(later.marks[other]):
            pairs.append((one, other))
            other += 1
        elif earlier.marks[one].role != "tool":
            break
        one += 1
    return pairs


def gone_through(later: History, earlier: History) -> int:
    """How many turns of a history a later one goes through; see `echoes`."""
    shared = _equal_prefix(earlier.prefixes, later.prefixes)
    if shared in (len(earlier), len(later)):
        return shared
    pairs = echoes(earlier, later)
    return pairs[-1][0] + 1 if pairs else 0


def system_text(turns: Sequence[Turn]) -> str:
    """What the system says, its turns joined by a blank line; empty when it says nothing."""
    said = (turn.text() for turn in turns if turn.role == "system")
    return "\n\n".join(text for text in said if text)


def _equal_prefix(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of the longest prefix with one digest, by bisection."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[middle - 1] == right[middle - 1]:
            low = middle
        else:
            high = middle - 1
    return low


def _words(turn: Turn) -> list[Any]:
    """What a turn says; an answer's texts are one, however many parts it came in."""
    parts = [part for part in turn.parts if not isinstance(part, Reasoning)]
    if turn.role != "assistant":
        return [_said(part) for part in parts]
    texts = [part.text for part in parts if isinstance(part, Text | Refusal)]
    others = [_said(part) for part in parts if not isinstance(part, Text | Refusal)]
    return [normal("\n".join(texts)), *others]


def _has_forms(turn: Turn) -> bool:
    """Whether another form of the turn may be the same turn."""
    if turn.role == "tool":
        ids = [result.call_id for result in turn.results()]
        return bool(ids) and not any(not one or GIVEN_ID.fullmatch(one) for one in ids)
    return turn.role == "user" and any(isinstance(part, Media) for part in turn.parts)


def _is_form(lesser: Turn, full: Turn) -> bool:
    if lesser.role == "tool":
        return is_lesser(lesser.results(), full.results())
    return is_lighter(lesser.parts, full.parts)


def _arguments(call: ToolCall) -> Any:
    return call.arguments if call.arguments is not None else {"raw": call.arguments_raw}


def _raw_ids(calls: Sequence[ToolCall]) -> tuple[str, ...]:
    ids = tuple(call.call_id for call in calls)
    return () if any(not one or GIVEN_ID.fullmatch(one) for one in ids) else ids


def _said(part: Any) -> Any:
    if isinstance(part, Text | Refusal):
        return normal(part.text)
    if isinstance(part, JsonPart | UnknownPart):
        return {"value": part.value}
    if isinstance(part, Media):
        return {"media": part.mime, "uri": part.uri, "content": part.content}
    if isinstance(part, ToolResult):
        return {"result": [_said(inner) for inner in part.parts]}
    return None
