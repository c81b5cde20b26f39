"""The rigor of a desk, measured and kept."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.errors import NotMeasured, UnknownRun, WrongStage
from benchmarks.records.caller import Caller
from reviews.services.assessing import assess, read_rigor_report, write_report
from reviews.services.recording import submit_review
from tests.reviews.desks import add_rows, make_desk
from tests.reviews.factories import ANSWERED, make_contract, make_row, make_task, make_trivial_row


@pytest.fixture
def measured(tmp_path: Path) -> Located:
    """Oracle, null and spam rows on two tasks, of which one asks for nothing."""
    easy = make_task("t2", outcome_contract=make_contract(ANSWERED))
    desk = make_desk(tmp_path, make_task("t1"), easy)
    for task in ("t1", "t2"):
        add_rows(
            desk,
            make_trivial_row("oracle", task, 1),
            make_trivial_row("null_agent", task, int(task == "t2")),
            make_trivial_row("spam_agent", task, 0, run_id="run-2"),
        )
    return desk


def marks(report: dict[str, Any]) -> dict[str, str]:
    return {item["id"]: item["status"] for item in report["items"]}


def test_floor_that_is_exceeded_fails_the_gate(measured: Located, now: datetime) -> None:
    report = assess(located=measured, now=now)
    found = marks(report.dump())
    assert found["manifest_schema"] == "PASS"
    assert found["oracle_solvability"] == "PASS"
    assert (found["null_floor"], found["spam_floor"]) == ("FLAG", "PASS")
    assert found["contamination"] == "PASS"
    assert (found["verifier_fixtures"], found["verifier_mutation"]) == ("PASS", "PASS")
    assert report.gate["failures"] == ["null_floor"]
    assert report.tasks[1]["flags"] == ["trivial_pass", "weak_verifier"]
    assert report.benchmark_version == "1.0.0"
    assert set(report.inputs) == {
        "benchmark.json",
        "environment/offline-validation.json",
        "manifest.json",
        "rows-run-1-null_agent.jsonl",
        "rows-run-1-oracle.jsonl",
        "rows-run-2-spam_agent.jsonl",
        "source-dag.json",
        "tasks.jsonl",
        "tool-policy.json",
        "verifier-report.json",
    }


def test_rejected_task_leaves_the_floor(measured: Located, mira: Caller, now: datetime) -> None:
    submit_review(located=measured, task_ids=["t2"], decision="reject", caller=mira, now=now)
    report = assess(located=measured, now=now)
    assert marks(report.dump())["null_floor"] == "PASS"
    assert [task["task_id"] for task in report.tasks] == ["t1"]
    assert report.evidence["left_out"] == {"rejected_task": 3}


def test_report_is_kept_as_data_and_as_markdown(measured: Located, now: datetime) -> None:
    report = read_rigor_report(located=measured, now=now)
    kept = json.loads((measured.directory.path / "rigor-report.json").read_text(encoding="utf-8"))
    assert kept == report
    page = (measured.directory.path / "rigor-report.md").read_text(encoding="utf-8")
    assert page.startswith("# Rigor report: trace-a774ea2432856c8a")
    assert "gate: **fail**" in page


def test_same_files_give_the_same_bytes_but_the_time(measured: Located, now: datetime) -> None:
    first = assess(located=measured, now=now).dump()
    later = assess(located=measured, now=now + timedelta(days=1)).dump()
    assert first.pop("generated_at") != later.pop("generated_at")
    assert first == later


def test_gate_is_printed_and_writes_nothing_without_refresh(
    measured: Located, now: datetime
) -> None:
    with pytest.raises(NotMeasured):
        read_rigor_report(located=measured, refresh=False, now=now)
    report = assess(located=measured, now=now)
    write_report(located=measured, report=report)
    gate = read_rigor_report(located=measured, ci=True, refresh=False, now=now)
    assert (gate["verdict"], gate["failures"]) == ("fail", ["trivial-floors"])
    assert gate["benchmark_dir"] == "local--refund-desk"


def test_strict_gate_is_not_measured_where_nothing_fails(desk: Located, now: datetime) -> None:
    assert read_rigor_report(located=desk, ci=True, now=now)["verdict"] == "pass"
    strict = read_rigor_report(located=desk, ci=True, strict=True, now=now)
    assert strict["verdict"] == "not_measured"


def test_runs_narrow_the_rows_and_unknown_runs_are_named(measured: Located, now: datetime) -> None:
    report = assess(located=measured, run_ids=["run-2"], now=now)
    assert report.evidence["runs"] == ["run-2"]
    assert marks(report.dump())["oracle_solvability"] == "UNKNOWN"
    with pytest.raises(UnknownRun, match="run-9"):
        assess(located=measured, run_ids=["run-1", "run-9"], now=now)


def test_read_only_directory_is_assessed_and_left_alone(measured: Located, now: datetime) -> None:
    frozen = Located(
        BenchmarkDir(measured.directory.path, read_only=True), measured.slug, read_only=True
    )
    assert read_rigor_report(located=frozen, now=now)["gate"]["status"] == "fail"
    assert not measured.directory.exists(layout.RIGOR_REPORT)


def test_intake_has_nothing_to_assess(tmp_path: Path, now: datetime) -> None:
    folder = tmp_path / "intake"
    folder.mkdir()
    (folder / "intake-report.json").write_text("{}", encoding="utf-8")
    located = Located(BenchmarkDir(folder), "local--intake", read_only=False)
    with pytest.raises(WrongStage) as caught:
        assess(located=located, now=now)
    assert caught.value.details["stage"] == "intake"


def test_arms_are_counted_apart(measured: Located, now: datetime) -> None:
    add_rows(measured, make_row("t1", 1), make_row("t2", None))
    counts = assess(located=measured, now=now).counts
    assert list(counts) == ["m1", "null_agent", "oracle", "spam_agent"]
    assert (counts["m1"]["attempted"], counts["m1"]["bounds"]) == (2, [0.5, 1])
