"""One case for each rule of spec/surface.md 3.1 that this version has (worked case 26)."""

from typing import Any

import pytest

from benchmarks.records.vocabulary import Stage
from runs.status.facts import Facts, Gate, Stale
from runs.status.rules import RULES, next_step
from tests.runs.status.pilot_cases import PILOT_CASES
from tests.runs.status.situations import promoted, proposed, request

FAILED = Gate(status="fail", verdict="fail", failures=["null_floor"], remedy="")
LEFT = {"executor_version": "0.0.1", "missing": ["replay_tapes"]}


def asked(**facts: Any) -> Facts:
    """An intake whose captures are kept."""
    return Facts("local--b", Stage.INTAKE, has_captures=True, **facts)


CASES: list[tuple[str, Facts, str]] = [
    (
        "fix_invalid",
        proposed(stage=Stage.INVALID),
        "understudy benchmarks show local--b",
    ),
    (
        "wait_run",
        promoted(runs=[request("run-1", "running")], claim_live=True),
        "understudy runs status local--b run-1 --wait 20",
    ),
    (
        "upgrade_executor",
        promoted(
            runs=[request("run-1", "queued", unsupported=LEFT)],
            unsupported={"run-1": ["replay_tapes"]},
        ),
        "understudy runs execute --benchmark local--b --run run-1",
    ),
    (
        "resume_run",
        promoted(runs=[request("run-1", "running")]),
        "understudy runs execute --benchmark local--b --run run-1",
    ),
    (
        "execute",
        promoted(runs=[request("run-1", "queued")]),
        "understudy runs execute --benchmark local--b",
    ),
    (
        "propose_directions",
        Facts("local--b", Stage.INTAKE, has_captures=True),
        "understudy traces directions local--b",
    ),
    (
        "pick_direction",
        asked(cards=["refunds", "look-ups"]),
        "understudy traces directions local--b --pick ID",
    ),
    (
        "approve_postures",
        asked(cards=["refunds"], picked="refunds", unapproved={"order service": "frozen"}),
        "understudy traces directions local--b --posture 'order service=frozen'",
    ),
    (
        "build_pilot",
        asked(cards=["refunds"], picked="refunds"),
        "understudy traces build-benchmark local--b --pilot",
    ),
    (
        "regenerate",
        proposed(regenerate_because="t1 was edited by hand"),
        "understudy traces regenerate-env --benchmark local--b",
    ),
    (
        "classify_tools",
        proposed(unknown_tools=["flagOrder", "markOrder"]),
        "understudy traces regenerate-env --benchmark local--b --tool flagOrder=write"
        " --tool markOrder=write",
    ),
    *PILOT_CASES,
    (
        "fix_verifier",
        proposed(weak=["t1"], flagged=["t1"]),
        "understudy benchmarks tasks local--b --attention weak_verifier --sort attention",
    ),
    (
        "fix_verifier",
        proposed(judging_little={"t1": "weak"}, flagged=["t1"]),
        "understudy benchmarks tasks local--b --attention weak_verifier --sort attention",
    ),
    (
        "address_feedback",
        proposed(open_feedback=["t 1"]),
        "understudy benchmarks tasks local--b 't 1'",
    ),
    (
        "review_flagged",
        proposed(flagged=["t1", "t2"]),
        "understudy benchmarks tasks local--b --attention --sort attention",
    ),
    (
        "accept_pending",
        proposed(clean_pending=["t1"]),
        "understudy reviews accept-clean local--b --dry-run",
    ),
    ("gate", proposed(gate=Gate()), "understudy benchmarks rigor local--b"),
    (
        "gate",
        proposed(gate=Gate(status="stale", verdict="pass")),
        "understudy benchmarks rigor local--b",
    ),
    ("fix_gate", proposed(gate=FAILED), "understudy benchmarks rigor local--b"),
    ("promote", proposed(), "understudy traces promote --benchmark local--b"),
    (
        "regrade",
        promoted(stale=Stale(models=["m1"], task_ids=["t1"], regradable=["t1"])),
        "understudy runs regrade --benchmark local--b --dry-run",
    ),
    (
        "regrade",
        proposed(stale=Stale(models=["m1"], task_ids=["t1"], regradable=["t1"])),
        "understudy runs regrade --benchmark local--b --dry-run",
    ),
    (
        "rerun",
        promoted(stale=Stale(models=["m1", "m2"], task_ids=["t1", "t2"], rollouts=3)),
        "understudy runs queue --benchmark local--b --models m1,m2 --tasks t1,t2 --rollouts 3",
    ),
    (
        "fix_floor",
        promoted(exceeded=["spam_agent"], calibration="fail"),
        "understudy benchmarks tasks local--b --passed-by spam_agent",
    ),
    (
        "calibrate",
        promoted(calibration="not_run", incumbent="gpt-5.5"),
        "understudy runs queue --benchmark local--b --models gpt-5.5 --incumbent gpt-5.5"
        " --trivial-arms null_agent,spam_agent",
    ),
    (
        "calibrate",
        promoted(calibration="partial", calibration_missing=["x"], has_captures=True),
        "understudy runs queue --benchmark local--b --reference-arms replay"
        " --trivial-arms null_agent,spam_agent",
    ),
    (
        "fix_suspects",
        promoted(calibration="suspect", suspects=["t1"], has_candidate_rows=False),
        "understudy benchmarks tasks local--b --attention incumbent_failed --sort attention",
    ),
    (
        "run_candidates",
        promoted(has_candidate_rows=False),
        "understudy runs queue --benchmark local--b --models MODEL --split dev",
    ),
    ("rigor", promoted(report_is_current=False), "understudy benchmarks rigor local--b"),
    ("leaderboard", promoted(), "understudy benchmarks leaderboard local--b"),
]


@pytest.mark.parametrize(("rule", "facts", "command"), CASES, ids=[case[0] for case in CASES])
def test_the_rule_fires_and_its_command_is_ready_to_paste(
    rule: str, facts: Facts, command: str
) -> None:
    step = next_step(facts)
    assert step is not None
    assert (step["rule"], step["command"]) == (rule, command)
    assert step["why"]


def test_every_rule_has_a_case() -> None:
    assert {rule.__name__ for rule in RULES} == {case[0] for case in CASES}


def test_the_first_rule_wins() -> None:
    everything = proposed(
        runs=[request("run-1", "queued")],
        regenerate_because="old",
        unknown_tools=["x"],
        open_feedback=["t1"],
    )
    step = next_step(everything)
    assert step is not None
    assert step["rule"] == "execute"


def test_a_capital_word_is_listed_in_needs() -> None:
    step = next_step(promoted(has_candidate_rows=False))
    assert step is not None
    assert step["needs"] == ["MODEL"]
    assert step["spends"] is True
    assert step["arguments"] == {"slug": "local--b", "models": ["MODEL"], "split": "dev"}


@pytest.mark.parametrize(
    ("splits", "split"), [({"train": 3}, "train"), ({"holdout": 2, "none": 1}, "all"), ({}, "all")]
)
def test_candidates_never_start_on_an_empty_split_nor_on_the_holdout(
    splits: dict[str, int], split: str
) -> None:
    step = next_step(promoted(has_candidate_rows=False, splits=splits))
    assert step is not None
    assert step["command"].endswith(f"--split {split}")


def test_a_run_that_this_version_cannot_do_either_is_left_alone() -> None:
    facts = promoted(
        runs=[request("run-1", "queued", unsupported=LEFT)],
        unsupported={"run-1": ["replay_tapes"]},
        lacking_here=frozenset({"run-1"}),
    )
    step = next_step(facts)
    assert step is not None
    assert step["rule"] == "leaderboard"


def test_the_failing_checks_own_remedy_is_the_command() -> None:
    remedy = "understudy benchmarks tasks local--b --passed-by null_agent"
    step = next_step(proposed(gate=Gate("fail", "fail", ["null_floor"], remedy=remedy)))
    assert step is not None
    assert (step["command"], step["needs"]) == (remedy, [])


def test_what_a_remedy_leaves_open_is_needed() -> None:
    remedy = "understudy traces regenerate-env --benchmark local--b --tool NAME=write"
    step = next_step(proposed(gate=Gate("fail", "fail", ["x"], remedy=remedy)))
    assert step is not None
    assert step["needs"] == ["NAME"]


def test_a_remedy_in_words_is_said_and_the_report_is_read() -> None:
    step = next_step(proposed(gate=Gate("fail", "fail", ["x"], remedy="build again")))
    assert step is not None
    assert step["command"] == "understudy benchmarks rigor local--b"
    assert step["why"].endswith("build again")


def test_unknown_checks_do_not_hold_a_promotion_up_and_are_counted() -> None:
    gate = Gate(status="pass", verdict="pass", unknowns=["noise_floor", "intervals"])
    step = next_step(proposed(gate=gate))
    assert step is not None
    assert step["why"] == "no check of the gate fails, 2 unknown"


def test_a_proposal_reruns_one_task_at_a_time() -> None:
    facts = proposed(gate=Gate(status="odd"), stale=Stale(models=["m1"], task_ids=["t1", "t2"]))
    step = next_step(facts)
    assert step is not None
    assert step["command"] == "understudy runs queue --benchmark local--b --models m1 --tasks t1"


def test_stale_rows_of_arms_that_cost_nothing_spend_nothing() -> None:
    stale = Stale(trivial_arms=["null_agent"], reference_arms=["oracle"], task_ids=["t1"])
    step = next_step(promoted(stale=stale))
    assert step is not None
    assert step["spends"] is False
    assert "--trivial-arms null_agent --reference-arms oracle" in step["command"]


def test_what_is_missing_of_a_calibration_is_said() -> None:
    step = next_step(
        promoted(
            calibration="partial", calibration_missing=["null_agent is not measured on 2 of 10"]
        )
    )
    assert step is not None
    assert step["why"] == "calibration is partial: null_agent is not measured on 2 of 10"


@pytest.mark.parametrize(
    "changes",
    [
        {"regenerate_because": "old"},
        {"calibration": "not_run"},
        {"has_candidate_rows": False},
        {"stale": Stale(models=["m1"], task_ids=["t1"], regradable=["t1"])},
    ],
)
def test_without_an_environment_of_its_own_nothing_can_be_run(changes: dict[str, Any]) -> None:
    step = next_step(promoted(owns_environment=False, **changes))
    assert step is not None
    assert step["rule"] == "leaderboard"


@pytest.mark.parametrize(
    "changes", [{"calibration": "partial"}, {"calibration": "not_run", "has_measurable": False}]
)
def test_what_no_run_would_measure_is_not_run_again(changes: dict[str, Any]) -> None:
    step = next_step(promoted(**changes))
    assert step is not None
    assert step["rule"] == "leaderboard"


def test_an_intake_without_captures_is_built_from_a_source() -> None:
    step = next_step(Facts("local--b", Stage.INTAKE, dir="/lab/b"))
    assert step is not None
    assert step["command"] == ("understudy traces build-benchmark SOURCE --output /lab/b --pilot")
    assert step["needs"] == ["SOURCE"]


def test_without_captures_only_the_floors_are_measured() -> None:
    step = next_step(promoted(calibration="not_run"))
    assert step is not None
    assert step["command"] == (
        "understudy runs queue --benchmark local--b --trivial-arms null_agent,spam_agent"
    )
    assert step["spends"] is False


def test_the_tasks_that_wait_for_a_decision_are_named_and_come_first() -> None:
    waiting = [f"t{number}" for number in range(1, 8)]
    step = next_step(proposed(weak=waiting, flagged=waiting))
    assert step is not None
    assert step["why"] == (
        "nobody decided 7 tasks whose verifier failed its test: t1, t2, t3, t4, t5 and 2 more"
    )
    assert step["arguments"] == {
        "slug": "local--b",
        "attention": "weak_verifier",
        "sort": "attention",
    }


def test_what_failed_its_test_and_what_can_judge_little_are_told_apart() -> None:
    little = {"t2": "weak", "t3": "partial", "t4": "weak"}
    step = next_step(proposed(weak=["t1"], judging_little=little, flagged=["t1", *little]))
    assert step is not None
    assert step["why"] == (
        "nobody decided 1 task whose verifier failed its test: t1; 3 tasks whose contract can "
        "judge little (judgeability: 2 weak, 1 partial): t2, t3, t4"
    )


def test_a_changed_verifier_is_not_called_a_changed_environment() -> None:
    stale = Stale(models=["m1"], task_ids=["t1"], verifier_only=["t1"])
    step = next_step(promoted(stale=stale))
    assert step is not None
    assert step["why"] == (
        "the verifier of 1 task changed since the rows were scored, and nothing was kept of them"
        " that could be judged again"
    )


def test_changed_environments_and_verifiers_are_told_apart() -> None:
    stale = Stale(models=["m1"], task_ids=["t1", "t2", "t3"], verifier_only=["t2"])
    step = next_step(promoted(stale=stale))
    assert step is not None
    assert step["why"].startswith(
        "rows of 2 tasks are about an older environment; the verifier of 1 task changed"
    )


def test_judging_again_comes_before_running_again() -> None:
    stale = Stale(models=["m1"], task_ids=["t1", "t2"], regradable=["t1", "t2"])
    step = next_step(promoted(stale=stale))
    assert step is not None
    assert (step["rule"], step["tool"]) == ("regrade", "regrade_run")
    assert step["arguments"] == {"slug": "local--b", "dry_run": True}
    assert step["spends"] is False
    assert step["why"] == (
        "the verifier of 2 tasks changed since the rows were scored, and what was kept can be "
        "judged again: nothing is run, nothing is spent"
    )


@pytest.mark.parametrize("status", ["queued", "running"])
def test_what_a_watching_executor_will_take_up_is_waited_for(status: str) -> None:
    step = next_step(promoted(runs=[request("run-1", status)], watched=True))
    assert step is not None
    assert step["command"] == "understudy runs status local--b run-1 --wait 20"
    assert step["why"] == "run-1 waits for an executor that is watching this benchmark"


def test_what_the_watching_executor_left_is_not_waited_for() -> None:
    facts = promoted(
        runs=[request("run-1", "queued", unsupported=LEFT)],
        unsupported={"run-1": ["replay_tapes"]},
        watched=True,
    )
    step = next_step(facts)
    assert step is not None
    assert step["rule"] == "upgrade_executor"


def test_a_lone_card_is_named_in_the_command() -> None:
    step = next_step(asked(cards=["refunds"]))
    assert step is not None
    assert step["command"] == "understudy traces directions local--b --pick refunds"
    assert step["needs"] == []


def test_a_proposal_is_asked_nothing_of_directions() -> None:
    step = next_step(proposed(cards=["refunds"], unapproved={"x": "frozen"}, has_captures=True))
    assert step is not None
    assert step["rule"] not in {"pick_direction", "approve_postures"}
