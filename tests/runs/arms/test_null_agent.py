from pathlib import Path

from benchmarks.records.vocabulary import ArmKind
from runs.arms.null_agent import NULL_TEXT, NullAgent
from runs.requests.arms import ArmSpec
from tests.factories import Item
from tests.runs.arms.stages import material_of, stage

NULL = ArmSpec("null_agent", ArmKind.NULL_AGENT)
UNCHANGED = {
    "status": "s",
    "writes": "forbid",
    "required": [{"id": "o1", "type": "no_state_change"}],
}


def test_it_says_the_same_for_every_task_and_calls_nothing(tmp_path: Path) -> None:
    staged = stage(NullAgent(), material_of(tmp_path), spec=NULL)
    assert staged.transcript.final_response == NULL_TEXT == "I am unable to complete this request."
    assert staged.transcript.calls == []
    assert staged.scored.score.strict == 0


def test_it_passes_a_task_that_asks_for_nothing_but_no_change(tmp_path: Path) -> None:
    item = Item(1, contract=UNCHANGED)
    staged = stage(NullAgent(), material_of(tmp_path, item), spec=NULL)
    assert staged.scored.score.strict == 1
