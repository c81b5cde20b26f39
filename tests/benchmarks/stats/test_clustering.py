import numpy as np
import pytest

from benchmarks.stats.clustering import (
    MIN_SILHOUETTE,
    central,
    part_texts,
    silhouette,
    spherical_kmeans,
    telling_words,
    tfidf,
)

BOOK = ["please", "book", "a", "flight", "to", "rome"]
CANCEL = ["cancel", "my", "hotel", "reservation", "and", "refund", "it"]
RENT = ["how", "much", "does", "renting", "one", "car", "cost"]


def texts(*kinds: list[str], each: int) -> list[list[str]]:
    return [[*kind, f"word{at}{len(kind)}"] for kind in kinds for at in range(each)]


def test_rows_are_unit_vectors_and_a_text_without_words_is_zero() -> None:
    vectors = tfidf([BOOK, [], CANCEL])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 1])


def test_a_word_that_all_texts_hold_weighs_less_than_a_rare_one() -> None:
    vectors = tfidf([["all", "rare"], ["all", "other"]])
    common, rare = np.sort(vectors[0])[-2:]
    assert rare > common


def test_texts_of_two_kinds_are_parted_in_two() -> None:
    found = part_texts(texts(BOOK, CANCEL, each=6), seed=0)
    assert found.labels == (0,) * 6 + (1,) * 6
    assert found.silhouette >= MIN_SILHOUETTE


def test_texts_of_three_kinds_are_parted_in_three() -> None:
    assert len(set(part_texts(texts(BOOK, CANCEL, RENT, each=5), seed=3).labels)) == 3


def test_texts_of_one_kind_stay_together() -> None:
    rng = np.random.default_rng(7)
    alike = [[f"word{at}" for at in rng.integers(0, 200, size=12)] for _ in range(40)]
    assert part_texts(alike, seed=0) == part_texts(alike, seed=1)
    assert part_texts(alike, seed=0).labels == (0,) * 40


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_texts_are_not_parted(count: int) -> None:
    assert part_texts([BOOK] * count, seed=0).labels == (0,) * count


def test_equal_texts_are_not_parted() -> None:
    assert part_texts([BOOK] * 9, seed=0).labels == (0,) * 9


def test_the_same_seed_gives_the_same_parts_and_the_largest_is_the_first() -> None:
    mixed = [*texts(CANCEL, each=3), *texts(BOOK, each=7)]
    first = part_texts(mixed, seed=5)
    assert first == part_texts(mixed, seed=5)
    assert first.labels == (1,) * 3 + (0,) * 7


def test_silhouette_by_hand() -> None:
    """Unit vectors at 0, 0, 90 degrees and one more at 90: own distance 0, other distance 1."""
    vectors = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    assert silhouette(vectors, np.array([0, 0, 1, 1])) == pytest.approx(1.0)
    assert silhouette(vectors, np.array([0, 1, 0, 1])) == pytest.approx(-0.5)
    assert silhouette(vectors, np.array([0, 0, 0, 0])) == 0
    # Alone in a part counts 0; the others: own (0 + 1) / 2, nearest 0 or 1.
    assert silhouette(vectors, np.array([0, 0, 0, 1])) == pytest.approx((0.5 + 0.5 - 1 + 0) / 4)


def test_kmeans_parts_what_points_apart() -> None:
    vectors = tfidf(texts(BOOK, CANCEL, each=4))
    labels = spherical_kmeans(vectors, 2, seed=1).tolist()
    assert len(set(labels[:4])) == len(set(labels[4:])) == 1
    assert labels[0] != labels[4]


def test_the_central_text_is_the_one_most_like_its_part() -> None:
    found = [["x", "y", "z"], ["book", "flight"], ["book", "flight", "rome"], ["book", "rome"]]
    assert central(found, [1, 2, 3]) == 2
    assert central([BOOK, BOOK], [0, 1]) == 0


def test_telling_words_are_those_that_others_lack() -> None:
    found = [["please", "book", "flight"], ["please", "book"], ["please", "cancel"]]
    assert telling_words(found, [0, 1], 2) == ["book", "flight"]
    assert telling_words(found, [0, 1, 2], 1) == ["please"]
