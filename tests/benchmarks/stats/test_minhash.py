import numpy as np
import pytest

from benchmarks.stats.minhash import HASHES, alike_places, likely_pairs, signatures


def test_equal_sets_have_equal_signatures_and_the_seed_draws_them() -> None:
    found = signatures([[1, 2, 3], [3, 2, 1], [4]], seed=0)
    assert found.shape == (3, HASHES)
    assert (found[0] == found[1]).all()
    assert (signatures([[1, 2, 3]], seed=0) == found[:1]).all()
    assert (signatures([[1, 2, 3]], seed=1) != found[:1]).any()


@pytest.mark.parametrize(("shared", "jaccard"), [(0, 0.0), (500, 1 / 3), (900, 9 / 11)])
def test_the_share_of_equal_hashes_estimates_the_jaccard_index(shared: int, jaccard: float) -> None:
    one, other = range(1000), range(1000 - shared, 2000 - shared)
    first, second = signatures([one, other], seed=0)
    assert float(np.mean(first == second)) == pytest.approx(jaccard, abs=0.13)


def test_each_likely_pair_is_named_once_the_later_place_first() -> None:
    sets = [list(range(50)), list(range(100, 150)), list(range(50)), [*range(49), 999]]
    assert sorted(likely_pairs(sets, seed=0)) == [(2, 0), (3, 0), (3, 2)]


def test_equal_rows_are_grouped_by_their_places() -> None:
    rows = np.array([[1, 2], [3, 4], [1, 2], [2, 1], [3, 4], [1, 2]], dtype=np.uint32)
    assert sorted(alike_places(rows)) == [[0, 2, 5], [1, 4]]
    assert list(alike_places(rows[:1])) == []
