from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.foundry.similarity import Pair, jaccard, near_pairs
from benchmarks.foundry.wording import shingles

TEXTS = st.lists(st.text(alphabet="ab ", max_size=14), max_size=8)


def by_hand(texts: dict[str, str], threshold: float) -> list[Pair]:
    found = []
    for a, b in combinations(sorted(texts), 2):
        similarity = jaccard(shingles(texts[a]), shingles(texts[b]))
        if similarity >= threshold:
            found.append(Pair(a, b, similarity))
    return found


@given(TEXTS, st.sampled_from([0.1, 0.5, 0.7, 0.8, 1.0]))
def test_the_join_finds_exactly_the_pairs_that_all_comparisons_find(
    texts: list[str], threshold: float
) -> None:
    named = {f"t{n:02}": text for n, text in enumerate(texts)}
    assert near_pairs(named, threshold) == by_hand(named, threshold)


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [("abcde", "abcde", 1.0), ("abcde", "abcdef", 2 / 5), ("hi", "hi", 1.0), ("hi", "ho", 0.0)],
)
def test_jaccard_by_hand(one: str, other: str, similarity: float) -> None:
    assert jaccard(shingles(one), shingles(other)) == pytest.approx(similarity)
