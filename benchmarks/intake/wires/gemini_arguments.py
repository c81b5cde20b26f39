"""Arguments of a Gemini call that came in pieces: `partialArgs` of a path and a value each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.values import either, objects
from benchmarks.records.base import JsonObject

STEP = re.compile(r"""\.([^.\[\]'"]+)|\[(\d{1,4})\]|\['([^']*)'\]|\["([^"]*)"\]""")
"""One step of a JSON path: a name, a place in a list, or a name in quotes."""
VALUES = ("stringValue", "numberValue", "boolValue")
ROOT = "$"

Path = tuple[str | int, ...]


@dataclass(slots=True)
class PartialCall:
    """A call while its pieces come in."""

    about: JsonObject
    """What its first piece said: name, id, and arguments that came whole."""
    pieces: dict[str, list[Any]] = field(default_factory=dict)
    """The values of each path as it was written, in order."""
    is_open: bool = False

    def take(self, piece: JsonObject) -> None:
        """Add what one piece says."""
        for one in objects(either(piece, "partialArgs")):
            path = either(one, "jsonPath")
            self.pieces.setdefault(path if isinstance(path, str) else ROOT, []).append(_value(one))
        self.is_open = either(piece, "willContinue") is True

    def whole(self) -> JsonObject:
        """The call as it would have come in one piece."""
        given = self.about.get("args")
        args: JsonObject = {**given} if isinstance(given, dict) else {}
        for written, values in self.pieces.items():
            _place(args, written, _joined(values))
        return {
            **{key: self.about[key] for key in ("id", "name") if key in self.about},
            "args": args,
        }


def is_partial(call: JsonObject) -> bool:
    """Whether a call is the first of several pieces."""
    return either(call, "willContinue") is True or bool(either(call, "partialArgs"))


def _value(piece: JsonObject) -> Any:
    return next((found for key in VALUES if (found := either(piece, key)) is not None), None)


def _joined(values: Sequence[Any]) -> Any:
    """Texts of one path are one text; of other values the last one counts."""
    if all(isinstance(value, str) for value in values):
        return "".join(values)
    said = [value for value in values if value is not None]
    return said[-1] if said else None


def _place(args: JsonObject, written: str, value: Any) -> None:
    """Put a value where its path leads; under the path itself where that leads nowhere."""
    path = _steps(written)
    if path is None or not _placed(args, path, value):
        args[written] = value


def _steps(written: str) -> Path | None:
    steps: list[str | int] = []
    position = len(ROOT) if written.startswith(ROOT) else -1
    while 0 <= position < len(written):
        match = STEP.match(written, position)
        if match is None:
            return None
        name, place, single, double = match.groups()
        steps.append(
            int(place) if place else next(n for n in (name, single, double) if n is not None)
        )
        position = match.end()
    return tuple(steps) if steps and isinstance(steps[0], str) else None


def _placed(holder: Any, path: Path, value: Any) -> bool:
    """Whether there was room for the value: lists are filled in order, nothing is overwritten."""
    for step, after in zip(path, path[1:], strict=False):
        empty: Any = {} if isinstance(after, str) else []
        if not _make_room(holder, step, empty):
            return False
        holder = holder[step]
    if not _make_room(holder, path[-1], value):
        return False
    holder[path[-1]] = value
    return True


def _make_room(holder: Any, step: str | int, empty: Any) -> bool:
    if isinstance(step, str):
        if not isinstance(holder, dict):
            return False
        holder.setdefault(step, empty)
        return True
    if not isinstance(holder, list) or step > len(holder):
        return False
    if step == len(holder):
        holder.append(empty)
    return True
