"""Rules 14 to 17 of spec/surface.md 3.1: what follows a pilot, by how it stands."""

from benchmarks.audit.pilot import Pilot
from benchmarks.records.pilot import Audit, PilotAudit, PilotState
from runs.status.facts import Facts
from tests.runs.status.situations import proposed

AUDITED = Audit(
    verdict="fail", run_id="run-1", rollout=0, trajectory_sha256="9d0e",
    actor="os:mira", door="shell", at="2026-11-04T12:00:00.000Z",
)  # fmt: skip
FAILED_PILOT = Pilot(
    PilotState.FAILED,
    "t1",
    pending=5,
    audit=PilotAudit(task_id="t1", verdict="fail", agent_audit=AUDITED, verifier_audit=AUDITED),
)
PILOT_CASES: list[tuple[str, Facts, str]] = [
    (
        "run_pilot",
        proposed(pilot=Pilot(task_id="t1", pending=5), incumbent="gpt-5.5"),
        "understudy runs queue --benchmark local--b --models gpt-5.5 --tasks t1",
    ),
    (
        "run_pilot",
        proposed(pilot=Pilot(PilotState.OUT_OF_DATE, "t1"), has_captures=True),
        "understudy runs queue --benchmark local--b --reference-arms replay --tasks t1",
    ),
    (
        "run_pilot",
        proposed(pilot=Pilot(task_id="t1"), has_captures=False),
        "understudy runs queue --benchmark local--b --models MODEL --tasks t1",
    ),
    (
        "audit_pilot",
        proposed(pilot=Pilot(task_id="t1"), pilot_shown="2026-11-04T09:00:00.000Z"),
        "understudy reviews submit local--b t1 accept --pilot-audit agent=pass,verifier=pass",
    ),
    (
        "audit_pilot",
        proposed(pilot=FAILED_PILOT, pilot_shown="2026-11-05T09:00:00.000Z"),
        "understudy reviews submit local--b t1 accept --pilot-audit agent=pass,verifier=pass",
    ),
    (
        "fix_pilot",
        proposed(pilot=FAILED_PILOT, pilot_shown="2026-11-04T09:00:00.000Z"),
        "understudy reviews feedback local--b t1 TEXT",
    ),
    (
        "audit_pilot",
        proposed(pilot=Pilot(task_id="t1"), pilot_shown="2026-11-04T09:00:00.000Z", weak=["t1"]),
        "understudy benchmarks tasks local--b t1",
    ),
    (
        "build_rest",
        proposed(pilot=Pilot(PilotState.PASSED, "t1", pending=5)),
        "understudy traces build-benchmark local--b",
    ),
    (
        "verify",
        proposed(untested=["t1", "t2"], weak=["t3"], beyond_testing={"t2": "its contract"}),
        "understudy benchmarks verify local--b",
    ),
    (
        "verify",
        proposed(untested=["t2"], beyond_testing={"t2": "its contract cannot be judged"}),
        "understudy benchmarks tasks local--b t2",
    ),
]
