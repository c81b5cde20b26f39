import json
import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.stage import stage
from benchmarks.errors import (
    AlreadyExists,
    ApprovalRequired,
    DirectoryBusy,
    IdempotencyConflict,
    InvalidArguments,
    InvalidBenchmark,
    LossAboveBar,
    NothingSelected,
    SourceNotFound,
)
from benchmarks.records.caller import Caller
from benchmarks.records.review import Review
from benchmarks.records.vocabulary import Stage
from benchmarks.services.standing import read_standing
from benchmarks.versioning.hashing import content_hashes, is_edited
from tests.benchmarks.services.factories import (
    LATER,
    REASON,
    build,
    desk,
    edit_task,
    files,
    look_up,
    refund,
    task_lines,
    write_lines,
)

AGENT = Caller("mcp:claude@mira", "mcp")


def opened(path: Path) -> BenchmarkDir:
    return BenchmarkDir(path)


# A first build


def test_a_build_leaves_a_proposal_whose_parts_agree(bench: Path) -> None:
    directory = opened(bench)
    assert stage(directory).stage is Stage.PROPOSED
    tasks = directory.tasks()
    manifest = directory.load(layout.BENCHMARK)
    assert [task.task_id for task in manifest.tasks] == list(tasks)
    assert len(tasks) == 6
    for listed in manifest.tasks:
        task = tasks[listed.task_id]
        assert listed.content_hashes == task.content_hashes == content_hashes(task)
        assert listed.seed == int(task.task_hash[:8], 16)
        assert not is_edited(task)
        assert (task.version, task.version_history) == ("1.0.0", [])
    validation = {row.task_id: row for row in directory.load(layout.VALIDATION).tasks}
    assert all(
        row.verifier_sha256 == tasks[name].content_hashes.verifier_sha256
        for name, row in validation.items()
    )
    assert all(row.is_solvable and not row.passing_sentinels for row in validation.values())
    assert [task.sentinels for task in tasks.values()] == [
        list(validation[name].sentinels) for name in tasks
    ]
    assert {task.environment_ref for task in tasks.values()} == {
        manifest.environment["package_sha256"]
    }
    assert manifest.promotion_blockers == []
    assert not directory.exists(layout.VERSIONS)


def test_the_answer_is_the_manifest_with_what_was_dropped(tmp_path: Path, source: Path) -> None:
    answer = build(tmp_path / "desk", source)
    manifest = json.loads((tmp_path / "desk" / "manifest.json").read_text(encoding="utf-8"))
    assert {key: answer[key] for key in manifest} == manifest
    assert answer["slug"] == "local--desk"
    assert answer["dir"] == str(tmp_path / "desk")
    assert answer["dropped"] == {"superseded_history": 10}
    assert answer["counts"]["captures"] == 16
    assert answer["counts"]["tasks"] == 6
    assert answer["splits"] == "train 4 / dev 1 / holdout 1"
    assert answer["categories"] == [
        {"name": "issue_refund", "tasks": 4},
        {"name": "look-up: get_order", "tasks": 2},
    ]
    assert "pilot_task_id" not in answer


def test_every_count_that_goes_down_is_explained(tmp_path: Path) -> None:
    broken = tmp_path / "captures.jsonl"
    write_lines(broken, refund(1), look_up(5))
    lines = broken.read_text(encoding="utf-8").splitlines()
    no_user = json.loads(lines[0])
    no_user["request_body"]["messages"] = [{"role": "assistant", "content": "Hello?"}]
    broken.write_text(
        "\n".join([*lines, lines[0], json.dumps(no_user), '{"unfinished":']) + "\n",
        encoding="utf-8",
    )
    answer = build(tmp_path / "desk", broken, max_loss=0.5)
    report = opened(tmp_path / "desk").load(layout.INTAKE_REPORT)
    assert report.records == 8
    assert report.captures + sum(report.dropped.values()) + report.duplicates == 8
    dropped = answer["dropped"]
    assert dropped == {"malformed_line": 1, "no_user_turn": 1, "superseded_history": 3}
    assert report.captures == answer["counts"]["tasks"] + 1 + 3
    rows = opened(tmp_path / "desk").read(layout.EXECUTION_INDEX).records
    assert [row.exclusion_reasons for row in rows if row.task_id is None] == [
        ["no_user_turn"],
        ["malformed_line"],
    ]
    assert answer["promotion_blockers"] == ["source_dag_quarantines"]


def test_the_order_of_sources_and_of_lines_with_times_changes_no_task(tmp_path: Path) -> None:
    one = desk(tmp_path / "one", refund(1), refund(2))
    two = desk(tmp_path / "two", look_up(5), refund(3))
    build(tmp_path / "a" / "desk", one, two)
    build(tmp_path / "b" / "desk", two, one, two)
    assert files(tmp_path / "a" / "desk") == files(tmp_path / "b" / "desk")


def test_a_shuffled_file_gives_the_same_tasks(tmp_path: Path, source: Path, bench: Path) -> None:
    lines = source.read_text(encoding="utf-8").splitlines()
    random.Random(3).shuffle(lines)
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    build(tmp_path / "other", source)
    moved = {"source", "task_hash", "content_hashes", "version_history"}
    assert [
        {key: value for key, value in line.items() if key not in moved}
        for line in task_lines(tmp_path / "other")
    ] == [
        {key: value for key, value in line.items() if key not in moved}
        for line in task_lines(bench)
    ]


def test_another_seed_draws_other_splits(tmp_path: Path, source: Path, bench: Path) -> None:
    drawn = set()
    for seed in range(4):
        build(tmp_path / f"seed-{seed}", source, seed=seed)
        splits = tuple(line["split"] for line in task_lines(tmp_path / f"seed-{seed}"))
        assert sorted(splits) == ["dev", "holdout", "train", "train", "train", "train"]
        drawn.add(splits)
    assert len(drawn) > 1


def test_a_dry_run_says_what_would_be_built_and_writes_nothing(
    tmp_path: Path, source: Path
) -> None:
    answer = build(tmp_path / "desk", source, dry_run=True)
    assert answer["dry_run"] is True
    assert answer["counts"]["tasks"] == 6
    assert not (tmp_path / "desk").exists()


# Who may, and what is refused


def test_a_waiver_is_recorded_and_stands_for_later_builds(bench: Path) -> None:
    waived = {
        "reason": REASON,
        "actor": "os:mira",
        "door": "shell",
        "at": "2026-11-02T12:00:00.000Z",
    }
    assert opened(bench).load(layout.MANIFEST).pilot == {"waived": waived}
    answer = build(bench, waive_pilot=None, now=LATER)
    assert answer["pilot"] == {"waived": waived}


def test_an_agent_waives_only_with_a_persons_word(tmp_path: Path, source: Path) -> None:
    with pytest.raises(ApprovalRequired, match="a person's decision"):
        build(tmp_path / "desk", source, caller=AGENT)
    build(tmp_path / "desk", source, caller=AGENT, confirm=True)


def test_the_same_key_with_the_same_arguments_builds_once(tmp_path: Path, source: Path) -> None:
    keyed = Caller("mcp:claude@mira", "mcp", "key-1")
    first = build(tmp_path / "desk", source, caller=keyed, confirm=True)
    before = files(tmp_path / "desk")
    again = build(tmp_path / "desk", source, caller=keyed, confirm=True, now=LATER)
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert {**again, "replayed": False} == first
    assert files(tmp_path / "desk") == before
    with pytest.raises(IdempotencyConflict, match="key-1"):
        build(tmp_path / "desk", source, caller=keyed, confirm=True, seed=3)


def test_all_wrong_values_are_named_at_once(tmp_path: Path, source: Path) -> None:
    with pytest.raises(InvalidArguments) as raised:
        build(
            tmp_path / "desk",
            source,
            waive_pilot="  ",
            refusals="never",
            extra_writes="some",
            contract_from="best",
            splits={"train": 0.5, "dev": 0.2, "holdout": 0.1},
            tool_policy={"get_order": "reads"},
        )
    assert [complaint.path for complaint in raised.value.errors] == [
        "refusals",
        "extra_writes",
        "contract_from",
        "splits",
        "tool_policy.get_order",
        "waive_pilot",
    ]


@pytest.mark.parametrize("filters", [{"workload": "w"}, {"max_age_days": 3}])
def test_a_filter_needs_a_source(bench: Path, filters: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments, match="name a source"):
        build(bench, **filters)


def test_a_missing_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match=r"nowhere\.jsonl"):
        build(tmp_path / "desk", tmp_path / "nowhere.jsonl")


@pytest.mark.parametrize("content", ["", '{"hello": "world"}\n'])
def test_a_source_without_captures_is_one_clear_error(tmp_path: Path, content: str) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text(content, encoding="utf-8")
    with pytest.raises(NothingSelected, match=r"no capture in empty\.jsonl"):
        build(tmp_path / "desk", empty)
    assert not (tmp_path / "desk").exists()


def test_captures_that_make_no_task_are_one_clear_error(tmp_path: Path) -> None:
    line = refund(1)[0]
    line["request_body"]["messages"] = [{"role": "assistant", "content": "Hello?"}]
    source = write_lines(tmp_path / "captures.jsonl", [line])
    with pytest.raises(NothingSelected, match="no task can be made of these captures: 1 no_user"):
        build(tmp_path / "desk", source)
    assert not (tmp_path / "desk").exists()


def test_a_loss_above_the_bar_stops_the_build(tmp_path: Path, source: Path) -> None:
    with source.open("a", encoding="utf-8") as file:
        file.write('{"cut":\n{"cut":\n')
    with pytest.raises(LossAboveBar, match=r"11\.1% of the records are lost; the bar is 5\.0%"):
        build(tmp_path / "desk", source)
    assert not (tmp_path / "desk").exists()
    assert build(tmp_path / "desk", source, max_loss=0.2)["dropped"]["malformed_line"] == 2


def test_a_directory_without_captures_asks_for_a_source(tmp_path: Path) -> None:
    with pytest.raises(NothingSelected, match="name a source|holds no captures"):
        build(tmp_path / "desk")


def test_sources_for_a_built_directory_need_rebuild(bench: Path, source: Path) -> None:
    with pytest.raises(AlreadyExists, match="desk has 6 tasks"):
        build(bench, source)


def test_a_broken_line_of_tasks_stops_the_build_and_loses_nothing(
    bench: Path, source: Path
) -> None:
    path = bench / "tasks.jsonl"
    path.write_text(path.read_text(encoding="utf-8") + '{"task_id": 7}\n', encoding="utf-8")
    before = files(bench)
    with pytest.raises(InvalidBenchmark, match=r"tasks\.jsonl has 1 lines that cannot be read"):
        build(bench, source, rebuild=True)
    assert files(bench) == before


def test_what_somebody_else_wrote_meanwhile_is_not_written_over(bench: Path) -> None:
    standing = read_standing(opened(bench))
    edit_task(bench, task_lines(bench)[0]["task_id"], title="By hand")
    with pytest.raises(DirectoryBusy, match=r"tasks\.jsonl of desk changed during the work"):
        standing.check_unmoved()


# What a promotion would say


def test_a_policy_that_asks_for_a_person_blocks_until_everything_is_decided(
    bench: Path, source: Path
) -> None:
    policy = {"schema_version": "understudy.review_policy.v1", "default_decision": "pending"}
    (bench / "review-policy.json").write_text(json.dumps(policy), encoding="utf-8")
    answer = build(bench, source, rebuild=True, now=LATER)
    assert answer["promotion_blockers"] == ["human_final_judgment"]
    directory = opened(bench)
    for name in directory.tasks():
        review = Review(
            benchmark_id="desk", task_id=name, decision="accept", created_at="2026-11-02T13:00:00Z"
        )
        directory.append(layout.REVIEWS, review)
    assert build(bench, source, rebuild=True, now=LATER)["promotion_blockers"] == []


def test_redaction_is_on_unless_it_is_turned_off(tmp_path: Path) -> None:
    secret = "sk-" + "a1B2c3D4" * 4
    conversation = refund(1)
    for line in conversation:
        line["request_body"]["messages"][1]["content"] += f" My key is {secret}."
    source = write_lines(tmp_path / "captures.jsonl", conversation)
    build(tmp_path / "desk", source)
    assert all(secret.encode() not in data for data in files(tmp_path / "desk").values())
    build(tmp_path / "bare", source, redact=False)
    assert secret in task_lines(tmp_path / "bare")[0]["title"] or any(
        secret.encode() in data for data in files(tmp_path / "bare").values()
    )
