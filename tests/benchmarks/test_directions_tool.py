"""`propose_directions` as an agent calls it."""

from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.call import Call
from benchmarks.doors.progress import Progress
from benchmarks.errors import ApprovalRequired, InvalidArguments
from benchmarks.mcp_tools import TOOLS, propose_directions
from benchmarks.records.caller import Caller
from tests.benchmarks.services.factories import NOW, desk, look_up, refund

REFUNDS = "issue-refunds"


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


@pytest.fixture
def source(tmp_path: Path) -> str:
    talks = (*(refund(number) for number in range(1, 5)), *(look_up(n) for n in range(5, 8)))
    return str(desk(tmp_path / "source", *talks))


def test_an_agent_proposes_then_answers_as_the_user_said(call: Call, source: str) -> None:
    found = propose_directions(call, source=source, name="desk")
    assert found["slug"] == "local--desk"
    assert found["next_actions"][0]["tool"] == "propose_directions"
    answered = propose_directions(
        call, slug="desk", pick=REFUNDS, postures={"application tools": "frozen"}
    )
    assert answered["picked"]["actor"] == "mcp:claude@mira"
    assert answered["dependencies"][0]["door"] == "mcp"


def test_a_live_posture_needs_confirm(call: Call, source: str) -> None:
    propose_directions(call, source=[source], name="desk")
    live = {"application tools": "live"}
    with pytest.raises(ApprovalRequired):
        propose_directions(call, slug="desk", postures=live)
    found = propose_directions(call, slug="desk", postures=live, confirm=True)
    assert found["dependencies"][0]["posture"] == "live"


@pytest.mark.parametrize("named", [{}, {"slug": "a", "name": "b"}])
def test_one_directory_is_named(call: Call, source: str, named: dict[str, str]) -> None:
    with pytest.raises(InvalidArguments, match="name one directory"):
        propose_directions(call, source=source, **named)


def test_what_users_wrote_is_fenced() -> None:
    entry = next(one for one in TOOLS if one.name == "propose_directions")
    assert entry.fenced == ("/directions/*/example/text",)
    assert (entry.writes, entry.waits) == (True, True)
