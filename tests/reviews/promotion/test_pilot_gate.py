"""The gate that the pilot of a benchmark must be through."""

import pytest

from benchmarks.audit.pilot import Pilot
from benchmarks.records.pilot import PilotState
from reviews.promotion.gates import Outcome
from tests.reviews.promotion.cases import gate


def test_a_pilot_that_passed_or_was_waived_is_let_through() -> None:
    assert gate("pilot").detail == "waived: no pilot yet"
    passed = gate("pilot", pilot=Pilot(PilotState.PASSED, "t1"))
    assert (passed.outcome, passed.detail) == (
        Outcome.PASSED,
        "both audits of the pilot passed: t1",
    )
    assert gate("pilot", pilot=Pilot(), from_traces=False).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("pilot", "detail", "cure"),
    [
        (
            Pilot(),
            "nobody audited the pilot",
            "understudy traces build-benchmark local--desk --waive-pilot REASON",
        ),
        (
            Pilot(task_id="t1"),
            "nobody audited the pilot: t1",
            "understudy reviews submit local--desk t1 accept"
            " --pilot-audit agent=pass,verifier=pass",
        ),
        (
            Pilot(PilotState.FAILED, "t1"),
            "the audit of the pilot failed: t1",
            "understudy reviews feedback local--desk t1 TEXT",
        ),
        (
            Pilot(PilotState.OUT_OF_DATE, "t1"),
            "the pilot changed since it was audited: t1",
            "understudy reviews submit local--desk t1 accept"
            " --pilot-audit agent=pass,verifier=pass",
        ),
    ],
)
def test_a_pilot_that_is_not_through_refuses(pilot: Pilot, detail: str, cure: str) -> None:
    found = gate("pilot", pilot=pilot)
    (refusal,) = found.refusals
    assert (found.outcome, refusal.code) == (Outcome.REFUSED, "pilot_required")
    assert (refusal.message, refusal.cure) == (detail, cure)
