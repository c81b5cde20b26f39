from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.foundry.splits import Contender, Ratios, assign, measure, splits_document
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import Contamination, Split

TRAIN, DEV, HOLDOUT = Split.TRAIN, Split.DEV, Split.HOLDOUT


def alone(count: int) -> list[tuple[str, ...]]:
    return [(f"t{n:03}",) for n in range(count)]


def one_category(clusters: list[tuple[str, ...]]) -> dict[str, str]:
    return {task_id: "c" for cluster in clusters for task_id in cluster}


def draw(
    clusters: list[tuple[str, ...]],
    categories: dict[str, str] | None = None,
    *,
    seed: int = 0,
    ratios: Ratios | None = None,
    kept: dict[str, Split] | None = None,
) -> dict[str, Split]:
    return assign(
        clusters,
        categories or one_category(clusters),
        seed=seed,
        ratios=ratios or Ratios(),
        kept=kept or {},
    )


def sizes(splits: dict[str, Split]) -> tuple[int, int, int]:
    counts = Counter(splits.values())
    return counts[TRAIN], counts[DEV], counts[HOLDOUT]


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, (0, 0, 0)), (1, (1, 0, 0)), (2, (1, 1, 0)), (3, (1, 1, 1)), (10, (7, 2, 1)),
     (31, (22, 6, 3)), (100, (70, 20, 10))],
)  # fmt: skip
def test_ratios_hold(count: int, expected: tuple[int, int, int]) -> None:
    assert sizes(draw(alone(count))) == expected


def test_every_category_is_divided_by_the_ratios() -> None:
    clusters = alone(30)
    categories = {f"t{n:03}": f"c{n % 3}" for n in range(30)}
    splits = draw(clusters, categories)
    for category in ("c0", "c1", "c2"):
        own = {t: s for t, s in splits.items() if categories[t] == category}
        assert sizes(own) == (7, 2, 1)


def test_many_small_categories_still_fill_every_split() -> None:
    clusters = alone(30)
    categories = {f"t{n:03}": f"c{n}" for n in range(30)}
    assert sizes(draw(clusters, categories)) == (21, 6, 3)


def test_a_seed_draws_and_another_draws_otherwise() -> None:
    clusters = alone(40)
    assert draw(clusters, seed=1) == draw(list(reversed(clusters)), seed=1)
    assert draw(clusters, seed=1) != draw(clusters, seed=2)


def test_a_cluster_is_never_divided() -> None:
    clusters = [("a1", "a2", "a3"), ("b1",), ("c1",), ("d1", "d2")]
    splits = draw(clusters)
    assert all(len({splits[task_id] for task_id in cluster}) == 1 for cluster in clusters)
    assert set(splits.values()) == {TRAIN, DEV, HOLDOUT}


def test_an_empty_split_gets_the_smallest_cluster_of_the_largest() -> None:
    clusters = [("a1", "a2", "a3", "a4"), ("b1", "b2"), ("c1",)]
    splits = draw(clusters, ratios=Ratios(0.98, 0.01, 0.01))
    assert set(splits.values()) == {TRAIN, DEV, HOLDOUT}


def test_a_split_without_a_share_gets_nothing() -> None:
    assert sizes(draw(alone(10), ratios=Ratios(0.8, 0.2, 0.0))) == (8, 2, 0)


def test_a_cluster_keeps_its_split_and_new_members_join_it() -> None:
    first = draw(alone(20))
    grown = [(f"t{n:03}", f"u{n:03}") for n in range(20)] + [(f"v{n}",) for n in range(5)]
    second = draw(grown, kept=first)
    assert {t: second[t] for t in first} == first
    assert all(second[f"u{n:03}"] is first[f"t{n:03}"] for n in range(20))


def test_two_clusters_that_a_new_task_joins_keep_their_splits() -> None:
    kept = {"a": TRAIN, "c": HOLDOUT}
    assert draw([("a", "b", "c")], kept=kept) == {"a": TRAIN, "b": TRAIN, "c": HOLDOUT}


@pytest.mark.parametrize(
    ("word", "split"),
    [
        ("construction", TRAIN),
        ("fit", DEV),
        ("heldout", HOLDOUT),
        ("holdout", HOLDOUT),
        ("none", Split.NONE),
        (None, Split.NONE),
        ("test", Split.NONE),
    ],
)
def test_older_names_of_splits_are_read(word: str | None, split: Split) -> None:
    task = Task.read({"task_id": "t", "split": word, "outcome_contract": {"status": "x"}})
    assert task.split is split


@given(st.lists(st.integers(1, 4), max_size=25), st.integers(0, 5))
def test_every_task_gets_one_split(shape: list[int], seed: int) -> None:
    clusters = [tuple(f"t{n}-{m}" for m in range(size)) for n, size in enumerate(shape)]
    splits = draw(clusters, seed=seed)
    assert sorted(splits) == sorted(t for cluster in clusters for t in cluster)
    if len(clusters) >= 3:
        assert set(splits.values()) == {TRAIN, DEV, HOLDOUT}


def contender(name: str, split: Split, text: str, demand: str | None = None) -> Contender:
    return Contender(name, split, user_text=text, asked_text=text, demand=demand)


APART = [
    contender("a", TRAIN, "Refund order A-1007, it came broken."),
    contender("b", DEV, "Book a flight to Paris on Monday."),
    contender("c", HOLDOUT, "What does my subscription cost?"),
]


def test_nothing_alike_across_splits_is_clean() -> None:
    found = measure(APART)
    assert found.contamination is Contamination.CLEAN
    assert found.document()["near_duplicates"] == []
    assert found.document()["near_duplicates_total"] == 0


def test_near_duplicates_across_splits_are_named() -> None:
    twin = contender("z", HOLDOUT, "Refund order A-1007, it came broken!")
    found = measure([*APART, twin])
    assert found.contamination is Contamination.CONTAMINATED
    (pair,) = found.document()["near_duplicates"]
    assert (pair["a"], pair["b"]) == ("a", "z")
    assert found.document()["max_similarity"] == pair["similarity"] == 0.8889
    assert found.document()["near_duplicates_over_0_7"] == 1


def test_near_duplicates_within_a_split_are_clean() -> None:
    twin = contender("z", TRAIN, "Refund order A-1007, it came broken!")
    assert measure([*APART, twin]).contamination is Contamination.CLEAN


def test_an_equal_demand_behind_other_ids_is_contamination() -> None:
    one = contender("x", TRAIN, "Pay 7", demand="d")
    other = contender("y", HOLDOUT, "Pay 1234567890 now"[:14], demand="d")
    assert measure([*APART, one, other]).contamination is Contamination.CONTAMINATED


@pytest.mark.parametrize("splits", [(TRAIN, TRAIN), (TRAIN, DEV), (TRAIN, Split.NONE)])
def test_an_empty_split_is_unknown(splits: tuple[Split, Split]) -> None:
    contenders = [contender(f"t{n}", split, f"text {n * 7}") for n, split in enumerate(splits)]
    assert measure(contenders).contamination is Contamination.UNKNOWN


def test_two_splits_that_were_asked_for_can_be_clean() -> None:
    assert measure(APART[:2], [TRAIN, DEV]).contamination is Contamination.CLEAN


def test_the_splits_of_a_manifest() -> None:
    document = splits_document(
        [("task-aaaa", TRAIN), ("task-bbbb", HOLDOUT)], measure(APART), seed=7, ratios=Ratios()
    )
    assert document["splits_sha256"] == (
        "f9b8c5eb9ed43e385783b70bab7d233fa81cb5dce586f56ab5fe1e70181a7378"
    )
    assert document["boundary"] == "train 1 / dev 0 / holdout 1"
    assert document["ratios"] == {"train": 0.7, "dev": 0.2, "holdout": 0.1}
    assert document["seed"] == 7
