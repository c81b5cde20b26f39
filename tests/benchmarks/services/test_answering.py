"""What an operator answers about live tools: their place, kept and remembered on this machine."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import Home
from benchmarks.errors import InvalidArguments
from benchmarks.services.answering import Answer
from benchmarks.services.directing import propose_directions
from tests.benchmarks.services.factories import CALLER, NOW, desk, refund

TOOLS = "application tools"
PLACE = "stdio:desk-server --orders"


@pytest.fixture
def intake(tmp_path: Path) -> Path:
    path = tmp_path / "desk"
    ask(path, source=[desk(tmp_path / "source", refund(1), refund(2))])
    return path


def ask(path: Path, *, home: Home | None = None, source: Any = (), **said: Any) -> dict[str, Any]:
    return propose_directions(
        directory=BenchmarkDir(path),
        slug="local--desk",
        source=source,
        answer=Answer(**said),
        home=home,
        caller=CALLER,
        now=NOW,
    )


def live(path: Path, home: Home | None = None, **words: Any) -> Any:
    return ask(path, postures={TOOLS: "live"}, confirm=True, home=home, **words)


def test_the_place_of_live_tools_is_kept_and_remembered_on_this_machine(
    intake: Path, tmp_path: Path
) -> None:
    home = Home(tmp_path / "home")
    found = live(intake, home, endpoints={TOOLS: PLACE})
    assert found["dependencies"][0]["endpoint"] == PLACE
    assert home.live_endpoints() == {PLACE}
    written = json.loads((home.path / "live-endpoints.json").read_text(encoding="utf-8"))
    assert written["endpoints"] == [
        {
            "endpoint": PLACE,
            "actor": "os:mira",
            "door": "shell",
            "at": "2026-11-02T12:00:00.000Z",
        }
    ]
    live(intake, home)
    assert json.loads((home.path / "live-endpoints.json").read_text(encoding="utf-8")) == written


def test_a_place_that_only_the_directory_names_is_approved_on_no_machine(
    intake: Path, tmp_path: Path
) -> None:
    live(intake, endpoints={TOOLS: PLACE})
    assert Home(tmp_path / "home").live_endpoints() == frozenset()


def test_another_posture_forgets_the_place(intake: Path) -> None:
    live(intake, endpoints={TOOLS: PLACE})
    found = ask(intake, postures={TOOLS: "frozen"})
    assert "endpoint" not in found["dependencies"][0]


@pytest.mark.parametrize(
    ("postures", "endpoints", "said"),
    [
        ({TOOLS: "frozen"}, {TOOLS: PLACE}, "goes with postures"),
        ({}, {TOOLS: PLACE}, "goes with postures"),
        ({TOOLS: "live"}, {TOOLS: "desk"}, "https://HOST"),
        ({TOOLS: "live"}, {TOOLS: "https://me:key@h/"}, "no key stands in it"),
    ],
)
def test_a_place_that_is_none_is_named(
    intake: Path, postures: dict[str, str], endpoints: dict[str, str], said: str
) -> None:
    with pytest.raises(InvalidArguments, match=said):
        ask(intake, postures=postures, endpoints=endpoints, confirm=True)
