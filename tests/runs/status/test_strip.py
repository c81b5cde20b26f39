"""The steps from intake to measured, and what each lacks."""

from typing import Any

import pytest

from benchmarks.audit.pilot import Pilot
from benchmarks.records.pilot import PilotState
from runs.status.strip import Ground, strip

DONE: dict[str, Any] = {
    "benchmark": {"stage": "promoted"},
    "attention": {"undecided": 0},
    "ledgers": {"reviews": {"pending": 0}},
    "gate": {"status": "pass", "failures": []},
    "calibration": {"verdict": "pass"},
}
WAIVED = Pilot(PilotState.WAIVED, reason="small")


def steps(
    *, kinds: frozenset[str] = frozenset({"candidate"}), pilot: Any = None, **changes: Any
) -> dict[str, str]:
    found = strip(Ground({**DONE, **changes}, kinds, pilot))
    return {
        step["name"]: ("done" if step["taken"] else "next" if step["is_next"] else "ahead")
        + (f": {step['lacks']}" if step["lacks"] else "")
        for step in found
    }


def test_measured_benchmark_has_every_step_behind_it() -> None:
    assert steps() == {
        "intake": "done",
        "pilot": "done: none was asked for",
        "review": "done",
        "gate": "done",
        "promoted": "done",
        "calibrated": "done",
        "measured": "done",
    }


def test_intake_lacks_everything_and_only_the_first_step_is_next() -> None:
    found = steps(
        kinds=frozenset(),
        benchmark={"stage": "intake"},
        gate={"status": "not_run"},
        calibration={"verdict": "not_run"},
    )
    assert found == {
        "intake": "next: no task is built",
        "pilot": "ahead: no pilot task",
        "review": "ahead: no tasks yet",
        "gate": "ahead: not run",
        "promoted": "ahead: not promoted",
        "calibrated": "ahead: no incumbent run",
        "measured": "ahead: no candidate run",
    }


def test_invalid_directory_is_stopped_at_the_first_step() -> None:
    assert steps(benchmark={"stage": "invalid"})["intake"] == "next: its documents are not valid"


@pytest.mark.parametrize(
    ("pilot", "said"),
    [
        (WAIVED, "done: waived"),
        (Pilot(task_id="t1", pending=5), "next: nobody audited the pilot: t1"),
        (Pilot(PilotState.FAILED, "t1"), "next: the audit of the pilot failed: t1"),
        (Pilot(PilotState.PASSED, "t1", pending=5), "next: 5 conversations not built"),
        (Pilot(PilotState.PASSED, "t1"), "done"),
    ],
)
def test_pilot_is_taken_once_it_is_through_and_the_rest_is_built(pilot: Pilot, said: str) -> None:
    assert steps(pilot=pilot, benchmark={"stage": "proposed"})["pilot"] == said


def test_a_promotion_ends_the_wait_for_an_audit_of_the_pilot() -> None:
    changed = Pilot(task_id="t1")
    assert steps(pilot=changed)["pilot"] == "done: nobody audited the pilot: t1"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"attention": {"undecided": 3}}, "next: 3 flagged undecided"),
        ({"ledgers": {"reviews": {"pending": 2}}}, "next: 2 pending"),
        (
            {"attention": {"undecided": 1}, "ledgers": {"reviews": {"pending": 2}}},
            "next: 1 flagged undecided, 2 pending",
        ),
    ],
)
def test_review_lacks_decisions(changes: dict[str, Any], said: str) -> None:
    assert steps(benchmark={"stage": "proposed"}, **changes)["review"] == said


def test_review_of_a_promoted_benchmark_is_over_and_says_what_was_left() -> None:
    assert steps(attention={"undecided": 3})["review"] == "done: 3 left undecided"


@pytest.mark.parametrize(
    ("gate", "said"),
    [
        ({"status": "fail", "failures": ["a", "b"]}, "next: 2 failing"),
        ({"status": "stale", "failures": []}, "next: stale: run it again"),
        ({"status": "unknown", "failures": []}, "next: not all is measured"),
        ({"status": "not_run"}, "next: not run"),
    ],
)
def test_gate_lacks(gate: dict[str, Any], said: str) -> None:
    assert steps(gate=gate)["gate"] == said


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("partial", "next: tasks or arms unmeasured"),
        ("stale", "next: about older tasks"),
        ("fail", "next: a floor is exceeded"),
        ("suspect", "next: the incumbent failed tasks"),
    ],
)
def test_calibration_lacks(verdict: str, said: str) -> None:
    assert steps(calibration={"verdict": verdict})["calibrated"] == said


def test_incumbents_alone_measure_no_candidate() -> None:
    assert steps(kinds=frozenset({"incumbent"}))["measured"] == "next: no candidate run"
