"""Which successes are taken when contracts are learned from some of many."""

import random
from itertools import combinations
from math import comb


def drawn(size: int, count: int, *, limit: int, seed: str) -> list[tuple[int, ...]]:
    """Different choices of `count` places out of `size`, at most `limit`, each in order.

    Every choice where there are no more; else the same ones for the same seed.
    """
    if comb(size, count) <= limit:
        return list(combinations(range(size), count))
    rng = random.Random(seed)
    found: dict[tuple[int, ...], None] = {}
    while len(found) < limit:
        found[tuple(sorted(rng.sample(range(size), count)))] = None
    return list(found)
