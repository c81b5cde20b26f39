"""Cards of 50 airline tasks, 31 of which were ever solved, and a build of one of them."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.services.answering import Answer
from benchmarks.services.directing import propose_directions
from tests.benchmarks.services.factories import CALLER, NOW, build, task_lines

TOOLS = "application tools"


def ask(path: Path, *sources: Path, **said: Any) -> dict[str, Any]:
    return propose_directions(
        directory=BenchmarkDir(path),
        slug="local--airline",
        source=list(sources),
        answer=Answer(**said),
        caller=CALLER,
        now=NOW,
    )


@pytest.fixture(scope="module")
def source(data_dir: Path) -> Path:
    return data_dir / "tau-bench" / "gpt-4o-airline.trials01.json"


def test_three_cards_a_pick_and_its_tasks(source: Path, tmp_path: Path) -> None:
    found = ask(tmp_path / "airline", source)
    assert [(card["name"], card["task_count"], card["share"]) for card in found["directions"]] == [
        ("Look up reservations, users and direct flights", 17, 0.5484),
        ("Cancel reservations", 4, 0.129),
        ("Update reservations", 3, 0.0968),
    ]
    assert found["note"] == "7 conversations in 5 clusters too small for a card"
    tools, user = found["dependencies"]
    assert (tools["name"], tools["posture"], user["kind"]) == (TOOLS, "simulated", "model")
    assert tools["note"] == (
        "105 recorded calls; of 83 look-ups own rows answer 100%, shared rows alone 22%"
    )
    again = ask(tmp_path / "again", source)
    assert again["directions"] == found["directions"]
    ask(
        tmp_path / "airline",
        pick="cancel-reservations",
        postures={TOOLS: "simulated", "user": "frozen"},
    )
    built = build(tmp_path / "airline")
    assert len(task_lines(tmp_path / "airline")) == 4
    assert built["dropped"]["not_in_direction"] == 54
