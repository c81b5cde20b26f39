"""Real files made wrong, 20,000 of them: each costs what is wrong in it, and never a pass.

`UNDERSTUDY_TEST_MUTATED_INPUTS` names another number of inputs.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts import jsonl
from benchmarks.artifacts.parsing import parse_json
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.records.blobs import with_blobs
from benchmarks.records.capture import Capture
from tests.real.mutating import Pool, mutated, pool_of
from tests.real.test_dialects import EXPECTED

INPUTS = int(os.environ.get("UNDERSTUDY_TEST_MUTATED_INPUTS", "20000"))
CHUNKS = 40
LONGEST_CPU_S = 2.0
OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC), max_loss=1, processes=0)


class TooSlow(BaseException):
    """One input kept this process busy for too long; nothing in the code may catch this."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """End what is inside when it has spent more time of the processor, however long it waited."""

    def ring(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture(scope="module")
def pool(data_dir: Path) -> Pool:
    holding = [name for name, row in EXPECTED.items() if row.get("holds") != "none"]
    return pool_of(data_dir, [*EXPECTED, *holding, *holding])


def check(intake: Intake) -> None:
    """Every record is accounted for, and every capture is a line that reads back as itself."""
    report = intake.report
    assert report.records == report.captures + sum(report.dropped.values()) + report.duplicates
    lines = list(intake.lines())
    assert len(lines) == len(intake.captures) == report.captures
    for line, capture in zip(lines, intake.captures, strict=True):
        assert b"\n" not in line
        whole = with_blobs(parse_json(line).value, intake.blobs.__getitem__)
        assert Capture.read(whole) == capture
    jsonl.encode_value(report.dump())
    assert all(drop.pointer.encode() and drop.detail.encode() is not None
               for drop in intake.dropped)  # fmt: skip


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_file_made_wrong_costs_what_is_wrong_in_it(
    pool: Pool, tmp_path: Path, chunk: int
) -> None:
    for number in range(chunk, INPUTS, CHUNKS):
        wrong = mutated(pool, number)
        path = tmp_path / wrong.name
        path.write_bytes(wrong.data)
        try:
            with at_most(LONGEST_CPU_S):
                check(ingest([path], options=OPTIONS))
        except (Exception, TooSlow) as error:
            raise AssertionError(f"input {wrong.made}") from error
        path.unlink()


def test_many_inputs_are_still_recognised(pool: Pool, tmp_path: Path) -> None:
    found = 0
    for number in range(200):
        wrong = mutated(pool, number)
        path = tmp_path / wrong.name
        path.write_bytes(wrong.data)
        found += bool(ingest([path], options=OPTIONS).report.dialects)
        path.unlink()
    assert found > 80
