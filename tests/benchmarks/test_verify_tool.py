"""`verify_tasks` as an agent calls it."""

from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.call import Call
from benchmarks.doors.progress import Progress
from benchmarks.errors import InvalidArguments
from benchmarks.mcp_tools import TOOLS, verify_tasks
from benchmarks.records.caller import Caller
from tests.benchmarks.services.factories import NOW, task_lines


@pytest.fixture
def call(lab_home: Path, bench: Path) -> Call:
    home = Home(lab_home)
    return Call(
        caller=Caller("mcp:claude@mira", "mcp"),
        home=home,
        roots=roots(home),
        cwd=lab_home,
        progress=Progress(),
        clock=lambda: NOW,
    )


def test_weak_verifiers_come_first_with_what_they_pass(call: Call, bench: Path) -> None:
    last = task_lines(bench)[3]
    told = last["outcome_contract"]["required"][0]["observed_arguments"]
    wrong = {
        "task_id": last["task_id"],
        "expect": "fail",
        "calls": [{"tool": "issue_refund", "arguments": told}],
        "final_response": "Refunded.",
        "note": "refunded a thief",
    }
    answer = verify_tasks(call, slug="desk", fixtures=[wrong])
    assert answer["tasks"][0]["task_id"] == last["task_id"]
    assert [row["verdict"] for row in answer["tasks"]] == ["weak", *["tested"] * 5]
    assert answer["tasks"][0]["survivors"][0]["say"].startswith("refunded a thief failed")
    tool = {entry.name: entry for entry in TOOLS}.get("verify_tasks")
    assert tool is not None
    assert set(tool.keys) <= set(answer)


def test_some_tasks_are_tested_by_a_seed(call: Call, bench: Path) -> None:
    name = task_lines(bench)[1]["task_id"]
    answer = verify_tasks(call, slug="desk", tasks=[name], seed=5)
    assert ([row["task_id"] for row in answer["tasks"]], answer["seed"]) == ([name], 5)


def test_bad_fixture_is_refused(call: Call) -> None:
    with pytest.raises(InvalidArguments, match="neither pass nor fail"):
        verify_tasks(call, slug="desk", fixtures=[{"task_id": "x", "calls": []}])
