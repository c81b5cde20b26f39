import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.errors import (
    DirectoryBusy,
    DiskFull,
    InvalidArguments,
    NothingSelected,
    NotMeasured,
    ReadOnly,
    TaskEdited,
    UnknownTask,
    WrongStage,
)
from benchmarks.records.caller import Caller
from benchmarks.services.regenerating import regenerate_env
from benchmarks.services.verifying import exit_code, read_verification, verify_tasks
from tests.benchmarks.services.factories import CALLER, LATER, edit_task, files, task_lines
from tests.disks import fill, mounted

SLUG = "local--desk"
LEDGER, REPORT = "verifier-fixtures.jsonl", "verifier-report.json"
TESTED = {"tested": 6, "weak": 0, "untested": 0}


def located(bench: Path, **options: Any) -> Located:
    return Located(BenchmarkDir(bench, **options), SLUG, read_only=False)


def verify(bench: Path, **asked: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"located": located(bench), "caller": CALLER, "now": LATER}
    return verify_tasks(**{**given, **asked})


def ledger(bench: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (bench / LEDGER).read_text("utf-8").splitlines()]


def report(bench: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((bench / REPORT).read_text("utf-8"))
    return found


def blockers(bench: Path) -> list[str]:
    found: list[str] = json.loads((bench / "benchmark.json").read_text("utf-8"))[
        "promotion_blockers"
    ]
    return found


def rollout(bench: Path, **changes: Any) -> dict[str, Any]:
    """The source of the first task, as a person would write it down."""
    order = next(
        line["arguments"]["order_id"]
        for fixture in ledger(bench)
        for line in fixture["calls"]
        if fixture["task_id"] == first(bench) and line["tool"] == "issue_refund"
    )
    return {
        "task_id": first(bench),
        "expect": "fail",
        "calls": [{"tool": "issue_refund", "arguments": {"order_id": order, "amount": 25}}],
        "final_response": "Refunded.",
        **changes,
    }


def first(bench: Path) -> str:
    return str(task_lines(bench)[0]["task_id"])


def test_a_build_tests_its_verifiers_in_the_same_step(bench: Path) -> None:
    found = report(bench)
    assert (found["totals"], found["seed"]) == (TESTED, 0)
    assert found["generated_at"] == "2026-11-02T12:00:00.000Z"
    stamps = {task["task_id"]: task["content_hashes"] for task in task_lines(bench)}
    assert {row["task_id"]: row["verifier_sha256"] for row in found["tasks"]} == {
        name: hashes["verifier_sha256"] for name, hashes in stamps.items()
    }
    for row in found["tasks"]:
        assert (row["valid_pass"], row["wrong_fail"], row["mutation_score"]) == (True, True, 1)
        assert row["fixtures"] == {"pass": 2, "pass_accepted": 2, "fail": 0, "fail_rejected": 0}
    assert blockers(bench) == []


def test_ledger_holds_source_oracle_and_the_proof_of_every_obligation(bench: Path) -> None:
    mine = [line for line in ledger(bench) if line["task_id"] == first(bench)]
    assert [
        (line["origin"], line["expect"], (line.get("mutation") or {}).get("operator"))
        for line in mine
    ] == [
        ("captured", "pass", None),
        ("oracle", "pass", None),
        ("mutant", "fail", "drop_write"),
        ("mutant", "fail", "drop_reply"),
    ]
    assert [len(line["calls"]) for line in mine] == [2, 2, 1, 2]
    assert {(line["actor"], line["door"]) for line in mine} == {("os:mira", "shell")}


def test_verifying_again_writes_nothing(bench: Path) -> None:
    before = files(bench)
    answer = verify(bench)
    assert files(bench) == before
    assert (answer["totals"], answer["of_benchmark"], exit_code(answer)) == (TESTED, TESTED, 0)
    assert answer["next_actions"][0]["command"] == f"understudy benchmarks status {SLUG}"


def test_a_directory_without_a_report_gets_the_very_one_of_its_build(bench: Path) -> None:
    before = files(bench)
    for name in (LEDGER, REPORT):
        (bench / name).unlink()
    verify(bench, now=LATER)
    again = files(bench)
    assert json.loads(again.pop(REPORT)) == {
        **json.loads(before.pop(REPORT)),
        "generated_at": "2026-11-03T12:00:00.000Z",
    }
    kept = [json.loads(line) for line in before.pop(LEDGER).splitlines()]
    assert [json.loads(line) for line in again.pop(LEDGER).splitlines()] == [
        {**line, "created_at": "2026-11-03T12:00:00.000Z"} for line in kept
    ]
    assert again == before


def test_another_seed_draws_other_mutants_and_no_captured_line_is_touched(bench: Path) -> None:
    before = ledger(bench)
    answer = verify(bench, seed=11)
    assert (answer["seed"], report(bench)["seed"]) == (11, 11)
    added = ledger(bench)[len(before) :]
    assert {line["origin"] for line in added} <= {"mutant"}
    for line in added:
        if line.get("retired"):
            assert line["calls"] == []
    now = ledger(bench)
    verify(bench, seed=11)
    assert ledger(bench) == now


def test_verifying_some_tasks_keeps_the_rows_of_the_others(bench: Path) -> None:
    before = report(bench)
    before["tasks"][1]["note"] = "kept as it is"
    (bench / REPORT).write_text(json.dumps(before), encoding="utf-8")
    answer = verify(bench, tasks=[first(bench)], seed=11)
    assert [row["task_id"] for row in answer["tasks"]] == [first(bench)]
    assert answer["totals"] == {"tested": 1, "weak": 0, "untested": 0}
    assert answer["of_benchmark"] == TESTED
    assert report(bench)["tasks"][1:] == before["tasks"][1:]


def test_wrong_rollout_that_passes_makes_a_verifier_weak(bench: Path) -> None:
    answer = verify(bench, fixtures=[rollout(bench, note="refunded a thief")])
    row = answer["tasks"][0]
    assert (row["task_id"], row["verdict"]) == (first(bench), "weak")
    assert row["survivors"] == [
        {
            "fixture_id": row["survivors"][0]["fixture_id"],
            "operator": "authored",
            "obligation_id": None,
            "say": "refunded a thief failed, and the verifier passes it",
        }
    ]
    assert row["why"] == ["1 of 1 wrong rollouts passed"]
    assert (answer["totals"]["weak"], exit_code(answer)) == (1, 1)
    assert answer["promotion_blockers"] == blockers(bench) == ["weak_verifier"]
    assert answer["next_actions"][0]["tool"] == "read_benchmark"
    [line] = [line for line in ledger(bench) if line["origin"] == "authored"]
    assert (line["expect"], line["note"], line["actor"]) == ("fail", "refunded a thief", "os:mira")


def test_authored_fixture_is_kept_by_later_tests_and_regenerations(bench: Path) -> None:
    verify(bench, fixtures=[rollout(bench)])
    before = files(bench)
    assert verify(bench)["totals"]["weak"] == 1
    answer = regenerate_env(directory=BenchmarkDir(bench), slug=SLUG, caller=CALLER, now=LATER)
    assert answer["promotion_blockers"] == ["weak_verifier"]
    assert files(bench) == before


def test_authored_fixture_is_retired_by_the_same_rollout_marked_so(bench: Path) -> None:
    verify(bench, fixtures=[rollout(bench)])
    answer = verify(bench, fixtures=[rollout(bench, retired=True)])
    assert answer["totals"] == TESTED
    assert blockers(bench) == []
    assert [line.get("retired") for line in ledger(bench) if line["origin"] == "authored"] == [
        None,
        True,
    ]


def test_right_rollout_that_is_refused_makes_a_verifier_weak(bench: Path) -> None:
    right = rollout(bench, expect="pass", calls=[], final_response="I gave a voucher.")
    row = verify(bench, fixtures=[right])["tasks"][0]
    assert (row["verdict"], row["why"]) == ("weak", ["1 of 3 right rollouts refused"])
    assert [one["operator"] for one in row["refused"]] == ["authored"]


def test_bad_fixtures_are_all_named_and_nothing_is_written(bench: Path) -> None:
    before = files(bench)
    given = [
        rollout(bench),
        {"task_id": "task-none", "expect": "perhaps", "calls": []},
        rollout(bench, calls="none", surprise=1),
        {"task_id": first(bench), "expect": "pass"},
        "a word",
    ]
    with pytest.raises(InvalidArguments) as caught:
        verify(bench, fixtures=given)
    assert [complaint.path for complaint in caught.value.errors] == [
        "fixtures[1].task_id",
        "fixtures[1].expect",
        "fixtures[2].surprise",
        "fixtures[3]",
        "fixtures[4]",
    ]
    assert files(bench) == before


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"calls": "none"}, "fixtures[0].calls"),
        ({"calls": [{"arguments": {}}]}, "fixtures[0].calls.0.tool"),
        ({"termination": "tired"}, "fixtures[0].termination"),
    ],
)
def test_field_of_a_wrong_type_is_named(bench: Path, wrong: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        verify(bench, fixtures=[rollout(bench, **wrong)])
    assert [complaint.path for complaint in caught.value.errors] == [path]


def test_tasks_that_cannot_be_tested_are_refused_by_name(bench: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownTask, match="no task task-9 in local--desk"):
        verify(bench, tasks=["task-9"])
    with pytest.raises(NothingSelected, match="no task is named"):
        verify(bench, tasks=[])
    edit_task(bench, first(bench), title="By hand")
    with pytest.raises(TaskEdited) as caught:
        verify(bench)
    assert caught.value.details == {"task_ids": [first(bench)]}
    assert verify(bench, tasks=[task_lines(bench)[1]["task_id"]])["totals"]["tested"] == 1
    (tmp_path / "empty").mkdir()
    with pytest.raises(WrongStage, match="holds no tasks"):
        verify(tmp_path / "empty")


def test_row_about_another_verifier_counts_as_untested(bench: Path) -> None:
    task = task_lines(bench)[0]
    contract = json.loads(json.dumps(task["outcome_contract"]))
    contract["required"][0]["arguments"]["amount"]["value"] = 99
    edit_task(bench, task["task_id"], outcome_contract=contract)
    answer = regenerate_env(directory=BenchmarkDir(bench), slug=SLUG, caller=CALLER, now=LATER)
    assert answer["promotion_blockers"] == ["oracle_failed", "verifier_untested"]
    row = report(bench)["tasks"][0]
    assert (row["verdict"], row["why"]) == ("untested", ["no wrong rollout was ever put to it"])
    found = report(bench)
    found["tasks"][1]["verifier_sha256"] = "older"
    (bench / REPORT).write_text(json.dumps(found), encoding="utf-8")
    told = read_verification(located=located(bench))
    assert told["totals"] == {"tested": 4, "weak": 0, "untested": 2}
    assert told["untested"] == [found["tasks"][1]["task_id"]]
    answer = verify(bench)
    assert (answer["totals"], exit_code(answer)) == ({"tested": 5, "weak": 0, "untested": 1}, 3)


def test_report_that_was_never_written_is_not_measured(bench: Path) -> None:
    (bench / REPORT).unlink()
    with pytest.raises(NotMeasured) as caught:
        read_verification(located=located(bench))
    assert caught.value.hint == f"understudy benchmarks verify {SLUG}"


def test_test_that_is_killed_between_its_two_writes_is_cured_by_the_next(bench: Path) -> None:
    class Dying(BenchmarkDir):
        def replace(self, file: Any, content: Any) -> None:
            if file is layout.VERIFIER_REPORT:
                raise KeyboardInterrupt
            super().replace(file, content)

    wrong = [rollout(bench)]
    with pytest.raises(KeyboardInterrupt):
        verify(bench, located=Located(Dying(bench), SLUG, read_only=False), fixtures=wrong)
    left = ledger(bench)
    assert [line["origin"] for line in left].count("authored") == 1
    assert report(bench)["totals"] == TESTED
    assert verify(bench)["totals"]["weak"] == 1
    assert (ledger(bench), blockers(bench)) == (left, ["weak_verifier"])


def meanwhile(work: Callable[[], object]) -> Callable[[int, int], None]:
    """A progress that has something done before the first verifier is told of."""

    def told(done: int, total: int) -> None:
        if done == 1:
            work()

    return told


def test_two_tests_at_once_add_every_fixture_once(bench: Path) -> None:
    for name in (LEDGER, REPORT):
        (bench / name).unlink()
    verify(bench, progress=meanwhile(lambda: verify(bench)))
    names = [line["fixture_id"] for line in ledger(bench)]
    assert (len(names), len(set(names))) == (24, 24)
    assert report(bench)["totals"] == TESTED


def test_tasks_that_move_during_the_work_make_it_void(bench: Path) -> None:
    def edit() -> None:
        edit_task(bench, first(bench), title="Meanwhile")

    with pytest.raises(DirectoryBusy) as caught:
        verify(bench, fixtures=[rollout(bench)], progress=meanwhile(edit))
    assert caught.value.details == {"files": ["tasks.jsonl"]}
    assert all(line["origin"] != "authored" for line in ledger(bench))


def test_read_only_directory_is_refused_before_any_work(bench: Path) -> None:
    before = files(bench)
    told: list[int] = []
    with pytest.raises(ReadOnly):
        verify(
            bench,
            located=located(bench, read_only=True),
            progress=lambda done, total: told.append(done),
        )
    assert (files(bench), told) == (before, [])


def test_full_disk_leaves_ledger_and_report_as_they_were(bench: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", 2 * 1024 * 1024) as disk:
        small = Path(shutil.copytree(bench, disk / "desk"))
        fill(disk)
        before = files(small)
        with pytest.raises(DiskFull):
            verify(small, fixtures=[rollout(small, note="x" * 9000)])
        assert files(small) == before


def test_who_tested_through_which_door_stands_in_the_answer(bench: Path) -> None:
    answer = verify(bench, caller=Caller("mcp:claude@mira", "mcp"))
    assert (answer["ok"], answer["actor"], answer["door"]) == (True, "mcp:claude@mira", "mcp")


def test_contract_with_a_word_that_no_rule_knows_is_untested_and_says_which(bench: Path) -> None:
    task = task_lines(bench)[0]
    contract = {**task["outcome_contract"], "writes": "sometimes"}
    edit_task(bench, task["task_id"], outcome_contract=contract)
    regenerate_env(directory=BenchmarkDir(bench), slug=SLUG, caller=CALLER, now=LATER)
    answer = verify(bench, tasks=[task["task_id"]])
    assert exit_code(answer) == 3
    assert answer["tasks"][0]["why"] == [
        "the contract cannot be judged: writes: unknown word 'sometimes'; known: allow, forbid"
    ]
