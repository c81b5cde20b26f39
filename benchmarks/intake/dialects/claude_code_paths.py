"""The conversations in a tree of nodes: one for each way through the user's turns.

A user who goes back and says something else has two conversations. What forks below one prompt
(an answer made again, results of calls that ran side by side) is still one: the way that went on
is followed, and the results of calls on it are on it too. `/clear` ends a conversation.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice, pairwise

from benchmarks.intake.dialects.claude_code_lines import Kind
from benchmarks.intake.dialects.claude_code_nodes import Node
from benchmarks.intake.values import objects, word

MAX_FORKS = 8
"""How many ways from one root are conversations (spec/build.md 2.2)."""


SPEAKING = frozenset({Kind.PROMPT, Kind.ANSWER, Kind.RESULT})


@dataclass(frozen=True, slots=True)
class Path:
    """One conversation: its nodes in order, and what sets it apart in its session."""

    nodes: list[Node]
    suffix: str
    """Empty for the first one; made of a uuid, so that it stays when the session grows."""
    shared: int = 0
    """How many leading nodes another conversation has counted already."""
    beside: tuple[Node, ...] = ()
    """Answers that were made again: the way goes on without them."""
    cut: int = 0
    """How many further ways from the same root are no conversations."""


def paths_of(nodes: Sequence[Node]) -> Iterator[Path]:
    """Every conversation, in the order in which they begin."""
    tree = _Tree(nodes)
    for number, root in enumerate(tree.roots):
        yield from tree.paths(root, tree.name(root) if number else "")


class _Tree:
    """Which prompt each node answers, and which prompt each prompt follows; -1 for none."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self._roots: list[int] = []
        self._speaking: set[int] = set()
        self._answering: set[int] = set()
        self._above: list[int] = []
        self._root: list[int] = []
        self._prompt: list[int] = []
        self._segments: dict[tuple[int, int], list[int]] = {}
        self._followers: dict[tuple[int, int], list[int]] = {}
        for at, node in enumerate(nodes):
            self._place(at, node)
        self._answered = self._answered_prompts()

    @property
    def roots(self) -> list[int]:
        """The nodes that conversations begin with; those given up before an answer are none."""
        speaking = [root for root in self._roots if root in self._speaking]
        answered = [root for root in speaking if root in self._answering]
        return answered or speaking[-1:]

    def name(self, at: int) -> str:
        """What a node is known by, also when more lines have come."""
        return self.nodes[at].line.uuid or f"line {at + 1}"

    def paths(self, root: int, suffix: str) -> Iterator[Path]:
        """The ways from one root to the last prompts below it, at most eight."""
        counted: set[int] = set()
        ways = self._ways(root)
        for number, ends in enumerate(islice(ways, MAX_FORKS)):
            places, beside = self._places(root, ends)
            shared = next((i for i, at in enumerate(places) if at not in counted), len(places))
            new = next((at for at in ends if at not in counted), root)
            counted.update(places)
            yield Path(
                nodes=[self.nodes[at] for at in places],
                suffix=f"{suffix} {self.name(new)}".strip() if number else suffix,
                shared=shared,
                beside=tuple(self.nodes[at] for at in beside),
                cut=sum(1 for _ in ways) if number + 1 == MAX_FORKS else 0,
            )

    def _place(self, at: int, node: Node) -> None:
        above = node.above
        if above >= 0 and self.nodes[above].kind is Kind.CLEAR:
            # All that follows the command is one conversation, whichever line hangs below it.
            above = at - 1 if at - 1 > above else -1
        self._above.append(above)
        if above < 0:
            self._roots.append(at)
        root = at if above < 0 else self._root[above]
        if node.kind in SPEAKING:
            self._speaking.add(root)
        if node.kind is Kind.ANSWER:
            self._answering.add(root)
        before = -1 if above < 0 else self._prompt[above]
        is_prompt = node.kind is Kind.PROMPT
        self._root.append(root)
        self._prompt.append(at if is_prompt else before)
        self._segments.setdefault((root, at if is_prompt else before), []).append(at)
        if is_prompt:
            self._followers.setdefault((root, before), []).append(at)

    def _answered_prompts(self) -> set[int]:
        """The prompts that have an answer anywhere below them."""
        answered: set[int] = set()
        for at in range(len(self.nodes) - 1, -1, -1):
            prompt = self._prompt[at]
            if self.nodes[at].kind is Kind.ANSWER:
                answered.add(prompt)
            if prompt == at and at in answered and self._above[at] >= 0:
                answered.add(self._prompt[self._above[at]])
        return answered

    def _ways(self, root: int) -> Iterator[list[int]]:
        """The prompts of each way from a root down, the first way first."""
        waiting: list[list[int]] = [[]]
        while waiting:
            way = waiting.pop()
            following = self._taken(root, way[-1] if way else -1)
            if not following:
                yield way
            waiting += [[*way, prompt] for prompt in reversed(following)]

    def _taken(self, root: int, prompt: int) -> list[int]:
        """The prompts that follow one; those given up before an answer came are no way."""
        following = self._followers.get((root, prompt), [])
        answered = [at for at in following if at in self._answered]
        return answered or following[-1:]

    def _places(self, root: int, prompts: Sequence[int]) -> tuple[list[int], list[int]]:
        """The nodes on the way through these prompts, in order, and the answers left beside it."""
        places: list[int] = []
        beside: list[int] = []
        for prompt, following in pairwise([-1, *prompts, None]):
            segment = self._segments.get((root, prompt), []) if prompt is not None else []
            end = self._end(segment) if following is None else self._above[following]
            way = self._segment(segment, end)
            places += way
            if following is None:
                left = set(segment).difference(way)
                beside += [at for at in sorted(left) if self.nodes[at].kind is Kind.ANSWER]
        return places, beside

    def _end(self, segment: Sequence[int]) -> int:
        """The last node that says something: a note may hang below any line."""
        last = SPEAKING | {Kind.ERROR}
        said = (at for at in reversed(segment) if self.nodes[at].kind in last)
        return next(said, segment[-1] if segment else -1)

    def _segment(self, segment: Sequence[int], end: int) -> list[int]:
        """The nodes of one prompt's answers that lead to `end`, with the results of their calls."""
        members = set(segment)
        way: set[int] = set()
        at = end
        while at in members:
            way.add(at)
            at = self._above[at]
        calls = {call for at in way for call in _calls(self.nodes[at])}
        return [at for at in segment if at in way or self._belongs(at, calls)]

    def _belongs(self, at: int, calls: Set[str]) -> bool:
        """Whether a node beside the way tells of what is on it: a result, a stream's own words."""
        node = self.nodes[at]
        if node.kind in {Kind.TOTAL, Kind.START}:
            return True
        return node.kind is Kind.RESULT and not calls.isdisjoint(_answers(node))


def _calls(node: Node) -> set[str]:
    return {found for block in node.blocks if (found := word(block.get("id"))) is not None}


def _answers(node: Node) -> set[str]:
    blocks = objects(node.line.message.get("content"))
    return {found for block in blocks if (found := word(block.get("tool_use_id"))) is not None}
