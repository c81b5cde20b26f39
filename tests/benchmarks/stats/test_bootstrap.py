from itertools import pairwise

import numpy as np
import pytest

from benchmarks.stats import bootstrap
from benchmarks.stats.bootstrap import headline, replicate_means
from benchmarks.stats.estimates import Estimate, Insufficient, rounded
from benchmarks.stats.seeding import TaskKey, seed_of

EIGHT = [TaskKey(f"t{i}") for i in range(1, 9)]
SCORES = [0.12, 0.95, 0.4, 0.77, 0.33, 0.61, 0.88, 0.05]


def interval(found: Estimate | Insufficient) -> tuple[float, float]:
    assert isinstance(found, Estimate)
    return found.low, found.high


def test_x1_the_first_row_of_the_stream() -> None:
    rng = np.random.Generator(np.random.PCG64(237012266704567))
    assert rng.integers(0, 8, size=(2000, 8))[0].tolist() == [7, 7, 1, 6, 4, 6, 3, 2]


def test_x2_the_headline_of_eight_tasks() -> None:
    found = headline(SCORES, rollouts=8, seed=seed_of("headline", "demo", "m1", EIGHT))
    assert isinstance(found, Estimate)
    assert found.value == 0.513750
    assert interval(found) == (0.279938, 0.727531)
    assert (found.method, found.n, found.iterations) == ("bootstrap_tasks", 8, 2000)
    assert found.seed == 237012266704567


def test_x2_the_first_two_replicates() -> None:
    drawn = replicate_means(np.asarray(SCORES).reshape(8, 1), seed=237012266704567)
    assert [rounded(float(mean)) for mean in drawn[:2, 0]] == [0.538750, 0.576250]


def test_x3_another_arm_or_other_digests_draw_otherwise() -> None:
    other = seed_of("headline", "demo", "m2", EIGHT)
    assert interval(headline(SCORES, rollouts=8, seed=other)) == (0.293719, 0.740031)
    stamped = [TaskKey(task.task_id, "a" * 64, "b" * 64) for task in EIGHT]
    seed = seed_of("headline", "demo", "m1", stamped)
    assert interval(headline(SCORES, rollouts=8, seed=seed)) == (0.297500, 0.723750)


def test_x4_no_width_is_answered_by_the_small_sample_bounds() -> None:
    found = headline([1.0] * 10, rollouts=10, seed=1)
    assert isinstance(found, Estimate)
    assert interval(found) == (0.722467, 1.0)
    assert found.method == "wilson_n_eff_bootstrap_without_width"


def test_x25_ties_are_read_off_neighbouring_intervals() -> None:
    tasks = [TaskKey(f"t{i:02}") for i in range(1, 31)]
    found = {
        arm: interval(
            headline(
                [1.0] * passed + [0.0] * (30 - passed),
                rollouts=30,
                seed=seed_of("headline", "demo", arm, tasks),
            )
        )
        for arm, passed in (("a", 24), ("b", 18), ("c", 9))
    }
    assert found == {
        "a": (0.633333, 0.933333),
        "b": (0.433333, 0.766667),
        "c": (0.133333, 0.466667),
    }
    assert all(higher[0] <= lower[1] for higher, lower in pairwise(found.values()))
    assert found["a"][0] > found["c"][1]


@pytest.mark.parametrize("means", [[], [0.5]])
def test_fewer_than_two_tasks_are_insufficient(means: list[float]) -> None:
    assert headline(means, rollouts=9, seed=1) == Insufficient(len(means), "bootstrap_tasks")


def test_the_figures_do_not_depend_on_the_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = replicate_means(np.asarray(SCORES).reshape(8, 1), seed=5)
    monkeypatch.setattr(bootstrap, "CHUNK_CELLS", 8 * 7)
    assert np.array_equal(replicate_means(np.asarray(SCORES).reshape(8, 1), seed=5), whole)
