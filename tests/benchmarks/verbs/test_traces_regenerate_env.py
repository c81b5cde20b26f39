import json
from pathlib import Path

import pytest

from tests.benchmarks.services.factories import edit_task, files, task_lines
from tests.driving import Shell

VERB = ("traces", "regenerate-env")


def test_an_edit_is_taken_over_and_told(shell: Shell, bench: Path) -> None:
    task_id = task_lines(bench)[0]["task_id"]
    edit_task(bench, task_id, title="By hand")
    ran = shell("traces", "regenerate-env", "--benchmark", "desk", "--tasks", task_id)
    assert ran.code == 0
    assert ran.document["changed_tasks"] == [task_id]
    assert [(one["bump"], one["to"]) for one in ran.document["version_bumps"]] == [
        ("patch", "1.0.1")
    ]
    assert ran.document["path"] == str(bench)


def test_an_oracle_that_fails_exits_1(shell: Shell, bench: Path) -> None:
    task = task_lines(bench)[0]
    contract = json.loads(json.dumps(task["outcome_contract"]))
    contract["required"][0]["arguments"]["amount"]["value"] = 99
    edit_task(bench, task["task_id"], outcome_contract=contract)
    ran = shell(*VERB, "desk")
    assert ran.code == 1
    assert ran.document["oracle_pass"] is False
    assert ran.document["promotion_blockers"] == ["oracle_failed", "verifier_untested"]


def test_tools_are_classed_by_the_operator(shell: Shell, bench: Path) -> None:
    ran = shell(*VERB, "desk", "--tool", "issue_refund=write", "--tool", "issue_refund=read")
    assert ran.code == 0
    assert len(ran.document["changed_tasks"]) == 6
    policy = json.loads((bench / "tool-policy.json").read_text(encoding="utf-8"))
    assert policy["tools"]["issue_refund"]["source"] == "operator"
    assert policy["tools"]["issue_refund"]["effect"] == "read"


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (("--tool", "issue_refund"), "invalid_arguments", "NAME=read|write|unknown"),
        (("--tool", "issue_refund=wirte"), "invalid_arguments", "one of read, write, unknown"),
        (("--tasks", "task-0,task-1"), "unknown_task", "task-0, task-1"),
        (("--guidance", "missing.json"), "source_not_found", "missing.json"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_written(
    shell: Shell, bench: Path, flags: tuple[str, ...], code: str, said: str
) -> None:
    before = files(bench)
    ran = shell(*VERB, "desk", *flags)
    assert (ran.code, ran.error["code"]) == (2, code)
    assert said in ran.error["message"]
    assert files(bench) == before


def test_guidance_is_the_operators_wording(shell: Shell, bench: Path, tmp_path: Path) -> None:
    words = {"get_order": {"missing_required:order_id": "Name the order, please."}}
    (tmp_path / "words.json").write_text(json.dumps(words), encoding="utf-8")
    shell(*VERB, "desk", "--guidance", tmp_path / "words.json")
    path = bench / "environment" / "understudy_trace_env" / "servers" / "guidance.json"
    told = json.loads(path.read_text(encoding="utf-8"))["tools"]["get_order"]
    assert told["missing_required:order_id"] == "Name the order, please."
    (tmp_path / "words.json").write_text('{"get_order": "no"}', encoding="utf-8")
    refused = shell(*VERB, "desk", "--guidance", tmp_path / "words.json")
    assert (refused.code, refused.error["code"]) == (2, "invalid_arguments")


def test_people_see_bumps_and_verdicts(shell: Shell, bench: Path) -> None:
    edit_task(bench, task_lines(bench)[0]["task_id"], title="By hand")
    ran = shell(*VERB, "desk", "--dry-run", "--format", "text")
    assert ran.code == 0
    for said in (
        "local--desk, version 1.0.1",
        "would change",
        "1 task",
        "patch",
        "meta changed: reuse",
        "pass",
    ):
        assert said in ran.out
    last = ran.out.splitlines()[-1]
    assert last == "understudy traces regenerate-env desk --format text"
    written = shell(*VERB, "desk", "--format", "text").out
    assert written.splitlines()[-1] == "understudy benchmarks status local--desk"
    assert next(iter(shell(*VERB, "desk", "--dry-run").document)) == "dry_run"


def test_people_see_the_word_of_a_contract_that_no_rule_knows(shell: Shell, bench: Path) -> None:
    task = task_lines(bench)[0]
    contract = {**task["outcome_contract"], "writes": "sometimes"}
    edit_task(bench, task["task_id"], outcome_contract=contract)
    ran = shell(*VERB, "desk", "--dry-run", "--format", "text")
    assert ran.code == 1
    said = f"{task['task_id']}: writes: unknown word 'sometimes'; known: allow, forbid"
    assert said in " ".join(ran.out.split())
