"""The next command: the first rule that fits wins (spec/surface.md 3.1).

Rules whose verb this version lacks are not here: rebuild_mirror, settle and report.
Where the table ends with the report, the leaderboard is read. What can be judged again for nothing
is judged before the gate looks at it.
"""

from benchmarks.records.base import JsonObject
from runs.status import pilot_rules, proposal_rules, result_rules, run_rules
from runs.status.facts import Facts
from runs.status.step import Rule

RULES: tuple[Rule, ...] = (
    proposal_rules.fix_invalid,
    run_rules.wait_run,
    run_rules.upgrade_executor,
    run_rules.resume_run,
    run_rules.execute,
    proposal_rules.propose_directions,
    proposal_rules.pick_direction,
    proposal_rules.approve_postures,
    pilot_rules.build_pilot,
    proposal_rules.regenerate,
    proposal_rules.classify_tools,
    proposal_rules.verify,
    pilot_rules.run_pilot,
    pilot_rules.audit_pilot,
    pilot_rules.fix_pilot,
    pilot_rules.build_rest,
    proposal_rules.fix_verifier,
    proposal_rules.address_feedback,
    proposal_rules.review_flagged,
    proposal_rules.accept_pending,
    result_rules.regrade,
    proposal_rules.gate,
    proposal_rules.fix_gate,
    proposal_rules.promote,
    result_rules.rerun,
    result_rules.fix_floor,
    result_rules.calibrate,
    result_rules.fix_suspects,
    result_rules.run_candidates,
    result_rules.rigor,
    result_rules.leaderboard,
)
"""A rule's name is its function's."""


def next_step(facts: Facts) -> JsonObject | None:
    """The first rule that fits, as `next` of the status; None where no rule does."""
    for rule in RULES:
        step = rule(facts)
        if step is not None:
            return {**step.action.document(), "rule": rule.__name__, "why": step.why}
    return None
