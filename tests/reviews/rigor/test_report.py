"""The report as data, and the Markdown that is made of it."""

from benchmarks.records.rigor import RigorReport
from reviews.rigor.render import render, text
from reviews.rigor.report import Stamp, rigor_report
from tests.reviews.factories import (
    ANSWERED,
    NOW,
    make_contract,
    make_row,
    make_subject,
    make_task,
    make_trivial_row,
    make_validation,
)


def make_report(generated_at: str = NOW) -> RigorReport:
    tasks = {
        "t1": make_task(),
        "t2": make_task("t2", split="holdout", outcome_contract=make_contract(ANSWERED)),
    }
    rows = [
        make_trivial_row("null_agent", "t1", 0),
        make_trivial_row("null_agent", "t2", 1),
        make_row("t1", 1, anomaly={"kind": "empty_prompt"}),
        make_row("t2", 0, fallback_reason="oom"),
        make_row("gone", 0),
    ]
    validation = {"t1": make_validation(trials_fidelity={"share": 0.9})}
    subject = make_subject(rows, tasks=tasks, threshold_run="run-9", validation=validation)
    stamp = Stamp(generated_at, "1.2.0", seed=7, inputs={"tasks.jsonl": "a" * 64, "b": "c" * 64})
    return rigor_report(subject, stamp, flags={"t2": ["trivial_pass"]})


def test_report_counts_what_it_read() -> None:
    found = make_report()
    assert found.evidence == {
        "rows": 5,
        "places": {"scored": 2, "anomalous": 1, "missing": 0, "excluded": 1, "left_out": 1},
        "excluded": {"stale": 0, "flagged": 0, "fallback": 1},
        "left_out": {"orphan": 1},
        "runs": ["run-1"],
    }
    assert found.row_counts == {"total": 4, "by_arm_kind": {"candidate": 2, "null_agent": 2}}
    assert found.anomaly_counts == {"empty_prompt": 1}
    assert found.split_counts == {"dev": 1, "holdout": 1}
    assert (found.benchmark_version, found.seed, found.threshold_run) == ("1.2.0", 7, "run-9")
    assert found.provenance_origin == "derived-from-traces"


def test_report_describes_each_task() -> None:
    first, second = make_report().tasks
    assert first == {
        "task_id": "t1",
        "split": "dev",
        "required_total": 1,
        "required_by_kind": {"state_effect": 1},
        "forbidden": 0,
        "preserved": 0,
        "fidelity": 0.9,
        "anomalous_rows": 1,
        "flags": [],
    }
    assert (second["required_by_kind"], second["flags"]) == (
        {"response_obligation": 1},
        ["trivial_pass"],
    )


def test_exceeded_floor_fails_the_gate_and_names_its_tasks() -> None:
    found = make_report()
    assert found.gate["status"] == "fail"
    assert found.gate["failures"] == ["null_floor"]
    floor = next(item for item in found.items if item.id == "null_floor")
    assert floor.task_ids == ["t2"]


def test_report_survives_its_own_written_form() -> None:
    found = make_report()
    assert RigorReport.read(found.dump()).dump() == found.dump()


def test_same_inputs_give_the_same_markdown_but_for_the_time() -> None:
    later = "2026-12-01T00:00:00.000Z"
    assert render(make_report()) == render(make_report())
    assert render(make_report(later)).replace(later, NOW) == render(make_report())


def test_markdown_is_made_of_the_written_record() -> None:
    found = make_report()
    assert render(RigorReport.read(found.dump())) == render(found)


def test_markdown_names_failures_tasks_and_digests() -> None:
    page = render(make_report())
    assert "- gate: **fail**" in page
    assert "- fails: null\\_floor" in page
    assert "### Null-agent floor" in page
    assert "Tasks: t2" in page
    assert "| tasks.jsonl | aaaaaaaaaaaaaaaa |" in page
    assert "Seed 7." in page


def test_text_from_outside_is_never_markup() -> None:
    assert text("| x <img src=x> \n# [a](b)\x1b[31m") == (
        "\\| x \\<img src=x\\>  \\# \\[a\\](b) \\[31m"
    )
    assert text(None) == "-"


def test_report_without_rows_has_no_table_of_arms() -> None:
    page = render(rigor_report(make_subject(), Stamp(NOW, "1.0.0")))
    assert "## Rows by arm" not in page
    assert "## Receipt" in page
