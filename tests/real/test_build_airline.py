"""100 trajectories of 50 airline tasks, 43 of them rewarded, become 31 tasks."""

import json
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.stage import stage
from benchmarks.records.vocabulary import Stage
from benchmarks.services.doctoring import doctor
from tests.benchmarks.services.factories import LATER, NOW, build, files, task_lines

FAILED = {
    "0", "2", "3", "4", "7", "8", "9", "10", "14", "15", "16", "17", "19", "22", "23", "25", "28",
    "32", "33",
}  # fmt: skip
WRITE_TOOLS = {
    "book_reservation", "cancel_reservation", "send_certificate", "update_reservation_baggages",
    "update_reservation_flights", "update_reservation_passengers",
}  # fmt: skip


@pytest.fixture(scope="module")
def source(data_dir: Path) -> Path:
    return data_dir / "tau-bench" / "gpt-4o-airline.trials01.json"


@pytest.fixture(scope="module")
def built(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "airline"
    build(path, source)
    return path


@pytest.fixture(scope="module")
def answer(source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return build(tmp_path_factory.mktemp("dry") / "airline", source, dry_run=True)


@pytest.fixture(scope="module")
def lines(built: Path) -> list[dict[str, Any]]:
    return task_lines(built)


def changes_state(line: dict[str, Any]) -> bool:
    return any(e["type"] == "state_effect" for e in line["outcome_contract"]["required"])


def test_31_tasks_13_that_change_state_and_18_that_do_not(lines: list[dict[str, Any]]) -> None:
    assert len(lines) == 31
    assert sum(changes_state(line) for line in lines) == 13
    still = [line["outcome_contract"]["required"] for line in lines if not changes_state(line)]
    assert all(entries[0]["type"] == "no_state_change" for entries in still)
    values = [e for entries in still for e in entries if e["type"] == "value_propagation"]
    assert len(values) == 1
    assert {line["outcome_contract"]["writes"] for line in lines} == {"forbid"}


def test_what_is_not_a_task_has_a_reason(answer: dict[str, Any], built: Path) -> None:
    assert answer["counts"] | {"filtered_reasons": {}} == answer["counts"]
    assert (answer["counts"]["captures"], answer["counts"]["conversations"]) == (100, 100)
    assert answer["dropped"] == {"no_successful_trajectory": 38, "repeat_trial": 31}
    assert set(answer["lineage"]["no_successful_trajectory"]) == FAILED
    rows = BenchmarkDir(built).read(layout.EXECUTION_INDEX).records
    assert Counter(reason for row in rows for reason in row.exclusion_reasons or ["task"]) == {
        "task": 31,
        "repeat_trial": 31,
        "no_successful_trajectory": 38,
    }


def test_no_answer_can_be_read_where_it_should_be_worked_for(built: Path) -> None:
    audit = BenchmarkDir(built).load(layout.MANIFEST).leakage_audit
    assert (audit["status"], audit["checked_tasks"], audit["findings"]) == ("clean", 31, [])


def test_the_oracle_solves_every_task_and_no_wrong_rollout_passes(built: Path) -> None:
    rows = BenchmarkDir(built).load(layout.VALIDATION).tasks
    assert len(rows) == 31
    assert {row.oracle.strict for row in rows} == {1}
    assert all(row.is_solvable for row in rows)
    assert [row.task_id for row in rows if row.passing_sentinels] == []
    assert BenchmarkDir(built).load(layout.BENCHMARK).promotion_blockers == []


def test_tools_are_classed_by_their_names_alone(built: Path) -> None:
    tools = BenchmarkDir(built).load(layout.TOOL_POLICY).tools
    assert len(tools) == 14
    assert {name for name, entry in tools.items() if entry.effect == "write"} == WRITE_TOOLS
    assert [name for name, entry in tools.items() if entry.role == "handoff"] == [
        "transfer_to_human_agents"
    ]
    assert not [name for name, entry in tools.items() if entry.effect == "unknown"]


def test_every_candidate_sees_all_tools_and_the_first_words_alone(
    built: Path, source: Path
) -> None:
    spoken = {
        message["content"]
        for record in json.loads(source.read_text(encoding="utf-8"))
        for message in record["traj"]
        if message["role"] == "assistant" and message["content"]
    }
    for task in BenchmarkDir(built).load_list(layout.ENV_TASKS):
        assert len(task.tools) == 14
        assert [message["role"] for message in task.candidate_prompt] == ["user"]
        assert task.system_prompt.startswith("# Airline Agent Policy")
        assert task.user.mode == "scripted"
        assert "###STOP###" not in json.dumps(task.dump())
        assert not spoken & {task.prompt, *task.user.turns}


def test_every_line_holds_what_a_reviewer_asks_for(lines: list[dict[str, Any]]) -> None:
    assert len({line["title"] for line in lines}) == 31
    assert {line["machine_confidence"] for line in lines} == {"medium"}
    assert Counter(line["status"] for line in lines) == {
        "machine_proposed": 14,
        "needs_review": 17,
    }
    assert all(line["self_check"] == {"ok": True, "failures": []} for line in lines)
    assert all(line["posture"] == "simulated" for line in lines)
    assert {line["incumbent"]["model"] for line in lines} == {None}


def test_the_splits_are_seeded_stratified_and_clean(
    built: Path, lines: list[dict[str, Any]]
) -> None:
    assert Counter(line["split"] for line in lines) == {"train": 22, "dev": 6, "holdout": 3}
    clusters: dict[str, set[str]] = {}
    for line in lines:
        clusters.setdefault(line["cluster_id"], set()).add(line["split"])
    assert all(len(splits) == 1 for splits in clusters.values())
    manifest = BenchmarkDir(built).load(layout.BENCHMARK)
    assert manifest.splits["contamination"] == "clean"
    assert manifest.splits["seed"] == 0
    assert len(manifest.taxonomy) == len({line["category_id"] for line in lines})
    assert stage(BenchmarkDir(built)).stage is Stage.PROPOSED


def test_the_doctor_and_the_build_say_the_same(source: Path, answer: dict[str, Any]) -> None:
    report = doctor(sources=[source], now=NOW)
    assert report["would_build"] == {
        "tasks": 31,
        "trials_merged": 31,
        "no_successful_trajectory": 19,
        "helpers_attached": 0,
        "closed": 31,
        "open": 0,
        "lost": {},
        "lost_first": {},
        "conversations": 100,
        "unsolved_first": "gpt-4o-airline.trials01.json#/0",
        "unclassified_tools": [],
    }
    assert report["captures"] == answer["counts"]["captures"]


def test_the_same_bytes_twice_and_from_the_records_in_another_order(
    source: Path, built: Path, tmp_path: Path
) -> None:
    build(tmp_path / "again" / "airline", source)
    assert files(tmp_path / "again" / "airline") == files(built)
    records = json.loads(source.read_text(encoding="utf-8"))
    halves = [tmp_path / "a.json", tmp_path / "b.json"]
    halves[0].write_text(json.dumps(records[:50]), encoding="utf-8")
    halves[1].write_text(json.dumps(records[50:]), encoding="utf-8")
    build(tmp_path / "one" / "airline", *halves)
    build(tmp_path / "two" / "airline", *reversed(halves))
    assert files(tmp_path / "one" / "airline") == files(tmp_path / "two" / "airline")
    same = ("task_id", "split", "cluster_id", "title", "outcome_contract", "environment_sha256")
    assert [[line[key] for key in same] for line in task_lines(tmp_path / "one" / "airline")] == [
        [line[key] for key in same] for line in task_lines(built)
    ]


def test_the_same_source_again_changes_nothing(built: Path, source: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(built, tmp_path / "airline"))
    before = files(copy)
    build(copy, source, rebuild=True, now=LATER)
    assert files(copy) == before


def test_asking_refusals_for_a_look_adds_one_entry(source: Path, tmp_path: Path) -> None:
    build(tmp_path / "airline", source, refusals="consulted")
    entries = [
        entry.get("kind")
        for line in task_lines(tmp_path / "airline")
        if not changes_state(line)
        for entry in line["outcome_contract"]["required"]
    ]
    assert entries.count("answered") == 18
    assert entries.count("consulted") == 15


@pytest.mark.slow
def test_it_takes_seconds(source: Path, tmp_path: Path) -> None:
    started = time.process_time()
    build(tmp_path / "airline", source)
    assert time.process_time() - started < 15
