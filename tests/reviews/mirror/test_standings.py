"""How tasks and benchmarks stand, as tables: what the services say, and nothing else."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import check_benchmarks
from benchmarks.records.caller import Caller
from benchmarks.records.review import ReviewPolicy
from benchmarks.versioning.hashing import content_hashes, task_digest
from reviews.models import BenchmarkStandingEntry, TaskStandingEntry
from reviews.services.listing import list_benchmarks
from reviews.services.noting import submit_feedback
from reviews.services.reading import read_benchmark
from reviews.services.recording import submit_review
from tests.reviews.desks import make_desk, make_promoted_desk
from tests.reviews.factories import (
    BENCHMARK_ID,
    make_contract,
    make_row,
    make_task,
    make_trivial_row,
)

pytestmark = pytest.mark.django_db

MIRA = Caller("user:mira", "admin")
NOW = datetime(2026, 11, 4, 9, tzinfo=UTC)
WEAK = make_contract({"id": "o1", "type": "response_obligation", "kind": "answered"})


@pytest.fixture
def desk(lab_home: Path) -> Located:
    """Four tasks: clean, doubted by the machine, passed by saying no, and clean."""
    return make_desk(
        lab_home / "benchmarks",
        make_task("t1"),
        make_task("t2", machine_confidence="low"),
        make_task("t3", outcome_contract=WEAK, machine_confidence="low"),
        make_task("t4"),
    )


def standing(task_id: str) -> TaskStandingEntry:
    return TaskStandingEntry.objects.get(task_id=task_id)


def append_rows(desk: Located, run_id: str, *rows: object) -> None:
    for row in rows:
        desk.directory.append(layout.rows(run_id, row.model), row)  # type: ignore[attr-defined]


def is_equal(desk: Located) -> bool:
    found = check_benchmarks(located=[desk])
    assert found["differences"] == []
    return bool(found["ok"])


def test_every_task_stands_as_the_service_lists_it(desk: Located) -> None:
    sync_directory(desk)
    listed = read_benchmark(located=desk)["tasks"]
    assert [row["task_id"] for row in listed] == ["t1", "t2", "t3", "t4"]
    for row in listed:
        entry = standing(row["task_id"])
        assert entry.flags == row["attention_flags"]
        assert entry.reasons == row["attention_reasons"]
        assert entry.scores == row["scores"]
        assert (entry.decision, entry.explicit) == ("accept", False)
        assert entry.digest == task_digest(desk.directory.tasks()[row["task_id"]])
    assert is_equal(desk)


def test_flags_are_words_that_a_filter_finds(desk: Located) -> None:
    sync_directory(desk)
    assert standing("t1").flag_words == ""
    assert standing("t2").flag_words == " low_confidence "
    assert standing("t3").flag_words == " low_confidence trivial_pass weak_verifier "
    assert (standing("t3").flag_count, standing("t3").trivial_arms) == (3, ["null_agent"])
    assert [standing(t).verifier for t in ("t1", "t3")] == ["tested", "tested"]


def test_the_inbox_order_is_undecided_and_flagged_then_most_flags_then_manifest(
    desk: Located,
) -> None:
    sync_directory(desk)
    order = TaskStandingEntry.objects.order_by("inbox_rank", "task_id")
    assert [entry.task_id for entry in order] == ["t3", "t2", "t1", "t4"]
    submit_review(located=desk, task_ids=["t3"], decision="accept", caller=MIRA, now=NOW)
    sync_directory(desk)
    assert [entry.task_id for entry in order.all()] == ["t2", "t3", "t1", "t4"]


def test_a_decision_names_who_and_when(desk: Located) -> None:
    submit_review(located=desk, task_ids=["t2"], decision="reject", caller=MIRA, now=NOW)
    sync_directory(desk)
    entry = standing("t2")
    assert (entry.decision, entry.explicit, entry.source) == ("reject", True, "human")
    assert (entry.actor, entry.door) == ("user:mira", "admin")
    assert entry.decided_at == "2026-11-04T09:00:00.000Z"
    assert (entry.changed, entry.waiting) == (False, False)
    assert is_equal(desk)


def test_under_a_pending_policy_a_clean_task_waits_too(desk: Located) -> None:
    desk.directory.replace(layout.REVIEW_POLICY, ReviewPolicy(default_decision="pending"))
    sync_directory(desk)
    assert [standing(t).decision for t in ("t1", "t2")] == ["pending", "pending"]
    assert TaskStandingEntry.objects.filter(waiting=True).count() == 4
    assert BenchmarkStandingEntry.objects.get().waiting == 4


def test_a_task_that_was_edited_after_its_decision_is_changed(desk: Located) -> None:
    tasks = [task.with_(task_hash="a" * 64) for task in desk.directory.read(layout.TASKS).records]
    desk.directory.replace(layout.TASKS, tasks)
    submit_review(located=desk, task_ids=["t1", "t2"], decision="accept", caller=MIRA, now=NOW)
    sync_directory(desk)
    before = standing("t1").digest
    moved = tasks[0].with_(task_hash="b" * 64, title="Refund the order t1")
    moved = moved.with_(content_hashes=content_hashes(moved))
    desk.directory.replace(layout.TASKS, [moved, *tasks[1:]])
    sync_directory(desk)
    assert [standing(t).changed for t in ("t1", "t2", "t3")] == [True, False, False]
    assert standing("t1").name == "Refund the order t1"
    assert standing("t1").digest != before
    assert BenchmarkStandingEntry.objects.get().changed == 1
    assert is_equal(desk)


def test_a_task_that_is_gone_stands_no_more(desk: Located) -> None:
    sync_directory(desk)
    tasks = desk.directory.read(layout.TASKS).records[:3]
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    desk.directory.replace(layout.TASKS, tasks)
    desk.directory.replace(layout.BENCHMARK, manifest.with_(tasks=manifest.tasks[:3]))
    sync_directory(desk)
    assert TaskStandingEntry.objects.filter(task_id="t4").count() == 0
    assert is_equal(desk)


def test_means_are_of_the_incumbent_and_of_the_newest_candidate(desk: Located) -> None:
    tasks = desk.directory.tasks()
    stamps = {
        name: {"task_version": "1.0.0", "task_content_hashes": tasks[name].content_hashes}
        for name in ("t1", "t2")
    }
    append_rows(
        desk,
        "run-1",
        make_row("t1", 1, model="inc", arm_kind="incumbent", provenance=stamps["t1"]),
        make_row("t1", 0, model="inc", arm_kind="incumbent", rollout=1, provenance=stamps["t1"]),
        make_row("t1", 1, model="old", created_at="2026-11-01T00:00:00Z", provenance=stamps["t1"]),
        make_row("t1", 0, model="new", created_at="2026-11-05T00:00:00Z", provenance=stamps["t1"]),
        make_row("t2", 1, model="old", created_at="2026-11-01T00:00:00Z", provenance=stamps["t2"]),
    )
    sync_directory(desk)
    first, second = standing("t1"), standing("t2")
    assert (first.incumbent_mean, first.candidate_mean, first.candidate) == (0.5, 0.0, "new")
    assert (second.incumbent_mean, second.candidate_mean, second.candidate) == (None, None, "")
    assert BenchmarkStandingEntry.objects.get().candidate == "new"
    assert is_equal(desk)


def test_new_rows_move_the_standings_of_their_tasks(desk: Located) -> None:
    sync_directory(desk)
    stamp = {
        "task_version": "1.0.0",
        "task_content_hashes": desk.directory.tasks()["t1"].content_hashes,
    }
    anomaly = {"kind": "no_tool_calls", "detail": ""}
    append_rows(
        desk,
        "run-1",
        make_trivial_row("null_agent", "t1", 1, provenance=stamp),
        make_row("t1", 1, anomaly=anomaly, anomalies=[anomaly], provenance=stamp),
    )
    sync_directory(desk)
    assert standing("t1").flags == ["anomaly", "trivial_pass"]
    assert standing("t1").trivial_arms == ["null_agent"]
    found = BenchmarkStandingEntry.objects.get()
    assert found.floors_exceeded == ["null_floor"]
    assert (found.floors["null_floor"]["floor"], "scores" in found.floors["null_floor"]) == (
        1,
        False,
    )
    assert is_equal(desk)


def test_the_benchmark_counts_what_waits_and_stands_as_it_is_listed(desk: Located) -> None:
    submit_feedback(located=desk, task_id="t1", feedback="Say the amount.", caller=MIRA, now=NOW)
    submit_review(located=desk, task_ids=["t4"], decision="accept", caller=MIRA, now=NOW)
    sync_directory(desk)
    found = BenchmarkStandingEntry.objects.get()
    listed = list_benchmarks(roots=[]) | {}
    assert listed["benchmarks"] == []
    assert found.listing["slug"] == desk.slug
    assert (found.listing["tasks"], found.listing["attention"]) == (4, 2)
    assert (found.tasks, found.undecided, found.undecided_flagged, found.waiting) == (4, 3, 2, 2)
    assert (found.open_feedback, found.attention) == (1, 2)
    assert found.attention_counts == {"low_confidence": 2, "trivial_pass": 1, "weak_verifier": 1}
    assert found.review_summary["accept"] == 1
    assert standing("t1").open_feedback == 1


def test_a_promoted_benchmark_has_the_tasks_that_it_lists(lab_home: Path) -> None:
    desk = make_promoted_desk(lab_home / "benchmarks", make_task("t1"), make_task("t2"))
    assert desk.directory.tasks().keys() == {"t1", "t2"}
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    assert manifest.benchmark_id == BENCHMARK_ID
    desk.directory.replace(layout.BENCHMARK, manifest.with_(tasks=manifest.tasks[:1]))
    sync_directory(desk)
    assert list(TaskStandingEntry.objects.values_list("task_id", flat=True)) == ["t1"]
    assert BenchmarkStandingEntry.objects.get().stage == "promoted"


def test_a_benchmark_that_cannot_be_read_any_more_stands_as_invalid(desk: Located) -> None:
    sync_directory(desk)
    for name in ("benchmark.json", "manifest.json"):
        (desk.directory.path / name).write_text("{")
    sync_directory(desk)
    found = BenchmarkStandingEntry.objects.get()
    assert found.stage == "invalid"
    assert len(found.errors) == 2
    assert is_equal(desk)
