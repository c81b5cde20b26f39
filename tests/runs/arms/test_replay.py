from pathlib import Path

import pytest

from benchmarks.records.blocks import Usage
from benchmarks.records.vocabulary import ArmKind
from runs.arms.base import ArmBroke
from runs.arms.replay import Replay
from runs.arms.transcript import Recorded
from runs.requests.arms import ArmSpec
from tests.runs.arms.stages import material_of, stage
from tests.runs.arms.test_model import _replaced

REPLAY = ArmSpec("replay", ArmKind.REPLAY)


def test_the_recording_stands_as_it_was_and_calls_nothing(tmp_path: Path) -> None:
    staged = stage(Replay(), material_of(tmp_path), spec=REPLAY)
    look, write = staged.transcript.calls
    assert (look.content, write.content) == (
        {"item_id": "I-0001", "status": "new", "shelf": 1},
        {"ok": True},
    )
    assert write.write
    assert staged.world.fidelity().calls == 0
    assert staged.scored.score.strict == 1


def test_a_call_that_the_source_s_world_refused_is_not_accepted(tmp_path: Path) -> None:
    material = material_of(tmp_path)
    assert material.gold is not None
    look, write = material.gold.calls
    gold = material.gold.with_(calls=[look, write.with_(status="error")])
    staged = stage(Replay(), _replaced(material, gold=gold), spec=REPLAY)
    assert [one.status for one in staged.transcript.calls] == ["ok", "error"]
    assert staged.scored.score.strict == 0


def test_what_the_incumbent_was_paid_is_shown(tmp_path: Path) -> None:
    paid = Recorded(Usage(input_tokens=9, output_tokens=1), cost_usd=0.5, latency_ms=1200)
    material = _replaced(material_of(tmp_path), recorded=paid)
    assert stage(Replay(), material, spec=REPLAY).transcript.recorded == paid


def test_without_a_source_there_is_nothing_to_replay(tmp_path: Path) -> None:
    material = _replaced(material_of(tmp_path), gold=None)
    with pytest.raises(ArmBroke) as caught:
        stage(Replay(), material, spec=REPLAY)
    assert caught.value.reason.code == "missing_gold"
