"""All pairs of texts that are near duplicates: an exact set join with a prefix filter.

Two sets of Jaccard t or more must share one of their rarest shingles, and few of their shingles
may stand in one alone: only pairs that may be alike by both are compared. Nothing is sampled. Over
50,000 different texts the pairs to compare are proposed by signatures instead; what is found is
verified in both cases.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from benchmarks.foundry.wording import shingles

NEAR = 0.8
LOOSE = 0.7
EXACT_UP_TO = 50_000
"""Different texts that are joined exactly."""
SEED = 0
FOLDS = [1 << place for place in range(512)]
"""A set as bits: each shingle turns one over, so sets differ in as many shingles or more."""
SLACK = 1e-9
"""A product of floats may lie above the whole number that it stands for."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and how alike they are; `a` sorts before `b`."""

    a: str
    b: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Alike:
    """The names of two texts that are near duplicates; of one text, where it stands twice."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    similarity: float

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every two names of different tasks, in order."""
        same = self.one == self.other
        for found in combinations(self.one, 2) if same else product(self.one, self.other):
            a, b = sorted(found)
            yield a, b


@dataclass(frozen=True, slots=True)
class Shingled:
    """One text as it is joined: its shingles by rarity, the rarest first."""

    names: tuple[str, ...]
    ranks: Sequence[int]
    grams: frozenset[str]
    bits: int
    """The shingles folded into `FOLDS`."""


def near_pairs(texts: Mapping[str, str], threshold: float) -> list[Pair]:
    """Every pair whose shingles have a Jaccard index of at least `threshold`, by name."""
    found = (Pair(a, b, one.similarity) for one in alike(texts, threshold) for a, b in one.pairs)
    return sorted(found, key=lambda pair: (pair.a, pair.b))


def alike(texts: Mapping[str, str], threshold: float) -> Iterator[Alike]:
    """The same pairs by text: one that many tasks share is compared once."""
    ordered = shingled(texts)
    yield from (Alike(one.names, one.names, 1.0) for one in ordered if len(one.names) > 1)
    exact = len(ordered) <= EXACT_UP_TO
    for later, earlier in (joined if exact else proposed)(ordered, threshold):
        one, other = ordered[later], ordered[earlier]
        similarity = jaccard(one.grams, other.grams)
        if similarity >= threshold:
            yield Alike(one.names, other.names, similarity)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared shingles over all shingles."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def shingled(texts: Mapping[str, str]) -> list[Shingled]:
    """The different texts, the shortest first, each with the names that share it."""
    names: dict[frozenset[str], list[str]] = {}
    for name, text in sorted(texts.items()):
        names.setdefault(shingles(text), []).append(name)
    rarity: Counter[str] = Counter()
    for grams in names:
        rarity.update(grams)
    by_rarity = sorted(sorted(rarity), key=rarity.__getitem__)
    rank = {gram: place for place, gram in enumerate(by_rarity)}
    found = []
    for grams, named in names.items():
        ranks = sorted(map(rank.__getitem__, grams))
        found.append(Shingled(tuple(named), ranks, grams, folded(ranks)))
    return sorted(found, key=lambda one: (len(one.ranks), one.names))


def folded(ranks: Sequence[int]) -> int:
    """A set of shingles as bits."""
    bits, last = 0, len(FOLDS) - 1
    for rank in ranks:
        bits ^= FOLDS[rank & last]
    return bits


def joined(ordered: Sequence[Shingled], threshold: float) -> Iterator[tuple[int, int]]:
    """Every two places, the later first, whose texts may be alike: no pair is missed."""
    sizes = [len(one.ranks) for one in ordered]
    index: dict[int, list[int]] = {}
    for place, one in enumerate(ordered):
        prefix = one.ranks[: _prefix_length(sizes[place], threshold)]
        long_enough = bisect_left(sizes, threshold * sizes[place] - SLACK)
        met: set[int] = set()
        for gram in prefix:
            held = index.setdefault(gram, [])
            met.update(held[bisect_left(held, long_enough) :])
            held.append(place)
        most = int(2 * sizes[place] * (1 - threshold) / (1 + threshold) + SLACK)
        bits = one.bits
        for earlier in met:
            if (bits ^ ordered[earlier].bits).bit_count() <= most:
                yield place, earlier


def proposed(ordered: Sequence[Shingled], _threshold: float) -> Iterator[tuple[int, int]]:
    """The places of texts whose signatures agree in a band, the later first."""
    from benchmarks.stats.minhash import likely_pairs  # noqa: PLC0415 - 100 ms: numpy

    yield from likely_pairs([one.ranks for one in ordered], seed=SEED)


def _prefix_length(size: int, threshold: float) -> int:
    return size - math.ceil(threshold * size - SLACK) + 1
