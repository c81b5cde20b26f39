"""Which variants are tried."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from benchmarks.contract.mutants.drawing import draw
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.variant import Variant
from tests.benchmarks.contract.making import contract, rollout
from tests.benchmarks.contract.mutants.probing import ANSWERED, original

SOURCE = original(contract(ANSWERED), rollout())


def many(source: Original, rng: Random) -> Iterator[Variant]:
    for place in range(30):
        yield Variant(source.observed, f"many {place}", f"o{place % 3}")


def one(source: Original, rng: Random) -> Iterator[Variant]:
    yield Variant(source.observed, "one", "o0")


def twice(source: Original, rng: Random) -> Iterator[Variant]:
    yield Variant(source.observed, "the same")
    yield Variant(source.observed, "the same")


def deep(source: Original, rng: Random) -> Iterator[Variant]:
    for slip in range(20):
        yield Variant(source.observed, f"amount {slip}", "o1", point="amount", rank=1)
    yield Variant(source.observed, "order", "o1", point="order_id", rank=0)
    yield Variant(source.observed, "name", "o1", point="people.0.name", rank=3)


def invented(source: Original, rng: Random) -> Iterator[Variant]:
    yield Variant(source.observed, "made up", "o9", invented=True)
    yield Variant(source.observed, "seen", "o0")


def test_each_operator_is_there_before_one_comes_again():
    found = draw((many, one, twice), SOURCE, 7, 5)
    assert [drawn.operator for drawn in found] == ["many", "one", "twice", "many", "many"]


def test_each_point_is_aimed_at_before_one_is_again():
    found = draw((deep, one), SOURCE, 7, 5)
    told = [(drawn.operator, drawn.variant.say.split()[0]) for drawn in found]
    assert told == [
        ("deep", "order"), ("one", "one"), ("deep", "amount"), ("deep", "name"), ("deep", "amount"),
    ]  # fmt: skip


def test_entries_are_aimed_at_in_turn():
    found = draw((many,), SOURCE, 7, 9)
    assert Counter(drawn.variant.obligation_id for drawn in found) == {"o0": 3, "o1": 3, "o2": 3}


def test_the_seed_decides_and_nothing_else():
    assert draw((many,), SOURCE, 7, 9) == draw((many,), SOURCE, 7, 9)
    assert draw((many,), SOURCE, 7, 9) != draw((many,), SOURCE, 8, 9)


def test_what_was_seen_comes_before_what_is_made_up():
    assert [one.variant.say for one in draw((invented,), SOURCE, 7, 9)] == ["seen", "made up"]


def test_there_are_no_more_than_there_are():
    assert len(draw((one, twice), SOURCE, 7, 40)) == 2
