"""Which successes are drawn."""

from benchmarks.contract.learning.drawing import drawn


def test_few_combinations_are_all_taken() -> None:
    assert drawn(3, 2, limit=20, seed="x") == [(0, 1), (0, 2), (1, 2)]
    assert drawn(2, 3, limit=20, seed="x") == []


def test_many_are_drawn_by_the_seed_each_once() -> None:
    first = drawn(10, 5, limit=20, seed="x")
    assert len(set(first)) == len(first) == 20
    assert all(one == tuple(sorted(set(one))) and len(one) == 5 for one in first)
    assert drawn(10, 5, limit=20, seed="x") == first
    assert drawn(10, 5, limit=20, seed="y") != first
