"""The airline benchmark as tables: equal to its files after every step."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import check_benchmarks
from benchmarks.models import BenchmarkEntry
from benchmarks.records.caller import Caller
from benchmarks.services.building import build_benchmark
from reviews.models import BenchmarkStandingEntry, TaskStandingEntry
from reviews.selectors import InboxQuestion, inbox, inbox_count
from reviews.services.dossier import Dossier
from reviews.services.recording import submit_review
from runs.models import BenchmarkStatusEntry, RowEntry
from tests.reviews.factories import make_row, make_trivial_row

pytestmark = pytest.mark.django_db

MIRA = Caller("os:mira", "shell")
NOW = datetime(2026, 11, 4, tzinfo=UTC)
SLUG = "local--airline"


@pytest.fixture(scope="module")
def built(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "airline"
    build_benchmark(
        directory=BenchmarkDir(folder),
        slug=SLUG,
        source=[data_dir / "tau-bench" / "gpt-4o-airline.trials01.json"],
        waive_pilot="no pilot in this release",
        caller=MIRA,
        now=NOW,
    )
    return folder


@pytest.fixture
def airline(built: Path, tmp_path: Path) -> Located:
    folder = tmp_path / "airline"
    shutil.copytree(built, folder)
    return Located(BenchmarkDir(folder), SLUG, read_only=False)


def assert_equal(airline: Located) -> None:
    found = check_benchmarks(located=[airline])
    assert (found["differences"], found["ok"]) == ([], True)


def test_tables_are_the_files_after_build_review_rows_and_an_edit(airline: Located) -> None:
    sync_directory(airline)
    entry = BenchmarkEntry.objects.get()
    assert (entry.stage, entry.counts["tasks"]) == ("proposed", 31)
    standing = BenchmarkStandingEntry.objects.get()
    assert (standing.tasks, standing.undecided) == (31, 31)
    assert standing.attention_counts["trivial_pass"] == 17
    first, *rest = inbox(InboxQuestion(flagged=True), limit=50).entries
    assert len(rest) + 1 == standing.attention == standing.waiting
    assert_equal(airline)

    submit_review(
        located=airline, task_ids=[first.task_id], decision="reject", caller=MIRA, now=NOW
    )
    sync_directory(airline)
    assert inbox_count(InboxQuestion(waiting=True)) == len(rest)
    assert TaskStandingEntry.objects.get(task_id=first.task_id).decision == "reject"
    assert_equal(airline)

    dossier = Dossier(airline.directory, slug=SLUG)
    assert dossier.manifest is not None
    second = rest[0].task_id
    shared = {
        "benchmark_id": dossier.manifest.benchmark_id,
        "provenance": {"task_content_hashes": dossier.tasks[second].content_hashes},
    }
    rows = [make_trivial_row("null_agent", second, 1, **shared), make_row(second, 0, **shared)]
    for row in (*rows, rows[1]):
        airline.directory.append(layout.rows(row.run_id, row.model), row)
    sync_directory(airline)
    assert RowEntry.objects.count() == 3
    assert TaskStandingEntry.objects.get(task_id=second).scores["rows"] == 2
    assert BenchmarkStatusEntry.objects.get().document["rows"]["left_out"] == {"duplicate": 1}
    assert_equal(airline)

    tasks = airline.directory.read(layout.TASKS).records
    edited = [
        task.with_(title="Another title") if task.task_id == second else task for task in tasks
    ]
    airline.directory.replace(layout.TASKS, edited)
    sync_directory(airline)
    assert BenchmarkStatusEntry.objects.get().next_rule == "regenerate"
    assert_equal(airline)
