"""What the tests of dialects ask of every conversation, and give to every dialect."""

from collections.abc import Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.reading import Reading
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Conversation

ODD: list[Any] = [None, True, 3, 1.5, "x", [], [1], {}, {"type": 5}, [{"role": 4}], [[]]]
"""What no field is meant to hold."""


def founds(records: Sequence[Any], path: str = "f") -> list[Found]:
    """The records as lines of one file."""
    return [
        Found(one, f"{path}#L{at + 1}", f"s{at}", f"r{at}", path, "c")
        for at, one in enumerate(records)
    ]


def pieces_of(dialect: GroupDialect, *records: Any, path: str = "f") -> list[Piece]:
    """All that a dialect makes of records, group by group."""
    listed = founds(records, path)
    keys = dict.fromkeys(key for one in listed for key in dialect.keys(one))
    groups = {key: [one for one in listed if key in dialect.keys(one)] for key in keys}
    return [piece for key, group in groups.items() for piece in dialect.read(key, group)]


def reading_of(pieces: Sequence[Piece]) -> Reading:
    """The one reading of some pieces."""
    (piece,) = pieces
    assert isinstance(piece.result, Reading)
    return piece.result


def shape(found: Conversation) -> list[tuple[str, str, list[str], list[str]]]:
    """Who says what, calls which tools and comes back how, turn by turn."""
    return [
        (
            turn.role,
            turn.text(),
            [call.name for call in turn.calls()],
            [result.status for result in turn.results()],
        )
        for turn in found.turns
    ]


def calls_in(found: Conversation) -> list[tuple[str, Any]]:
    """Every call: its id and its arguments."""
    return [(call.call_id, call.arguments) for turn in found.turns for call in turn.calls()]


def results_in(found: Conversation) -> list[tuple[Any, ...]]:
    """Every result: where its call stands, and what its first part holds."""
    results = [result for turn in found.turns for result in turn.results()]
    return [
        (r.call and (r.call.turn, r.call.part), r.parts and r.parts[0].dump().get(_value(r)))
        for r in results
    ]


def _value(result: Any) -> str:
    return "text" if result.parts[0].type == "text" else "value"
