"""Conversations from the spans of one trace (spec/build.md 1.4, `Rebuilding a conversation`)."""

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.intake.dialect import Piece
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.spans.attributes import first_value, first_word
from benchmarks.intake.spans.calls import ModelCall, calls_of
from benchmarks.intake.spans.conventions import Reader
from benchmarks.intake.spans.identifiers import time_text
from benchmarks.intake.spans.reading import SpanReading, about_trace
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.spans.threads import Thread, threads_of
from benchmarks.intake.spans.tool_runs import run_of
from benchmarks.intake.spans.tree import Tree, orphans_of, tree_of

NO_CALL = "a trace without a model call and without a tool run"


def rebuild(spans: Sequence[Span], *, container: str) -> list[Piece]:
    """Every conversation of one trace, orchestrators before their helpers, then what is lost.

    `container` is the dialect of turns that no convention of attributes gave.
    """
    if not spans:
        return []
    reader = Reader()
    tree = tree_of(spans)
    calls = calls_of(tree, reader)
    told = [call for call in calls if not call.is_empty]
    runs = [
        run_of(tree.spans[place], place, reader.memory.blobs)
        for place in tree.by_start(SpanKind.TOOL)
    ]
    threads = threads_of(tree, told, runs)
    places = {id(thread): place for place, thread in enumerate(threads)}
    about = about_trace(tree.spans, container)
    pieces = [
        _piece(tree, thread, places, SpanReading(tree, thread, reader, about).reading())
        for thread in threads
    ]
    empty = [call for call in calls if call.is_empty]
    _count_orphans(pieces, tree, {call.place for call in empty})
    pieces += [_empty(tree, call) for call in empty]
    return pieces or [Piece(Refused(Reason.NOT_A_CAPTURE, NO_CALL), at=_first_record(tree))]


def _piece(tree: Tree, thread: Thread, places: dict[int, int], reading: Reading) -> Piece:
    own = sorted(
        {place for call in thread.calls for place in call.places}
        | {run.place for run in thread.runs}
    )
    parent = places.get(id(thread.parent)) if thread.parent is not None else None
    return Piece(
        reading,
        at=min(tree.spans[place].record for place in own),
        made_from=[list(tree.spans[place].key) for place in own],
        parent=parent,
        call_id=thread.call_id if parent is not None else None,
    )


def _count_orphans(pieces: list[Piece], tree: Tree, empty: set[int]) -> None:
    """Spans whose parent was never recorded count once, with the first conversation.

    Calls without content are not among them: each is told by itself.
    """
    orphans = sum(place not in empty for place in orphans_of(tree))
    if not orphans or not pieces:
        return
    reading = pieces[0].result
    if isinstance(reading, Reading):
        loss = {**(reading.conversation.loss or {}), "orphan_spans": orphans}
        told = replace(reading, conversation=reading.conversation.with_(loss=loss))
        pieces[0] = replace(pieces[0], result=told)


def _empty(tree: Tree, call: ModelCall) -> Piece:
    """A call of which nothing but its place is known, with what may lead to its content."""
    span = tree.spans[call.place]
    detail = f"{span.name or 'a call'}: neither input nor output; {_join_key(span)}"
    return Piece(
        Refused(Reason.NO_MESSAGES, detail),
        at=span.record,
        made_from=[list(span.key)],
    )


def _join_key(span: Span) -> str:
    """What an inference and its content in another trace may have in common."""
    response = first_word(span.attributes, "gen_ai.response.id", "ai.response.id")
    if response:
        return f"response id {response}"
    conversation = first_value(span.attributes, "gen_ai.conversation.id", "session.id")
    if isinstance(conversation, str) and conversation:
        return f"conversation id {conversation}"
    if span.start is not None:
        return f"from {time_text(span.start)} to {time_text(span.end) or 'an unknown end'}"
    return f"trace {span.trace_id}, no join key"


def _first_record(tree: Tree) -> int:
    return min(span.record for span in tree.spans)
