"""Which rollouts of the pilot an audit may read."""

import pytest

from benchmarks.records.vocabulary import Bump
from benchmarks.versioning.staleness import Breaking
from reviews.pilot import pilot_rows
from tests.reviews.factories import STAMPS, make_row, make_task


def shown(*changes: dict[str, object], replays: bool = False) -> list[str]:
    rows = [make_row(**{"model": f"m{at}", **change}) for at, change in enumerate(changes)]
    return [row.model for row in pilot_rows(rows, make_task(), {}, replays=replays)]


def test_the_newest_rollout_comes_first() -> None:
    assert shown(
        {"created_at": "2026-11-04T09:00:00.000Z"}, {"created_at": "2026-11-05T09:00:00.000Z"}
    ) == ["m1", "m0"]


@pytest.mark.parametrize("kind", ["null_agent", "spam_agent", "majority_class"])
def test_arms_that_must_fail_show_nothing(kind: str) -> None:
    assert shown({"arm_kind": kind}, replays=True) == []


@pytest.mark.parametrize("kind", ["replay", "oracle"])
def test_what_the_lab_replays_counts_only_where_no_model_is_reached(kind: str) -> None:
    assert shown({"arm_kind": kind}) == []
    assert shown({"arm_kind": kind}, replays=True) == ["m0"]


@pytest.mark.parametrize("kind", ["incumbent", "candidate", "app_replay"])
def test_any_other_arm_counts(kind: str) -> None:
    assert shown({"arm_kind": kind}) == ["m0"]


@pytest.mark.parametrize(
    "change",
    [
        {"task_id": "t2"},
        {"score": None},
        {"provenance": {"task_content_hashes": {**STAMPS, "env_sha256": "0" * 64}}},
        {"provenance": {"task_content_hashes": {**STAMPS, "verifier_sha256": "0" * 64}}},
    ],
)
def test_another_task_an_error_and_an_older_task_do_not(change: dict[str, object]) -> None:
    assert shown(change) == []


def test_a_row_from_before_the_breaking_line_is_stale() -> None:
    row = make_row(provenance={"task_version": "1.0.0"})
    breaking = {"t1": Breaking(Bump.MAJOR, None)}
    assert pilot_rows([row], make_task(), breaking, replays=False) == []
