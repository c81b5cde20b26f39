from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.foundry import similarity
from benchmarks.foundry.similarity import Pair, alike, folded, jaccard, near_pairs
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


def test_a_text_that_many_tasks_share_is_compared_once() -> None:
    texts = {f"t{n}": "cancel my order" for n in range(4)} | {"u": "cancel my orders"}
    found = list(alike(texts, 0.8))
    assert [(one.one, one.other) for one in found] == [
        (("t0", "t1", "t2", "t3"), ("t0", "t1", "t2", "t3")),
        (("u",), ("t0", "t1", "t2", "t3")),
    ]
    assert len(near_pairs(texts, 0.8)) == 6 + 4


def test_more_texts_than_are_joined_exactly_are_proposed_by_signatures_and_verified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ["order", "flight", "refund", "hotel", "invoice", "ticket", "parcel", "seat"]
    texts = {
        f"t{n:03}": f"please change the {words[n % 8]} number {n // 2} of {words[n // 8 % 8]}"
        for n in range(200)
    }
    exact = near_pairs(texts, 0.7)
    assert len(exact) > 50
    monkeypatch.setattr(similarity, "EXACT_UP_TO", 0)
    assert near_pairs(texts, 0.7) == exact


SPOKEN = ["please", "change", "the", "seat", "of", "my", "flight", "order", "7", "9"]
WORDS = st.lists(st.sampled_from(SPOKEN), max_size=9)


@given(st.lists(WORDS.map(" ".join), max_size=10), st.sampled_from([0.7, 0.8]))
def test_no_pair_of_texts_that_share_most_words_is_missed(
    texts: list[str], threshold: float
) -> None:
    named = {f"t{n:02}": text for n, text in enumerate(texts)}
    assert near_pairs(named, threshold) == by_hand(named, threshold)


def test_sets_differ_in_as_many_shingles_as_their_bits_or_more() -> None:
    assert folded([0, 1, 2]) ^ folded([0, 1, 3]) == 0b1100
    assert folded([5, 517]) == 0
