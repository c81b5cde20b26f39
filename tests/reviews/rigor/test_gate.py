"""What fails the gate, what does not, and with which exit code."""

from typing import Any

import pytest

from benchmarks.records.build import BuildManifest
from benchmarks.records.rigor import GateReport, RigorItem, RigorReport
from reviews.rigor.checks import CHECKS, run_checks
from reviews.rigor.gate import exit_code, gate_report, gate_word, verdict_of
from reviews.rigor.report import Stamp, rigor_report
from tests.reviews.factories import NOW, STAMPS, make_subject, make_trivial_row, make_validation

SIX = [
    "manifest-schema",
    "oracle-solvability",
    "trivial-floors",
    "reward-hack-sentinels",
    "gold-leakage",
    "contamination",
]


def item(check: str, status: str, *, hard: bool = True) -> RigorItem:
    return RigorItem(id=check, title=check, status=status, hard=hard, detail=f"{check} said")


def report(**facts: Any) -> RigorReport:
    return rigor_report(make_subject(**facts), Stamp(NOW, "1.0.0"))


def gate(*items: RigorItem) -> GateReport:
    return gate_report(report().with_(items=list(items)), "refund-desk")


def test_hard_flag_fails_and_soft_flag_does_not() -> None:
    found = verdict_of([item("a", "FLAG"), item("b", "FLAG", hard=False), item("c", "PASS")])
    assert (found.status, found.failures, found.unknowns) == ("fail", ("a",), ())
    assert verdict_of([item("b", "FLAG", hard=False)]).status == "pass"


def test_unknown_is_named_and_fails_nothing() -> None:
    found = verdict_of([item("a", "UNKNOWN"), item("b", "UNKNOWN", hard=False)])
    assert (found.status, found.unknowns) == ("pass", ("a", "b"))


def test_older_six_names_come_first_and_ours_follow_with_hyphens() -> None:
    names = [check.check for check in gate_report(report(), "refund-desk").checks]
    assert names[:6] == SIX
    assert names[6:8] == ["verifier-fixtures", "verifier-mutation"]
    assert all("_" not in name for name in names)


@pytest.mark.parametrize(
    ("floors", "worst"),
    [(("PASS", "PASS"), "PASS"), (("UNKNOWN", "PASS"), "UNKNOWN"), (("UNKNOWN", "FLAG"), "FAIL")],
)
def test_trivial_floors_is_the_worst_of_them(floors: tuple[str, str], worst: str) -> None:
    found = gate(item("null_floor", floors[0]), item("spam_floor", floors[1]))
    assert [(check.check, check.status) for check in found.checks] == [("trivial-floors", worst)]
    assert found.checks[0].detail == "null-floor: null_floor said; spam-floor: spam_floor said"


def test_soft_flag_is_listed_as_flag_and_never_changes_the_exit() -> None:
    found = gate(item("intervals", "FLAG", hard=False))
    assert found.checks[0].status == "FLAG"
    assert (found.failures, found.unknowns, exit_code([found], strict=True)) == ([], [], 0)


def test_exit_codes_of_the_gate() -> None:
    fails = gate(item("a", "FLAG"), item("b", "UNKNOWN"))
    unknown = gate(item("b", "UNKNOWN"))
    clean = gate(item("c", "PASS"))
    assert exit_code([fails]) == 1
    assert exit_code([unknown]) == 0
    assert exit_code([unknown], strict=True) == 3
    assert exit_code([fails, unknown], strict=True) == 1
    assert exit_code([clean, unknown], strict=True) == 3
    assert exit_code([clean], strict=True) == 0


def test_words_of_the_gate() -> None:
    unknown = gate(item("b", "UNKNOWN"))
    assert (gate_word(unknown), gate_word(unknown, strict=True)) == ("pass", "not_measured")
    assert gate_word(gate(item("a", "FLAG"))) == "fail"


def test_every_check_of_the_list_has_its_own_id() -> None:
    ids = [check.id for check in CHECKS]
    assert len(set(ids)) == len(ids) == 27


def test_checks_that_do_not_apply_are_left_out() -> None:
    ids = {found.id for found in run_checks(make_subject())}
    assert {"majority_floor", "class_balance", "holdout_looks", "pilot_audit"}.isdisjoint(ids)
    assert len(ids) == 23


def test_remedy_names_the_benchmark_and_fits_the_mark() -> None:
    subject = make_subject([make_trivial_row("null_agent", "t1", 1)], name="local--my desk")
    remedies = {found.id: found.remedy for found in run_checks(subject)}
    assert remedies["null_floor"] == (
        "understudy benchmarks tasks 'local--my desk' --attention trivial_pass"
    )
    assert remedies["spam_floor"] == (
        "understudy runs queue --benchmark 'local--my desk' --trivial-arms spam_agent"
    )
    assert remedies["manifest_schema"] == ""


@pytest.mark.parametrize(
    ("moved", "remedies"),
    [
        ("verifier_sha256", ["regrade --benchmark local--b --dry-run"] * 2),
        ("env_sha256", ["queue --benchmark local--b --trivial-arms null_agent",
                        "queue --benchmark local--b --models MODEL"]),
    ],
)  # fmt: skip
def test_rows_that_need_only_be_judged_again_are_not_run_again(
    moved: str, remedies: list[str]
) -> None:
    old = {"task_content_hashes": {**STAMPS, moved: "0" * 64}}
    row = make_trivial_row("null_agent", "t1", provenance=old)
    found = {one.id: one for one in run_checks(make_subject([row], name="local--b"))}
    assert [found[name].remedy for name in ("null_floor", "staleness")] == [
        f"understudy runs {remedy}" for remedy in remedies
    ]
    assert found["spam_floor"].remedy.startswith("understudy runs queue ")


def test_only_the_checks_of_the_table_are_hard() -> None:
    assert [check.id for check in CHECKS if check.hard] == [
        "manifest_schema",
        "oracle_solvability",
        "null_floor",
        "spam_floor",
        "majority_floor",
        "reward_hack_sentinels",
        "gold_leakage",
        "contamination",
        "verifier_fixtures",
    ]


def test_directory_of_the_reference_passes_five_of_its_six_checks() -> None:
    rows = [
        make_trivial_row(kind, task, int(kind == "oracle"), provenance=None)
        for kind in ("oracle", "null_agent", "spam_agent")
        for task in ("t1", "t2")
    ]
    build = {"leakage_audit": {"status": "clean", "checked_tasks": 2, "findings": []}}
    validation = {task: make_validation(task) for task in ("t1", "t2")}
    subject = make_subject(rows, validation=validation, build=BuildManifest.read(build))
    found = gate_report(rigor_report(subject, Stamp(NOW, "1.0.0")), "b")
    words = {check.check: check.status for check in found.checks}
    assert [words[name] for name in SIX] == ["PASS"] * 5 + ["UNKNOWN"]
    assert (exit_code([found]), exit_code([found], strict=True)) == (0, 3)
