"""Every recorded file gives what a careful person who opens it expects (dialects_expected.json)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.reading_alone import NUMBERS, read_alone

FOLDERS = (
    "bedrock", "captures", "cassettes", "deepeval-traces", "harbor-atif", "inspect", "langfuse",
    "langsmith", "openhands", "otlp", "sessions", "swe-agent", "tau-bench", "tau2-bench",
)  # fmt: skip
EXPECTED: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "dialects_expected.json").read_text(encoding="utf-8")
)
MOST_GAPS = 0.03


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_gives_what_stands_in_it(data_dir: Path, name: str) -> None:
    row = EXPECTED[name]
    found = read_alone(data_dir / name)
    assert found["records"] == found["captures"] + found["duplicates"] + sum(
        found["dropped"].values()
    )
    if "known_gap" in row:
        return
    if row.get("holds") == "none":
        assert found["captures"] == 0
        assert found["dropped"] == row.get("dropped", {})
        return
    assert {key: found[key] for key in NUMBERS} == {
        key: row.get(key, {} if key in {"dropped", "dialects"} else 0) for key in NUMBERS
    }


def test_every_file_of_the_folders_is_in_the_table(data_dir: Path) -> None:
    found = {
        path.relative_to(data_dir).as_posix()
        for folder in FOLDERS
        for path in (data_dir / folder).rglob("*")
        if path.is_file()
    }
    assert found == set(EXPECTED)


def test_at_most_three_files_of_a_hundred_are_read_wrongly() -> None:
    holding = [row for row in EXPECTED.values() if row.get("holds") != "none"]
    gaps = [row for row in holding if "known_gap" in row]
    assert all(row["known_gap"] for row in gaps)
    assert len(gaps) <= MOST_GAPS * len(holding)
