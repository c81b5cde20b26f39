"""The MCP tool `read_benchmark`: the benchmark of reviews, with the leaderboard of runs."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.call import Call
from benchmarks.doors.progress import Progress
from benchmarks.records.caller import Caller
from runs.mcp_tools import TOOLS
from tests.reviews.desks import add_rows, make_desk
from tests.reviews.factories import ANSWERED, make_contract, make_row, make_task

SLUG = "local--refund-desk"
ENTRIES = {entry.name: entry for entry in TOOLS}


@pytest.fixture
def call(lab_home: Path) -> Call:
    easy = make_task("t2", outcome_contract=make_contract(ANSWERED))
    desk = make_desk(lab_home / "benchmarks", make_task("t1"), easy)
    add_rows(desk, make_row("t1", 1), make_row("t2", 0))
    here = home()
    return Call(
        caller=Caller("mcp:claude-code@mira", "mcp"),
        home=here,
        roots=roots(here),
        cwd=lab_home,
        progress=Progress(),
    )


def use(name: str, call: Call, **arguments: Any) -> Any:
    """Call a tool as the server does, once its arguments are checked."""
    ENTRIES[name].model.model_validate(arguments)
    return ENTRIES[name].function(call, **arguments)


def test_flagged_tasks_are_read(call: Call) -> None:
    flagged = use("read_benchmark", call, slug=SLUG, attention=True)
    assert [task["task_id"] for task in flagged["tasks"]] == ["t2"]
    one = use("read_benchmark", call, slug=SLUG, attention="weak_verifier", sort="attention")
    assert [task["task_id"] for task in one["tasks"]] == ["t2"]
    optional = {"page", "leaderboard", "overview", "versions", "holdout_ledger"}
    assert set(ENTRIES["read_benchmark"].keys) - optional <= set(one)
    assert "leaderboard" not in one


def test_leaderboard_comes_when_asked_for(call: Call) -> None:
    document = use("read_benchmark", call, slug=SLUG, include=["leaderboard", "versions"])
    assert document["leaderboard"]["arms"][0]["label"] == "m1"
    assert document["versions"] == []
