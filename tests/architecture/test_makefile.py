"""The targets that the README and CONTRIBUTING name are there, and so is what they run."""

import re
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
MAKEFILE = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
TARGETS = ("demo", "test", "check", "perf", "chaos", "coverage-table", "full")


def test_every_target_is_there_and_makes_no_file() -> None:
    made = re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.MULTILINE)
    assert set(TARGETS) <= set(made)
    phony = {
        name
        for line in re.findall(r"^\.PHONY: (.*)$", MAKEFILE, flags=re.M)
        for name in line.split()
    }
    assert set(TARGETS) <= phony


def test_every_file_that_kills_is_there() -> None:
    named = re.findall(r"tests/[a-z_/]+\.py", MAKEFILE)
    assert len(named) >= 17
    assert [name for name in named if not (REPOSITORY / name).is_file()] == []


def test_a_round_is_a_test_of_its_own() -> None:
    said = subprocess.run(
        ["make", "-n", "-o", ".venv/dev.stamp", "chaos", "ROUNDS=3"],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert said.startswith("UNDERSTUDY_TEST_ROUNDS=3 .venv/bin/python -m pytest ")
    assert "tests/flows/test_crash_and_resume.py" in said
