"""The captures of a main line -> the one conversation that they are parts of."""

from collections.abc import Container, Iterable, Mapping, Sequence

from benchmarks.foundry.growing import GrowingHistory
from benchmarks.foundry.lineage import Sketch
from benchmarks.records.blocks import Usage
from benchmarks.records.conversation import (
    CallRef,
    Conversation,
    Part,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Turn,
)

COUNTERS = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "cache_write_1h_tokens",
    "reasoning_tokens",
    "reported_cost_usd",
    "calls",
    "unreported_calls",
)


def stitched(main_line: Sequence[Sketch], folded: Container[str]) -> Conversation:
    """The whole conversation: every turn as it was first given, under the first one's system.

    What a later history lacks of a turn that an earlier capture gave stays; where a history was
    folded into a summary (the captures in `folded`), so does what stood before it.
    """
    captures = [sketch.capture for sketch in main_line]
    root, last = captures[0], captures[-1].conversation
    growing = GrowingHistory(main_line[0])
    for sketch in main_line[1:]:
        growing.go_on(sketch, is_folded=sketch.key in folded)
    line = [
        (capture.conversation.granularity == "session", capture.capture_key in folded)
        for capture in captures
    ]
    return last.with_(
        granularity="session",
        dialect=root.conversation.dialect,
        turns=growing.turns,
        tools=tools_of(capture.conversation for capture in captures),
        usage=usage_of(captures[at].conversation for at in counted(line)),
        issues=growing.issues(last.issues),
    )


def counted(line: Sequence[tuple[bool, bool]]) -> list[int]:
    """The places of the captures of a main line whose usage adds up.

    Of each capture it is said whether it is a whole conversation, and whether a summary stands for
    its history. A whole conversation that grew holds what its earlier forms spent.
    """
    kept: list[int] = []
    is_held = False
    for at in range(len(line) - 1, -1, -1):
        is_whole, is_folded = line[at]
        if not (is_whole and is_held):
            kept.append(at)
        is_held = (is_held or is_whole) and not is_folded
    return kept[::-1]


def with_answers(conversation: Conversation, answers: Mapping[str, str]) -> Conversation:
    """The conversation with these texts, by call id, as results of calls that have none."""
    answered = {
        (result.call.turn, result.call.part)
        for turn in conversation.turns
        for result in turn.results()
        if result.call is not None
    }
    turns: list[Turn] = []
    place: dict[int, int] = {}
    for turn in conversation.turns:
        at = place[turn.index] = len(turns)
        turns.append(turn.with_(index=at, parts=[_moved(part, place) for part in turn.parts]))
        given: list[Part] = [
            _answer(part, CallRef(turn=at, part=position), answers[part.call_id])
            for position, part in enumerate(turn.parts)
            if isinstance(part, ToolCall)
            and part.call_id in answers
            and (turn.index, position) not in answered
        ]
        if given:
            turns.append(Turn(index=len(turns), role="tool", origin=turn.origin, parts=given))
    return conversation.with_(turns=turns)


def _answer(call: ToolCall, ref: CallRef, text: str) -> ToolResult:
    return ToolResult(
        call_id=call.call_id, name=call.name, status="ok", parts=[Text(text=text)], call=ref
    )


def _moved(part: Part, place: dict[int, int]) -> Part:
    if not isinstance(part, ToolResult) or part.call is None:
        return part
    turn = place.get(part.call.turn)
    if turn is None:
        return part.with_(call=None, orphan=True)
    return part.with_(call=CallRef(turn=turn, part=part.call.part))


def tools_of(conversations: Iterable[Conversation]) -> list[Tool]:
    """Every tool that was offered, in the order of first sight; the first definition stands."""
    found: dict[str, Tool] = {}
    for conversation in conversations:
        for tool in conversation.tools:
            found.setdefault(tool.name, tool)
    return list(found.values())


def usage_of(conversations: Iterable[Conversation]) -> Usage | None:
    """The usage of all calls together; calls without one are counted as unreported."""
    found = [conversation.usage for conversation in conversations]
    known = [usage for usage in found if usage is not None]
    if not known:
        return None
    totals: dict[str, float | int] = {}
    for name in COUNTERS:
        values = [value for usage in known if (value := getattr(usage, name)) is not None]
        if values:
            totals[name] = sum(values)
    missing = len(found) - len(known)
    if missing:
        totals["unreported_calls"] = int(totals.get("unreported_calls", 0)) + missing
    return Usage.read(totals)


def without_opening(conversation: Conversation, length: int) -> Conversation:
    """A conversation without its first turns, the system's aside; numbered anew."""
    if length == 0:
        return conversation
    body = [turn for turn in conversation.turns if turn.role != "system"]
    dropped = {turn.index for turn in body[:length]}
    kept = [turn for turn in conversation.turns if turn.index not in dropped]
    place = {turn.index: at for at, turn in enumerate(kept)}
    turns = [
        turn.with_(index=at, parts=[_moved(part, place) for part in turn.parts])
        for at, turn in enumerate(kept)
    ]
    return conversation.with_(turns=turns)
