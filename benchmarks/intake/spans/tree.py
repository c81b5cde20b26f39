"""The spans of one trace as a tree: who ran inside whom, whatever is missing or crooked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from benchmarks.intake.spans.kinds import kind_of
from benchmarks.intake.spans.span import Span, SpanKind


@dataclass(slots=True)
class Tree:
    """Spans by their place in `spans`; a parent that is unknown or a circle makes a root."""

    spans: list[Span]
    kinds: list[SpanKind]
    parents: list[int | None]
    order: list[int]
    """Every span after its parent."""
    tools: list[int | None] = field(default_factory=list)
    """The nearest tool run above each span."""
    agents: list[int | None] = field(default_factory=list)
    """The nearest agent above each span."""

    def above(self, place: int) -> Iterator[int]:
        """The spans above one, nearest first."""
        parent = self.parents[place]
        while parent is not None:
            yield parent
            parent = self.parents[parent]

    def by_start(self, kind: SpanKind) -> list[int]:
        """The spans of a kind in order of their start; unknown starts keep their place."""
        starts = known_starts(self.spans)
        places = [place for place, found in enumerate(self.kinds) if found is kind]
        return sorted(places, key=lambda place: (starts[place], place))


def tree_of(found: Sequence[Span]) -> Tree:
    """The tree of the spans of one trace; a span met twice is one."""
    spans = _distinct(found)
    kinds = [kind_of(span) for span in spans]
    parents = _parents(spans)
    tree = Tree(spans, kinds, parents, _order(parents))
    tree.tools = _nearest(tree, SpanKind.TOOL)
    tree.agents = _nearest(tree, SpanKind.AGENT)
    return tree


def known_starts(spans: Sequence[Span]) -> list[int]:
    """The start of each span; one without takes that of the span before it."""
    starts: list[int] = []
    last = 0
    for span in spans:
        last = last if span.start is None else span.start
        starts.append(last)
    return starts


def _distinct(found: Sequence[Span]) -> list[Span]:
    spans: dict[tuple[str, str, str], Span] = {}
    for span in found:
        first = spans.get(span.key)
        spans[span.key] = span if first is None else _merged(first, span)
    return list(spans.values())


def _merged(first: Span, again: Span) -> Span:
    """The first with what only the other knows."""
    events = first.events if len(first.events) >= len(again.events) else again.events
    return replace(
        first,
        parent_id=first.parent_id or again.parent_id,
        start=again.start if first.start is None else first.start,
        end=again.end if first.end is None else first.end,
        attributes={**again.attributes, **first.attributes},
        events=events,
        error=again.error if first.error is None else first.error,
        kind=first.kind or again.kind,
        input=again.input if first.input is None else first.input,
        output=again.output if first.output is None else first.output,
        usage=first.usage or again.usage,
    )


def _parents(spans: Sequence[Span]) -> list[int | None]:
    places: dict[str, int] = {}
    for place, span in enumerate(spans):
        places.setdefault(span.span_id, place)
    parents: list[int | None] = []
    for span in spans:
        is_own = span.parent_id is None or span.parent_id == span.span_id
        parents.append(None if is_own else places.get(str(span.parent_id)))
    _cut_circles(parents)
    return parents


def orphans_of(tree: Tree) -> list[int]:
    """The spans that name a parent which was never recorded."""
    known = {span.span_id for span in tree.spans}
    return [
        place
        for place, span in enumerate(tree.spans)
        if span.parent_id is not None and span.parent_id not in known
    ]


def _cut_circles(parents: list[int | None]) -> None:
    """Make a root of the span that closes a circle."""
    settled = [False] * len(parents)
    for start in range(len(parents)):
        path: list[int] = []
        on_path: set[int] = set()
        place: int | None = start
        while place is not None and not settled[place]:
            if place in on_path:
                parents[place] = None
                break
            path.append(place)
            on_path.add(place)
            place = parents[place]
        for one in path:
            settled[one] = True


def _order(parents: Sequence[int | None]) -> list[int]:
    children: dict[int | None, list[int]] = {}
    for place, parent in enumerate(parents):
        children.setdefault(parent, []).append(place)
    order = list(children.get(None, ()))
    for place in order:
        order.extend(children.get(place, ()))
    return order


def _nearest(tree: Tree, kind: SpanKind) -> list[int | None]:
    """The nearest span of a kind above each span."""
    nearest: list[int | None] = [None] * len(tree.spans)
    for place in tree.order:
        parent = tree.parents[place]
        if parent is not None:
            nearest[place] = parent if tree.kinds[parent] is kind else nearest[parent]
    return nearest
