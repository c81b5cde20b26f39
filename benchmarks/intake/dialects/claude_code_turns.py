"""The nodes of one conversation as turns: what was said, called and given back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.intake.dialects.anthropic_blocks import block_pieces
from benchmarks.intake.dialects.anthropic_messages import STOPS
from benchmarks.intake.dialects.claude_code_lines import (
    Kind,
    Line,
    texts_in,
    tool_use_result,
    typed,
)
from benchmarks.intake.dialects.claude_code_nodes import Node
from benchmarks.intake.dialects.claude_code_paths import Path
from benchmarks.intake.drafting.draft import Draft, ResultFound
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.sessions import SessionParts, session_reading, usage_of_turns
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.values import word
from benchmarks.intake.wires.calls import stop_of
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.usage import anthropic_usage
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import End, JsonPart, ResultPart, Text, Tool, Turn
from benchmarks.records.times import stamp

NAME = "claude_code"
REFUSED_BY_USER = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "[Request interrupted by user",
    "User rejected tool use",
)
"""How a result begins when the user said no; not every version marks it as an error."""
LIMITS = frozenset({"error_max_turns", "error_max_budget_usd"})


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose conversation it is."""

    session: str | None
    capture_id: str
    helper: str | None


def conversation_of(path: Path, speaker: Speaker) -> Reading | None:
    """The conversation on one way through a session; None when nobody says anything on it."""
    draft = Draft()
    counted_before = 0
    for position, node in enumerate(path.nodes):
        if position == path.shared:
            counted_before = len(draft.turns)
        _add(draft, node, speaker.helper, counted=position >= path.shared)
    if not draft.turns:
        return None
    draft.close()
    raw_stop = next((node.stop for node in reversed(path.nodes) if node.stop), None)
    parts = SessionParts(
        NAME, end=_end(draft, path.nodes), tools=_tools(path.nodes), stop=stop_of(raw_stop, STOPS)
    )
    reading = session_reading(draft, _frame(path, speaker), parts)
    conversation = reading.conversation.with_(
        usage=_usage(draft.turns[counted_before:], path.nodes),
        alternatives=[_alternative(node, at) for at, node in enumerate(path.beside)],
        loss={"alternate_branch": path.cut} if path.cut else None,
    )
    return replace(reading, conversation=conversation)


def _add(draft: Draft, node: Node, helper: str | None, *, counted: bool) -> None:
    line = node.line
    about: dict[str, Any] = {"source_index": line.at, "at": _time(line), "agent": helper}
    if node.kind is Kind.ANSWER:
        _add_answer(draft, node, about, counted=counted)
    elif node.kind is Kind.PROMPT:
        pieces = block_pieces(draft, typed(line.message.get("content")))
        if pieces:
            draft.add("user", pieces, id=line.uuid, **about)
    elif node.kind is Kind.RESULT:
        _add_results(draft, line, about)


def _add_answer(draft: Draft, node: Node, about: Mapping[str, Any], *, counted: bool) -> None:
    pieces = block_pieces(draft, node.blocks)
    if not pieces:
        return
    read = anthropic_usage(node.usage)
    if read.issue and node.usage is not None:
        draft.note(read.issue, len(draft.turns), None, read.detail)
    draft.add(
        "assistant",
        pieces,
        id=node.line.message_id,
        model=word(node.line.message.get("model")),
        usage=read.usage if counted else None,
        stop=node.stop,
        **about,
    )


def _add_results(draft: Draft, line: Line, about: Mapping[str, Any]) -> None:
    """The results of a user's line as one turn, what the user said beside them as another."""
    found = block_pieces(draft, typed(line.message.get("content")))
    beside = _beside(tool_use_result(line.record))
    results = [_whole(piece, beside) for piece in found if isinstance(piece, ResultFound)]
    rest = [piece for piece in found if not isinstance(piece, ResultFound)]
    if not results:
        results = [_whole(ResultFound(None, None, []), beside)]
    draft.add("tool", results, id=line.uuid, **about)
    if rest:
        draft.add("user", rest, **about)


def _beside(found: Any) -> list[ResultPart]:
    """What the program keeps of a result beside the message."""
    if found is None or found == "":
        return []
    return [Text(text=found)] if isinstance(found, str) else [JsonPart(value=found)]


def _whole(result: ResultFound, beside: Sequence[ResultPart]) -> ResultFound:
    """A result with its text, which may stand beside it only; the user's no is an error."""
    parts = result.parts or beside
    said = [part.text for part in [*parts, *beside] if isinstance(part, Text)]
    refused = any(text.lstrip().startswith(REFUSED_BY_USER) for text in said)
    return replace(result, parts=parts, failed=True if refused else result.failed)


def _alternative(node: Node, position: int) -> Turn:
    """An answer that was made again, read by itself: its calls are nobody's."""
    draft = Draft()
    _add(draft, node, None, counted=True)
    found = draft.turns or [draft.add("assistant", [])]
    return found[0].with_(index=position)


def _end(draft: Draft, nodes: Sequence[Node]) -> End:
    last = next(
        (node for node in reversed(nodes) if node.kind not in {Kind.NOISE, Kind.ECHO, Kind.CLEAR}),
        None,
    )
    if last is None or last.kind not in {Kind.ERROR, Kind.TOTAL}:
        return end_of(draft.turns)
    if last.kind is Kind.ERROR:
        return end_of(draft.turns, failed=" ".join(texts_in(last.line.message.get("content"))))
    how = word(last.line.record.get("subtype")) or ""
    failed = last.line.record.get("is_error") is True
    return end_of(
        draft.turns, limit=how if how in LIMITS else "", failed=(how or "error") if failed else ""
    )


def _tools(nodes: Iterable[Node]) -> list[Tool]:
    """The tools that a stream names at its start; no log tells their definitions."""
    started = next((node.line.record for node in nodes if node.kind is Kind.START), {})
    named = started.get("tools")
    names = (word(name) for name in (named if isinstance(named, list) else []))
    return [Tool(name=name, inferred=True) for name in dict.fromkeys(names) if name is not None]


def _usage(turns: Iterable[Turn], nodes: Sequence[Node]) -> Usage | None:
    """The sum over the turns; what a stream says of itself at its end, where that is more.

    The messages of a stream carry the counts of the moment in which they began.
    """
    summed = usage_of_turns(turns)
    total = next((node for node in reversed(nodes) if node.kind is Kind.TOTAL), None)
    if total is None:
        return summed
    told = anthropic_usage(total.line.record.get("usage")).usage
    if told is None or (summed is not None and _output(summed) > _output(told)):
        return summed
    return told.with_(calls=summed.calls if summed is not None else None)


def _output(usage: Usage) -> int:
    return usage.output_tokens or 0


def _frame(path: Path, speaker: Speaker) -> Frame:
    models = (word(node.line.message.get("model")) for node in path.nodes)
    model = next((model for model in models if model is not None), None)
    times = [found for node in path.nodes if (found := _time(node.line)) is not None]
    return Frame(
        identity=Identity(session_id=speaker.session),
        routing=Routing(provider="anthropic", requested_model=model, upstream_model=model),
        captured_at=times[0] if times else None,
        capture_id=speaker.capture_id,
    )


def _time(line: Line) -> str | None:
    """When a line was written."""
    moment = read_moment(line.record.get("timestamp"))
    return None if moment is None else stamp(moment)
