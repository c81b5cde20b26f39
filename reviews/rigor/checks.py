"""The checks in the order of spec/run.md 12.1: report and gate are two views of this one list."""

import shlex

from benchmarks.records.rigor import RigorItem
from benchmarks.records.vocabulary import SPENDING_ARMS, ArmKind, Mark
from reviews.rigor import conduct, soundness
from reviews.rigor.subject import Check, Subject, Verdict

TASKS = "understudy benchmarks tasks {b}"
QUEUE = "understudy runs queue --benchmark {b}"
REGRADE = "understudy runs regrade --benchmark {b} --dry-run"
REGENERATE = "understudy traces regenerate-env --benchmark {b}"
VERIFY = "understudy benchmarks verify {b}"
NOT_HERE = "not measured by this release"
MODELS, ANY = frozenset(SPENDING_ARMS), frozenset(ArmKind)

CHECKS = (
    Check(
        "manifest_schema",
        "Manifest schema",
        soundness.manifest_schema,
        fix="understudy benchmarks show {b}",
        hard=True,
    ),
    Check(
        "oracle_solvability",
        "Oracle solvability",
        soundness.oracle_solvability,
        fix=f"{TASKS} --failed-by oracle",
        measure=f"{QUEUE} --reference-arms oracle",
        hard=True,
        rows_of=frozenset({ArmKind.ORACLE}),
    ),
    Check(
        "null_floor",
        "Null-agent floor",
        soundness.null_floor,
        fix=f"{TASKS} --attention trivial_pass",
        measure=f"{QUEUE} --trivial-arms null_agent",
        hard=True,
        rows_of=frozenset({ArmKind.NULL_AGENT}),
    ),
    Check(
        "spam_floor",
        "Spam-agent floor",
        soundness.spam_floor,
        fix=f"{TASKS} --attention trivial_pass",
        measure=f"{QUEUE} --trivial-arms spam_agent",
        hard=True,
        rows_of=frozenset({ArmKind.SPAM_AGENT}),
    ),
    Check(
        "majority_floor",
        "Majority-class floor",
        soundness.majority_floor,
        fix=f"{TASKS} --attention trivial_pass",
        measure=f"{QUEUE} --trivial-arms majority_class",
        hard=True,
        rows_of=frozenset({ArmKind.MAJORITY_CLASS}),
    ),
    Check(
        "reward_hack_sentinels",
        "Wrong answers refused",
        soundness.reward_hack_sentinels,
        fix=f"{TASKS} TASK",
        measure=REGENERATE,
        hard=True,
    ),
    Check(
        "gold_leakage",
        "Gold leakage",
        soundness.gold_leakage,
        fix=REGENERATE,
        measure=NOT_HERE,
        hard=True,
    ),
    Check(
        "contamination",
        "Split contamination",
        soundness.contamination,
        fix="understudy reviews submit {b} TASK reject",
        measure="build again: the build measures it",
        hard=True,
    ),
    Check(
        "verifier_fixtures",
        "Verifier fixtures",
        soundness.verifier_fixtures,
        fix=f"{TASKS} --attention weak_verifier",
        measure=VERIFY,
        hard=True,
    ),
    Check(
        "verifier_mutation",
        "Verifier mutation score",
        soundness.verifier_mutation,
        fix=f"{TASKS} --attention weak_verifier",
        measure=VERIFY,
    ),
    Check(
        "incumbent_calibration",
        "Incumbent calibration",
        conduct.incumbent_calibration,
        fix=f"{TASKS} --attention incumbent_failed",
        measure=f"{QUEUE} --models INC --incumbent INC",
        rows_of=MODELS,
    ),
    Check(
        "replay_agreement",
        "Replay agreement",
        conduct.replay_agreement,
        fix=f"{TASKS} --failed-by replay",
        measure=f"{QUEUE} --reference-arms replay",
        rows_of=frozenset({ArmKind.REPLAY}),
    ),
    Check(
        "class_balance",
        "Class balance",
        soundness.class_balance,
        fix="add examples of the other labels",
    ),
    Check(
        "contract_strength",
        "Contract strength",
        soundness.contract_strength,
        fix=f"{TASKS} --attention weak_verifier",
    ),
    Check(
        "tool_classification",
        "Tool classification",
        soundness.tool_classification,
        fix=f"{REGENERATE} --tool NAME=write",
        measure=REGENERATE,
    ),
    Check(
        "environment_fidelity",
        "Environment fidelity",
        conduct.environment_fidelity,
        fix=f"{TASKS} --attention low_fidelity",
        measure=f"{QUEUE} --models MODEL",
        rows_of=MODELS,
    ),
    Check(
        "rollout_anomalies",
        "Rollout anomalies",
        conduct.rollout_anomalies,
        fix=f"{TASKS} --attention anomaly",
        measure=f"{QUEUE} --models MODEL",
        rows_of=MODELS,
    ),
    Check(
        "missing_rows",
        "Missing rows",
        conduct.missing_rows,
        fix="understudy runs list {b}",
        measure=f"{QUEUE} --models MODEL",
        rows_of=MODELS,
    ),
    Check(
        "treatment_delivery",
        "Treatment delivery",
        conduct.treatment_delivery,
        fix=f"{QUEUE} --models MODEL",
        measure=f"{QUEUE} --models MODEL",
        rows_of=MODELS,
    ),
    Check(
        "intervals",
        "Intervals",
        conduct.intervals,
        fix=f"{QUEUE} --models MODEL",
        measure=f"{QUEUE} --models MODEL",
        rows_of=MODELS,
    ),
    Check(
        "noise_floor",
        "Noise floor",
        conduct.noise_floor,
        fix=f"{QUEUE} --models MODEL --rollouts 5",
        measure=f"{QUEUE} --models MODEL --rollouts 3",
        rows_of=MODELS,
    ),
    Check(
        "holdout_looks",
        "Looks at the holdout",
        conduct.holdout_looks,
        fix="decide on dev, and look at the holdout once",
    ),
    Check(
        "split_provenance",
        "Split provenance",
        soundness.split_provenance,
        fix=REGENERATE,
    ),
    Check(
        "staleness",
        "Staleness",
        conduct.staleness,
        fix=f"{QUEUE} --models MODEL",
        measure=f"{QUEUE} --models MODEL",
        rows_of=ANY,
    ),
    Check(
        "cost_reporting",
        "Cost reporting",
        conduct.cost_reporting,
        fix="name the missing prices in prices.json of the home",
        measure=f"{QUEUE} --models MODEL",
        rows_of=MODELS,
    ),
    Check(
        "guidance_effectiveness",
        "Rejection guidance",
        conduct.guidance_effectiveness,
        measure=NOT_HERE,
    ),
    Check(
        "pilot_audit",
        "Pilot audit",
        soundness.pilot_audit,
        fix="read some rollouts before the figures are believed",
        measure="before promotion: understudy benchmarks status {b}; after it read some rollouts",
    ),
)


def run_checks(subject: Subject) -> list[RigorItem]:
    """Every check that applies, answered, in order."""
    return [item for check in CHECKS if (item := answer(check, subject)) is not None]


def answer(check: Check, subject: Subject) -> RigorItem | None:
    """One check as an item of the report; None where it does not apply."""
    verdict = check.judge(subject)
    if verdict is None:
        return None
    return RigorItem(
        id=check.id,
        title=check.title,
        status=verdict.mark,
        hard=check.hard,
        detail=verdict.detail,
        task_ids=list(verdict.task_ids),
        evidence=list(verdict.evidence),
        remedy=_remedy(check, verdict, subject).format(b=shlex.quote(subject.name)),
    )


def _remedy(check: Check, verdict: Verdict, subject: Subject) -> str:
    """What to do next; nothing is run anew whose rows need only be judged again, which is free."""
    remedies = {Mark.PASS: "", Mark.FLAG: check.fix, Mark.UNKNOWN: check.measure}
    remedy = remedies[verdict.mark]
    runs = remedy.startswith(QUEUE)
    return REGRADE if runs and check.rows_of & subject.regradable_kinds else remedy
