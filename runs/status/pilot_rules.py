"""One task first: built, run, audited; then the rest (spec/surface.md 3.1)."""

from benchmarks.errors import Action
from benchmarks.records import cures
from benchmarks.records.pilot import PilotState
from benchmarks.records.vocabulary import Stage
from benchmarks.records.wording import many
from runs.status.facts import Facts
from runs.status.step import Step, mend_contract, shell


def build_pilot(facts: Facts) -> Step | None:
    """An intake without tasks: one is built first, from its captures or from a source."""
    if facts.stage is not Stage.INTAKE:
        return None
    if facts.has_captures:
        why = "the captures are read and no task is built"
        return Step(why, cures.build_pilot(facts.slug))
    action = Action(
        say="build one task first",
        command=shell("traces", "build-benchmark", "SOURCE", "--output", facts.dir, "--pilot"),
        tool="build_benchmark",
        arguments={
            "source": "SOURCE",
            "name": facts.slug.rpartition("--")[2],
            "pilot": True,
        },
        needs=("SOURCE",),
    )
    return Step("no capture is kept here and no task is built", action)


def run_pilot(facts: Facts) -> Step | None:
    """No arm that can pass has run the pilot as it is today."""
    task_id = _waiting(facts)
    if task_id is None or facts.pilot_shown is not None:
        return None
    if facts.pilot is not None and facts.pilot.state is PilotState.FAILED:
        return None
    why = f"nobody has seen an agent at work on the pilot {task_id}"
    unknown = None if facts.has_captures else cures.MODEL
    return Step(why, cures.run_task(facts.slug, task_id, facts.incumbent or unknown))


def audit_pilot(facts: Facts) -> Step | None:
    """The pilot was run, and no audit of it counts today."""
    task_id = _waiting(facts)
    if task_id is None or facts.pilot is None or facts.pilot_shown is None:
        return None
    if facts.pilot.state is PilotState.FAILED and not _is_newer(facts):
        return None
    if task_id in facts.weak:
        return mend_contract(facts, task_id, f"the verifier of the pilot {task_id} failed its test")
    run, arm = facts.pilot_rollout or ("RUN", "ARM")
    read = shell("runs", "rollout", facts.slug, run, task_id, "--arm", arm)
    why = f"{facts.pilot.detail}; say what you saw, once you have read it: {read}"
    return Step(why, cures.audit_pilot(facts.slug, task_id))


def fix_pilot(facts: Facts) -> Step | None:
    """The audit failed, and nothing newer shows the pilot."""
    task_id = _waiting(facts)
    if task_id is None or facts.pilot is None or facts.pilot.state is not PilotState.FAILED:
        return None
    return Step(facts.pilot.detail, cures.give_feedback(facts.slug, task_id))


def build_rest(facts: Facts) -> Step | None:
    """The audit passed or was waived, and the rest is not built."""
    pilot = facts.pilot
    if facts.stage is not Stage.PROPOSED or pilot is None:
        return None
    if not pilot.is_through or not pilot.pending:
        return None
    why = f"{pilot.detail}; {many(pilot.pending, 'conversation')} waited for it"
    return Step(why, cures.build_rest(facts.slug))


def _waiting(facts: Facts) -> str | None:
    """The pilot task while its audit is owed."""
    pilot = facts.pilot
    if facts.stage is not Stage.PROPOSED or pilot is None or pilot.is_through:
        return None
    return pilot.task_id


def _is_newer(facts: Facts) -> bool:
    """Whether the pilot ran again after its audit failed."""
    audit = facts.pilot.audit if facts.pilot is not None else None
    at = audit.agent_audit.at if audit is not None and audit.agent_audit is not None else ""
    return (facts.pilot_shown or "") > at
