import json
from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from benchmarks.errors import InvalidArguments
from benchmarks.records.vocabulary import TrustLevel
from runs.services.trusting import posture_of, set_trust, show_trust
from tests.factories import NOW, SHELL


def test_without_a_file_it_is_the_sandbox(tmp_path: Path) -> None:
    document = show_trust(home=Home(tmp_path))
    assert document["posture"] is None
    assert document["resolved"]["level"] == "local_sandbox"


def test_setting_writes_the_file_merged_and_private(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    set_trust(home=home, level="bounded_experiments", spend_stop_loss=20, caller=SHELL, now=NOW)
    document = set_trust(home=home, level="hosted_ops", caller=SHELL, now=NOW)
    assert document["posture"] == {
        "schema_version": "understudy.trust_posture.v1",
        "level": "hosted_ops",
        "set_at": "2026-11-02T12:00:00.000Z",
        "overrides": {"allow_spend_usd_per_run": 20},
        "actor": "os:mira",
        "door": "shell",
    }
    assert document["resolved"]["allow_provider_upload"] is True
    assert home.trust_file.stat().st_mode & 0o777 == 0o600
    assert posture_of(home).stop_loss_usd == 20


def test_all_that_is_wrong_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    with pytest.raises(InvalidArguments) as caught:
        set_trust(home=home, level="trusted", spend_stop_loss=0, caller=SHELL, now=NOW)
    assert [complaint.path for complaint in caught.value.errors] == ["level", "spend_stop_loss"]
    assert "local_sandbox, bounded_experiments, hosted_ops" in caught.value.errors[0].message
    assert not home.trust_file.exists()


def test_a_damaged_file_is_the_sandbox_and_is_replaced(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.trust_file.write_text("{", encoding="utf-8")
    assert posture_of(home).level is TrustLevel.LOCAL_SANDBOX
    set_trust(home=home, level="bounded_experiments", caller=SHELL, now=NOW)
    assert json.loads(home.trust_file.read_text("utf-8"))["level"] == "bounded_experiments"
