import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.services.factories import task_lines
from tests.driving import Shell

VERB = ("benchmarks", "verify")


def wrong(bench: Path) -> dict[str, Any]:
    """What the source of the first task did, told as a wrong rollout."""
    task = task_lines(bench)[0]
    told = task["outcome_contract"]["required"][0]["observed_arguments"]
    return {
        "task_id": task["task_id"],
        "expect": "fail",
        "calls": [{"tool": "issue_refund", "arguments": told}],
        "final_response": "Refunded.",
    }


def test_every_verifier_of_a_build_is_tested(shell: Shell, bench: Path) -> None:
    ran = shell("benchmarks", "verify", "desk")
    assert (ran.code, ran.document["totals"]) == (0, {"tested": 6, "weak": 0, "untested": 0})
    assert ran.document["schema_version"] == "understudy.verifier_report.v1"


def test_some_tasks_are_selected(shell: Shell, bench: Path) -> None:
    names = sorted(task["task_id"] for task in task_lines(bench)[:2])
    ran = shell(*VERB, "--benchmark", "desk", "--task", ",".join(names))
    assert sorted(row["task_id"] for row in ran.document["tasks"]) == names


@pytest.mark.parametrize("form", ["object", "array", "lines", "wrapped"])
def test_weak_verifier_exits_1_and_says_why(
    shell: Shell, bench: Path, tmp_path: Path, form: str
) -> None:
    one = wrong(bench)
    text = {
        "object": json.dumps(one),
        "array": json.dumps([one], indent=2),
        "lines": json.dumps(one) + "\n\n" + json.dumps(one) + "\n",
        "wrapped": json.dumps({"fixtures": [one]}),
    }[form]
    (tmp_path / "wrong.json").write_text(text, encoding="utf-8")
    ran = shell(*VERB, "desk", "--add-fixture", tmp_path / "wrong.json", "--seed", "3")
    assert (ran.code, ran.document["totals"]["weak"], ran.document["seed"]) == (1, 1, 3)
    shown = shell(*VERB, "desk", "--format", "text").out
    assert "1 of 1 wrong rollouts passed" in shown
    assert "1.00 (16 of 16)" in shown
    assert "5 tested, 1 weak, 0 untested" in shown
    assert "understudy benchmarks tasks local--desk --attention weak_verifier" in shown


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (None, "source_not_found", "does not exist"),
        ("{", "unreadable", "line 1 is not JSON"),
        ("[" * 100_000, "unreadable", "nested more than 200 levels deep"),
        ("[" * 201 + "]" * 201, "unreadable", "nested more than 200 levels deep"),
        ('{"a": NaN}', "unreadable", "NaN is not a number"),
        ("[]", "invalid_arguments", "none is given"),
        ('{"task_id": "t", "expect": "pass", "calls": []}', "invalid_arguments", "no task 't'"),
    ],
)
def test_file_that_holds_no_fixture_is_refused(
    shell: Shell, bench: Path, tmp_path: Path, text: str | None, code: str, said: str
) -> None:
    if text is not None:
        (tmp_path / "given.json").write_text(text, encoding="utf-8")
    ran = shell(*VERB, "desk", "--add-fixture", tmp_path / "given.json")
    assert ran.error["code"] == code
    assert said in ran.error["message"]


def test_untested_verifier_exits_3(shell: Shell, bench: Path) -> None:
    task = task_lines(bench)[0]
    gold = json.loads((bench / "environment" / "gold.json").read_text("utf-8"))
    gold["tasks"] = [one for one in gold["tasks"] if one["task_id"] != task["task_id"]]
    (bench / "environment" / "gold.json").write_text(json.dumps(gold), encoding="utf-8")
    lines = (bench / "verifier-fixtures.jsonl").read_text("utf-8").splitlines()
    kept = [line for line in lines if json.loads(line)["task_id"] != task["task_id"]]
    (bench / "verifier-fixtures.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
    ran = shell(*VERB, "desk")
    assert (ran.code, ran.document["totals"]) == (3, {"tested": 5, "weak": 0, "untested": 1})
    assert ran.document["promotion_blockers"] == ["verifier_untested"]


def test_nothing_selected_exits_2(shell: Shell, bench: Path) -> None:
    ran = shell(*VERB, "desk", "--task", "task-9")
    assert (ran.code, ran.error["code"]) == (2, "unknown_task")
    ran = shell(*VERB)
    assert ran.code == 2
