"""Which captures are whole conversations: a call whose turns a later call repeats is none.

The build draws the lineage itself; the doctor only has to count.
"""

from collections.abc import Sequence
from itertools import accumulate

from benchmarks.records.capture import Capture
from benchmarks.records.conversation import JsonPart, Text, ToolResult, Turn
from benchmarks.records.digest import json_digest


def leaves(captures: Sequence[Capture]) -> list[Capture]:
    """The captures that no other continues, in order."""
    calls = [capture for capture in captures if capture.conversation.granularity == "call"]
    chains = {capture.capture_key: _chain(capture) for capture in calls}
    continued = {link for chain in chains.values() for link in chain[:-1]}
    return [
        capture
        for capture in captures
        if capture.capture_key not in chains or chains[capture.capture_key][-1] not in continued
    ]


def _chain(capture: Capture) -> list[str]:
    """A digest for each turn and all turns before it."""
    start = json_digest(capture.scope.dump())
    keys = (_turn_key(turn) for turn in capture.conversation.turns)
    return list(accumulate(keys, lambda before, key: json_digest([before, key]), initial=start))


def _turn_key(turn: Turn) -> str:
    """Equal for turns that do the same: the same calls, else the same words."""
    calls = [[call.name, call.arguments or call.arguments_raw] for call in turn.calls()]
    results = [_result_text(result) for result in turn.results()]
    words = "" if calls or results else " ".join(turn.text().split())
    return json_digest([turn.role, calls, results, words])


def _result_text(result: ToolResult) -> list[object]:
    return [
        part.text if isinstance(part, Text) else part.value
        for part in result.parts
        if isinstance(part, Text | JsonPart)
    ]
