"""`regrade_run` as an agent calls it: it looks first."""

from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.call import Call
from benchmarks.doors.progress import Progress
from benchmarks.errors import ApprovalRequired
from benchmarks.records.caller import Caller
from runs.mcp_regrading import TOOLS, regrade_run
from tests.factories import Desk
from tests.regrading import FIRST, NEW, NOBODY, REGRADED, make_measured, rows_of, want


@pytest.fixture
def desk(lab_home: Path) -> Desk:
    found = make_measured(lab_home / "benchmarks" / "desk")
    want(found, FIRST, NOBODY)
    return found


@pytest.fixture
def call(lab_home: Path, desk: Desk) -> Call:
    home = Home(lab_home)
    return Call(
        caller=Caller("mcp:claude@mira", "mcp"),
        home=home,
        roots=roots(home),
        cwd=lab_home,
        progress=Progress(),
        clock=lambda: REGRADED,
    )


def test_it_looks_unless_it_is_told_to_write(call: Call, desk: Desk) -> None:
    looked = regrade_run(call, slug="desk", run_id="run-1")
    assert looked["dry_run"] is True
    assert looked["next_actions"][0]["arguments"] == {
        "slug": "local--desk", "dry_run": False, "run_id": "run-1",
    }  # fmt: skip
    assert rows_of(desk.directory, NEW) == []
    wrote = regrade_run(call, slug="desk", dry_run=False)
    assert wrote["summaries"][0]["regraded"] == 8
    tool = {entry.name: entry for entry in TOOLS}.get("regrade_run")
    assert tool is not None
    assert set(tool.keys) <= set(wrote)


def test_an_agent_needs_a_persons_word_for_untested_verifiers(call: Call, desk: Desk) -> None:
    (desk.path / layout.VERIFIER_REPORT.path).unlink()
    with pytest.raises(ApprovalRequired):
        regrade_run(call, slug="desk", dry_run=False, allow_untested="closed")
    wrote = regrade_run(call, slug="desk", dry_run=False, allow_untested="closed", confirm=True)
    assert wrote["untested_task_ids"] == [FIRST]
