"""Every gate, and that none hides another."""

from typing import Any

import pytest

from benchmarks.records.direction import Dependencies
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.task import Task
from reviews.promotion.gates import GATES, Outcome
from reviews.promotion.judgement import Lifts, judge, rigor_block, waivers
from tests.factories import TOOLS, Item
from tests.reviews.desks import make_dag
from tests.reviews.factories import make_review, make_score, make_task, make_validation
from tests.reviews.promotion.cases import NO_LIFT, gate, item, make_case, said
from tests.verifier_factories import make_verification

PASSED: tuple[Outcome, list[str], list[str]] = (Outcome.PASSED, [], [])


def refused(code: str, *tasks: str) -> tuple[Outcome, list[str], list[str]]:
    return Outcome.REFUSED, [code], list(tasks)


def test_clean_proposal_has_nothing_against_it_and_unknowns_by_name() -> None:
    found = judge(make_case(), NO_LIFT)
    assert found.refusals == []
    unknown = [each.name for each in found.gates if each.outcome is Outcome.UNKNOWN]
    assert unknown == ["posture", "leakage"]
    assert len(found.gates) == len(GATES) == 14


def test_held_directory_is_claimed() -> None:
    holder = {"pid": 4711, "host": "lab-1"}
    assert said("claim", holder=holder) == refused("claimed")
    assert gate("claim", holder=holder).detail == "pid 4711 on lab-1 holds the directory"


def test_no_task_is_a_conflict() -> None:
    assert said("tasks", task_ids=[]) == refused("schema_conflict")


def test_conflict_counts_unless_its_task_was_refused() -> None:
    conflicts = {"t1": "edited by hand"}
    assert said("tasks", conflicts=conflicts) == refused("schema_conflict", "t1")
    assert said("tasks", conflicts=conflicts, reviews=[make_review("t1", "reject")]) == PASSED


def test_nothing_accepted_refuses() -> None:
    reviews = [make_review("t1", "reject"), make_review("t2", "needs_more")]
    assert said("decisions", reviews=reviews) == refused("nothing_accepted")
    assert said("decisions", reviews=reviews[:1]) == PASSED


def test_undecided_tasks_under_pending_wait_for_a_person() -> None:
    policy = ReviewPolicy(default_decision="pending")
    reviews = [make_review("t1", "restrict")]
    assert said("pending", policy=policy, reviews=reviews) == refused("human_final_judgment", "t2")
    assert said("pending") == PASSED


def test_lineage_with_quarantine_or_faults_refuses_and_can_be_waived() -> None:
    dag = make_dag(valid=False, issues=["a loop"], quarantined_groups=["g1"])
    assert said("lineage", dag=dag)[:2] == (
        Outcome.REFUSED,
        ["source_dag_quarantines", "source_dag_invalid"],
    )
    assert gate("lineage", Lifts(waive_dag="known loop"), dag=dag).outcome is Outcome.LIFTED
    assert gate("lineage", Lifts(override_rigor="x"), dag=dag).outcome is Outcome.REFUSED
    assert gate("lineage", dag=None).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (None, "no current validation"),
        (make_validation(oracle=make_score(0)), "the oracle fails"),
        (make_validation(oracle=make_score(None)), "the contract cannot judge"),
        (
            make_validation(oracle={**make_score(None), "problem": "o1: unknown matcher 'near'"}),
            "the contract cannot judge: o1: unknown matcher 'near'",
        ),
        (
            make_validation(oracle={**make_score(None), "missing_gold": ["response"]}),
            "unverifiable, gold is missing: response",
        ),
    ],
)
def test_task_without_a_passing_oracle_refuses(row: Any, why: str) -> None:
    validation = {"t2": make_validation("t2"), **({"t1": row} if row else {})}
    found = gate("validation", validation=validation)
    assert (found.outcome, found.detail) == (Outcome.REFUSED, f"t1: {why}")
    assert found.refusals[0].code == "oracle_failed"
    cure = "regenerate-env" if row is None else "reviews submit local--desk t1 reject"
    assert cure in found.refusals[0].cure


def test_passing_sentinel_refuses_by_name_and_nothing_lifts_it() -> None:
    row = make_validation(sentinels={"noop": make_score(1)})
    validation = {"t1": row, "t2": make_validation("t2")}
    assert said("validation", validation=validation) == refused("sentinel_tests", "t1")
    lifted = gate("validation", Lifts("x", "y"), validation=validation)
    assert lifted.outcome is Outcome.REFUSED


def test_refused_task_needs_no_validation() -> None:
    validation = {"t2": make_validation("t2")}
    reviews = [make_review("t1", "reject")]
    assert said("validation", validation=validation, reviews=reviews) == PASSED


def test_weak_and_untested_verifiers_refuse_by_name_and_can_be_lifted() -> None:
    weak = make_verification(make_task("t1"), verdict="weak", why=["passes drop_write"])
    facts: dict[str, Any] = {"verifiers": {"t1": weak}}
    assert said("verifier", **facts) == (
        Outcome.REFUSED,
        ["weak_verifier", "verifier_untested"],
        ["t1", "t2"],
    )
    found = gate("verifier", **facts)
    assert found.detail == "t1: passes drop_write; nobody tested the verifier of 1 task"
    assert [refusal.cure for refusal in found.refusals] == [
        "understudy benchmarks tasks local--desk --attention weak_verifier",
        "understudy benchmarks verify local--desk",
    ]
    lifts = Lifts(override_rigor="we read them")
    assert gate("verifier", lifts, **facts).outcome is Outcome.LIFTED
    case = make_case(**facts)
    block = rigor_block(case, judge(case, lifts), lifts)
    assert block["failures"] == ["weak_verifier", "verifier_untested"]
    assert case.verifier_totals == {"tested": 0, "weak": 1, "untested": 1}


def test_verifier_of_a_refused_task_is_not_asked() -> None:
    tested = {"t1": make_verification(make_task("t1"))}
    assert said("verifier", verifiers=tested, reviews=[make_review("t2", "reject")]) == PASSED


def test_unclassified_tool_of_an_accepted_task_refuses() -> None:
    unclassified = {"t1": ["poke"], "t2": ["poke", "prod"]}
    assert said("tools", unclassified=unclassified) == refused("unclassified_tool", "t1", "t2")
    reviews = [make_review("t1", "reject"), make_review("t2", "reject")]
    assert said("tools", unclassified=unclassified, reviews=reviews) == PASSED


@pytest.mark.parametrize(
    ("name", "check", "code"),
    [("leakage", "gold_leakage", "gold_leakage"), ("splits", "contamination", "contaminated")],
)
def test_check_with_a_gate_of_its_own(name: str, check: str, code: str) -> None:
    assert said(name, items=[item(check, "FLAG", "t1")]) == refused(code, "t1")
    assert said(name, items=[item(check, "PASS")]) == PASSED
    assert gate(name, items=[item(check, "UNKNOWN")]).outcome is Outcome.UNKNOWN
    assert gate(name, items=[]).outcome is Outcome.UNKNOWN


def test_manifest_that_would_not_validate_refuses() -> None:
    found = gate("manifest", manifest_errors=["benchmark.json x: wanted"])
    assert (found.outcome, found.refusals[0].code) == (Outcome.REFUSED, "manifest_schema")


def test_rigor_refuses_for_every_hard_flag_and_no_soft_one() -> None:
    items = [
        item("null_floor", "FLAG", "t1"),
        item("spam_floor", "FLAG", "t2"),
        item("intervals", "FLAG", hard=False),
        item("oracle_solvability", "UNKNOWN"),
    ]
    assert said("rigor", items=items) == (
        Outcome.REFUSED,
        ["null_floor", "spam_floor"],
        ["t1", "t2"],
    )


def test_rigor_is_unknown_where_nothing_fails_and_something_is_unmeasured() -> None:
    items = [item("null_floor", "UNKNOWN"), item("oracle_solvability", "PASS")]
    found = gate("rigor", items=items)
    assert (found.outcome, found.detail) == (Outcome.UNKNOWN, "not measured: null_floor")


def test_override_lifts_rigor_verifier_tools_leakage_and_splits_alone() -> None:
    case = make_case(
        items=[
            item("null_floor", "FLAG"),
            item("gold_leakage", "FLAG"),
            item("contamination", "FLAG"),
        ],
        unclassified={"t1": ["poke"]},
        validation={},
        verifiers={},
        manifest_errors=["bad"],
        holder={"pid": 1},
        conflicts={"t1": "x"},
    )
    found = judge(case, Lifts(override_rigor="we know"))
    assert [each.name for each in found.lifted] == [
        "verifier",
        "tools",
        "leakage",
        "splits",
        "rigor",
    ]
    assert [refusal.code for refusal in found.refusals] == [
        "claimed",
        "schema_conflict",
        "oracle_failed",
        "manifest_schema",
    ]


def test_every_refusal_is_given_at_once() -> None:
    case = make_case(
        task_ids=["t1", "t2"],
        reviews=[make_review("t1", "reject"), make_review("t2", "reject")],
        items=[item("null_floor", "FLAG")],
        dag=make_dag(quarantined_groups=["g"]),
    )
    assert [refusal.code for refusal in judge(case, NO_LIFT).refusals] == [
        "nothing_accepted",
        "source_dag_quarantines",
        "null_floor",
    ]


def test_strict_refuses_what_is_not_measured() -> None:
    case = make_case(
        items=[item("null_floor", "UNKNOWN"), item("intervals", "UNKNOWN", hard=False)]
    )
    assert judge(case, NO_LIFT).refusals == []
    refusals = judge(case, Lifts(strict=True)).refusals
    assert [refusal.code for refusal in refusals] == ["null_floor"]
    assert refusals[0].message == "not measured: null_floor said"


def test_rigor_block_says_passed_overridden_and_why() -> None:
    clean = make_case(items=[item("intervals", "UNKNOWN", hard=False)])
    assert rigor_block(clean, judge(clean, NO_LIFT), NO_LIFT) == {
        "status": "passed",
        "failures": [],
        "unknowns": ["intervals"],
        "override_reason": None,
    }
    lifts = Lifts(override_rigor="refusals are real tasks")
    failing = make_case(items=[item("null_floor", "FLAG")], unclassified={"t1": ["poke"]})
    assert rigor_block(failing, judge(failing, lifts), lifts) == {
        "status": "overridden",
        "failures": ["null_floor", "unclassified_tool"],
        "unknowns": [],
        "override_reason": "refusals are real tasks",
    }


def test_override_that_lifted_nothing_is_not_one() -> None:
    lifts = Lifts(override_rigor="just in case")
    case = make_case()
    block = rigor_block(case, judge(case, lifts), lifts)
    assert (block["status"], block["override_reason"]) == ("passed", None)


def test_waivers_name_issue_reason_and_evidence() -> None:
    lifts = Lifts(override_rigor="known", waive_dag="forks are fine")
    case = make_case(
        items=[item("null_floor", "FLAG", "t1")], dag=make_dag(quarantined_groups=["g"])
    )
    found = waivers(case, judge(case, lifts), lifts)
    assert found == [
        {
            "issue": "lineage",
            "rationale": "forks are fine",
            "evidence": ["source_dag_quarantines: in quarantine: 1 group"],
        },
        {"issue": "rigor", "rationale": "known", "evidence": ["null_floor: null_floor said"]},
        {
            "issue": "pilot",
            "rationale": "no pilot yet",
            "evidence": ["manifest.json: pilot.waived"],
        },
    ]


# Postures


def dependency(**more: Any) -> Dependencies:
    one = {"name": "order service", "kind": "mcp", "tools": ["get_item"], "posture": "frozen"}
    return Dependencies.read({"dependencies": [{**one, **more}]})


def reaching(*tools: str, **more: Any) -> dict[str, Task]:
    """Two tasks; the first is offered these tools."""
    tasks = [Item(1, changes={"task_id": "t1", **more}).task(), Item(2).task()]
    offered = [tool.dump() for tool in TOOLS if tool.name in tools]
    bare = {"tool_definitions": [], "tool_surface": []}
    first = tasks[0].with_(**bare).with_(tool_definitions=offered)
    return {"t1": first, "t2": tasks[1].with_(task_id="t2", **bare)}


def test_a_posture_that_nobody_approved_refuses_with_the_command_that_does() -> None:
    facts = {"dependencies": dependency(), "tasks": reaching("get_item")}
    assert said("posture", **facts) == refused("posture_unapproved", "t1")
    [refusal] = gate("posture", **facts).refusals
    assert refusal.cure == (
        "understudy traces directions local--desk --posture 'order service=frozen'"
    )


def test_an_approved_posture_passes_and_one_that_no_task_reaches_is_not_asked() -> None:
    approved = dependency(approved_by="os:mira")
    assert said("posture", dependencies=approved, tasks=reaching("get_item")) == PASSED
    assert said("posture", dependencies=dependency(), tasks=reaching("update_item")) == PASSED


def test_live_tools_are_never_promoted() -> None:
    live = dependency(posture="live", approved_by="os:mira")
    assert said("posture", dependencies=live, tasks=reaching("get_item")) == refused(
        "live_dependency", "t1"
    )
    told = {"dependencies": dependency(approved_by="os:mira"), "tasks": reaching(posture="live")}
    assert said("posture", **told) == refused("live_dependency", "t1")
