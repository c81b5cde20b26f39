"""All pairs of texts that are near duplicates: an exact set join with a prefix filter.

Two sets of Jaccard t or more must share one of their rarest shingles, so only pairs that do are
compared. Nothing is sampled.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.foundry.wording import shingles

NEAR = 0.8
LOOSE = 0.7


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and how alike they are; `a` sorts before `b`."""

    a: str
    b: str
    similarity: float


def near_pairs(texts: Mapping[str, str], threshold: float) -> list[Pair]:
    """Every pair whose shingles have a Jaccard index of at least `threshold`, by name."""
    sets = {name: shingles(text) for name, text in texts.items()}
    ordered = _by_size(sets)
    index: dict[str, list[int]] = {}
    rarity = _rarity(sets)
    found = []
    for position, (name, grams) in enumerate(ordered):
        rare_first = sorted(grams, key=lambda gram: (rarity[gram], gram))
        prefix = rare_first[: _prefix_length(len(grams), threshold)]
        for other in _candidates(prefix, index):
            other_name, other_grams = ordered[other]
            if len(other_grams) < threshold * len(grams):
                continue
            similarity = jaccard(grams, other_grams)
            if similarity >= threshold:
                first, second = sorted((name, other_name))
                found.append(Pair(first, second, similarity))
        for gram in prefix:
            index.setdefault(gram, []).append(position)
    return sorted(found, key=lambda pair: (pair.a, pair.b))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared shingles over all shingles."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def _by_size(sets: Mapping[str, frozenset[str]]) -> list[tuple[str, frozenset[str]]]:
    return sorted(sets.items(), key=lambda item: (len(item[1]), item[0]))


def _rarity(sets: Mapping[str, frozenset[str]]) -> Counter[str]:
    return Counter(gram for grams in sets.values() for gram in grams)


def _prefix_length(size: int, threshold: float) -> int:
    return size - math.ceil(threshold * size) + 1


def _candidates(prefix: list[str], index: Mapping[str, list[int]]) -> Iterator[int]:
    seen: set[int] = set()
    for gram in prefix:
        for other in index.get(gram, ()):
            if other not in seen:
                seen.add(other)
                yield other
