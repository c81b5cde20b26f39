"""Maximum bipartite matching: each entry takes one call, each call fills one entry."""

from collections.abc import Sequence
from dataclasses import dataclass, field


def maximum_pairs(edges: Sequence[Sequence[int]]) -> dict[int, int]:
    """A maximum matching of lefts to rights; `edges[left]` are the rights it may take, in order.

    Where several are maximum, the lowest lefts are matched, each with the lowest right it can
    have without costing an earlier left its match.
    """
    pairing = Pairing(edges)
    for left in range(len(edges)):
        pairing.add(left)
    return {left: pairing.right_of[left] for left in sorted(pairing.right_of)}


@dataclass(slots=True)
class Pairing:
    """A matching while it grows by augmenting paths."""

    edges: Sequence[Sequence[int]]
    right_of: dict[int, int] = field(default_factory=dict)
    left_of: dict[int, int] = field(default_factory=dict)

    def add(self, left: int) -> None:
        """Match one more left, moving earlier ones where they have another right to go to."""
        came_from: dict[int, int] = {}
        waiting = [left]
        for holder in waiting:
            rights = [right for right in self.edges[holder] if right not in came_from]
            came_from.update(dict.fromkeys(rights, holder))
            free = next((right for right in rights if right not in self.left_of), None)
            if free is not None:
                self.take(free, left, came_from)
                return
            waiting.extend(self.left_of[right] for right in rights)

    def take(self, right: int, start: int, came_from: dict[int, int]) -> None:
        """Give `right` to the left that asked for it, and what that one held to the one before."""
        while True:
            left = came_from[right]
            held = self.right_of.get(left)
            self.right_of[left], self.left_of[right] = right, left
            if left == start or held is None:
                return
            right = held
