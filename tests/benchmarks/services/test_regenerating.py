import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import EnvironmentMissing, InvalidArguments, UnknownTask, WrongStage
from benchmarks.records.environment import Guidance
from benchmarks.records.task import Task
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Bump, Effect
from benchmarks.services.regenerating import failed, regenerate_env
from benchmarks.versioning.hashing import content_hashes, is_edited
from tests.benchmarks.services.factories import (
    CALLER,
    LATER,
    build,
    desk,
    edit_task,
    files,
    task_lines,
)


def regenerate(path: Path, **extra: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {"slug": "local--desk", "caller": CALLER, "now": LATER, **extra}
    return regenerate_env(directory=BenchmarkDir(path), **asked)


def first(path: Path) -> dict[str, Any]:
    return task_lines(path)[0]


def tasks(path: Path) -> dict[str, Task]:
    return BenchmarkDir(path).tasks()


def versions(path: Path) -> list[VersionLine]:
    return BenchmarkDir(path).read(layout.VERSIONS).records


def with_amount(task: dict[str, Any], value: float) -> dict[str, Any]:
    contract = json.loads(json.dumps(task["outcome_contract"]))
    contract["required"][0]["arguments"]["amount"]["value"] = value
    contract["required"][0]["observed_arguments"]["amount"] = value
    return contract


def test_nothing_changed_is_nothing_written(bench: Path) -> None:
    before = files(bench)
    answer = regenerate(bench)
    assert files(bench) == before
    assert answer["version_bumps"] == []
    assert answer["changed_tasks"] == []
    assert (answer["oracle_pass"], answer["sentinel_pass"]) == (True, True)
    assert {key: answer["self_check"][key] for key in ("checked", "failed")} == {
        "checked": 6,
        "failed": 0,
    }
    assert answer["leakage_audit"] == {
        "status": "clean",
        "tier_counts": {"verbatim": 0, "fuzzy": 0, "semantic": 0},
        "leaking_tasks": [],
    }
    assert answer["path"] == str(bench)
    assert not failed(answer)


@pytest.mark.parametrize(
    ("edit", "bump", "version"),
    [
        ("title", Bump.PATCH, "1.0.1"),
        ("amount", Bump.MINOR, "1.1.0"),
        ("prompt", Bump.MAJOR, "2.0.0"),
    ],
)
def test_an_edit_bumps_its_own_task_by_what_it_changes(
    bench: Path, edit: str, bump: Bump, version: str
) -> None:
    task, *others = task_lines(bench)
    changes: dict[str, Any] = {
        "title": {"title": "By hand"},
        "amount": {"outcome_contract": with_amount(task, 26)},
        "prompt": {"tool_definitions": task["tool_definitions"][1:]},
    }[edit]
    edit_task(bench, task["task_id"], **changes)
    assert is_edited(tasks(bench)[task["task_id"]])
    answer = regenerate(bench)
    assert answer["changed_tasks"] == [task["task_id"]]
    after, *same = task_lines(bench)
    assert after["version"] == version
    assert {key: after[key] for key in changes} == changes
    assert not is_edited(tasks(bench)[task["task_id"]])
    (entry,) = after["version_history"]
    assert (entry["bump"], entry["from"], entry["to"], entry["at"]) == (
        bump,
        "1.0.0",
        version,
        "2026-11-03T12:00:00.000Z",
    )
    about_all = {"environment_ref"}
    assert [{k: v for k, v in t.items() if k not in about_all} for t in same] == [
        {k: v for k, v in t.items() if k not in about_all} for t in others
    ]
    (line,) = versions(bench)
    assert [(b.task_id, b.bump, b.from_, b.to) for b in line.task_bumps] == [
        (task["task_id"], bump, "1.0.0", version)
    ]
    assert (line.version, line.cause, line.door, line.created_at) == (
        version,
        "regen",
        "shell",
        "2026-11-03T12:00:00.000Z",
    )
    assert {stamp.task_id: stamp.version for stamp in line.tasks} == {
        name: one.version for name, one in tasks(bench).items()
    }


def test_all_files_agree_after_an_edit(bench: Path) -> None:
    task = first(bench)
    edit_task(bench, task["task_id"], outcome_contract=with_amount(task, 26))
    answer = regenerate(bench)
    directory = BenchmarkDir(bench)
    now = directory.tasks()[task["task_id"]]
    manifest = directory.load(layout.BENCHMARK)
    listed = next(one for one in manifest.tasks if one.task_id == task["task_id"])
    assert listed.content_hashes == now.content_hashes == content_hashes(now)
    assert (listed.version, listed.task_hash) == (now.version, now.task_hash)
    assert manifest.version == "1.1.0"
    row = next(
        one for one in directory.load(layout.VALIDATION).tasks if one.task_id == task["task_id"]
    )
    assert row.verifier_sha256 == now.content_hashes.verifier_sha256
    assert row.oracle.strict == 0
    assert answer["oracle_failed"] == [task["task_id"]]
    blockers = ["oracle_failed", "verifier_untested"]
    assert answer["promotion_blockers"] == manifest.promotion_blockers == blockers
    assert failed(answer)
    copied = next(
        one for one in directory.load_list(layout.ENV_TASKS) if one.task_id == task["task_id"]
    )
    assert copied.outcome_contract == now.outcome_contract
    assert directory.load(layout.MANIFEST).versioning["bumps"] == answer["version_bumps"]


def test_regenerating_twice_bumps_once(bench: Path) -> None:
    edit_task(bench, first(bench)["task_id"], title="By hand")
    regenerate(bench)
    before = files(bench)
    assert regenerate(bench)["version_bumps"] == []
    assert files(bench) == before


def test_a_dry_run_writes_nothing(bench: Path) -> None:
    edit_task(bench, first(bench)["task_id"], title="By hand")
    before = files(bench)
    answer = regenerate(bench, dry_run=True)
    assert files(bench) == before
    assert answer["dry_run"] is True
    assert [bump["to"] for bump in answer["version_bumps"]] == ["1.0.1"]


def test_only_the_edits_of_selected_tasks_are_taken_over(bench: Path) -> None:
    one, other = (task["task_id"] for task in task_lines(bench)[:2])
    edit_task(bench, one, title="One")
    edit_task(bench, other, title="Other")
    assert regenerate(bench, tasks=[other])["changed_tasks"] == [other]
    after = tasks(bench)
    assert is_edited(after[one])
    assert after[one].title == "One"
    assert not is_edited(after[other])
    assert regenerate(bench)["changed_tasks"] == [one]


def test_a_status_that_a_person_set_stays(bench: Path) -> None:
    edit_task(bench, first(bench)["task_id"], status="human_approved", x_team="blue")
    regenerate(bench)
    after = first(bench)
    assert (after["status"], after["x_team"], after["version"]) == (
        "human_approved",
        "blue",
        "2.0.0",
    )


def test_a_tools_effect_changes_contracts_worlds_and_versions(bench: Path) -> None:
    answer = regenerate(bench, tool_policy={"issue_refund": "read"})
    directory = BenchmarkDir(bench)
    entry = directory.load(layout.TOOL_POLICY).tools["issue_refund"]
    assert (entry.effect, entry.source, entry.actor) == (Effect.READ, "operator", "os:mira")
    assert len(answer["changed_tasks"]) == 6
    assert answer["version_bumps"][0] == {
        "task_id": answer["changed_tasks"][0],
        "bump": "major",
        "from": "1.0.0",
        "to": "2.0.0",
        "reason": "env and verifier and meta changed: rerun",
    }
    after = task_lines(bench)
    assert {task["version"] for task in after} == {"2.0.0"}
    kinds = [e.get("kind") or e["type"] for e in after[0]["outcome_contract"]["required"]]
    assert kinds == ["answered"]
    assert after[0]["outcome_contract"]["status"] == "fallback_minimal"
    assert after[0]["tool_effects"]["issue_refund"] == {"effect": "read", "source": "operator"}
    assert {row.tool for row in directory.load_list(layout.FIXTURES)} == {
        "get_order",
        "issue_refund",
    }
    before = files(bench)
    assert regenerate(bench, tool_policy={"issue_refund": "read"})["version_bumps"] == []
    assert files(bench) == before


def test_an_effect_that_goes_and_comes_back_gives_the_contract_back(bench: Path) -> None:
    before = first(bench)["outcome_contract"]["required"]
    regenerate(bench, tool_policy={"issue_refund": "read"})
    regenerate(bench, tool_policy={"issue_refund": "write"})
    after = first(bench)["outcome_contract"]["required"]
    content = [{k: v for k, v in entry.items() if k != "id"} for entry in before]
    assert sorted(map(str, ({k: v for k, v in e.items() if k != "id"} for e in after))) == sorted(
        map(str, content)
    )


def test_what_a_person_wrote_stays_when_an_effect_changes(bench: Path) -> None:
    task = first(bench)
    contract = with_amount(task, 26)
    kept = [
        {"id": "o7", "type": "read_obligation", "tool": "get_order",
         "provenance": {"kind": "operator"}},
        {"id": "o8", "type": "value_propagation", "value": "RF-1", "as": "exact",
         "source": {"kind": "prompt"}, "must_reach": {"kind": "response"}},
    ]  # fmt: skip
    contract["required"] += kept
    edit_task(bench, task["task_id"], outcome_contract=contract, title="By hand")
    regenerate(bench, tool_policy={"issue_refund": "read"})
    after = first(bench)
    required = after["outcome_contract"]["required"]
    edited = contract["required"][0]
    assert [entry for entry in required if entry["id"] in {"o1", "o7", "o8"}] == [edited, *kept]
    assert after["title"] == "By hand"


def test_an_effect_edited_in_the_file_is_followed_too(bench: Path) -> None:
    path = bench / "tool-policy.json"
    policy = json.loads(path.read_text(encoding="utf-8"))
    policy["tools"]["issue_refund"] = {"effect": "read", "source": "operator"}
    path.write_text(json.dumps(policy), encoding="utf-8")
    assert len(regenerate(bench)["changed_tasks"]) == 6
    assert first(bench)["tool_effects"]["issue_refund"]["effect"] == "read"


def test_a_contract_that_requires_nothing_is_compiled_again(bench: Path) -> None:
    task = first(bench)
    forbidden = [{"id": "x1", "type": "forbidden", "tool": "get_order", "reason": "no need"}]
    empty = {**task["outcome_contract"], "required": [], "forbidden": forbidden}
    edit_task(bench, task["task_id"], outcome_contract=empty)
    answer = regenerate(bench)
    assert answer["repaired_empty_contracts"] == [task["task_id"]]
    after = first(bench)["outcome_contract"]
    assert after["required"] == task["outcome_contract"]["required"]
    assert after["forbidden"] == forbidden


def test_a_user_script_may_be_taken_away(tmp_path: Path) -> None:
    source = desk(tmp_path / "source")
    lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    last = lines[2]
    last["request_body"]["messages"] = [
        *last["request_body"]["messages"],
        {"role": "assistant", "content": "Shall I?"},
        {"role": "user", "content": "Yes, please."},
    ]
    source.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    build(tmp_path / "desk", source)
    task = first(tmp_path / "desk")
    assert task["user"] == {"mode": "scripted", "turns": 1}
    edit_task(tmp_path / "desk", task["task_id"], user={"mode": "none", "turns": 0})
    regenerate(tmp_path / "desk")
    shown = BenchmarkDir(tmp_path / "desk").load_list(layout.ENV_TASKS)[0]
    assert shown.user.dump() == {"mode": "none", "turns": []}
    assert first(tmp_path / "desk")["version"] == "2.0.0"


def test_the_operators_wording_of_rejections_is_kept(bench: Path) -> None:
    words = {"get_order": {"missing_required:order_id": "Name the order, please."}}
    answer = regenerate(bench, guidance=Guidance(tools=words))
    directory = BenchmarkDir(bench)
    told = directory.load(layout.GUIDANCE).tools["get_order"]["missing_required:order_id"]
    assert told == "Name the order, please."
    assert {bump["bump"] for bump in answer["version_bumps"]} == {"major"}
    before = files(bench)
    regenerate(bench)
    assert files(bench) == before


def test_a_damaged_environment_is_made_again(bench: Path) -> None:
    before = files(bench)
    (bench / layout.FIXTURES.path).write_text('[{"tool": 7}]', encoding="utf-8")
    (bench / layout.GOLD.path).write_text("{", encoding="utf-8")
    (bench / layout.VALIDATION.path).unlink()
    assert regenerate(bench, now=LATER)["version_bumps"] == []
    moved = {layout.VALIDATION.path}
    after = files(bench)
    assert {k: v for k, v in after.items() if k not in moved} == {
        k: v for k, v in before.items() if k not in moved
    }


def test_a_task_without_a_source_keeps_its_line_and_its_world(bench: Path) -> None:
    directory = BenchmarkDir(bench)
    task = first(bench)
    kept = {**task, "task_id": "task-by-hand", "execution_group": "by hand", "source": {}}
    kept["title"] = "Written by hand"
    text = (bench / "tasks.jsonl").read_text(encoding="utf-8") + json.dumps(kept) + "\n"
    (bench / "tasks.jsonl").write_text(text, encoding="utf-8")
    shown = directory.load_list(layout.ENV_TASKS)
    directory.replace(layout.ENV_TASKS, [*shown, shown[0].with_(task_id="task-by-hand")])
    gold = directory.load(layout.GOLD)
    directory.replace(
        layout.GOLD, gold.with_(tasks=[*gold.tasks, gold.tasks[0].with_(task_id="task-by-hand")])
    )
    proof = directory.load(layout.VALIDATION)
    row = proof.tasks[0].with_(task_id="task-by-hand")
    directory.replace(layout.VALIDATION, proof.with_(tasks=[*proof.tasks, row]))
    regenerate(bench)
    assert task_lines(bench)[-1]["title"] == "Written by hand"
    assert directory.load_list(layout.ENV_TASKS)[-1].task_id == "task-by-hand"
    assert directory.load(layout.BENCHMARK).tasks[-1].task_id == "task-by-hand"


def test_an_unknown_task_is_named(bench: Path) -> None:
    with pytest.raises(UnknownTask, match="no task task-0 in local--desk"):
        regenerate(bench, tasks=["task-0"])


def test_an_effect_that_is_none_is_named(bench: Path) -> None:
    with pytest.raises(InvalidArguments, match="tool_policy.get_order: one of read, write"):
        regenerate(bench, tool_policy={"get_order": "reads"})


def test_a_word_about_a_tool_that_nobody_offers_is_refused(bench: Path) -> None:
    before = files(bench)
    with pytest.raises(InvalidArguments) as caught:
        regenerate(bench, tool_policy={"get_ordr": "read", "get_order": "read"})
    assert [(one.path, one.value) for one in caught.value.errors] == [
        ("tool_policy.get_ordr", "read")
    ]
    assert caught.value.hint == "the tools are: get_order, issue_refund"
    assert files(bench) == before


def test_a_directory_without_tasks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongStage, match="holds no tasks"):
        regenerate(tmp_path / "nothing")


def test_a_directory_without_captures_is_refused(bench: Path) -> None:
    (bench / "normalized-captures.jsonl").unlink()
    with pytest.raises(EnvironmentMissing, match="holds no captures"):
        regenerate(bench)


def test_a_word_that_no_rule_knows_is_named_with_its_place(bench: Path) -> None:
    task = first(bench)
    contract = with_amount(task, 25.0)
    contract["required"][0]["arguments"]["amount"]["match"] = "about"
    edit_task(bench, task["task_id"], outcome_contract=contract)
    answer = regenerate(bench)
    known = "absent, any, date, exact, list, number, object, one_of, prose, ref, set, text"
    assert failed(answer)
    assert answer["ok"] is False
    assert answer["oracle_failed"] == [task["task_id"]]
    assert answer["contract_errors"] == [
        {
            "task_id": task["task_id"],
            "path": "required[0].arguments.amount.match",
            "value": "about",
            "message": f"unknown matcher 'about'; known: {known}",
        }
    ]
    said = f"o1 (required[0].arguments.amount.match): unknown matcher 'about'; known: {known}"
    assert answer["self_check"]["failures"][task["task_id"]] == [
        {"check": "contract_word_unknown", "detail": said},
        {"check": "oracle_unreplayable", "detail": "the contract cannot be judged"},
    ]
    rows = BenchmarkDir(bench).load(layout.VALIDATION)
    assert rows is not None
    assert rows.tasks[0].oracle.problem == f"unknown_obligation: {said}"
    assert all(row.oracle.problem is None for row in rows.tasks[1:])
