"""What a history that is sent back lacks of what was said, and how it is made whole.

A client's history is an echo: it may leave out text beside a call, reasoning and what a provider's
own tool answered, name media by reference, write arguments anew and cut long results. The turn as
it was first given is the truth; of its echo only what the given turn has not is kept, and the ids
that later results answer.
"""

import re
from collections.abc import Iterator, Sequence

from benchmarks.records.conversation import (
    CallRef,
    Media,
    Part,
    Reasoning,
    Refusal,
    ResultPart,
    Text,
    ToolCall,
    ToolResult,
    Turn,
)

CUT = re.compile(
    r"[\[(<{…][^\[\](){}<>]{0,80}\b(?:truncated|cleared|omitted|trimmed|elided|removed)\b"
    r"[^\[\](){}<>]{0,80}[\])>}…]\s*$",
    re.IGNORECASE,
)
"""A mark at the end of a text by which whoever cut it says so."""
CUT_TAIL = 200
WRAPPED = re.compile(r"\s*<(\w{1,40})>(.*)</\1>\s*", re.DOTALL)
ABOUT = ("source_index", "id", "at", "model", "name", "agent", "usage", "stop", "latency_ms")


def made_whole(given: Turn, echo: Turn) -> Turn:
    """The given turn under the echo's call ids, with whatever the echo alone holds.

    Results inside the turn still point at its calls, by their places in the turn that comes back.
    """
    parts = list(given.parts)
    if parts != echo.parts:
        merging = _Merging(given, echo)
        for part in parts:
            merging.take_given(part)
        merging.take_extras()
        parts = _pointed(merging.parts, given.index)
    about = {
        name: getattr(echo, name)
        for name in ABOUT
        if getattr(given, name) is None and getattr(echo, name) is not None
    }
    return given.with_(parts=parts, **about)


def is_lesser(lesser: Sequence[ToolResult], full: Sequence[ToolResult]) -> bool:
    """Whether results are those of a fuller turn, some of them cut or left out."""
    by_id = {result.call_id: result for result in full}
    return bool(lesser) and all(
        one.call_id in by_id and _is_lesser_result(one, by_id[one.call_id]) for one in lesser
    )


def is_lighter(lighter: Sequence[Part], full: Sequence[Part]) -> bool:
    """Whether parts are those of a fuller turn, its media named by reference."""
    if len(lighter) != len(full) or not any(isinstance(part, Media) for part in full):
        return False
    return all(
        _is_reference(one, other) if isinstance(other, Media) else one == other
        for one, other in zip(lighter, full, strict=True)
    )


def is_cut(text: str, full: str) -> bool:
    """Whether a text is what was left of a longer one: its beginning, or marked as cut."""
    if _is_marked(text) and not _is_marked(full):
        return True
    return len(text) < len(full) and (full.startswith(text.rstrip()) or _is_marked(text))


class _Merging:
    """The parts of two forms of one turn, as one list."""

    def __init__(self, given: Turn, echo: Turn) -> None:
        self.parts: list[Part] = []
        self._echo = echo
        self._calls = dict(zip(map(id, given.calls()), echo.calls(), strict=False))
        self._results = _paired(given, echo)
        self._taken: set[int] = set()
        self._given_words = _words(given.parts)
        self._after: dict[int, int] = {}
        """Where the parts of the echo that stand for a given part came to stand."""

    def take_given(self, part: Part) -> None:
        """Take one part of the given turn, with what its echo says of it."""
        twin: Part | None = None
        if isinstance(part, ToolCall):
            twin = self._calls.get(id(part))
            if twin is not None:
                part = part.with_(call_id=twin.call_id)
        elif isinstance(part, ToolResult):
            call_id, twin = self._results[id(part)]
            part = _fuller(part, twin).with_(call_id=call_id)
        else:
            twin = self._equal(part)
        if twin is not None:
            self._taken.add(id(twin))
            self._after[id(twin)] = len(self.parts)
        self.parts.append(part)

    def take_extras(self) -> None:
        """Put the parts that the echo alone holds after those that they stand behind there."""
        place = -1
        for part in self._echo.parts:
            if id(part) in self._taken:
                place = max(place, self._after.get(id(part), place))
            elif not self._is_said(part):
                place += 1
                self.parts.insert(place, part)
                self._after = {
                    key: at + 1 if at >= place else at for key, at in self._after.items()
                }

    def _equal(self, part: Part) -> Part | None:
        return next(
            (one for one in self._echo.parts if id(one) not in self._taken and one == part), None
        )

    def _is_said(self, part: Part) -> bool:
        """Whether a part of the echo only renders what the given turn holds in another form."""
        held = [one for one in self.parts if type(one) is type(part)]
        if isinstance(part, Reasoning) and not part.text:
            return bool(held)
        if isinstance(part, Text | Refusal | Reasoning):
            words = _bare(part.text or "")
            return any(words == one or is_cut(words, one) for one in self._given_words)
        if isinstance(part, Media):
            return any(isinstance(one, Media) and _is_reference(part, one) for one in held)
        return False


def _paired(given: Turn, echo: Turn) -> dict[int, tuple[str, ToolResult | None]]:
    """For each result of the given turn its id and its form in the echo: by id, else in order."""
    ids = dict(zip(_ids(given), _ids(echo), strict=False))
    waiting: dict[str, list[ToolResult]] = {}
    for result in echo.results():
        waiting.setdefault(result.call_id, []).append(result)
    found: dict[int, tuple[str, ToolResult | None]] = {}
    for result in given.results():
        call_id = ids.get(result.call_id, result.call_id)
        same = waiting.get(call_id)
        found[id(result)] = (call_id, same.pop(0) if same else None)
    rest = [result for results in waiting.values() for result in results]
    alone = [result for result in given.results() if found[id(result)][1] is None]
    if len(rest) == len(alone):
        for result, twin in zip(alone, rest, strict=True):
            found[id(result)] = (twin.call_id, twin)
    return found


def _ids(turn: Turn) -> Iterator[str]:
    return (call.call_id for call in turn.calls())


def _words(parts: Sequence[Part]) -> list[str]:
    """What the parts say, each alone and all that are of one kind together, without blanks."""
    found: list[str] = []
    for kinds in ((Text, Refusal), (Reasoning,)):
        said = [_bare(part.text or "") for part in parts if isinstance(part, kinds)]
        found += [*said, "".join(said)]
    return [words for words in found if words]


def _bare(text: str) -> str:
    """A text without blanks and without one pair of tags around it."""
    wrapped = WRAPPED.fullmatch(text)
    return "".join((wrapped[2] if wrapped else text).casefold().split())


def _fuller(given: ToolResult, echo: ToolResult | None) -> ToolResult:
    """The result as given, but for one that was cut or empty where its echo is not."""
    if echo is None:
        return given
    is_more = not given.parts or _is_lesser_result(given, echo)
    return given.with_(parts=echo.parts, status=echo.status) if is_more and echo.parts else given


def _is_lesser_result(lesser: ToolResult, full: ToolResult) -> bool:
    """Whether a result is another, equal to it, cut, or with references in place of media."""
    if lesser.parts == full.parts or not lesser.parts:
        return True
    if all(isinstance(part, Text) for part in lesser.parts):
        text, whole = _text(lesser.parts), _text(full.parts)
        # A value has no beginning: only a mark says that a text stands for it.
        return is_cut(text, whole) if whole else not text or _is_marked(text)
    return is_lighter(lesser.parts, full.parts)


def _is_marked(text: str) -> bool:
    return CUT.search(text[-CUT_TAIL:]) is not None


def _text(parts: Sequence[ResultPart]) -> str:
    return "\n".join(part.text for part in parts if isinstance(part, Text))


def _is_reference(part: Part, full: Media) -> bool:
    if part == full:
        return True
    return isinstance(part, Media) and part.media == full.media and part.content is None


def _pointed(parts: Sequence[Part], turn: int) -> list[Part]:
    """The parts with each result of a call that stands in the same turn pointing at it."""
    waiting: dict[str, list[int]] = {}
    for place, part in enumerate(parts):
        if isinstance(part, ToolCall):
            waiting.setdefault(part.call_id, []).append(place)
    found: list[Part] = []
    for part in parts:
        if isinstance(part, ToolResult) and (part.call is None or part.call.turn == turn):
            places = waiting.get(part.call_id)
            if places:
                part = part.with_(call=CallRef(turn=turn, part=places.pop(0)), orphan=None)
        found.append(part)
    return found
