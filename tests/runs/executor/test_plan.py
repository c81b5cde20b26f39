from hypothesis import given
from hypothesis import strategies as st

from benchmarks.records.vocabulary import ArmKind
from runs.executor.plan import (
    CellRef,
    Started,
    asked_cells,
    cell_key,
    cell_seed,
    default_seed,
    make_plan,
)
from runs.requests.arms import ArmSpec

A = ArmSpec("a", ArmKind.CANDIDATE, model="a")
B = ArmSpec("b", ArmKind.INCUMBENT, model="b")
NULL = ArmSpec("null_agent", ArmKind.NULL_AGENT)
LOCAL = ArmSpec("l", ArmKind.CANDIDATE, local={"ref": "l"})
TASKS = ("t1", "t2")


def refs(cells: object) -> list[tuple[str, str, int]]:
    return [tuple(ref) for _, ref in cells]  # type: ignore[attr-defined]


def test_zero_cost_arms_come_first_then_whole_pairs_then_local_arms() -> None:
    assert refs(asked_cells((A, LOCAL, B, NULL), TASKS, 2)) == [
        ("null_agent", "t1", 0),
        ("null_agent", "t2", 0),
        ("a", "t1", 0),
        ("b", "t1", 0),
        ("a", "t2", 0),
        ("b", "t2", 0),
        ("a", "t1", 1),
        ("b", "t1", 1),
        ("a", "t2", 1),
        ("b", "t2", 1),
        ("l", "t1", 0),
        ("l", "t2", 0),
        ("l", "t1", 1),
        ("l", "t2", 1),
    ]


def test_owed_is_asked_minus_what_has_a_row() -> None:
    have = {CellRef("a", "t1", 0), CellRef("a", "gone", 0)}
    plan = make_plan(asked_cells((A, NULL), TASKS, 1), have, {})
    assert [tuple(cell.ref) for cell in plan.owed] == [
        ("null_agent", "t1", 0),
        ("null_agent", "t2", 0),
        ("a", "t2", 0),
    ]
    assert (plan.asked, plan.on_disk) == (4, 1)
    assert plan.asked_by_arm == {"null_agent": 2, "a": 2}


def test_the_next_attempt_counts_one_more() -> None:
    started = {CellRef("a", "t1", 0): Started(newest=2, lost=0)}
    plan = make_plan(asked_cells((A,), TASKS, 1), (), started)
    assert [cell.attempt for cell in plan.owed] == [3, 1]


def test_cells_lost_with_two_processes_come_last_and_alone() -> None:
    started = {
        CellRef("a", "t2", 0): Started(newest=2, lost=2),
        CellRef("a", "t3", 0): Started(newest=1, lost=1),
    }
    plan = make_plan(asked_cells((A,), ("t1", "t2", "t3"), 1), (), started)
    assert [(cell.ref.task_id, cell.is_suspect) for cell in plan.owed] == [
        ("t1", False),
        ("t3", False),
        ("t2", True),
    ]


def test_three_lost_attempts_make_a_cell_hopeless() -> None:
    started = {
        CellRef("a", "t1", 0): Started(newest=3, lost=3),
        CellRef("a", "t2", 0): Started(newest=3, lost=2),
    }
    plan = make_plan(asked_cells((A,), TASKS, 1), (), started)
    assert {cell.ref.task_id: cell.is_hopeless for cell in plan.owed} == {"t1": True, "t2": False}


def test_the_printed_cell_key() -> None:
    assert cell_key("r1", CellRef("m1", "t1", 0)) == "db3e3d6ba106c1a6"


def test_a_seed_is_the_same_for_every_arm_and_task() -> None:
    assert cell_seed(2**31 - 1, 0) == 2**31 - 1
    assert cell_seed(2**31 - 1, 1) == 0
    assert cell_seed(1378623481, 2) == 1378623483


def test_the_printed_default_seed() -> None:
    assert default_seed("run-5be1c0d2a9f34e77") == 1378623481


@given(
    st.integers(1, 4),
    st.integers(1, 3),
    st.sets(
        st.tuples(st.sampled_from("ab"), st.sampled_from(["t1", "t2", "t3"]), st.integers(0, 2))
    ),
)
def test_owed_and_had_make_up_what_is_asked(
    tasks: int, rollouts: int, had: set[tuple[str, str, int]]
) -> None:
    task_ids = [f"t{number}" for number in range(1, tasks + 1)]
    have = {CellRef(*cell) for cell in had}
    asked = {ref for _, ref in asked_cells((A, B), task_ids, rollouts)}
    plan = make_plan(asked_cells((A, B), task_ids, rollouts), have, {})
    owed = {cell.ref for cell in plan.owed}
    assert owed == asked - have
    assert len(owed) == len(plan.owed)
    assert plan.asked == len(asked) == 2 * tasks * rollouts
