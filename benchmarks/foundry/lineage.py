"""How one capture follows another (spec/build.md 2.2).

Each capture has at most one parent, and a parent stands before its child in `ordered`, so a tree
is all that can come out: neither a cycle nor a lost capture.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from operator import is_
from typing import Any

from benchmarks.foundry.turns import (
    History,
    Marks,
    common_prefix,
    gone_through,
    history_of,
    system_text,
)
from benchmarks.foundry.wording import normal
from benchmarks.records.capture import Capture
from benchmarks.records.dag import Edge
from benchmarks.records.digest import json_digest
from benchmarks.records.times import read_time

RESENT = timedelta(seconds=120)
CONTINUING = frozenset({"prefix_append", "retry", "folded_continuation"})
"""Edges whose child goes on where its parent stood; the others leave the parent's line."""


@dataclass(frozen=True)
class Sketch:
    """A capture as lineage sees it: what it was asked, what it answered, and when."""

    capture: Capture
    marks: Marks = field(default_factory=Marks, compare=False, repr=False)
    """Shared by the captures that are compared with one another."""

    @cached_property
    def asked(self) -> History:
        """The turns of the request; of a whole conversation, all of them."""
        if self.is_whole:
            return self.whole
        spoken = [turn for turn in self.capture.conversation.turns if turn.role != "system"]
        asked = [turn for turn in spoken if turn.origin == "request"]
        # Turns of the request come first, so that their marks are made once.
        return (
            self.whole.up_to(len(asked))
            if all(map(is_, asked, spoken))
            else history_of(asked, self.marks)
        )

    @cached_property
    def order(self) -> tuple[Any, ...]:
        """By time, then where the record stands in its file."""
        return reading_order(self.capture)

    @property
    def is_whole(self) -> bool:
        """Whether the capture is a whole conversation, not one call of it."""
        return self.capture.conversation.granularity == "session"

    @cached_property
    def whole(self) -> History:
        """The turns of request and response."""
        return history_of(self.capture.conversation.turns, self.marks)

    @cached_property
    def opening(self) -> int:
        """How many turns stand up to and with the first user turn; 0 without one."""
        for length, mark in enumerate(self.asked.marks, start=1):
            if mark.role == "user":
                return length
        return 0

    @cached_property
    def system(self) -> str:
        """The digest of what the system says."""
        return json_digest(normal(system_text(self.capture.conversation.turns)))

    @cached_property
    def at(self) -> datetime | None:
        """When it was captured."""
        return read_time(self.capture.captured_at)

    @property
    def key(self) -> str:
        """The capture key, which is the node's id."""
        return self.capture.capture_key

    @property
    def failed(self) -> bool:
        """Whether the model call brought no answer."""
        status = self.capture.transport.status_code
        stopped = self.capture.conversation.stop.reason == "error"
        return stopped or (status is not None and status >= 400) or not self.answered

    @property
    def answered(self) -> bool:
        """Whether the assistant says or calls anything in answer."""
        turns = self.capture.conversation.turns
        if self.capture.conversation.granularity == "call":
            turns = [turn for turn in turns if turn.origin == "response"]
        return any(turn.role == "assistant" and turn.parts for turn in turns)


@dataclass(frozen=True, slots=True)
class Link:
    """One capture's tie to its parent."""

    parent: Sketch
    child: Sketch
    type: str
    confidence: str
    evidence: Mapping[str, Any]

    @property
    def continues(self) -> bool:
        """Whether the child goes on where the parent stood."""
        return self.type in CONTINUING

    def edge(self, execution_group: str) -> Edge:
        """The link as source-dag.json holds it."""
        return Edge(
            from_=self.parent.key,
            to=self.child.key,
            type=self.type,
            execution_group=execution_group,
            confidence=self.confidence,
            evidence=dict(self.evidence),
        )


def in_order(sketches: Sequence[Sketch]) -> list[Sketch]:
    """Captures so that every parent stands before its child, whatever order they came in."""
    return sorted(sketches, key=lambda sketch: (len(sketch.asked), *sketch.order))


def reading_order(capture: Capture) -> tuple[Any, ...]:
    """By time, then where the record stands in its file; unknown times come last."""
    at = read_time(capture.captured_at)
    return (
        at is None,
        at.timestamp() if at else 0.0,
        capture.source.local_path,
        pointer_order(capture.source.pointer),
        capture.capture_key,
    )


def pointer_order(pointer: str) -> tuple[tuple[int, str], ...]:
    """A pointer so that line 9 stands before line 10."""
    pieces = re.split(r"(\d+)", pointer)
    return tuple((int(piece), "") if piece.isdigit() else (-1, piece) for piece in pieces)


def links_of(ordered: Sequence[Sketch], *, identified: bool) -> list[Link]:
    """The link of every capture that continues another.

    `identified`: one session or trace id holds them together, so an equal opening is a tie; else
    only shared history is, because many conversations open alike.
    """
    found: dict[str, Link] = {}
    earlier = _Earlier()
    for position, child in enumerate(ordered):
        candidates = ordered[:position] if identified else earlier.like(child)
        link = _continued(child, candidates, identified=identified)
        if link is not None:
            found[child.key] = link
        earlier.add(child)
    if identified:
        for child in ordered:
            if child.key not in found:
                link = _rewritten(child, ordered, found)
                if link is not None:
                    found[child.key] = link
    return [found[sketch.key] for sketch in ordered if sketch.key in found]


class _Earlier:
    """Captures by their first answer: those that share no answer share no history.

    A call that failed is found by what it asked.
    """

    def __init__(self) -> None:
        self.by_answer: dict[object, list[Sketch]] = {}
        self.failed: dict[str, list[Sketch]] = {}

    def add(self, sketch: Sketch) -> None:
        """Take note of a capture that may be a parent."""
        for name in _answer_names(sketch, sketch.whole):
            self.by_answer.setdefault(name, []).append(sketch)
        if sketch.failed and sketch.asked.prefixes:
            self.failed.setdefault(sketch.asked.prefixes[-1], []).append(sketch)

    def like(self, child: Sketch) -> list[Sketch]:
        """The captures that a child may continue, each once."""
        found = [
            sketch
            for name in _answer_names(child, child.asked)
            for sketch in self.by_answer.get(name, ())
        ]
        if child.asked.prefixes:
            found += self.failed.get(child.asked.prefixes[-1], ())
        return list({sketch.key: sketch for sketch in found}.values())


def _answer_names(sketch: Sketch, history: History) -> list[object]:
    """What the first answer after the opening is known by."""
    marks = history.marks[sketch.opening :]
    answer = next((mark for mark in marks if mark.role == "assistant"), None)
    if answer is None:
        return []
    return [answer.content, answer.call_ids] if answer.call_ids else [answer.content]


def _continued(child: Sketch, earlier: Sequence[Sketch], *, identified: bool) -> Link | None:
    """The tie of a capture to the best of those before it; None when it continues nothing."""
    tied = []
    for parent in earlier:
        shared = gone_through(child.asked, parent.whole)
        if not _long_after(parent, child) and _tied(child, parent, shared, identified=identified):
            tied.append((shared, parent))
    if not tied:
        return None
    ranked = sorted(_since_last_start(tied, child), key=lambda one: _rank(*one), reverse=True)
    shared, parent = ranked[0]
    tie = len(ranked) > 1 and _rank(*ranked[1])[:2] == _rank(shared, parent)[:2]
    return Link(
        parent=parent,
        child=child,
        type=_type(child, parent, shared),
        confidence="low" if tie else "deterministic",
        evidence=_evidence(parent, shared, tie=tie),
    )


def goes_through(child: Sketch, earlier: Sketch) -> bool:
    """Whether a capture's request holds all of an earlier, shorter one's."""
    shorter = len(earlier.asked) < len(child.asked)
    return shorter and common_prefix(child.asked, earlier.asked) == len(earlier.asked)


def sibling(first: Sketch, other: Sketch) -> Link:
    """Two conversations of one trace that share no history."""
    evidence = {"common_prefix_messages": common_prefix(other.asked, first.whole)}
    return Link(first, other, "workflow_sibling", "low", evidence)


def _tied(child: Sketch, parent: Sketch, shared: int, *, identified: bool) -> bool:
    if child.opening == 0 or shared < child.opening:
        return False
    if any(mark.role == "assistant" for mark in child.asked.marks[child.opening : shared]):
        return True
    if identified:
        return child.system == parent.system
    return parent.failed and _same_request(child, parent)


def _long_after(parent: Sketch, child: Sketch) -> bool:
    """Whether a capture is too late to be a parent, clocks of several hosts allowed for."""
    return parent.at is not None and child.at is not None and parent.at - child.at > RESENT


def _since_last_start(
    tied: Sequence[tuple[int, Sketch]], child: Sketch
) -> list[tuple[int, Sketch]]:
    """The candidates without those that asked the same before the history was gone through anew.

    One user may do the same twice: the second time is a conversation, not a branch of the first.
    """
    continued = [
        parent
        for shared, parent in tied
        if shared >= len(parent.whole) and len(parent.asked) < len(child.asked)
    ]
    newest = max((parent.order for parent in continued), default=None)
    return [
        (shared, parent)
        for shared, parent in tied
        if newest is None or len(parent.asked) < len(child.asked) or parent.order > newest
    ]


def _rank(shared: int, parent: Sketch) -> tuple[Any, ...]:
    """Longest common prefix, then incorporated response, then latest."""
    return (shared, shared >= len(parent.whole), *parent.order)


def _same_request(child: Sketch, parent: Sketch) -> bool:
    return (
        child.system == parent.system
        and len(child.asked) == len(parent.asked)
        and common_prefix(child.asked, parent.asked) == len(child.asked)
    )


def _type(child: Sketch, parent: Sketch, shared: int) -> str:
    if _same_request(child, parent):
        return "retry" if parent.failed or _resent(child, parent) else "branch"
    goes_on = len(child.asked) > len(parent.asked) and shared >= len(parent.asked)
    if goes_on and (shared >= len(parent.whole) or parent.failed):
        return "prefix_append"
    return "branch"


def _resent(child: Sketch, parent: Sketch) -> bool:
    if child.at is None or parent.at is None:
        return False
    return abs(child.at - parent.at) <= RESENT


def _rewritten(child: Sketch, pool: Sequence[Sketch], found: Mapping[str, Link]) -> Link | None:
    """The tie of a capture whose history was summarised, edited or cut, to the latest before it.

    What they still share must be more than a user's words: a call, a result or an answer.
    """
    moment = child.order
    before = [one for one in pool if one.order < moment]
    for parent in sorted(before, key=lambda one: one.order, reverse=True):
        shared = [
            mark
            for mark in child.asked.marks
            if mark.role != "user" and any(mark.same(other) for other in parent.whole.marks)
        ]
        if not shared or _descends(parent, child, found):
            continue
        evidence = _evidence(parent, common_prefix(child.asked, parent.whole))
        evidence["shared_messages"] = len(shared)
        return Link(parent, child, _rewriting(child, parent), "low", evidence)
    return None


def _descends(sketch: Sketch, ancestor: Sketch, found: Mapping[str, Link]) -> bool:
    """Whether wrong clocks would make a capture its own ancestor."""
    while sketch.key in found:
        sketch = found[sketch.key].parent
        if sketch.key == ancestor.key:
            return True
    return False


def _rewriting(child: Sketch, parent: Sketch) -> str:
    last = parent.whole.marks[-1]
    if any(mark.same(last) for mark in child.asked.marks):
        return "folded_continuation"
    same_depth = len(child.asked) == len(parent.asked)
    return "same_depth_mutation" if same_depth else "destructive_mutation"


def _evidence(parent: Sketch, shared: int, *, tie: bool = False) -> dict[str, Any]:
    evidence: dict[str, Any] = {"common_prefix_messages": shared, "prior_error": parent.failed}
    if tie:
        evidence["tie"] = True
    return evidence
