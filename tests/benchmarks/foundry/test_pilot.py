"""Which task is built first, and what a compilation holds back."""

from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.contract.mutating import Policy
from benchmarks.foundry.compile import BuildOptions, Compilation, Made, compile_benchmark
from benchmarks.foundry.drafting import policy_in_force
from benchmarks.foundry.pilot import first_task, held_back, in_dev, waiting
from benchmarks.foundry.reasons import Drop
from tests.benchmarks.services.factories import build, desk


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Compilation, Policy]:
    folder: Path = tmp_path_factory.mktemp("pilot")
    build(folder / "desk", desk(folder / "captures"))
    captures = BenchmarkDir(folder / "desk").read(layout.CAPTURES).records
    policy = policy_in_force(captures, None)
    return compile_benchmark(captures, policy, BuildOptions()), policy


def changed(found: Compilation, changes: dict[str, dict[str, object]]) -> Compilation:
    made = tuple(
        Made(one.task.with_(**changes.get(one.task.task_id, {})), one.draft) for one in found.made
    )
    return Compilation(made, found.fates, found.dag, found.drops, found.recordings, found.captures)


def test_the_surest_of_those_that_are_judged_best_comes_first(
    found: tuple[Compilation, Policy],
) -> None:
    compilation, policy = found
    low = {task.task_id: {"machine_confidence": "low"} for task in compilation.tasks}
    refunds = [task.task_id for task in compilation.tasks if "issue_refund" in task.tool_surface]
    assert len(refunds) == 4
    for name in refunds:
        sure = {**low, name: {"machine_confidence": "high"}}
        assert first_task(changed(compilation, sure), policy, seed=0) == name


def test_what_cannot_be_judged_fully_comes_after_what_can(
    found: tuple[Compilation, Policy],
) -> None:
    compilation, policy = found
    names = [task.task_id for task in compilation.tasks]
    claims = [{"code": "partial_evidence"}, {"code": "unclassified_call"}]
    cut = {name: {"claims": claims} for name in names[1:]}
    first = first_task(changed(compilation, cut), policy, seed=0)
    sure = {names[0]: {"machine_confidence": "low"}, **cut}
    assert first == first_task(changed(compilation, sure), policy, seed=0) == names[0]


def test_of_equals_the_most_typical_wins_and_the_order_they_come_in_does_not(
    found: tuple[Compilation, Policy],
) -> None:
    compilation, policy = found
    first = first_task(compilation, policy, seed=0)
    turned = Compilation(
        tuple(reversed(compilation.made)),
        compilation.fates,
        compilation.dag,
        compilation.drops,
        compilation.recordings,
        compilation.captures,
    )
    assert first_task(turned, policy, seed=0) == first
    assert first_task(compilation, policy, seed=0, refused=[first]) != first


def test_the_rest_is_counted_and_nothing_is_lost(found: tuple[Compilation, Policy]) -> None:
    compilation, _ = found
    one = compilation.tasks[0].task_id
    held = held_back(compilation, [one])
    assert [task.task_id for task in held.tasks] == [one]
    assert held.drops[Drop.PILOT_PENDING] == waiting(held) == 5
    assert len(held.fates) == len(compilation.fates) == 6
    assert held.dag.nodes == compilation.dag.nodes
    assert held.recordings == compilation.recordings
    assert waiting(compilation) == 0


def test_the_pilot_is_in_dev(found: tuple[Compilation, Policy]) -> None:
    compilation, _ = found
    splits = {task.task_id: task.split for task in compilation.tasks}
    for name in splits:
        moved = {task.task_id: task.split for task in in_dev(compilation, name).tasks}
        assert moved == {**splits, name: "dev"}


def test_waiting_is_a_filter_and_no_loss() -> None:
    assert (Drop.PILOT_PENDING.kind, Drop.PILOT_PENDING.is_loss) == ("filter", False)
