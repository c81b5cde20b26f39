"""A refund desk in the default root of the test's own home."""

from pathlib import Path

import pytest

from benchmarks.artifacts.roots import Located
from tests.reviews.desks import add_rows, make_desk
from tests.reviews.factories import ANSWERED, make_contract, make_row, make_task, make_trivial_row


@pytest.fixture
def desk(lab_home: Path) -> Located:
    """Three tasks, of which the null agent passes one."""
    desk = make_desk(
        lab_home / "benchmarks",
        make_task("t1", title="Refund \x1b[31mA-1007\x07"),
        make_task("t2", outcome_contract=make_contract(ANSWERED)),
        make_task("t3", machine_confidence="low"),
    )
    for task in ("t1", "t2", "t3"):
        add_rows(
            desk,
            make_trivial_row("oracle", task, 1),
            make_trivial_row("null_agent", task, int(task == "t2")),
        )
    add_rows(desk, make_row("t1", 1), make_row("t2", 1), make_row("t3", 0))
    return desk
