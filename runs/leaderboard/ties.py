"""Which arms cannot be told apart: overlapping intervals are a tie, and ties do not chain."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase

from benchmarks.stats.estimates import Estimate
from runs.leaderboard.figures import Arm, Interval


@dataclass(frozen=True, slots=True)
class Ties:
    """The ties among ranked arms, in their order."""

    order: tuple[str, ...]
    pairs: frozenset[frozenset[str]]
    unscored: frozenset[str] = frozenset()
    """The arms without a single score: they tie with all, and lead nothing."""

    def of(self, label: str) -> list[str]:
        """The arms that tie with one."""
        return [other for other in self.order if frozenset((label, other)) in self.pairs]

    @property
    def leaders(self) -> list[str]:
        """The first arm with a score and its ties: no door calls any one of them the winner."""
        scored = [label for label in self.order if label not in self.unscored]
        tied = {scored[0], *self.of(scored[0])} if scored else set()
        return [label for label in scored if label in tied]

    def groups(self) -> dict[str, int]:
        """The chained number that older readers know: an arm joins when it ties with any member."""
        numbers: dict[str, int] = {}
        members: list[str] = []
        for label in self.order:
            if members and not any(frozenset((label, other)) in self.pairs for other in members):
                members = []
            if not members:
                number = max(numbers.values(), default=0) + 1
            members.append(label)
            numbers[label] = number
        return numbers

    def letters(self) -> dict[str, str]:
        """Letters for people: two scored arms tie exactly when they share one.

        An arm without a single score has none: there is nothing to tell it apart by.
        """
        scored = [label for label in self.order if label not in self.unscored]
        sets: list[list[str]] = []
        for first, second in combinations(scored, 2):
            tied = frozenset((first, second)) in self.pairs
            if tied and not any(first in known and second in known for known in sets):
                sets.append(self._grown([first, second]))
        sets += [[label] for label in scored if not any(label in known for known in sets)]
        sets.sort(key=lambda known: self.order.index(known[0]))
        return {
            label: "".join(_letter(number) for number, known in enumerate(sets) if label in known)
            for label in self.order
        }

    def _grown(self, members: list[str]) -> list[str]:
        """The members with every scored arm that ties with all of them, in table order."""
        for label in self.order:
            if label in self.unscored:
                continue
            others = [other for other in members if other != label]
            if len(others) == len(members) and all(
                frozenset((label, other)) in self.pairs for other in others
            ):
                members = [*members, label]
        return sorted(members, key=self.order.index)


def ties_among(ranked: Sequence[Arm]) -> Ties:
    """The ties of ranked arms, given in table order."""
    return Ties(
        order=tuple(arm.label for arm in ranked),
        pairs=frozenset(
            frozenset((a.label, b.label)) for a, b in combinations(ranked, 2) if tie(a, b)
        ),
        unscored=frozenset(arm.label for arm in ranked if arm.mean.overall is None),
    )


def tie(a: Arm, b: Arm) -> bool:
    """Whether two arms cannot be told apart.

    Their headline intervals overlap or touch, or one of them has few tasks and their small-sample
    intervals do. An arm with too few tasks for an interval ties with every arm.
    """
    headline = overlap(a.mean.ci, b.mean.ci)
    if headline or not _few(a, b):
        return headline
    return overlap(a.mean.ci_small, b.mean.ci_small)


def overlap(a: Interval, b: Interval) -> bool:
    """Whether two intervals share a point; an insufficient one excludes nothing."""
    if not isinstance(a, Estimate) or not isinstance(b, Estimate):
        return True
    return a.low <= b.high and b.low <= a.high


def order_changes(ranked: Sequence[Arm]) -> list[dict[str, str]]:
    """The pairs whose order depends on what becomes of the cells without a score."""
    changes = []
    for a, b in combinations(ranked, 2):
        signs = _signs(a, b)
        if 1 in signs.values() and -1 in signs.values():
            changes.append({
                "a": a.label,
                "b": b.label,
                **{view: _leader(sign, a, b) for view, sign in signs.items()},
            })
    return changes


def _signs(a: Arm, b: Arm) -> dict[str, int]:
    """Who is ahead when cells without a score are left out, all fail, or all pass."""
    x, y = a.mean.counts.bounds, b.mean.counts.bounds
    if a.mean.overall is None or b.mean.overall is None or not x or not y:
        return {}
    return {
        "scored": _sign(a.mean.overall - b.mean.overall),
        "attempted": _sign(x[0] - y[0]),
        "all_passed": _sign(x[1] - y[1]),
    }


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)


def _leader(sign: int, a: Arm, b: Arm) -> str:
    return {1: a.label, -1: b.label}.get(sign, "even")


def _few(a: Arm, b: Arm) -> bool:
    return any(isinstance(i, Estimate) and i.few_tasks for i in (a.mean.ci, b.mean.ci))


def _letter(number: int) -> str:
    """a to z, then the same with a mark more."""
    more, rest = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[rest] + "'" * more
