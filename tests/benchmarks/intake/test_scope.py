from datetime import UTC, datetime

import pytest

from benchmarks.errors import NothingSelected
from benchmarks.intake.scope import of_age, of_workload
from tests.benchmarks.intake.made import capture

NOW = datetime(2026, 11, 10, 12, tzinfo=UTC)


def test_a_workload_is_its_id_or_its_name_whatever_its_case() -> None:
    kept = of_workload(
        [capture("1", workload="Desk"), capture("2", workload_id="DESK"),
         capture("3", workload="desk-2"), capture("4")],
        "desk",
    )  # fmt: skip
    assert [item.capture_id for item in kept.captures] == ["1", "2"]
    assert [(drop.reason.value, drop.detail) for drop in kept.dropped] == [
        ("workload_mismatch", "desk-2"), ("missing_workload_scope", "no workload"),
    ]  # fmt: skip


def test_captures_without_any_workload_say_how_to_build() -> None:
    with pytest.raises(NothingSelected, match="build without --workload"):
        of_workload([capture("1")], "desk")


def test_an_unknown_workload_names_those_that_are_there() -> None:
    with pytest.raises(NothingSelected) as caught:
        of_workload([capture("1", workload="a"), capture("2", workload="b")], "desk")
    assert caught.value.hint == "the sources hold: a, b"


def test_the_boundary_instant_is_kept() -> None:
    kept = of_age(
        [capture("edge", at="2026-11-07T12:00:00.000Z"), capture("old", at="2026-11-07T11:59:59Z"),
         capture("new", at="2026-11-10T11:00:00Z"), capture("none"),
         capture("bad", warnings=["unknown_time", "malformed_time"])],
        max_age_days=3, now=NOW,
    )  # fmt: skip
    assert [item.capture_id for item in kept.captures] == ["edge", "new"]
    assert [drop.reason.value for drop in kept.dropped] == [
        "stale", "missing_timestamp", "malformed_timestamp",
    ]  # fmt: skip


def test_zero_days_is_no_limit() -> None:
    kept = of_age([capture("none"), capture("old", at="1999-01-01T00:00:00Z")],
                  max_age_days=0, now=NOW)  # fmt: skip
    assert len(kept.captures) == 2


def test_nothing_left_names_the_newest_time() -> None:
    with pytest.raises(NothingSelected, match="2020-02-02"):
        of_age(
            [capture("a", at="2020-02-02T00:00:00Z"), capture("b", at="2019-01-01T00:00:00Z")],
            max_age_days=3, now=NOW,
        )  # fmt: skip
