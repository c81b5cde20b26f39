from typing import Any

import pytest

from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import Split
from benchmarks.versioning.staleness import Currency
from reviews.rigor.evidence import Place, Placed
from runs.regrade.candidates import (
    Candidate,
    Filed,
    Skip,
    candidates,
    is_replayable,
    needs_nothing,
    out_of_reach,
)

STAMPS = {"task_content_hashes": {"env_sha256": "a", "verifier_sha256": "b"}}


def placed(
    currency: Currency | None, place: Place = Place.SCORED, reason: str | None = None, **row: Any
) -> Placed:
    line = Row.read({
        "run_id": "run-1", "task_id": "t1", "model": "m1", "status": "ok", "score": 1,
        "provenance": STAMPS, **row,
    })  # fmt: skip
    return Placed(line, 0, Split.NONE, place, reason, currency)


def one(item: Placed) -> Candidate:
    return Candidate(item, Filed(item.row, "rows-run-1-m1.jsonl", 4))


def found(*items: Placed, staled: tuple[str, ...] = ()) -> list[Placed]:
    filed = [Filed(item.row, "rows-run-1-m1.jsonl", line) for line, item in enumerate(items)]
    return [each.placed for each in candidates(items, filed, staled)]


def test_current_rows_are_none_unless_a_new_line_stales_them_or_they_bear_no_stamp() -> None:
    fresh = placed(Currency.CURRENT)
    bare = placed(Currency.CURRENT, provenance=None)
    assert found(fresh, bare) == [bare]
    assert found(fresh, staled=("t1",)) == [fresh]
    assert found(fresh, staled=("t2",)) == []


@pytest.mark.parametrize(
    "currency", [Currency.STALE_REGRADE, Currency.STALE_RERUN, Currency.UNVERSIONED]
)
def test_every_other_row_of_the_evidence_is_one(currency: Currency) -> None:
    item = placed(currency, Place.EXCLUDED, "stale")
    assert found(item) == [item]


@pytest.mark.parametrize("reason", ["superseded", "foreign", "late", "duplicate", "rejected_task"])
def test_what_is_no_evidence_is_none(reason: str) -> None:
    assert found(placed(None, Place.LEFT_OUT, reason)) == []


def test_the_reasons_are_asked_in_their_order() -> None:
    gone = placed(None, Place.LEFT_OUT, "orphan")
    assert out_of_reach(one(gone), replayable=False) is Skip.TASK_GONE
    moved = placed(Currency.STALE_RERUN)
    assert out_of_reach(one(moved), replayable=False) is Skip.ENVIRONMENT_CHANGED
    stale = placed(Currency.STALE_REGRADE)
    assert out_of_reach(one(stale), replayable=False) is Skip.VERIFIER_NOT_REPLAYABLE
    assert out_of_reach(one(stale), replayable=True) is None


def test_a_row_of_todays_version_needs_nothing() -> None:
    assert needs_nothing(one(placed(Currency.CURRENT, provenance=None)))
    assert not needs_nothing(one(placed(Currency.CURRENT, provenance=None)), ["t1"])
    assert not needs_nothing(one(placed(Currency.UNVERSIONED, provenance=None)))


@pytest.mark.parametrize(
    ("verifier", "expected"),
    [
        ({"kind": "final-state"}, True),
        ({"kind": "final-state", "replayable": False}, False),
        ({"kind": "rubric-judge", "replayable": True}, True),
        ({"kind": "rubric-judge"}, False),
        ({"kind": "final-state", "replayable": "yes"}, True),
        (None, False),
    ],
)
def test_the_manifest_says_whether_a_verifier_can_be_replayed(
    verifier: dict[str, Any] | None, expected: bool
) -> None:
    manifest = BenchmarkManifest(schema_version="understudy.benchmark.v1", verifier=verifier)
    assert is_replayable(manifest) is expected
    assert is_replayable(None) is False


def test_a_row_is_named_by_its_file_and_line() -> None:
    candidate = one(placed(Currency.STALE_REGRADE))
    assert candidate.filed.ref == "rows-run-1-m1.jsonl#4"
    assert candidate.lost(Skip.TRAJECTORY_MISSING) == {
        "run_id": "run-1", "model": "m1", "task_id": "t1", "rollout": 0,
        "reason": "trajectory_missing",
    }  # fmt: skip
    assert [skip.loses for skip in Skip] == [False, True, True, True, False]
