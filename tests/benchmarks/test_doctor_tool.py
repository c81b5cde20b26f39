"""`trace_doctor` as an agent calls it."""

from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.call import Call
from benchmarks.doors.progress import Progress
from benchmarks.errors import NothingSelected
from benchmarks.mcp_tools import TOOLS, trace_doctor
from benchmarks.records.caller import Caller
from tests.benchmarks.services.factories import NOW, desk, refund


@pytest.fixture
def call(lab_home: Path) -> Call:
    home = Home(lab_home)
    return Call(
        caller=Caller("mcp:claude@mira", "mcp"),
        home=home,
        roots=roots(home),
        cwd=lab_home,
        progress=Progress(),
        clock=lambda: NOW,
    )


def test_an_agent_gets_the_report_and_nothing_is_written(
    call: Call, tmp_path: Path, lab_home: Path
) -> None:
    source = desk(tmp_path / "source", refund(1), refund(2))
    before = sorted(lab_home.rglob("*"))
    report = trace_doctor(call, source=str(source))
    assert (report["verdict"], report["would_build"]["tasks"]) == ("pass", 2)
    assert sorted(lab_home.rglob("*")) == before
    assert trace_doctor(call, source=[str(source)])["captures"] == report["captures"]


def test_a_loss_is_a_report_that_fails_and_the_bar_can_be_moved(call: Call, tmp_path: Path) -> None:
    source = desk(tmp_path / "source", refund(1))
    with source.open("a", encoding="utf-8") as file:
        file.write("{broken\n{broken\n")
    assert trace_doctor(call, source=str(source))["verdict"] == "fail"
    assert trace_doctor(call, source=str(source), max_loss=0.9)["verdict"] == "pass"


def test_no_capture_is_an_error(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text('{"colour": "red"}', encoding="utf-8")
    with pytest.raises(NothingSelected):
        trace_doctor(call, source=str(tmp_path / "f.json"))


def test_the_tool_reads_only_and_may_be_repeated() -> None:
    (entry,) = [tool for tool in TOOLS if tool.name == "trace_doctor"]
    assert (entry.hints, entry.waits, entry.writes) == ("RI", True, False)
