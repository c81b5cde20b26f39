"""One cell with arms and models that break: it costs that cell a marked row, never an exception."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from benchmarks.gateway.failures import BROKEN_OFF, CONTEXT, SERVER, CallFailed
from benchmarks.records.vocabulary import ArmKind, Termination
from runs.arms.base import Material, Play
from runs.arms.model import ModelArm
from runs.arms.null_agent import NullAgent
from runs.executor.plan import Cell, CellRef
from runs.executor.rollout import Studio, Terms, roll
from runs.executor.rows import RunFacts, Settled
from runs.requests.arms import ArmSpec
from tests.factories import Item, clock_from
from tests.runs.arms.stages import Double, call, material_of, says

UPDATE = call("update_item", '{"item_id": "I-0001", "status": "packed"}', "c1")
FACTS = RunFacts("run-1", "b", "9.9.9", 3, 0.8, {ArmKind.NULL_AGENT: "runner_null_agent"}, {})


class Breaking:
    """An arm with a fault."""

    kinds = (ArmKind.CANDIDATE,)
    markers: dict[ArmKind, str] = {}

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def play(self, play: Play) -> None:
        play.transcript.show(play.material.shown.candidate_prompt)
        play.transcript.say("Let me see.")
        raise self.error


def rolled(
    material: Material, arm: Any, *answers: Any, kind: ArmKind = ArmKind.CANDIDATE, **terms: Any
) -> Settled:
    spec = ArmSpec("m", kind, model="m" if answers else None)
    cell = Cell(CellRef("m", material.task.task_id, 0), spec, attempt=2)
    model = Double(answers)
    model_for = (lambda _: model) if answers else None
    studio = Studio(FACTS, 7, lambda cell, kind, fields: None, clock_from())
    played = Terms(arm, model_for=model_for, **terms)
    return asyncio.run(roll(cell, material, played, studio))


@pytest.mark.parametrize(
    ("error", "code", "blame"),
    [
        (ZeroDivisionError("division by zero"), "unknown", "infra"),
        (MemoryError(), "out_of_memory", "infra"),
        (TimeoutError("not ours"), "unknown", "infra"),
    ],
)
def test_a10_an_arm_that_breaks_costs_its_cell(
    tmp_path: Path, error: Exception, code: str, blame: str
) -> None:
    row = rolled(material_of(tmp_path), Breaking(error)).row
    assert (row["status"], row["score"]) == ("error", None)
    assert (row["missing_reason"]["code"], row["missing_reason"]["blame"]) == (code, blame)
    assert row["error_boundary"] == "arm"
    assert row["error"].startswith(type(error).__name__)
    assert row["termination"] == "error"


def test_what_happened_before_the_fault_is_kept(tmp_path: Path) -> None:
    settled = rolled(material_of(tmp_path), Breaking(ValueError("x")))
    assert [turn["role"] for turn in settled.trajectory["turns"]] == ["user", "assistant"]
    assert settled.trajectory["errors"] == [{"boundary": "arm", "message": "ValueError: x"}]
    assert settled.trajectory["attempt"] == 2
    assert settled.row["obligations"] == [
        {"id": "o1", "met": False, "met_at": None},
        {"id": "o2", "met": False, "met_at": None},
    ]


@pytest.mark.parametrize(
    ("kind", "code", "blame"),
    [
        (SERVER, "provider_error", "provider"),
        (CONTEXT, "context_overflow", "agent"),
        (BROKEN_OFF, "provider_error", "provider"),
    ],
)
def test_a_failed_call_has_the_reason_of_the_table(
    tmp_path: Path, kind: Any, code: str, blame: str
) -> None:
    failure = CallFailed("ReadTimeout: silent", kind=kind)
    settled = rolled(material_of(tmp_path), ModelArm(), failure)
    row = settled.row
    assert (row["missing_reason"]["code"], row["missing_reason"]["blame"]) == (code, blame)
    assert row["error"] == "ReadTimeout: silent"
    assert settled.failure is kind
    unreported = (row["usage"] or {}).get("unreported_calls")
    assert unreported == (1 if kind is BROKEN_OFF else None)


def test_a_timeout_keeps_the_cost_so_far_and_what_was_met(tmp_path: Path) -> None:
    class Slow(Double):
        async def complete(self, call: Any, patience: Any) -> Any:
            answer = await super().complete(call, patience)
            if len(self.asked) > 1:
                await asyncio.sleep(10)
            return answer

    material = material_of(tmp_path)
    model = Slow([says(None, UPDATE), says("Done.")])
    cell = Cell(CellRef("m", material.task.task_id, 0), ArmSpec("m", ArmKind.CANDIDATE, "m"), 1)
    studio = Studio(FACTS, 7, lambda cell, kind, fields: None, clock_from())
    terms = Terms(ModelArm(), model_for=lambda _: model, timeout_s=0.05)
    row = asyncio.run(roll(cell, material, terms, studio)).row
    assert row["anomaly"]["kind"] == "rollout_timeout"
    assert row["missing_reason"]["blame"] == "agent"
    assert row["latency_ms"] == 50
    assert row["usage"]["calls"] == 2
    assert row["usage"]["unreported_calls"] == 1
    assert [mark["met"] for mark in row["obligations"]] == [True, False]
    assert row["turns"] == 1


def test_an_empty_contract_is_not_judgeable_and_never_zero(tmp_path: Path) -> None:
    item = Item(1, contract={"status": "s", "required": []})
    row = rolled(material_of(tmp_path, item), NullAgent(), kind=ArmKind.NULL_AGENT).row
    assert (row["status"], row["score"]) == ("unscored", None)
    assert row["missing_reason"]["code"] == "not_judgeable"
    assert row["subscores"] == {"runner_null_agent": 1}
    assert row["obligations"] == []
    assert row["violations"] is None


def test_low_fidelity_is_unscored_and_the_environment_s_fault(tmp_path: Path) -> None:
    look = call("get_item", '{"item_id": "I-9999"}', "c0")
    answers = (says(None, look, UPDATE), says("Done."))
    row = rolled(material_of(tmp_path), ModelArm(), *answers).row
    assert (row["status"], row["score"]) == ("unscored", None)
    assert row["missing_reason"] == {
        "code": "low_fidelity",
        "blame": "environment",
        "detail": "0 of the answers came from the recording, at least 0.8",
    }
    assert row["fidelity"]["share"] == 0


def test_a18_a_lazy_model_that_was_reached_gets_an_honest_zero(tmp_path: Path) -> None:
    row = rolled(material_of(tmp_path), ModelArm(), says("")).row
    assert (row["status"], row["score"]) == ("ok", 0)
    assert "anomaly" not in row
    assert row["notes"] == ["made_no_calls", "said_nothing"]


def test_a_cancelled_rollout_comes_back_with_what_there_was(tmp_path: Path) -> None:
    async def cancelled() -> Settled:
        class Hanging(Double):
            async def complete(self, call: Any, patience: Any) -> Any:
                await super().complete(call, patience)
                await asyncio.sleep(10)

        material = material_of(tmp_path)
        model = Hanging([says("Done.")])
        spec = ArmSpec("m", ArmKind.CANDIDATE, "m")
        cell = Cell(CellRef("m", material.task.task_id, 0), spec, 1)
        studio = Studio(FACTS, 7, lambda cell, kind, fields: None, clock_from())
        terms = Terms(ModelArm(), model_for=lambda _: model)
        task = asyncio.create_task(roll(cell, material, terms, studio))
        await asyncio.sleep(0.05)
        task.cancel()
        return await task

    settled = asyncio.run(cancelled())
    assert settled.cancelled
    assert settled.row["status"] == "skipped"
    assert settled.row["termination"] == Termination.CANCELLED
    assert settled.row["usage"]["unreported_calls"] == 1
