"""Where the pilot of a benchmark stands, from what its files say."""

import pytest

from benchmarks.audit.pilot import Pilot, pilot_of
from benchmarks.records.build import BuildManifest
from benchmarks.records.pilot import PilotAudit, PilotState, PilotWaiver
from tests.reviews.factories import STAMPS, make_task

TASKS = {"t1": make_task("t1")}
WAIVER = {"reason": "small", "actor": "os:mira", "door": "shell", "at": "x"}


def build(**pilot: object) -> BuildManifest:
    return BuildManifest(pilot=pilot)


def audit(verdict: str, **changes: object) -> PilotAudit:
    return PilotAudit.read({
        "task_id": "t1", "content_hashes": STAMPS, "verdict": verdict, **changes,
    })  # fmt: skip


@pytest.mark.parametrize(
    ("manifest", "found", "state"),
    [
        (None, None, PilotState.ABSENT),
        (build(task_id="t1", pending=3), None, PilotState.ABSENT),
        (build(task_id="t1"), audit("pass"), PilotState.PASSED),
        (build(task_id="t1"), audit("fail"), PilotState.FAILED),
        (build(waived=WAIVER), None, PilotState.WAIVED),
        (build(waived=WAIVER), audit("fail"), PilotState.WAIVED),
        (build(waived=WAIVER), audit("pass"), PilotState.PASSED),
        (None, audit("waived", waiver=WAIVER), PilotState.WAIVED),
    ],
)
def test_a_current_pass_beats_a_waiver_and_a_waiver_beats_the_rest(
    manifest: BuildManifest | None, found: PilotAudit | None, state: PilotState
) -> None:
    assert pilot_of(manifest, found, TASKS).state is state


@pytest.mark.parametrize("verdict", ["pass", "fail"])
@pytest.mark.parametrize("digest", ["env_sha256", "verifier_sha256"])
def test_a_world_or_a_verifier_that_moved_makes_it_out_of_date(verdict: str, digest: str) -> None:
    moved = audit(verdict, content_hashes={**STAMPS, digest: "0" * 64})
    assert pilot_of(build(task_id="t1"), moved, TASKS).state is PilotState.OUT_OF_DATE


def test_a_title_that_moved_does_not() -> None:
    moved = audit("pass", content_hashes={**STAMPS, "meta_sha256": "0" * 64})
    assert pilot_of(build(task_id="t1"), moved, TASKS).state is PilotState.PASSED


def test_a_task_that_is_gone_or_was_never_stamped_is_not_what_was_audited() -> None:
    assert pilot_of(build(task_id="t1"), audit("pass"), {}) == Pilot(
        PilotState.OUT_OF_DATE, None, 0, None, audit("pass")
    )
    unstamped = audit("pass").with_(content_hashes=None)
    assert pilot_of(None, unstamped, TASKS).state is PilotState.OUT_OF_DATE


def test_it_says_how_many_wait_and_why_it_was_waived() -> None:
    found = pilot_of(build(task_id="t1", pending=3, waived=WAIVER), None, TASKS)
    assert (found.task_id, found.pending, found.reason) == ("t1", 3, "small")
    assert found.detail == "waived: small"


def test_a_replaced_verdict_stands_in_the_history_of_the_newer() -> None:
    waived = audit("waived", waiver=WAIVER)
    newer = audit("fail").replaced_by(waived)
    assert newer.waiver == PilotWaiver.read(WAIVER)
    assert [line["verdict"] for line in newer.history] == ["fail"]
    assert newer.replaced_by(waived.with_(waiver={**WAIVER, "at": "y"})) is newer
