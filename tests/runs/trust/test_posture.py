from typing import Any

import pytest

from benchmarks.records.vocabulary import TrustLevel
from runs.trust.posture import Change, Posture, changed, read_posture

AT = "2026-11-01T08:00:00.000Z"
ACTOR = {"actor": "os:mira", "door": "shell"}


def test_f37_an_unknown_level_and_a_bad_cap_are_the_least_that_is_allowed() -> None:
    read = read_posture({
        "level": "hosted_opz",
        "overrides": {"allow_spend_usd_per_run": -1},
    })
    assert read == Posture(level=TrustLevel.LOCAL_SANDBOX, stop_loss_usd=None)


@pytest.mark.parametrize(
    "value", [None, [], "x", {"schema_version": "other.v1", "level": "hosted_ops"}]
)
def test_damage_and_another_schema_are_the_sandbox(value: Any) -> None:
    assert read_posture(value) == Posture()


def test_the_printed_posture_reads() -> None:
    read = read_posture({
        "schema_version": "understudy.trust_posture.v1",
        "level": "bounded_experiments",
        "set_at": AT,
        "overrides": {"allow_spend_usd_per_run": 20},
    })
    assert read.level is TrustLevel.BOUNDED_EXPERIMENTS
    assert read.stop_loss_usd == 20
    assert read.provider_upload is False
    assert read.set_at == AT


@pytest.mark.parametrize("cap", [True, "20", 0, float("inf"), float("nan")])
def test_a_bad_cap_is_no_cap(cap: Any) -> None:
    read = read_posture({"level": "hosted_ops", "overrides": {"allow_spend_usd_per_run": cap}})
    assert read.stop_loss_usd is None
    assert read.level is TrustLevel.HOSTED_OPS


def test_hosted_ops_allows_upload_unless_it_is_forbidden() -> None:
    assert read_posture({"level": "hosted_ops"}).provider_upload is True
    forbidden = {"level": "hosted_ops", "overrides": {"allow_provider_upload": False}}
    assert read_posture(forbidden).provider_upload is False


def test_levels_rise() -> None:
    middle = Posture(TrustLevel.BOUNDED_EXPERIMENTS)
    assert middle.reaches(TrustLevel.LOCAL_SANDBOX)
    assert middle.reaches(TrustLevel.BOUNDED_EXPERIMENTS)
    assert not middle.reaches(TrustLevel.HOSTED_OPS)


def test_a_change_is_merged_and_keeps_what_it_does_not_know() -> None:
    before = {
        "schema_version": "understudy.trust_posture.v1",
        "level": "local_sandbox",
        "set_at": "2026-01-01T00:00:00.000Z",
        "overrides": {"allow_spend_usd_per_run": 20, "x_team": "blue"},
        "x_note": 1,
    }
    after = changed(
        before,
        Change(TrustLevel.BOUNDED_EXPERIMENTS, provider_upload=True),
        set_at=AT,
        actor=ACTOR,
    ).dump()
    assert after["level"] == "bounded_experiments"
    assert after["set_at"] == AT
    assert after["overrides"] == {
        "allow_spend_usd_per_run": 20,
        "x_team": "blue",
        "allow_provider_upload": True,
    }
    assert (after["x_note"], after["actor"]) == (1, "os:mira")


def test_clear_beats_set() -> None:
    change = Change(TrustLevel.HOSTED_OPS, stop_loss_usd=5, clear_stop_loss=True)
    assert changed(None, change, set_at=AT, actor=ACTOR).overrides == {}


def test_a_damaged_file_is_replaced() -> None:
    after = changed(["damage"], Change(TrustLevel.HOSTED_OPS), set_at=AT, actor=ACTOR)
    assert read_posture(after.dump()).level is TrustLevel.HOSTED_OPS
