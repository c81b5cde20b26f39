"""Captures -> threads: one thread is one captured conversation (spec/build.md 2.1, 2.2).

Growing histories are one conversation. A fork in a user's turn is two; a fork in a result or a
regenerated answer is one, and what lost stays in the lineage.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from benchmarks.foundry.ids import fingerprint_group, session_group, trace_group
from benchmarks.foundry.lineage import (
    Link,
    Sketch,
    goes_through,
    in_order,
    links_of,
    reading_order,
    sibling,
)
from benchmarks.foundry.stitching import stitched
from benchmarks.foundry.turns import Marks, common_prefix
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation
from benchmarks.records.dag import Edge

MAX_FORKS = 8
EPISODE_GAP = timedelta(seconds=120)
UNIDENTIFIED = frozenset({"fingerprint", "record"})
"""Pools in which only shared history is a tie, never an equal opening."""

Closed = Callable[[Conversation], bool]
"""Whether a conversation came to its own end, by the roles of the tool policy."""


@dataclass(frozen=True)
class Thread:
    """One captured conversation: its main line, and what hangs beside it."""

    execution_group: str
    label: str
    root: str
    """The key of the capture that the whole lineage started with; forks share it."""
    main_line: tuple[Capture, ...]
    """Root first; the last one is what the conversation came to."""
    beside: tuple[Capture, ...]
    edges: tuple[Edge, ...]
    conversation: Conversation
    own: tuple[Capture, ...]
    """The captures that this group counts: those of the lineage that no earlier fork counts."""
    helpers: tuple["Thread", ...] = ()
    """The conversations of all helpers that it started, by itself or through others."""
    guessed: bool = False
    """Whether nothing but its place in time says that it started its helpers."""

    @property
    def key(self) -> str:
        """The key of the capture that the candidate's boundary is cut from."""
        return self.main_line[0].capture_key

    @property
    def leaf(self) -> Capture:
        """The last capture of the main line."""
        return self.main_line[-1]

    def capture_keys(self) -> tuple[str, ...]:
        """Every capture of the main line, root first."""
        return tuple(capture.capture_key for capture in self.main_line)


@dataclass(frozen=True)
class Lineage:
    """The captures that history links, as a tree."""

    sketches: tuple[Sketch, ...]
    links: tuple[Link, ...]

    @property
    def root(self) -> Sketch:
        """The capture that continues nothing."""
        children = {link.child.key for link in self.links}
        return next(sketch for sketch in self.sketches if sketch.key not in children)

    def leaves(self) -> list[Sketch]:
        """The captures that nothing goes on from."""
        continued = {link.parent.key for link in self.links if link.continues}
        return [sketch for sketch in self.sketches if sketch.key not in continued]

    def line_to(self, leaf: Sketch) -> list[Sketch]:
        """The captures that led to one, root first; a sibling that it left is not among them."""
        above = {link.child.key: link for link in self.links}
        line = [leaf]
        sketch = leaf
        while sketch.key in above:
            link = above[sketch.key]
            sketch = link.parent
            if link.continues and line[-1] is link.child or goes_through(line[-1], sketch):
                line.append(sketch)
        return line[::-1]

    def folded(self) -> frozenset[str]:
        """The captures whose history is a summary of their parent's."""
        return frozenset(
            link.child.key for link in self.links if link.type == "folded_continuation"
        )


def threads_of(captures: Sequence[Capture], closed: Closed) -> list[Thread]:
    """Every conversation in the captures, ordered by time and file, whatever order they came in."""
    threads = [
        thread
        for pool in _pools(captures)
        for lineage, group, label, siblings in pool.lineages()
        for thread in _threads(lineage, group, label, siblings, closed)
    ]
    return sorted(threads, key=lambda thread: reading_order(thread.own[0]))


@dataclass(frozen=True)
class _Pool:
    """Captures that one key holds together: `session`, `trace`, or an equal opening."""

    kind: str
    value: str
    sketches: tuple[Sketch, ...]

    def lineages(self) -> Iterator[tuple[Lineage, str, str, tuple[Link, ...]]]:
        """Each lineage with its group, its label and its sibling links."""
        links = links_of(in_order(self.sketches), identified=self.kind not in UNIDENTIFIED)
        links = [link for link in links if _is_one(link, forks=self.kind != "record")]
        found = _components(self.sketches, links)
        if self.kind == "trace":
            yield from self._of_trace(found)
            return
        for position, lineage in enumerate(found):
            if self.kind == "session" and position == 0:
                yield lineage, session_group(self.value), "session_grouped", ()
            else:
                label = self._label(lineage.root.capture)
                yield lineage, fingerprint_group(lineage.root.key), label, ()

    def _label(self, root: Capture) -> str:
        if self.kind == "helper" and _session(root) is None and _trace(root) is not None:
            return "trace_grouped/valid"
        is_session = _session(root) is not None or root.conversation.granularity == "session"
        return "session_grouped" if is_session else "heuristic_grouped"

    def _of_trace(
        self, found: Sequence[Lineage]
    ) -> Iterator[tuple[Lineage, str, str, tuple[Link, ...]]]:
        label = "trace_grouped/valid" if len(found) == 1 else "trace_grouped/split"
        if len(self.sketches) == 1:
            label = "singleton"
        for episode, lineages in enumerate(_episodes(found)):
            first = lineages[0]
            yield first, trace_group(self.value, episode), label, ()
            for other in lineages[1:]:
                tie = sibling(first.root, other.root)
                yield other, fingerprint_group(other.root.key), label, (tie,)


def _is_one(link: Link, *, forks: bool) -> bool:
    """Whether two whole conversations belong together: one grew out of the other, or went on.

    With `forks` also where the user's own words part them; of one call's answers any may be taken
    anew, but a whole conversation that went another way is another conversation.
    """
    parent, child = link.parent, link.child
    if not (parent.is_whole and child.is_whole) or link.type == "folded_continuation":
        return True
    one, other = parent.whole, child.whole
    shared = common_prefix(one, other)
    if shared >= min(len(one), len(other)):
        return True
    return forks and one.marks[shared].role == other.marks[shared].role == "user"


def _pools(captures: Sequence[Capture]) -> list[_Pool]:
    gathered: dict[tuple[str, str], list[Sketch]] = {}
    marks = Marks()
    for capture in captures:
        gathered.setdefault(_pool_key(capture), []).append(Sketch(capture, marks))
    return [_Pool(kind, value, tuple(found)) for (kind, value), found in sorted(gathered.items())]


def _pool_key(capture: Capture) -> tuple[str, str]:
    """What holds captures together; a helper's stand apart from whoever started it."""
    caller = capture.helper_of
    if caller is not None:
        return "helper", f"{caller.capture_key} {caller.call_id}"
    is_whole = capture.conversation.granularity == "session"
    identity, session = capture.source.identity, _session(capture)
    if session is not None and not (is_whole and identity.trial is not None):
        return "session", session
    if is_whole:
        return "record", f"{capture.capture_id} {identity.task_id} {identity.trial}"
    trace = _trace(capture)
    if trace is not None:
        return "trace", trace
    return "fingerprint", f"{capture.fingerprints.group} {capture.conversation.dialect}"


def _session(capture: Capture) -> str | None:
    identity = capture.source.identity
    return identity.session_id or identity.conversation_id or identity.execution_id or None


def _trace(capture: Capture) -> str | None:
    trace = capture.trace
    return trace.trace_id or None if trace is not None and trace.valid else None


def _components(sketches: Sequence[Sketch], links: Sequence[Link]) -> list[Lineage]:
    """The captures that links hold together, the earliest first."""
    above = {link.child.key: link.parent.key for link in links}

    def root_of(key: str) -> str:
        while key in above:
            key = above[key]
        return key

    members: dict[str, list[Sketch]] = {}
    for sketch in sorted(sketches, key=lambda one: one.order):
        members.setdefault(root_of(sketch.key), []).append(sketch)
    tied: dict[str, list[Link]] = {}
    for link in links:
        tied.setdefault(root_of(link.child.key), []).append(link)
    return [Lineage(tuple(found), tuple(tied.get(root, ()))) for root, found in members.items()]


def _episodes(found: Sequence[Lineage]) -> list[list[Lineage]]:
    """Lineages of one trace, parted where over 120 s pass and no history link crosses."""
    episodes: list[list[Lineage]] = []
    ended = None
    for lineage in found:
        times = [sketch.at for sketch in lineage.sketches if sketch.at is not None]
        apart = bool(times) and ended is not None and min(times) - ended > EPISODE_GAP
        if not episodes or apart:
            episodes.append([])
        episodes[-1].append(lineage)
        ended = max([*times, ended] if ended is not None else times, default=ended)
    return episodes


def _threads(
    lineage: Lineage, group: str, label: str, siblings: tuple[Link, ...], closed: Closed
) -> list[Thread]:
    """The conversations of one lineage: at most eight forks, the earliest counting the root."""
    leaves = sorted(lineage.leaves(), key=lambda leaf: _preference(leaf, closed), reverse=True)
    chosen = _forks(leaves, 0)
    chosen.sort(key=lambda leaf: leaf.order)
    threads: list[Thread] = []
    counted: set[str] = set()
    for leaf in chosen[:MAX_FORKS]:
        line = lineage.line_to(leaf)
        own = [sketch for sketch in line if sketch.key not in counted]
        counted.update(sketch.key for sketch in own)
        main_line = tuple(sketch.capture for sketch in line)
        threads.append(
            Thread(
                execution_group=fingerprint_group(own[0].key) if threads else group,
                label=label,
                root=lineage.root.key,
                main_line=main_line,
                beside=(),
                edges=(),
                conversation=stitched(line, lineage.folded()),
                own=tuple(sketch.capture for sketch in own),
            )
        )
    return _with_the_rest(threads, lineage, siblings)


def _with_the_rest(
    threads: list[Thread], lineage: Lineage, siblings: tuple[Link, ...]
) -> list[Thread]:
    """Each capture off every main line goes to the fork that its own line shares most with."""
    owner = {capture.capture_key: at for at, thread in enumerate(threads) for capture in thread.own}
    above = {link.child.key: link.parent.key for link in lineage.links}
    beside: dict[int, list[Capture]] = {}
    for sketch in lineage.sketches:
        if sketch.key not in owner:
            home = _nearest_owner(sketch.key, owner, above)
            beside.setdefault(home, []).append(sketch.capture)
    home_of = {**owner, **{c.capture_key: at for at, found in beside.items() for c in found}}
    links: dict[int, list[Link]] = {0: list(siblings)}
    for link in lineage.links:
        links.setdefault(home_of[link.child.key], []).append(link)
    return [
        _completed(thread, beside.get(at, []), links.get(at, []))
        for at, thread in enumerate(threads)
    ]


def _nearest_owner(key: str, owner: Mapping[str, int], above: Mapping[str, str]) -> int:
    """The fork that counts the nearest ancestor; the first where none does."""
    while key in above:
        key = above[key]
        if key in owner:
            return owner[key]
    return 0


def _completed(thread: Thread, beside: list[Capture], links: list[Link]) -> Thread:
    return replace(
        thread,
        beside=tuple(beside),
        edges=tuple(link.edge(thread.execution_group) for link in links),
        own=(*thread.own, *beside),
    )


def _preference(leaf: Sketch, closed: Closed) -> tuple[object, ...]:
    """Closed before open, then most turns, then latest."""
    conversation = leaf.capture.conversation
    return (closed(conversation), len(leaf.whole), *leaf.order)


def _forks(leaves: Sequence[Sketch], depth: int) -> list[Sketch]:
    """The leaf of each conversation among leaves that agree up to `depth`, best first."""
    while len(leaves) > 1:
        parts = _parted(leaves, depth)
        if all(_speaker(part[0], depth) == "user" for part in parts) and len(parts) > 1:
            return [leaf for part in parts for leaf in _forks(part, depth + 1)]
        if len(parts) == 1 and _speaker(leaves[0], depth) is None:
            return [leaves[0]]
        leaves = parts[0]
        depth += 1
    return list(leaves)


def _parted(leaves: Sequence[Sketch], depth: int) -> list[list[Sketch]]:
    """Leaves by the turn that stands at `depth`, the best leaf's part first."""
    parts: list[list[Sketch]] = []
    for leaf in leaves:
        home = next((part for part in parts if _agree(part[0], leaf, depth)), None)
        if home is None:
            parts.append([leaf])
        else:
            home.append(leaf)
    return parts


def _speaker(leaf: Sketch, depth: int) -> str | None:
    marks = leaf.whole.marks
    return marks[depth].role if depth < len(marks) else None


def _agree(one: Sketch, other: Sketch, depth: int) -> bool:
    left, right = one.whole.marks, other.whole.marks
    if depth >= len(left) or depth >= len(right):
        return len(left) <= depth and len(right) <= depth
    return left[depth].same(right[depth])
