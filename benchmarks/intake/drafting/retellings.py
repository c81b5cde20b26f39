"""Entries of one document that tell the same conversation: a call, and what runs around it.

Equal entries are one. So is an answer without its question, where one entry alone has that answer
with the question before it, and an answer of several calls, where another entry tells the calls
one by one with their results: the same raw ids in the same order, after the same beginning.
"""

import re
from collections.abc import Iterator, Sequence

from benchmarks.records.conversation import ToolCall, Turn
from benchmarks.records.digest import json_digest

GIVEN_ID = re.compile(r"call-\d+")
"""Ids that calls without one were given: equal by position, so they prove nothing."""


def fullest(told: Sequence[Sequence[Turn]]) -> list[int]:
    """For each entry the place of the one that tells it in full; mostly its own."""
    places: dict[str, int] = {}
    for place, turns in enumerate(told):
        for digest in _one_by_one(turns):
            if len(turns) > len(told[places.setdefault(digest, place)]):
                places[digest] = place
    return [places.get(_at_once(turns) or "", place) for place, turns in enumerate(told)]


def names_of(told: Sequence[Sequence[Turn]]) -> list[str]:
    """A name for each entry of a document by its turns: one name for those that are one."""
    whole = [_digest(turns) for turns in told]
    questioned: dict[str, set[str]] = {}
    for name, turns in zip(whole, told, strict=True):
        answer = [turn for turn in turns if turn.origin == "response"]
        if answer and _is_questioned(turns):
            questioned.setdefault(_digest(answer), set()).add(name)
    found = [
        name if _is_questioned(turns) else _only(questioned.get(name, ()), name)
        for name, turns in zip(whole, told, strict=True)
    ]
    document = json_digest(sorted(found))
    return [json_digest([document, name]) for name in found]


def _is_questioned(turns: Sequence[Turn]) -> bool:
    return any(turn.role == "user" for turn in turns)


def _only(names: Sequence[str] | set[str], otherwise: str) -> str:
    return next(iter(names)) if len(names) == 1 else otherwise


def _digest(turns: Sequence[Turn]) -> str:
    return json_digest([[turn.role, [part.dump() for part in turn.parts]] for turn in turns])


def _at_once(turns: Sequence[Turn]) -> str | None:
    """What the calls of an answer of several turns are known by, if it is all calls."""
    answer = [turn for turn in turns if turn.origin == "response"]
    before = turns[: len(turns) - len(answer)]
    if len(answer) < 2 or any(turn.calls() for turn in before):
        return None
    digest = _digest(before)
    for turn in answer:
        calls = _own_calls(turn)
        if not calls:
            return None
        digest = _with_calls(digest, calls)
    return digest


def _one_by_one(turns: Sequence[Turn]) -> Iterator[str]:
    """What the calls up to each turn are known by, while nothing but calls and results follow."""
    first = next((at for at, turn in enumerate(turns) if turn.calls()), len(turns))
    if not any(turn.role == "tool" for turn in turns[first:]):
        return
    digest = _digest(turns[:first])
    for turn in turns[first:]:
        if turn.role == "tool":
            continue
        calls = _own_calls(turn)
        if not calls:
            return
        digest = _with_calls(digest, calls)
        yield digest


def _own_calls(turn: Turn) -> list[ToolCall]:
    """The calls of a turn of the model, if each has an id of its own."""
    calls = turn.calls() if turn.role == "assistant" else []
    return [] if any(GIVEN_ID.fullmatch(call.call_id) for call in calls) else calls


def _with_calls(digest: str, calls: Sequence[ToolCall]) -> str:
    return json_digest([digest, [call.dump() for call in calls]])
