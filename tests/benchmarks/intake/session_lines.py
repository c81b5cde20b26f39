"""Records of session logs, read as one group a session, and what came of them in short."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.reading import Reading
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Conversation


def found(record: Any, line: int = 1, path: str = "log.jsonl") -> Found:
    digest = sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    return Found(record, f"{path}#L{line}", digest, digest, path, "c")


def pieces(
    dialect: GroupDialect, records: Sequence[Any], *, path: str = "log.jsonl"
) -> list[Piece]:
    """The conversations in the lines of one file, group by group."""
    return pieces_of(dialect, [found(one, at, path) for at, one in enumerate(records, start=1)])


def pieces_of(dialect: GroupDialect, founds: Sequence[Found]) -> list[Piece]:
    groups: dict[str, list[Found]] = {}
    for one in founds:
        assert dialect.detect(one.record), one.record
        for key in dialect.keys(one):
            groups.setdefault(key, []).append(one)
    return [piece for key, own in groups.items() for piece in dialect.read(key, own)]


def readings(dialect: GroupDialect, records: Sequence[Any]) -> list[Reading]:
    results = [piece.result for piece in pieces(dialect, records)]
    assert all(isinstance(result, Reading) for result in results), results
    return results  # type: ignore[return-value]


def conversation(dialect: GroupDialect, records: Sequence[Any]) -> Conversation:
    (reading,) = readings(dialect, records)
    return reading.conversation


def shape(conversation: Conversation) -> list[str]:
    """Each turn in one word or more: who, the text, `!` calls and `?` results with their status."""
    return [
        " ".join([
            turn.role,
            *([turn.text()] if turn.text() else []),
            *(f"!{call.name}" for call in turn.calls()),
            *(f"?{result.name}:{result.status}" for result in turn.results()),
        ])
        for turn in conversation.turns
    ]
