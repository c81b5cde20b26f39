from datetime import UTC, datetime
from typing import Any

import pytest

from benchmarks.errors import NothingSelected
from benchmarks.intake.scope import Scoped
from benchmarks.intake.told import told_of
from benchmarks.records.capture import Capture
from tests.benchmarks.intake.made import capture

NOW = datetime(2026, 11, 10, 12, tzinfo=UTC)


def scoped(captures: list[Capture], **wanted: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """The ids that are kept, and why the others are not."""
    scope = Scoped(NOW, **wanted)
    found = [(one.capture_id, scope.dropped(told_of(one))) for one in captures]
    kept = [name for name, dropped in found if dropped is None]
    scope.check(len(kept))
    return kept, [(drop.reason.value, drop.detail) for _, drop in found if drop is not None]


def test_a_workload_is_its_id_or_its_name_whatever_its_case() -> None:
    captures = [
        capture("1", workload="Desk"), capture("2", workload_id="DESK"),
        capture("3", workload="desk-2"), capture("4"),
    ]  # fmt: skip
    assert scoped(captures, workload="desk") == (
        ["1", "2"], [("workload_mismatch", "desk-2"), ("missing_workload_scope", "no workload")],
    )  # fmt: skip


def test_captures_without_any_workload_say_how_to_build() -> None:
    with pytest.raises(NothingSelected, match="build without --workload"):
        scoped([capture("1")], workload="desk")


def test_an_unknown_workload_names_those_that_are_there() -> None:
    with pytest.raises(NothingSelected) as caught:
        scoped([capture("1", workload="a"), capture("2", workload="b")], workload="desk")
    assert caught.value.hint == "the sources hold: a, b"


def test_the_boundary_instant_is_kept() -> None:
    captures = [
        capture("edge", at="2026-11-07T12:00:00.000Z"), capture("old", at="2026-11-07T11:59:59Z"),
        capture("new", at="2026-11-10T11:00:00Z"), capture("none"),
        capture("bad", warnings=["unknown_time", "malformed_time"]),
    ]  # fmt: skip
    assert scoped(captures, max_age_days=3) == (
        ["edge", "new"],
        [("stale", "2026-11-07T11:59:59Z"), ("missing_timestamp", "no time"),
         ("malformed_timestamp", "no time")],
    )  # fmt: skip


def test_zero_days_is_no_limit() -> None:
    captures = [capture("none"), capture("old", at="1999-01-01T00:00:00Z")]
    assert scoped(captures, max_age_days=0) == (["none", "old"], [])


def test_nothing_left_names_the_newest_time() -> None:
    captures = [
        capture("a", at="2020-02-02T00:00:00Z"), capture("b", at="2019-01-01T00:00:00Z"),
    ]  # fmt: skip
    with pytest.raises(NothingSelected, match="2020-02-02"):
        scoped(captures, max_age_days=3)


def test_nothing_is_said_of_sources_that_held_no_capture() -> None:
    assert scoped([], workload="desk", max_age_days=3) == ([], [])
