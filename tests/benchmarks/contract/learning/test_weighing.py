"""The assignment of acts to acts, held against every assignment there is."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.contract.learning.weighing import heaviest_pairs

GRIDS = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 5), min_size=width, max_size=width), min_size=1, max_size=4
    )
)


def test_the_greatest_total_is_taken_and_not_the_greatest_first_pair() -> None:
    assert heaviest_pairs([[5, 4], [4, 0]]) == {0: 1, 1: 0}


def test_order_decides_between_equal_totals() -> None:
    assert heaviest_pairs([[1, 1], [1, 1]]) == {0: 0, 1: 1}


def test_the_fewer_are_all_paired() -> None:
    assert heaviest_pairs([[0, 0, 3]]) == {0: 2}
    assert heaviest_pairs([[0], [0], [3]]) == {2: 0}
    assert heaviest_pairs([]) == {}


@settings(max_examples=60, deadline=None)
@given(GRIDS)
def test_no_assignment_weighs_more(grid: list[list[int]]) -> None:
    pairs = heaviest_pairs(grid)
    lefts, rights = range(len(grid)), range(len(grid[0]))
    count = min(len(lefts), len(rights))
    best = max(
        sum(grid[left][right] for left, right in zip(some, others, strict=True))
        for some in permutations(lefts, count)
        for others in permutations(rights, count)
    )
    assert len(pairs) == len(set(pairs.values())) == count
    assert sum(grid[left][right] for left, right in pairs.items()) == best
