"""A conversation that started a helper, built: the world answers as the helper did."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.capture import Capture
from tests.benchmarks.foundry.factories import call, result, session_record, tool
from tests.benchmarks.services.factories import build, files

GIVEN = "Look up what the customer of ticket T-1 ordered."
TOLD = "The customer ordered a kettle."
END = {"reason": "reply", "detail": ""}
TOOLS = [tool("Task"), tool("get_order"), tool("close_ticket")]


def captures(*done: str) -> list[Capture]:
    """An orchestrator whose call nothing answers, and its helper, who calls these tools."""
    main = session_record(
        [
            ("user", "What did the customer of ticket T-1 order?"),
            ("assistant", call("Task", "t1", prompt=GIVEN)),
            ("assistant", "A kettle."),
        ],
        line=1,
        tools=TOOLS,
        end=END,
    )
    work: list[tuple[Any, ...]] = []
    for at, name in enumerate(done):
        work += [
            ("assistant", call(name, f"c{at}", order_id="A-1")),
            ("tool", result("a kettle", name, f"c{at}")),
        ]
    said = [("user", GIVEN), *work, ("assistant", TOLD)]
    helper = session_record(said, line=2, tools=TOOLS, end=END, helper_of=(main, "t1"))
    return [main, helper]


@pytest.fixture
def directory(tmp_path: Path) -> BenchmarkDir:
    return BenchmarkDir(tmp_path / "desk")


def test_a_helper_that_only_read_is_a_look_up_with_its_last_words(directory: BenchmarkDir) -> None:
    directory.append(layout.CAPTURES, *captures("get_order"))
    found = build(directory.path)
    assert found["counts"]["tasks"] == 1
    assert found["dropped"] == {"helper_attached": 1}
    assert found["self_check"]["failed"] == 0
    rows = directory.load_list(layout.FIXTURES)
    (row,) = [one for one in rows if one.tool == "Task" and one.task_id is not None]
    assert {one.tool for one in rows if one.task_id is None} == {"Task", "get_order"}
    assert (row.arguments, row.content, row.status) == ({"prompt": GIVEN}, TOLD, "ok")
    policy = directory.load(layout.TOOL_POLICY).tools["Task"]
    assert (policy.effect, policy.source, policy.evidence) == ("read", "lexicon", "fan_out")
    index = directory.read(layout.EXECUTION_INDEX).records
    assert [one.exclusion_reasons for one in index if one.task_id is None] == [["helper_attached"]]


def test_a_helper_that_wrote_makes_the_call_a_write_that_is_owed(directory: BenchmarkDir) -> None:
    directory.append(layout.CAPTURES, *captures("get_order", "close_ticket"))
    found = build(directory.path)
    (task,) = directory.tasks().values()
    assert task.tool_effects["Task"].effect == "write"
    assert "Task" in [entry.tool for entry in task.outcome_contract.required]
    assert task.helpers == [captures("get_order", "close_ticket")[1].capture_key]
    gold = directory.load(layout.GOLD).tasks[0]
    assert [(one.tool, one.content) for one in gold.calls] == [("Task", TOLD)]
    assert found["promotion_blockers"] == []


def test_building_it_again_changes_no_byte(directory: BenchmarkDir) -> None:
    directory.append(layout.CAPTURES, *captures("close_ticket"))
    build(directory.path)
    before = files(directory.path)
    build(directory.path)
    assert files(directory.path) == before
