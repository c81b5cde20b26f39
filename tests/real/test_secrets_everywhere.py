"""No secret that is put anywhere into a real record is in anything that intake hands back."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from tests.real.mutating import Sample, pool_of, values_of
from tests.real.planting import SECRET, Planter
from tests.real.test_dialects import EXPECTED, FOLDERS

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC), max_loss=1, processes=0)
FEWEST = 30
"""Fewer planted secrets than this would mean that the planting went wrong."""
WITHOUT = {"tau2-bench"}
"""Files of tasks and scores that are no records of a conversation."""


def everything(intake: Intake) -> str:
    """All that is written of a pass, and all that is told of it."""
    blobs = [data.decode("utf-8", "replace") for data in intake.blobs.values()]
    lines = [line.decode() for line in intake.lines()]
    told = [json.dumps(intake.report.dump()), repr(intake.dropped), repr(intake.nearest)]
    return "\n".join([*lines, *blobs, *told, str(intake.report.secrets)])


def read(path: Path, values: list[Any]) -> Intake:
    path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    return ingest([path], options=OPTIONS)


def planted_in(sample: Sample, path: Path) -> tuple[int, str]:
    """How many secrets were put into a sample, and all that came of it."""
    planter = Planter()
    values = [planter.planted(value) for value in values_of(sample)]
    if not values:
        return 0, ""
    found = everything(read(path, values))
    return planter.count, found


@pytest.mark.parametrize("folder", [name for name in FOLDERS if name not in WITHOUT])
def test_a_secret_in_any_place_of_a_real_record_is_in_nothing_that_is_kept(
    data_dir: Path, tmp_path: Path, folder: str
) -> None:
    names = [name for name in EXPECTED if name.startswith(f"{folder}/")]
    count = 0
    for sample in pool_of(data_dir, names).samples:
        planted, found = planted_in(sample, tmp_path / "f.jsonl")
        count += planted
        assert SECRET.search(found) is None, sample.name
    assert count >= FEWEST


def test_without_redaction_they_are_all_there(data_dir: Path, tmp_path: Path) -> None:
    (sample,) = pool_of(data_dir, ["captures/openai-chat.jsonl"]).samples
    planter = Planter()
    values = [planter.planted(value) for value in values_of(sample)]
    path = tmp_path / "f.jsonl"
    path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    options = IntakeOptions(now=OPTIONS.now, max_loss=1, processes=0, redact=False)
    intake = ingest([path], options=options)
    assert len(set(SECRET.findall(everything(intake)))) > planter.count / 4
    assert (intake.report.redacted, intake.report.secrets) == (False, {})
