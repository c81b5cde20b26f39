"""Entries of one document that tell the same conversation: a call, and what runs around it.

Equal entries are one. So is an answer without its question, where one entry alone has that answer
with the question before it.
"""

from collections.abc import Sequence

from benchmarks.records.conversation import Turn
from benchmarks.records.digest import json_digest


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
