"""A rollout as one list of events, from its trajectory or, while it runs, from its journal."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from benchmarks.contract.observed import result_content, spoken
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import ToolCall, ToolResult, Turn
from benchmarks.records.trajectory import Call, JournalLine, Trajectory
from runs.rollouts.marking import Met

SHOWN = frozenset({"user", "assistant", "call", "result", "final_response"})
"""The kinds of journal lines that say what happened; the rest is bookkeeping."""


def trajectory_events(trajectory: Trajectory, met: Met) -> list[JsonObject]:
    """What happened in a kept rollout, in order, with the obligations that each step met."""
    calls, texts = list(trajectory.calls), count()
    events: list[JsonObject] = []
    for turn in trajectory.turns:
        events += _turn_events(turn, calls, texts, met)
    for call in calls:
        events += _call_events(call, met)
    if trajectory.final_response is not None:
        final = trajectory.final_response
        events.append(_event("final_response", content=final, satisfies=met.at_end))
    return numbered(events)


def journal_events(lines: Iterable[JournalLine]) -> list[JsonObject]:
    """What a live journal says of one rollout; the lines are its own, and nothing is judged."""
    events, call = [], -1
    for line in lines:
        if line.kind not in SHOWN:
            continue
        said = line.dump()
        if line.kind == "call":
            call += 1
        events.append(
            _event(
                line.kind,
                tool=said.get("tool"),
                status=said.get("status"),
                write=said.get("write"),
                arguments=said.get("arguments"),
                content=said.get("content"),
                source=said.get("source"),
                call=call if line.kind in {"call", "result"} else None,
            )
        )
    return numbered(events)


def of_rollout(
    lines: Sequence[JournalLine], *, task_id: str, rollout: int
) -> list[JournalLine] | None:
    """The lines of one rollout's newest attempt; None when old lines cannot be told apart.

    Lines without a task are usable only when no line has one: an older writer kept one journal
    for an arm, and the caller must know that it had one task and one rollout.
    """
    own = [line for line in lines if (line.task_id, line.rollout) == (task_id, rollout)]
    if not own:
        return None if any(line.task_id is None for line in lines) else []
    starts = [place for place, line in enumerate(own) if line.kind == "rollout_start"]
    return own[starts[-1] :] if starts else own


def numbered(events: Iterable[JsonObject]) -> list[JsonObject]:
    """The events with their place in front."""
    return [{"index": index, **event} for index, event in enumerate(events)]


def _turn_events(
    turn: Turn, calls: list[Call], texts: Iterator[int], met: Met
) -> Iterator[JsonObject]:
    """The events of one turn; the calls that it makes are taken off the list."""
    if turn.role == "system":
        return
    said = spoken(turn)
    if said.strip():
        own = turn.role == "assistant" and turn.origin == "response"
        satisfies = met.by_text.get(next(texts), ()) if own else ()
        yield _event(turn.role, content=said, satisfies=satisfies)
    for part in turn.parts:
        if isinstance(part, ToolCall):
            call = _taken(calls, turn.index, part.call_id)
            if call is not None:
                yield from _call_events(call, met)
        elif isinstance(part, ToolResult) and part.orphan:
            content = result_content(part.parts)
            yield _event("result", tool=part.name, status=part.status, content=content)


def _taken(calls: list[Call], turn: int, call_id: str) -> Call | None:
    for place, call in enumerate(calls):
        if call.turn in {turn, None} and call.call_id == call_id:
            return calls.pop(place)
    return None


def _call_events(call: Call, met: Met) -> Iterator[JsonObject]:
    arguments = call.arguments if call.arguments is not None else call.arguments_raw
    yield _event(
        "call",
        tool=call.tool,
        status=call.status,
        write=call.write,
        arguments=arguments,
        call=call.index,
        satisfies=met.by_call.get(call.index, ()),
    )
    yield _event(
        "result",
        tool=call.tool,
        status=call.status,
        content=call.error if call.content is None else call.content,
        source=call.source,
        call=call.index,
    )


def _event(kind: str, *, satisfies: Sequence[str] = (), **parts: object) -> JsonObject:
    keys = ("tool", "status", "write", "arguments", "content", "source", "call")
    return {
        "kind": kind,
        **{key: parts.get(key) for key in keys},
        "satisfies": list(satisfies),
    }
