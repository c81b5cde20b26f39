"""When two turns of two captures are the same turn.

Two assistant turns are equal when they hold the same calls, by tool and canonical arguments or by
raw ids, whatever text stands beside them; every other turn by what it says.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.foundry.wording import normal
from benchmarks.records.conversation import (
    JsonPart,
    Media,
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

    def same(self, other: "Mark") -> bool:
        """Whether both marks stand for the same turn."""
        if self.role != other.role:
            return False
        if self.content == other.content:
            return True
        return bool(self.call_ids) and self.call_ids == other.call_ids


@dataclass(frozen=True, slots=True)
class History:
    """Turns as marks, with a digest of every prefix, so that two long histories compare fast."""

    marks: tuple[Mark, ...]
    prefixes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.marks)


def mark_of(turn: Turn) -> Mark:
    """The mark of a turn."""
    calls = turn.calls()
    if turn.role == "assistant" and calls:
        said: Any = [[call.name, _arguments(call)] for call in calls]
        return Mark(turn.role, json_digest(["calls", said]), _raw_ids(calls))
    return Mark(turn.role, json_digest(["said", *map(_said, turn.parts)]))


def history_of(turns: Sequence[Turn]) -> History:
    """The marks of all turns but the system's, which hold clocks and change from call to call."""
    marks = tuple(mark_of(turn) for turn in turns if turn.role != "system")
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
