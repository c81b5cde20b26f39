"""Checks of the benchmark itself."""

from typing import Any

import pytest

from benchmarks.audit.pilot import Pilot
from benchmarks.records.build import BuildManifest
from benchmarks.records.pilot import PilotState
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.verifier import TaskVerification
from benchmarks.records.vocabulary import Mark
from benchmarks.versioning.hashing import splits_sha256
from reviews.rigor import soundness
from reviews.rigor.subject import Verdict
from tests.reviews.factories import (
    ANSWERED,
    make_contract,
    make_manifest,
    make_row,
    make_score,
    make_subject,
    make_task,
    make_trivial_row,
    make_validation,
)
from tests.verifier_factories import make_verification

PASS, FLAG, UNKNOWN = Mark.PASS, Mark.FLAG, Mark.UNKNOWN


def verifications(**changes: dict[str, Any]) -> dict[str, TaskVerification]:
    """Tested verifiers of t1 and t2, but for what is said of some."""
    return {
        name: make_verification(make_task(name), **changes.get(name, {})) for name in ("t1", "t2")
    }


def said(verdict: Verdict | None) -> tuple[Mark, list[str]]:
    assert verdict is not None
    return verdict.mark, list(verdict.task_ids)


def test_missing_manifest_is_flagged() -> None:
    assert said(soundness.manifest_schema(make_subject(manifest=None))) == (FLAG, [])


def test_every_complaint_about_the_manifest_is_listed() -> None:
    found = soundness.manifest_schema(make_subject(manifest_errors=["no id", "no tasks"]))
    assert (found.mark, found.detail) == (FLAG, "no id; no tasks")
    assert said(soundness.manifest_schema(make_subject())) == (PASS, [])


def test_oracle_on_every_task_passes() -> None:
    rows = [make_trivial_row("oracle", task, 1) for task in ("t1", "t2")]
    assert said(soundness.oracle_solvability(make_subject(rows))) == (PASS, [])


def test_one_covered_task_is_not_enough() -> None:
    found = soundness.oracle_solvability(make_subject([make_trivial_row("oracle", "t1", 1)]))
    assert said(found) == (UNKNOWN, ["t2"])
    assert found.detail == "1 of 2 tasks have no oracle row"


def test_oracle_below_one_is_flagged_though_others_are_uncovered() -> None:
    found = soundness.oracle_solvability(make_subject([make_trivial_row("oracle", "t1", 0)]))
    assert said(found) == (FLAG, ["t1"])


def test_missing_gold_is_unverifiable_and_not_failing() -> None:
    row = make_trivial_row("oracle", "t1", None, status="unscored", oracle={"missing_gold": ["x"]})
    found = soundness.oracle_solvability(make_subject([row], "t1"))
    assert said(found) == (UNKNOWN, ["t1"])
    assert found.detail.endswith("gold is missing for t1")


def test_no_task_is_no_pass() -> None:
    assert said(soundness.oracle_solvability(make_subject((), tasks={}))) == (UNKNOWN, [])


def test_floor_passes_only_with_every_task_measured() -> None:
    rows = [make_trivial_row("null_agent", task, 0) for task in ("t1", "t2")]
    assert said(soundness.null_floor(make_subject(rows))) == (PASS, [])
    partial = soundness.null_floor(make_subject(rows[:1]))
    assert partial.mark is UNKNOWN
    assert partial.detail == (
        "0 of 1 measured tasks passed (0 %, bar 5 %); 1 tasks are not measured"
    )


def test_exceeded_floor_names_its_tasks_though_not_every_task_is_measured() -> None:
    found = soundness.null_floor(make_subject([make_trivial_row("null_agent", "t1", 1)]))
    assert said(found) == (FLAG, ["t1"])
    assert found.detail == "1 of 1 measured tasks passed (100 %, bar 5 %)"


def test_one_pass_in_eleven_is_nine_point_one_percent() -> None:
    ids = [f"t{n}" for n in range(11)]
    rows = [make_trivial_row("null_agent", task, int(task == "t3")) for task in ids]
    found = soundness.null_floor(make_subject(rows, *ids))
    assert found.detail == "1 of 11 measured tasks passed (9.1 %, bar 5 %)"
    assert said(found) == (FLAG, ["t3"])


def test_arm_without_rows_is_unknown() -> None:
    found = soundness.spam_floor(make_subject())
    assert (found.mark, found.detail) == (UNKNOWN, "no spam_agent row on any of 2 tasks")


def test_contracts_that_ask_for_nothing_exceed_the_floor_without_a_row() -> None:
    ids = [f"t{n}" for n in range(20)]
    two = soundness.null_floor(make_subject((), *ids, saying_no=["t1", "t2"]))
    assert said(two) == (FLAG, ["t1", "t2"])
    assert two.detail == (
        "2 of 20 contracts are met by doing nothing (10 %, bar 5 %); "
        "no null_agent row on any of 20 tasks"
    )
    one = soundness.null_floor(make_subject((), *ids, saying_no=["t1"]))
    assert one.mark is UNKNOWN
    assert soundness.spam_floor(make_subject((), *ids, saying_no=ids)).mark is UNKNOWN


def test_row_wins_over_what_the_contract_says_of_doing_nothing() -> None:
    rows = [make_trivial_row("null_agent", "t1", 0)]
    assert soundness.null_floor(make_subject(rows, saying_no=["t1"])).mark is UNKNOWN


def labelled(task_id: str, label: str) -> Any:
    entry = {"type": "response_obligation", "kind": "contains_category", "expected": label}
    return make_task(task_id, outcome_contract=make_contract(entry))


def test_label_checks_do_not_apply_without_classification_tasks() -> None:
    assert soundness.majority_floor(make_subject()) is None
    assert soundness.class_balance(make_subject()) is None


def test_label_with_more_than_half_of_the_tasks_is_flagged() -> None:
    tasks = {f"t{n}": labelled(f"t{n}", label) for n, label in enumerate(["a", "a", "b"])}
    assert said(soundness.class_balance(make_subject((), *tasks, tasks=tasks)))[0] is FLAG
    half = {f"t{n}": labelled(f"t{n}", label) for n, label in enumerate(["a", "b"])}
    assert said(soundness.class_balance(make_subject((), *half, tasks=half)))[0] is PASS
    assert said(soundness.majority_floor(make_subject((), *half, tasks=half)))[0] is UNKNOWN


def test_sentinels_that_are_refused_pass() -> None:
    rows = {task: make_validation(task) for task in ("t1", "t2")}
    found = soundness.reward_hack_sentinels(make_subject(validation=rows))
    assert found.detail == "all 2 wrong answers to 2 tasks are refused"
    assert found.mark is PASS


def test_sentinel_that_passes_is_flagged_by_name() -> None:
    row = make_validation(sentinels={"noop": make_score(1), "wrong_value": make_score(0)})
    found = soundness.reward_hack_sentinels(make_subject(validation={"t1": row}))
    assert said(found) == (FLAG, ["t1"])
    assert found.detail == "t1 accepts noop"


def test_partial_credit_of_a_sentinel_is_no_pass_and_no_flag() -> None:
    almost = {**make_score(0), "score": 0.9}
    row = make_validation(sentinels={"noop": almost})
    assert said(
        soundness.reward_hack_sentinels(make_subject((), "t1", validation={"t1": row}))
    ) == (
        PASS,
        [],
    )


def test_task_without_a_current_validation_is_unknown() -> None:
    found = soundness.reward_hack_sentinels(make_subject(validation={"t1": make_validation()}))
    assert said(found) == (UNKNOWN, ["t2"])


def test_reward_hack_row_at_the_threshold_is_flagged() -> None:
    rows = {task: make_validation(task) for task in ("t1", "t2")}
    hack = make_row("t2", 1, arm_kind="reward_hack", model="hack")
    assert said(soundness.reward_hack_sentinels(make_subject([hack], validation=rows))) == (
        FLAG,
        ["t2"],
    )
    honest = make_row("t2", 0, arm_kind="reward_hack", model="hack")
    assert said(soundness.reward_hack_sentinels(make_subject([honest], validation=rows)))[0] is PASS


def audit(*findings: dict[str, Any], **changes: Any) -> BuildManifest:
    block = {"status": "clean", "checked_tasks": 2, "findings": list(findings), **changes}
    return BuildManifest.read({"leakage_audit": block})


def test_no_audit_is_unknown() -> None:
    assert said(soundness.gold_leakage(make_subject()))[0] is UNKNOWN
    assert said(soundness.gold_leakage(make_subject(build=BuildManifest())))[0] is UNKNOWN


@pytest.mark.parametrize("finding", [{"task_id": "t1", "tier": 1}, {"task_id": "t1"}])
def test_verbatim_leak_is_flagged_also_without_a_tier(finding: dict[str, Any]) -> None:
    assert said(soundness.gold_leakage(make_subject(build=audit(finding)))) == (FLAG, ["t1"])


@pytest.mark.parametrize("finding", [{"task_id": "t1", "tier": 2}, {"task_id": "gone", "tier": 1}])
def test_fuzzy_leaks_and_leaks_of_other_tasks_do_not_count(finding: dict[str, Any]) -> None:
    assert said(soundness.gold_leakage(make_subject(build=audit(finding))))[0] is PASS


def test_audit_of_another_package_is_unknown() -> None:
    manifest = make_manifest("t1", "t2", environment={"package_sha256": "b"})
    subject = make_subject(build=audit(package_sha256="a"), manifest=manifest)
    assert said(soundness.gold_leakage(subject))[0] is UNKNOWN


def test_promotion_of_some_tasks_of_an_audited_package_is_audited() -> None:
    manifest = make_manifest("t1", "t2", environment={"package_sha256": "b"})
    tasks = {name: make_task(name, environment_ref="a") for name in ("t1", "t2")}
    subject = make_subject(build=audit(package_sha256="a"), manifest=manifest, tasks=tasks)
    assert said(soundness.gold_leakage(subject))[0] is PASS
    moved = {**tasks, "t2": make_task("t2", environment_ref="c")}
    subject = make_subject(build=audit(package_sha256="a"), manifest=manifest, tasks=moved)
    assert said(soundness.gold_leakage(subject))[0] is UNKNOWN


def split_block(**changes: Any) -> dict[str, Any]:
    return {"contamination": "clean", "near_duplicates": [], "near_duplicates_total": 0, **changes}


def contamination(splits: dict[str, Any], **facts: Any) -> tuple[Mark, list[str]]:
    manifest = make_manifest("t1", "t2", splits=splits)
    return said(soundness.contamination(make_subject(manifest=manifest, **facts)))


def test_asserted_clean_is_not_measured() -> None:
    assert contamination({"contamination": "clean"}) == (UNKNOWN, [])
    assert contamination({"contamination": "unknown"}) == (UNKNOWN, [])
    assert contamination({}) == (UNKNOWN, [])


def test_measured_clean_passes() -> None:
    assert contamination(split_block()) == (PASS, [])


def test_pair_across_splits_is_named() -> None:
    pair = {"a": "t1", "b": "t2", "similarity": 0.9}
    splits = split_block(contamination="contaminated", near_duplicates=[pair])
    assert contamination(splits) == (FLAG, ["t1", "t2"])


def test_pair_of_which_one_is_out_no_longer_counts() -> None:
    pair = {"a": "t1", "b": "t9", "similarity": 0.9}
    whole = split_block(
        contamination="contaminated", near_duplicates=[pair], near_duplicates_total=1
    )
    assert contamination(whole) == (PASS, [])
    cut = split_block(
        contamination="contaminated", near_duplicates=[pair], near_duplicates_total=60
    )
    assert contamination(cut)[0] is FLAG


def test_contaminated_without_pairs_is_flagged() -> None:
    assert contamination({"contamination": "contaminated"})[0] is FLAG
    assert contamination({}, ledger_contamination="contaminated")[0] is FLAG


def test_untested_verifiers_are_unknown_by_name() -> None:
    assert said(soundness.verifier_fixtures(make_subject())) == (UNKNOWN, ["t1", "t2"])
    assert said(soundness.verifier_mutation(make_subject())) == (UNKNOWN, ["t1", "t2"])


def test_fixture_that_is_judged_wrongly_is_flagged() -> None:
    wrong = {"pass": 1, "pass_accepted": 1, "fail": 2, "fail_rejected": 1}
    rows = verifications(t2={"fixtures": wrong, "verdict": "weak"})
    found = soundness.verifier_fixtures(make_subject(verifiers=rows))
    assert (said(found), found.detail) == ((FLAG, ["t2"]), "a fixture is judged wrongly: t2")


def test_verifier_without_a_wrong_fixture_is_unknown() -> None:
    rows = verifications(t1={"wrong_fail": False})
    assert said(soundness.verifier_fixtures(make_subject(verifiers=rows))) == (UNKNOWN, ["t1"])


def test_verifiers_that_judge_every_fixture_pass() -> None:
    subject = make_subject(verifiers=verifications())
    assert said(soundness.verifier_fixtures(subject)) == (PASS, [])
    assert said(soundness.verifier_mutation(subject)) == (PASS, [])


@pytest.mark.parametrize(
    "weakness",
    [
        {"mutation_score": 0.79},
        {"harmless": {"made": 5, "accepted": 4}},
        {"verdict": "weak", "why": ["passes drop_write"]},
    ],
)
def test_verifier_below_the_bar_is_flagged(weakness: dict[str, Any]) -> None:
    subject = make_subject(verifiers=verifications(t1=weakness))
    assert said(soundness.verifier_mutation(subject)) == (FLAG, ["t1"])


def test_bar_of_mutation_scores_is_the_review_policys() -> None:
    rows = verifications(t1={"mutation_score": 0.79})
    subject = make_subject(verifiers=rows, policy=ReviewPolicy(min_mutation_score=0.75))
    assert said(soundness.verifier_mutation(subject)) == (PASS, [])


def test_verifier_without_a_mutant_is_not_measured() -> None:
    rows = verifications(t2={"mutation_score": None})
    assert said(soundness.verifier_mutation(make_subject(verifiers=rows))) == (UNKNOWN, ["t2"])


@pytest.mark.parametrize(
    ("contract", "strong"),
    [
        (make_contract(), True),
        (make_contract({"type": "value_propagation", "value": "RF-1"}), True),
        (make_contract({"type": "response_obligation", "kind": "value"}), True),
        (make_contract(ANSWERED), False),
        (make_contract(ANSWERED, {"type": "no_state_change"}), False),
        (make_contract(status="fallback_minimal"), False),
        ({**make_contract(), "required": []}, False),
    ],
)
def test_contract_strength(contract: dict[str, Any], strong: bool) -> None:
    tasks = {"t1": make_task(outcome_contract=contract)}
    found = soundness.contract_strength(make_subject((), "t1", tasks=tasks))
    assert said(found) == ((PASS, []) if strong else (FLAG, ["t1"]))


OFFERED = [{"name": "issue_refund"}, {"name": "poke"}]


def test_unknown_tool_that_is_offered_is_flagged() -> None:
    tasks = {"t1": make_task(tool_definitions=OFFERED)}
    subject = make_subject((), "t1", tasks=tasks, tools={"issue_refund": ToolEntry(effect="write")})
    assert said(soundness.tool_classification(subject)) == (FLAG, ["t1"])


def test_classed_tools_pass_and_no_policy_is_unknown() -> None:
    tools = {"issue_refund": ToolEntry(effect="write"), "poke": ToolEntry(effect="read")}
    tasks = {"t1": make_task(tool_definitions=OFFERED)}
    assert said(
        soundness.tool_classification(make_subject((), "t1", tasks=tasks, tools=tools))
    ) == (
        PASS,
        [],
    )
    bare = {"t1": make_task(tool_definitions=OFFERED, tool_effects=None)}
    assert said(soundness.tool_classification(make_subject((), "t1", tasks=bare)))[0] is UNKNOWN


def test_digest_of_the_division_is_checked_in_both_spellings() -> None:
    for digest in (
        splits_sha256([("t1", "dev"), ("t2", "dev")]),
        splits_sha256([("t1", "fit"), ("t2", "fit")]),
    ):
        manifest = make_manifest("t1", "t2", splits={"splits_sha256": digest})
        assert said(soundness.split_provenance(make_subject(manifest=manifest)))[0] is PASS


def test_wrong_or_missing_division_is_flagged() -> None:
    wrong = make_manifest("t1", splits={"splits_sha256": "0" * 64})
    assert soundness.split_provenance(make_subject(manifest=wrong)).detail == (
        "the digest of the division differs from the tasks"
    )
    undivided = make_manifest(tasks=[{"task_id": "t1", "split": "none"}])
    assert soundness.split_provenance(make_subject(manifest=undivided)).detail == (
        "no task is in a split"
    )


@pytest.mark.parametrize(
    ("pilot", "mark", "detail"),
    [
        (Pilot(PilotState.WAIVED, reason="too small"), FLAG, "waived: too small"),
        (Pilot(PilotState.FAILED, "t1"), FLAG, "the audit of the pilot failed: t1"),
        (Pilot(PilotState.PASSED, "t1"), PASS, "both audits of the pilot passed: t1"),
        (
            Pilot(PilotState.OUT_OF_DATE, "t1"),
            UNKNOWN,
            "the pilot changed since it was audited: t1",
        ),
        (Pilot(), UNKNOWN, "nobody audited the pilot"),
    ],
)
def test_pilot_is_worth_what_its_audit_is_worth_today(
    pilot: Pilot, mark: Mark, detail: str
) -> None:
    found = soundness.pilot_audit(make_subject(build=BuildManifest(), pilot=pilot))
    assert found is not None
    assert (found.mark, found.detail) == (mark, detail)


def test_pilot_of_a_table_does_not_apply_and_none_is_unknown() -> None:
    assert soundness.pilot_audit(make_subject()) is None
    assert soundness.pilot_audit(make_subject(build=BuildManifest(mapping={"x": 1}))) is None
    assert said(soundness.pilot_audit(make_subject(build=BuildManifest())))[0] is UNKNOWN
