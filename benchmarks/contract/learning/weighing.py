"""Maximum weight matching of two small sides (the assignment problem)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Weights = Sequence[Sequence[int]]
"""`weights[left][right]`."""


def heaviest_pairs(weights: Weights) -> dict[int, int]:
    """One to one pairs of lefts and rights of the greatest total weight; as many as the fewer.

    Of equal totals the pairs whose places differ least are taken, so that order decides ties.
    """
    lefts, rights = len(weights), len(weights[0]) if weights else 0
    if lefts > rights:
        turned = [[row[right] for row in weights] for right in range(rights)]
        return dict(sorted((left, right) for right, left in heaviest_pairs(turned).items()))
    scale = (lefts + 1) * (rights + 1)
    costs = [
        [abs(left - right) - weight * scale for right, weight in enumerate(row)]
        for left, row in enumerate(weights)
    ]
    assignment = Assignment(costs, rights)
    for left in range(lefts):
        assignment.add(left)
    return dict(sorted(assignment.pairs()))


@dataclass(slots=True)
class Assignment:
    """The cheapest pairs of the lefts added so far: shortest augmenting paths over prices."""

    costs: Weights
    rights: int
    holder: dict[int, int] = field(default_factory=dict)
    """The left that holds each taken right."""
    left_price: dict[int, int] = field(default_factory=dict)
    right_price: dict[int, int] = field(default_factory=dict)

    def pairs(self) -> list[tuple[int, int]]:
        """Each left with its right."""
        return [(left, right) for right, left in self.holder.items()]

    def add(self, start: int) -> None:
        """Give one more left a right, moving earlier ones where that is cheaper in all."""
        distance: dict[int, int] = {}
        came_from: dict[int, int] = {}
        walked: dict[int, int] = {}
        left, length = start, 0
        while True:
            for right in range(self.rights):
                far = length + self.slack(left, right)
                if right not in walked and far < distance.get(right, far + 1):
                    distance[right], came_from[right] = far, left
            at = min(distance.keys() - walked.keys(), key=lambda right: (distance[right], right))
            length = walked[at] = distance[at]
            if at not in self.holder:
                break
            left = self.holder[at]
        self.reprice(start, walked, length)
        self.take(at, start, came_from)

    def slack(self, left: int, right: int) -> int:
        """What a pair costs beyond the prices of both."""
        prices = self.left_price.get(left, 0) + self.right_price.get(right, 0)
        return self.costs[left][right] - prices

    def reprice(self, start: int, walked: dict[int, int], length: int) -> None:
        """Prices under which every pair on the path costs nothing beyond them."""
        self.left_price[start] = self.left_price.get(start, 0) + length
        for right, far in walked.items():
            self.right_price[right] = self.right_price.get(right, 0) - (length - far)
            if right in self.holder:
                left = self.holder[right]
                self.left_price[left] = self.left_price.get(left, 0) + length - far

    def take(self, right: int, start: int, came_from: dict[int, int]) -> None:
        """Give a free right to the end of a path, and what each left on it held to the one before.

        The path is told backwards.
        """
        held = {left: known for known, left in self.holder.items()}
        while True:
            left = came_from[right]
            self.holder[right] = left
            if left == start:
                return
            right = held[left]
