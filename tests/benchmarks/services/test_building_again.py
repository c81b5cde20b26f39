import json
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.stage import stage
from benchmarks.records.manifest import PROMOTED, PROPOSAL
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Bump, Stage
from benchmarks.services.regenerating import regenerate_env
from benchmarks.versioning.bump import snapshot
from tests.benchmarks.services.factories import (
    CALLER,
    LATER,
    build,
    desk,
    edit_task,
    files,
    look_up,
    refund,
    task_lines,
    write_lines,
)


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


def test_regenerating_a_promoted_benchmark_keeps_to_the_tasks_that_it_lists(
    bench: Path,
) -> None:
    promote(bench)
    directory = opened(bench)
    manifest = directory.load(layout.BENCHMARK)
    out, *listed = manifest.tasks
    directory.replace(layout.BENCHMARK, manifest.with_(tasks=listed))
    edit_task(bench, out.task_id, title="Nobody's business")
    edit_task(bench, listed[0].task_id, title="By hand")
    regenerate_env(directory=directory, slug="local--desk", caller=CALLER, now=LATER)
    after = directory.load(layout.BENCHMARK)
    assert stage(directory).stage is Stage.PROMOTED
    assert [task.task_id for task in after.tasks] == [task.task_id for task in listed]
    assert (after.status, after.executable) == ("promoted", True)
    assert [task.task_id for task in directory.load_list(layout.ENV_TASKS)][:5] == [
        task.task_id for task in listed
    ]
    assert task_lines(bench)[0]["title"] == "Nobody's business"
    line = directory.read(layout.VERSIONS).records[-1]
    changed = [bump.task_id for bump in line.task_bumps if bump.to is not None]
    assert changed == [listed[0].task_id]
