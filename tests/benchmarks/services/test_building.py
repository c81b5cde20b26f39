import json
import random
import shutil
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
    InvalidArguments,
    InvalidBenchmark,
    LossAboveBar,
    NothingSelected,
    PilotRequired,
    SourceNotFound,
)
from benchmarks.records.caller import Caller
from benchmarks.records.manifest import PROMOTED, PROPOSAL
from benchmarks.records.review import Review
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Bump, Stage
from benchmarks.services.standing import read_standing
from benchmarks.versioning.bump import snapshot
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


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return desk(tmp_path / "source")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A desk that was built once, to be copied."""
    folder = tmp_path_factory.mktemp("built")
    build(folder / "desk", desk(folder / "source"))
    return folder / "desk"


@pytest.fixture
def bench(tmp_path: Path, built: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "desk"))


def opened(path: Path) -> BenchmarkDir:
    return BenchmarkDir(path)


def promote(path: Path) -> None:
    """What a promotion leaves: the record, the promoted manifest, the first version line."""
    directory = opened(path)
    manifest = directory.load(layout.BENCHMARK)
    tasks = list(directory.tasks().values())
    directory.replace(
        layout.BENCHMARK,
        manifest.with_(schema_version=PROMOTED, status="promoted", executable=True),
    )
    directory.append(
        layout.VERSIONS,
        VersionLine.read({
            "created_at": "2026-11-02T13:00:00.000Z",
            "version": manifest.version,
            "cause": "promote",
            "tasks": [one.dump() for one in snapshot(tasks)],
        }),
    )
    (path / "promotion-record.json").write_text(
        json.dumps({
            "schema_version": "understudy.promotion_record.v1",
            "benchmark_id": manifest.benchmark_id,
            "promoted_at": "2026-11-02T13:00:00.000Z",
            "promoted_by": "os:mira",
            "counts": {},
            "accepted_tasks": [task.task_id for task in tasks],
            "excluded_tasks": [],
            "decisions": {},
            "rigor_gate": {"status": "passed"},
        }),
        encoding="utf-8",
    )


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


def test_without_a_pilot_or_its_waiver_nothing_is_built(tmp_path: Path, source: Path) -> None:
    with pytest.raises(PilotRequired, match="no pilot was audited") as raised:
        build(tmp_path / "desk", source, waive_pilot=None)
    assert "--waive-pilot REASON" in raised.value.hint
    assert not (tmp_path / "desk").exists()


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


def test_all_wrong_values_are_named_at_once(tmp_path: Path, source: Path) -> None:
    with pytest.raises(InvalidArguments) as raised:
        build(
            tmp_path / "desk",
            source,
            waive_pilot="  ",
            refusals="never",
            extra_writes="some",
            contract_from="all",
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
    with pytest.raises(LossAboveBar, match=r"11\.1% was lost, the bar is 5\.0%"):
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


# Building again


def test_the_same_sources_again_write_nothing(bench: Path, source: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in bench.rglob("*") if path.is_file()}
    build(bench, source, rebuild=True, now=LATER)
    build(bench, now=LATER)
    after = {path: path.stat().st_mtime_ns for path in bench.rglob("*") if path.is_file()}
    assert after == before


def test_a_rebuild_adds_what_is_new_and_keeps_ids_and_splits(bench: Path, tmp_path: Path) -> None:
    more = desk(tmp_path / "more", refund(7), look_up(8))
    before = task_lines(bench)
    answer = build(bench, more, rebuild=True, now=LATER)
    after = task_lines(bench)
    assert answer["counts"]["tasks"] == len(after) == 8
    assert [(t["task_id"], t["split"], t["title"]) for t in after[:6]] == [
        (t["task_id"], t["split"], t["title"]) for t in before
    ]
    assert len(opened(bench).read(layout.CAPTURES).records) == 21
    assert len(opened(bench).read(layout.CAPTURE_LEDGER).records) == 21


def test_a_conversation_that_went_on_keeps_its_task(tmp_path: Path) -> None:
    whole = refund(1)
    source = write_lines(tmp_path / "captures.jsonl", whole[:2], look_up(5))
    build(tmp_path / "desk", source)
    (before, other) = task_lines(tmp_path / "desk")
    write_lines(source, whole, look_up(5))
    build(tmp_path / "desk", source, rebuild=True, now=LATER)
    (after, same) = task_lines(tmp_path / "desk")
    assert after["task_id"] == before["task_id"]
    kinds = [entry.get("kind") or entry["type"] for entry in after["outcome_contract"]["required"]]
    assert kinds == ["state_effect", "answered"]
    assert [entry["id"] for entry in after["outcome_contract"]["required"]] == ["o2", "o3"]
    assert before["machine_confidence"] == "low"
    assert after["machine_confidence"] == "high"
    assert after["version_history"][0]["at"] == "2026-11-03T12:00:00.000Z"
    assert same["title"] == other["title"]
    assert same["outcome_contract"] == other["outcome_contract"]


def test_what_a_person_wrote_stays_when_its_conversation_goes_on(tmp_path: Path) -> None:
    whole = refund(1)
    source = write_lines(tmp_path / "captures.jsonl", whole[:1], look_up(5))
    build(tmp_path / "desk", source)
    task = task_lines(tmp_path / "desk")[0]
    entry = {"id": "o9", "type": "read_obligation", "tool": "get_order"}
    contract = {**task["outcome_contract"], "required": [entry]}
    edit_task(tmp_path / "desk", task["task_id"], title="My words", outcome_contract=contract)
    write_lines(source, whole, look_up(5))
    build(tmp_path / "desk", source, rebuild=True, now=LATER)
    after = task_lines(tmp_path / "desk")[0]
    assert after["title"] == "My words"
    required = after["outcome_contract"]["required"]
    assert [(one["id"], one["type"]) for one in required] == [
        ("o9", "read_obligation"),
        ("o10", "state_effect"),
        ("o11", "response_obligation"),
    ]


def test_a_hand_edit_survives_a_rebuild_and_bumps_its_own_task(bench: Path, source: Path) -> None:
    first, *others = task_lines(bench)
    edit_task(bench, first["task_id"], title="My words")
    build(bench, source, rebuild=True, now=LATER)
    after, *same = task_lines(bench)
    assert (after["title"], after["version"]) == ("My words", "1.0.1")
    assert [(t["task_id"], t["version"]) for t in same] == [(t["task_id"], "1.0.0") for t in others]
    (line,) = opened(bench).read(layout.VERSIONS).records
    assert [(b.task_id, b.bump, b.from_, b.to) for b in line.task_bumps] == [
        (first["task_id"], Bump.PATCH, "1.0.0", "1.0.1")
    ]
    assert (line.version, line.cause, line.actor) == ("1.0.1", "build", "os:mira")


def test_options_of_the_first_build_stand_until_others_are_asked_for(
    tmp_path: Path, source: Path
) -> None:
    options = {
        "seed": 5,
        "refusals": "consulted",
        "splits": {"train": 0.5, "dev": 0.3, "holdout": 0.2},
    }
    build(tmp_path / "desk", source, **options)
    before = files(tmp_path / "desk")
    build(tmp_path / "desk", source, rebuild=True, now=LATER)
    assert files(tmp_path / "desk") == before
    manifest = opened(tmp_path / "desk").load(layout.MANIFEST)
    assert (manifest.seed, manifest.options["refusals"]) == (5, "consulted")
    kinds = [
        e.get("kind") for e in task_lines(tmp_path / "desk")[-1]["outcome_contract"]["required"]
    ]
    assert kinds == [None, "consulted", "answered"]
    build(tmp_path / "desk", source, rebuild=True, refusals="plain", now=LATER)
    after = task_lines(tmp_path / "desk")[-1]
    assert [e.get("kind") for e in after["outcome_contract"]["required"]] == [None, "answered"]
    assert after["version"] == "1.1.0"


def test_extra_writes_are_the_operators_word(tmp_path: Path, source: Path) -> None:
    build(tmp_path / "desk", source, extra_writes="allow")
    assert {t["outcome_contract"]["writes"] for t in task_lines(tmp_path / "desk")} == {"allow"}


def test_the_operators_word_on_a_tool_is_kept_with_his_name(tmp_path: Path, source: Path) -> None:
    build(tmp_path / "desk", source, tool_policy={"issue_refund": "read"})
    entry = opened(tmp_path / "desk").load(layout.TOOL_POLICY).tools["issue_refund"]
    assert (entry.effect, entry.source, entry.actor, entry.at) == (
        "read",
        "operator",
        "os:mira",
        "2026-11-02T12:00:00.000Z",
    )
    types = {
        e["type"] for t in task_lines(tmp_path / "desk") for e in t["outcome_contract"]["required"]
    }
    assert "state_effect" not in types
    before = files(tmp_path / "desk")
    build(tmp_path / "desk", source, rebuild=True, tool_policy={"issue_refund": "read"}, now=LATER)
    assert files(tmp_path / "desk") == before


# A promoted benchmark


def test_a_promoted_benchmark_that_nothing_joins_stays_promoted(bench: Path, source: Path) -> None:
    promote(bench)
    before = files(bench)
    build(bench, source, rebuild=True, now=LATER)
    assert files(bench) == before
    assert stage(opened(bench)).stage is Stage.PROMOTED


def test_tasks_that_join_a_promoted_benchmark_make_it_a_proposal_again(
    bench: Path, tmp_path: Path
) -> None:
    promote(bench)
    build(bench, desk(tmp_path / "more", refund(7)), rebuild=True, now=LATER)
    directory = opened(bench)
    manifest = directory.load(layout.BENCHMARK)
    assert stage(directory).stage is Stage.PROPOSED
    assert (manifest.schema_version, manifest.executable) == (PROPOSAL, False)
    assert len(manifest.tasks) == 7
    new = manifest.tasks[-1]
    assert new.capability_fit["classification"] in {"new_instance", "task_variant"}
    line = directory.read(layout.VERSIONS).records[-1]
    added = [bump for bump in line.task_bumps if bump.from_ is None]
    assert [(bump.task_id, bump.bump, bump.to) for bump in added] == [
        (new.task_id, Bump.MAJOR, "1.0.0")
    ]
    assert line.version == manifest.version == "2.0.0"
    assert len(line.tasks) == 7


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
