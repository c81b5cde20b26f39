from benchmarks.stats.costs import SuccessCost, success_cost
from benchmarks.stats.estimates import Insufficient
from benchmarks.stats.seeding import TaskKey, seed_of


def seed(n: int) -> int:
    tasks = [TaskKey(f"t{i:02}") for i in range(1, n + 1)]
    return seed_of("cost_per_success", "demo", "m1", tasks)


def test_x20_dollars_per_success_over_tasks() -> None:
    costs = [0.02, 0.05, 0.01, 0.03, 0.04, 0.02, 0.06, 0.03, 0.02, 0.05]
    found = success_cost(costs, [1, 1, 0, 1, 0.5, 1, 1, 0, 1, 0.5], seed=seed(10))
    assert found == SuccessCost(value=0.047143, low=0.031429, high=0.074, n=10, seed=seed(10))
    assert isinstance(found, SuccessCost)
    assert not found.unbounded


def test_x21_one_success_of_six_is_open_above() -> None:
    found = success_cost([0.02, 0.03, 0.02, 0.04, 0.03, 0.02], [1, 0, 0, 0, 0, 0], seed=seed(6))
    assert found == SuccessCost(value=0.16, low=0.043333, high=None, n=6, seed=seed(6))
    assert isinstance(found, SuccessCost)
    assert found.document()["unbounded"] is True


def test_no_success_has_no_price() -> None:
    found = success_cost([0.02, 0.03], [0, 0], seed=1)
    assert found == SuccessCost(value=None, low=None, high=None, n=2, seed=1)
    assert isinstance(found, SuccessCost)
    assert "unbounded" not in found.document()


def test_one_task_is_insufficient() -> None:
    assert success_cost([0.02], [1], seed=1) == Insufficient(1, "bootstrap_ratio")
