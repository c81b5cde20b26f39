from datetime import datetime

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Located
from benchmarks.records.manifest import PROMOTED
from benchmarks.records.note import Feedback
from runs.services.benchmark_status import benchmark_status
from runs.status.block import status_lines
from runs.status.rules import RULES
from tests.reviews.desks import add_rows, make_desk, make_promoted_desk
from tests.reviews.factories import make_flag, make_review, make_row
from tests.runs.services import benches
from tests.runs.services.requests import claimed, make_request, queue, watched


@pytest.mark.parametrize("name", benches.BENCHES)
def test_the_rule_of_a_directory(name: str, lab: Home, now: datetime) -> None:
    rule, make = benches.BENCHES[name]
    document = benchmark_status(located=make(lab.benchmarks), home=lab, now=now)
    assert document["next"]["rule"] == rule
    assert len(status_lines(document)) == 9


def test_a_run_under_a_live_claim_is_waited_for(
    promoted: Located, lab: Home, now: datetime
) -> None:
    queue(promoted, make_request(status="running"))
    with claimed(promoted):
        document = benchmark_status(located=promoted, home=lab, now=now)
    assert document["next"]["rule"] == "wait_run"
    assert document["runs"]["claim"]["live"] is True


def test_a_watcher_between_two_passes_is_seen(promoted: Located, lab: Home, now: datetime) -> None:
    queue(promoted, make_request())
    with watched(promoted):
        document = benchmark_status(located=promoted, home=lab, now=now)
    assert document["next"]["rule"] == "wait_run"
    assert document["runs"]["claim"]["live"] is False
    assert (document["runs"]["watcher"]["live"], document["runs"]["watcher"]["since"]) == (
        True,
        "2026-11-04T08:00:00.000Z",
    )


def test_every_rule_has_a_directory() -> None:
    covered = {rule for rule, _ in benches.BENCHES.values()} | {"wait_run"}
    assert covered == {rule.__name__ for rule in RULES}


def test_the_document_has_every_key_of_the_page(
    proposal: Located, lab: Home, now: datetime
) -> None:
    document = benchmark_status(located=proposal, home=lab, now=now)
    assert list(document) == [
        "schema_version",
        "benchmark",
        "version",
        "rows",
        "stale_in_headline",
        "ledgers",
        "attention",
        "calibration",
        "verifiers",
        "runs",
        "result_types",
        "gate",
        "artifacts",
        "posture",
        "warnings",
        "freshness",
        "next",
    ]
    assert document["schema_version"] == "understudy.benchmark_status.v1"
    assert document["benchmark"] == {
        "slug": "local--refund-desk",
        "dir": str(proposal.directory.path),
        "benchmark_id": "trace-a774ea2432856c8a",
        "name": None,
        "stage": "proposed",
        "read_only": False,
        "errors": [],
    }
    assert document["posture"] == {"level": "local_sandbox", "stop_loss_usd": None}
    assert document["verifiers"] == {"tested": 2, "weak": 0, "untested": 0, "flaky": 0}


def test_without_next_nothing_is_proposed(proposal: Located, lab: Home, now: datetime) -> None:
    document = benchmark_status(located=proposal, home=lab, with_next=False, now=now)
    assert "next" not in document


def test_reading_writes_nothing(promoted: Located, lab: Home, now: datetime) -> None:
    before = {each.name: each for each in promoted.directory.listing("**/*")}
    benchmark_status(located=promoted, home=lab, now=now)
    assert {each.name: each for each in promoted.directory.listing("**/*")} == before


def test_a_reachable_incumbent_is_measured_and_an_unreachable_one_replayed(
    lab: Home, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make_promoted_desk(lab.benchmarks)
    benches.keep_captures(desk.directory)
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    named = manifest.with_(schema_version=PROMOTED, incumbent={"model": "gpt-5.5"})
    desk.directory.replace(layout.BENCHMARK, named)
    replayed = benchmark_status(located=desk, home=lab, now=now)["next"]["command"]
    assert "--reference-arms replay" in replayed
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    called = benchmark_status(located=desk, home=lab, now=now)["next"]["command"]
    assert "--models gpt-5.5 --incumbent gpt-5.5" in called
    assert "replay" not in called


def test_a_new_rows_file_makes_the_report_old(lab: Home, now: datetime) -> None:
    desk = benches.promoted(lab.benchmarks)
    add_rows(desk, make_row("t1", 1, run_id="run-2", model="m2"))
    document = benchmark_status(located=desk, home=lab, now=now)
    assert (document["gate"]["status"], document["gate"]["verdict"]) == ("stale", "pass")
    kinds = {each["kind"]: each["current"] for each in document["artifacts"]}
    assert kinds == {"calibration": True, "rigor_report": False, "rows": True}
    assert document["next"]["rule"] == "rigor"


def test_a_gate_from_before_the_first_review_is_run_again(lab: Home, now: datetime) -> None:
    desk = benches.with_a_failed_gate(lab.benchmarks)
    desk.directory.append(layout.REVIEWS, make_review("t1", "reject"))
    document = benchmark_status(located=desk, home=lab, now=now)
    assert (document["gate"]["status"], document["next"]["rule"]) == ("stale", "gate")


@pytest.mark.parametrize("name", ["reviews.jsonl", "review-policy.json", "flags.jsonl"])
def test_a_file_that_came_after_the_report_makes_it_old(
    name: str, lab: Home, now: datetime
) -> None:
    desk = benches.proposal(lab.benchmarks)
    (desk.directory.path / name).write_text("{}\n", encoding="utf-8")
    document = benchmark_status(located=desk, home=lab, now=now)
    assert document["gate"]["status"] == "stale"


def test_feedback_on_a_task_that_is_gone_does_not_block(lab: Home, now: datetime) -> None:
    desk = benches.promoted(lab.benchmarks)
    said = Feedback(
        benchmark_id="x", task_id="t9", feedback="Odd.", created_at="2026-11-04T08:00:00.000Z"
    )
    desk.directory.append(layout.FEEDBACK, said)
    document = benchmark_status(located=desk, home=lab, now=now)
    assert document["ledgers"]["feedback"]["open"] == 1
    assert document["next"]["rule"] == "leaderboard"


def test_a_flagged_task_is_left_out_of_calibration(lab: Home, now: datetime) -> None:
    desk = benches.promoted(lab.benchmarks)
    known = benches.calibration_of(True, True)
    desk.directory.replace(layout.CALIBRATION, known.with_(tasks=known.tasks[:1]))
    benches.keep_captures(desk.directory)
    before = benchmark_status(located=desk, home=lab, now=now)
    assert before["next"]["rule"] == "calibrate"
    desk.directory.append(layout.FLAGS, make_flag("t2"))
    after = benchmark_status(located=desk, home=lab, now=now)
    assert after["calibration"]["flagged"] == ["t2"]
    assert after["calibration"]["verdict"] == "pass"
    assert after["next"]["rule"] == "rigor"


def test_calibrated_tasks_of_untested_verifiers_are_named_apart(lab: Home, now: datetime) -> None:
    desk = benches.promoted(lab.benchmarks)
    report = desk.directory.load(layout.VERIFIER_REPORT)
    desk.directory.replace(layout.VERIFIER_REPORT, report.with_(tasks=report.tasks[:1]))
    document = benchmark_status(located=desk, home=lab, now=now)
    assert document["calibration"]["untested_task_ids"] == ["t2"]
    assert document["verifiers"] == {"tested": 1, "weak": 0, "untested": 1, "flaky": 0}
    lines = dict(status_lines(document))
    assert "1 task judged by a verifier that nobody tested" in lines["calibration"]


def test_a_floor_overridden_at_promotion_is_a_warning_and_not_the_next_step(
    lab: Home, now: datetime
) -> None:
    desk = benches.with_an_exceeded_floor(lab.benchmarks)
    record = desk.directory.load(layout.PROMOTION)
    assert record is not None
    gate = {"status": "overridden", "failures": ["null_floor"], "unknowns": []}
    desk.directory.replace(layout.PROMOTION, record.with_(rigor_gate=gate))
    document = benchmark_status(located=desk, home=lab, now=now)
    assert (document["next"]["rule"], document["next"]["why"]) == (
        "fix_floor",
        "spam_agent passes more than 5 % of the tasks",
    )
    gate["failures"] = ["null_floor", "spam_floor"]
    desk.directory.replace(layout.PROMOTION, record.with_(rigor_gate=gate))
    document = benchmark_status(located=desk, home=lab, now=now)
    assert document["next"]["rule"] == "rigor"
    assert document["warnings"] == [
        "null_agent passes 2 of 2 tasks; null_floor was overridden at promotion",
        "spam_agent passes 2 of 2 tasks; spam_floor was overridden at promotion",
    ]


def test_each_verifier_is_under_one_word(lab: Home, now: datetime) -> None:
    desk = benches.with_a_weak_verifier(lab.benchmarks)
    document = benchmark_status(located=desk, home=lab, now=now)
    assert document["verifiers"] == {"tested": 2, "weak": 0, "untested": 0, "flaky": 0}
    assert document["attention"]["by_flag"]["weak_verifier"] == 1
    assert document["next"]["why"] == (
        "nobody decided 1 task whose contract can judge little (judgeability: 1 weak): t1"
    )


def test_a_broken_line_is_counted_and_hides_nothing(
    proposal: Located, lab: Home, now: datetime
) -> None:
    add_rows(proposal, make_row("t1", 1))
    rows = proposal.directory.path / "rows-run-1-m1.jsonl"
    rows.write_text(rows.read_text(encoding="utf-8") + "nope\n", encoding="utf-8")
    document = benchmark_status(located=proposal, home=lab, now=now)
    assert document["ledgers"]["malformed"] == {"rows-run-1-m1.jsonl": 1}
    assert document["rows"]["total"] == 1


def test_a_damaged_trust_file_allows_the_least(lab: Home, now: datetime) -> None:
    desk = make_desk(lab.benchmarks)
    lab.trust_file.write_text("{", encoding="utf-8")
    document = benchmark_status(located=desk, home=lab, now=now)
    assert document["posture"]["level"] == "local_sandbox"
