from pathlib import Path

from benchmarks.records.vocabulary import ArmKind, Termination
from runs.arms.oracle import Oracle
from runs.requests.arms import ArmSpec
from tests.factories import Item
from tests.runs.arms.stages import material_of, stage
from tests.runs.arms.test_model import _replaced

ORACLE = ArmSpec("oracle", ArmKind.ORACLE)


def test_the_source_passes_through_the_world(tmp_path: Path) -> None:
    staged = stage(Oracle(), material_of(tmp_path), spec=ORACLE)
    assert staged.scored.score.strict == 1
    assert staged.transcript.termination is Termination.FINISHED
    assert staged.transcript.final_response == "Done."
    assert [one.tool for one in staged.transcript.calls] == ["get_item", "update_item"]
    fidelity = staged.world.fidelity()
    assert (fidelity.served, fidelity.echoed, fidelity.share) == (1, 1, 1)
    assert staged.transcript.bill.cost_usd == 0


def test_without_a_source_it_makes_the_calls_of_the_contract(tmp_path: Path) -> None:
    effect = Item(1).outcome_contract().required[0].dump()
    item = Item(1, contract={"status": "s", "writes": "forbid", "required": [effect]})
    material = _replaced(material_of(tmp_path, item), gold=None)
    staged = stage(Oracle(), material, spec=ORACLE)
    (one,) = staged.transcript.calls
    assert one.arguments == {"item_id": "I-0001", "status": "packed"}
    assert staged.scored.score.strict == 1
    assert staged.transcript.missing_gold == []


def test_a_judged_response_that_was_never_captured_is_missing_gold(tmp_path: Path) -> None:
    material = _replaced(material_of(tmp_path), gold=None)
    staged = stage(Oracle(), material, spec=ORACLE)
    assert staged.transcript.missing_gold == ["response"]


def test_the_turns_keep_the_order_of_the_source(tmp_path: Path) -> None:
    staged = stage(Oracle(), material_of(tmp_path), spec=ORACLE)
    assert [turn.role for turn in staged.transcript.turns] == [
        "user", "assistant", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip
