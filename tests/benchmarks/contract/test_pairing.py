from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.contract.pairing import maximum_pairs

EDGES = st.lists(st.lists(st.integers(0, 4), unique=True, max_size=5), max_size=5)


def largest(edges: list[list[int]]) -> int:
    """The size of a maximum matching, by trying every order of rights."""
    rights = [*range(5), *[-1] * len(edges)]
    best = 0
    for order in set(permutations(rights, len(edges))):
        best = max(best, sum(right in edge for right, edge in zip(order, edges, strict=True)))
    return best


def test_ties_go_to_the_lowest_entry_and_the_lowest_call() -> None:
    assert maximum_pairs([[0, 1], [0, 1]]) == {0: 0, 1: 1}
    assert maximum_pairs([[0], [0]]) == {0: 0}
    assert maximum_pairs([[2, 3], [3]]) == {0: 2, 1: 3}


def test_an_earlier_entry_gives_way_where_it_has_another_call() -> None:
    assert maximum_pairs([[0, 1], [0]]) == {0: 1, 1: 0}


def test_nothing_pairs_with_nothing() -> None:
    assert maximum_pairs([]) == {}
    assert maximum_pairs([[], []]) == {}


def test_a_long_chain_is_rearranged() -> None:
    count = 3000
    edges = [[place, place + 1] for place in range(count)] + [[0]]
    assert len(maximum_pairs(edges)) == count + 1


@given(EDGES)
def test_the_matching_is_valid_and_maximum(edges: list[list[int]]) -> None:
    pairs = maximum_pairs(edges)
    assert all(right in edges[left] for left, right in pairs.items())
    assert len(set(pairs.values())) == len(pairs)
    assert len(pairs) == largest(edges)
