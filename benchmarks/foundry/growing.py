"""One conversation as its captures tell it, each holding more of it than the one before.

Every capture repeats the turns before its own. The repeated turn is an echo: the turn as it was
first given stays in its place, and only what came anew is added.
"""

from collections.abc import Iterable, Sequence

from benchmarks.foundry.lineage import Sketch
from benchmarks.foundry.turns import echoes
from benchmarks.intake.drafting.echoes import made_whole
from benchmarks.records.conversation import (
    CallRef,
    Issue,
    Part,
    ToolCall,
    ToolResult,
    Turn,
)


class GrowingHistory:
    """The turns so far; results point at their calls by the places of these turns."""

    def __init__(self, root: Sketch) -> None:
        self.turns: list[Turn] = []
        self._place: dict[int, int] = {}
        """Where the turns of the newest capture stand, by their index there."""
        self._newest = root
        self._fresh = 0
        """How many turns of the newest capture, the system's aside, were held before it."""
        self._append(_turns(root))

    def go_on(self, sketch: Sketch, *, is_folded: bool) -> None:
        """Take in the next capture; where `is_folded`, a summary stands for its history."""
        before, own = _body(self._newest), _body(sketch)
        pairs = self._overlap(sketch) if is_folded else echoes(self._newest.whole, sketch.whole)
        pairs = [(one, other) for one, other in pairs if before[one].index in self._place]
        fresh = [(one, other) for one, other in pairs if one >= self._fresh]
        place = {own[other].index: self._place[before[one].index] for one, other in pairs}
        rest = _turns(sketch)[_opening(_turns(sketch)) :]
        if pairs:
            last = own[pairs[-1][1]].index
            rest = [turn for turn in rest if turn.index > last]
        self.turns = self.turns[: max(place.values(), default=_opening(self.turns) - 1) + 1]
        self._place, self._newest = place, sketch
        self._fresh = pairs[-1][1] + 1 if pairs else 0
        for _, other in fresh:
            self._see_again(own[other])
        self._append(turn for turn in rest if not self._is_repeated(turn))

    def issues(self, found: Sequence[Issue]) -> list[Issue]:
        """The newest capture's issues at the places of their turns, without what was made good."""
        answered = {
            (result.call.turn, result.call.part)
            for turn in self.turns
            for result in turn.results()
            if result.call is not None
        }
        placed = [self._issue_here(issue) for issue in found]
        return [
            issue
            for issue in placed
            if issue.code != "missing_result" or (issue.turn, issue.part) not in answered
        ]

    def _overlap(self, sketch: Sketch) -> list[tuple[int, int]]:
        """Where a folded history holds the last turn before it."""
        marks = self._newest.whole.marks
        found = [at for at, mark in enumerate(sketch.whole.marks) if mark.same(marks[-1])]
        return [(len(marks) - 1, found[-1])] if found else []

    def _see_again(self, echo: Turn) -> None:
        """Keep what an echo holds that the turn has not; an answer made anew replaces it."""
        at = self._place[echo.index]
        old = self.turns[at]
        here = self._here(echo, at)
        is_anew = echo.origin == "response" and not self._newest.is_whole
        self.turns[at] = self._paid(here) if is_anew else made_whole(old, here)
        for later in range(at + 1, len(self.turns)):
            turn = self.turns[later]
            if any(result.call and result.call.turn == at for result in turn.results()):
                parts = [_following(part, old, self.turns[at]) for part in turn.parts]
                self.turns[later] = turn.with_(parts=parts)

    def _append(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            at = self._place[turn.index] = len(self.turns)
            self.turns.append(self._paid(self._here(turn, at)))

    def _is_repeated(self, turn: Turn) -> bool:
        """Whether the system says again what it said."""
        return turn.role == "system" and any(
            one.role == "system" and one.parts == turn.parts for one in self.turns
        )

    def _paid(self, turn: Turn) -> Turn:
        """An answer with what its call spent, where the capture is that one call."""
        usage = self._newest.capture.conversation.usage
        is_answer = turn.origin == "response" and turn.role == "assistant"
        if self._newest.is_whole or not is_answer or usage is None or turn.usage is not None:
            return turn
        return turn.with_(usage=usage)

    def _here(self, turn: Turn, at: int) -> Turn:
        """A turn of the newest capture, its results pointing at their calls here."""
        results = any(isinstance(part, ToolResult) for part in turn.parts)
        parts = [self._pointed(part, at) for part in turn.parts] if results else turn.parts
        return turn.with_(index=at, parts=parts)

    def _pointed(self, part: Part, at: int) -> Part:
        if not isinstance(part, ToolResult) or part.call is None:
            return part
        turn = self._place.get(part.call.turn)
        if turn is None:
            return part.with_(call=None, orphan=True)
        place = part.call.part
        if turn < at:
            place = _same_call(
                _indexed(_turns(self._newest), part.call.turn), place, self.turns[turn]
            )
        return part.with_(call=CallRef(turn=turn, part=place))

    def _issue_here(self, issue: Issue) -> Issue:
        turn = self._place.get(issue.turn) if issue.turn is not None else None
        if issue.turn is None or turn is None:
            return issue
        part = issue.part
        if part is not None:
            part = _same_call(_indexed(_turns(self._newest), issue.turn), part, self.turns[turn])
        return issue.with_(turn=turn, part=part)


def _turns(sketch: Sketch) -> Sequence[Turn]:
    return sketch.capture.conversation.turns


def _body(sketch: Sketch) -> list[Turn]:
    """The turns that a history is compared by."""
    return [turn for turn in _turns(sketch) if turn.role != "system"]


def _opening(turns: Sequence[Turn]) -> int:
    """How many turns of the system a conversation opens with."""
    return next((at for at, turn in enumerate(turns) if turn.role != "system"), len(turns))


def _indexed(turns: Sequence[Turn], index: int) -> Turn:
    if index < len(turns) and turns[index].index == index:
        return turns[index]
    return next(turn for turn in turns if turn.index == index)


def _same_call(turn: Turn, part: int, other: Turn) -> int:
    """Where a call of a turn stands in another form of the turn: both hold the same calls."""
    places = [at for at, one in enumerate(turn.parts) if isinstance(one, ToolCall)]
    others = [at for at, one in enumerate(other.parts) if isinstance(one, ToolCall)]
    if part not in places or len(places) != len(others):
        return part
    return others[places.index(part)]


def _following(part: Part, old: Turn, new: Turn) -> Part:
    """A result that points at a call of the old turn, pointing at the call in the new one."""
    if not isinstance(part, ToolResult) or part.call is None or part.call.turn != new.index:
        return part
    place = _same_call(old, part.call.part, new)
    return part.with_(call=CallRef(turn=new.index, part=place))
