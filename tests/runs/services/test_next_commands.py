"""Worked case 26 of spec/surface.md: the command of every rule is one that a shell understands."""

import shlex
from pathlib import Path

import pytest

from benchmarks.artifacts.home import home
from tests.driving import Shell
from tests.runs.services import benches
from tests.runs.services.requests import claimed, make_request, queue

FILLED = {"MODEL": "m9", "REASON": "no pilot yet", "TEXT": "no order came"}
USAGE = 2


def filled(step: dict) -> list[str]:
    """The words of the command behind `understudy`, what it needs filled in."""
    words = shlex.split(step["command"])
    assert words[0] == "understudy"
    assert set(step["needs"]) <= set(FILLED)
    return [FILLED.get(word, word) for word in words[1:]]


@pytest.mark.parametrize("name", benches.BENCHES)
def test_the_next_command_is_never_a_usage_error(name: str, lab_home: Path, shell: Shell) -> None:
    rule, make = benches.BENCHES[name]
    located = make(home().benchmarks)
    step = shell("benchmarks", "status", located.slug).document["next"]
    assert step["rule"] == rule
    ran = shell(*filled(step))
    assert ran.code != USAGE, ran.err


def test_waiting_for_a_held_run_is_understood(lab_home: Path, shell: Shell) -> None:
    located = benches.promoted(home().benchmarks)
    queue(located, make_request(status="running"))
    with claimed(located):
        step = shell("benchmarks", "status", located.slug).document["next"]
        assert step["rule"] == "wait_run"
        words = [word.replace("20", "0.2") if word == "20" else word for word in filled(step)]
        assert shell(*words).code == 0
