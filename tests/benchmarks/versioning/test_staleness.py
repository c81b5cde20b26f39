from typing import Any

import pytest

from benchmarks.records.blocks import Hashes
from benchmarks.records.contract import Contract
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.version import VersionLine
from benchmarks.versioning.staleness import Currency, breaking_lines, currency, stamp_from

HASHES = {"env_sha256": "e1", "verifier_sha256": "v1", "meta_sha256": "m1"}
TODAY = Task(
    task_id="t1",
    outcome_contract=Contract(status="machine_proposed"),
    version="2.3.4",
    content_hashes=Hashes.read(HASHES),
)
BEFORE, LINE_AT, AFTER = "2026-11-02T09:00:00Z", "2026-11-02T12:00:00+02:00", "2026-11-02T11:00:00Z"


def row(at: str | None = AFTER, version: str | None = None, **hashes: str) -> Row:
    provenance: dict[str, Any] = {}
    if version is not None:
        provenance["task_version"] = version
    if hashes:
        provenance["task_content_hashes"] = {**HASHES, **hashes}
    return Row(
        run_id="run-1",
        task_id="t1",
        model="m",
        status="ok",
        score=1,
        created_at=at,
        provenance=provenance or None,
    )


def lines(*bumps: str, at: str = LINE_AT) -> list[VersionLine]:
    return [
        VersionLine.read({
            "created_at": at,
            "version": "2.0.0",
            "task_bumps": [{"task_id": "t1", "bump": bump, "from": "1.0.0", "to": "2.0.0"}],
        })
        for bump in bumps
    ]


CASES = [
    ("2 env differs", row(env_sha256="e0"), (), Currency.STALE_RERUN),
    ("2 env differs though the version is today's", row(version="2.3.4", env_sha256="e0"), (),
     Currency.STALE_RERUN),
    ("2 env dominates verifier", row(env_sha256="e0", verifier_sha256="v0"), (),
     Currency.STALE_RERUN),
    ("3 verifier differs", row(verifier_sha256="v0"), (), Currency.STALE_REGRADE),
    ("4 a matching stamp does not rescue: major", row(BEFORE, env_sha256="e1"), ("major",),
     Currency.STALE_RERUN),
    ("4 a matching stamp does not rescue: minor", row(BEFORE, env_sha256="e1"), ("minor",),
     Currency.STALE_REGRADE),
    ("4 the last breaking line in file order decides", row(BEFORE, env_sha256="e1"),
     ("major", "minor", "patch"), Currency.STALE_REGRADE),
    ("5 digests equal, not older", row(env_sha256="e1"), ("major",), Currency.CURRENT),
    ("5 as old as the line, in another zone", row("2026-11-02T10:00:00Z", env_sha256="e1"),
     ("major",), Currency.CURRENT),
    ("5 meta alone differs", row(meta_sha256="m0"), (), Currency.CURRENT),
    ("5 digests equal, without a time", row(None, env_sha256="e1"), ("major",), Currency.CURRENT),
    ("6 major differs", row(version="1.3.4"), (), Currency.STALE_RERUN),
    ("6 minor differs", row(version="2.2.4"), (), Currency.STALE_REGRADE),
    ("6 no version is 1.0.0", row(version="one"), (), Currency.STALE_RERUN),
    ("7 older than the breaking line: major", row(BEFORE, "2.3.4"), ("major",),
     Currency.STALE_RERUN),
    ("7 older than the breaking line: minor", row(BEFORE), ("minor",), Currency.STALE_REGRADE),
    ("7 without a time while there is a line", row(None), ("major",), Currency.STALE_RERUN),
    ("8 patch differs", row(version="2.3.0"), (), Currency.CURRENT),
    ("8 version equal, newer than the line", row(version="2.3.4"), ("major",), Currency.CURRENT),
    ("9 neither", row(), (), Currency.UNVERSIONED),
    ("9 neither, newer than the line", row(), ("major",), Currency.UNVERSIONED),
    ("9 a patch line decides nothing", row(BEFORE), ("patch",), Currency.UNVERSIONED),
    ("9 without a time and without a line", row(None), (), Currency.UNVERSIONED),
]  # fmt: skip


@pytest.mark.parametrize(("name", "measured", "bumps", "state"), CASES, ids=[c[0] for c in CASES])
def test_the_first_line_that_decides(
    name: str, measured: Row, bumps: tuple[str, ...], state: Currency
) -> None:
    assert currency(measured, TODAY, breaking_lines(lines(*bumps))) is state


def test_a_row_of_a_task_that_is_gone_is_an_orphan() -> None:
    assert currency(row(env_sha256="e1"), None, {}) is Currency.ORPHAN


def test_a_line_of_another_task_decides_nothing() -> None:
    other = VersionLine.read({
        "created_at": LINE_AT,
        "task_bumps": [{"task_id": "t2", "bump": "major", "from": "1.0.0", "to": "2.0.0"}],
    })
    assert (
        currency(row(BEFORE, env_sha256="e1"), TODAY, breaking_lines([other])) is Currency.CURRENT
    )


def test_a_line_without_bumps_decides_nothing() -> None:
    line = VersionLine.read({"created_at": LINE_AT, "splits_sha256": "f9", "note": None})
    assert breaking_lines([line]) == {}


def test_a_task_without_stamps_is_judged_by_version() -> None:
    bare = TODAY.with_(content_hashes=None)
    assert currency(row(version="2.3.4", env_sha256="e0"), bare, {}) is Currency.CURRENT
    assert currency(row(env_sha256="e0"), bare, {}) is Currency.UNVERSIONED


def test_half_a_stamp_is_no_stamp() -> None:
    stamp = stamp_from(AFTER, 7, {"env_sha256": "", "verifier_sha256": None})
    assert (stamp.version, stamp.env_sha256, stamp.verifier_sha256) == (None, None, None)


def test_only_current_and_unversioned_rows_count() -> None:
    assert [state for state in Currency if state.counts] == [
        Currency.CURRENT,
        Currency.UNVERSIONED,
    ]
