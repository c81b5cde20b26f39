"""What doors ask of the mirror."""

import shutil
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located, list_directories, roots
from benchmarks.errors import UnknownBenchmark
from benchmarks.mirror import syncing
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import (
    catch_up,
    check_benchmarks,
    entry_of,
    mark_absent,
    sync_benchmarks,
)
from benchmarks.models import BenchmarkEntry, TaskEntry, VersionEntry
from tests.factories import Desk, make_desk, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab(lab_home: Path) -> list[Desk]:
    """Two benchmarks in the default root."""
    folder = lab_home / "benchmarks"
    return [make_desk(folder / "one", 2), make_desk(folder / "two", 1)]


def rewrite(desk: Desk) -> None:
    path = desk.path / "versions.jsonl"
    path.write_bytes(path.read_bytes().replace(b"2026", b"2025"))


def test_a_sync_says_what_it_read(lab: list[Desk]) -> None:
    document = sync_benchmarks(located=[desk.located for desk in lab])
    assert document["ok"]
    first = document["synced"][0]
    assert (first["slug"], first["lines_read"], first["behind_bytes"]) == ("local--one", 3, 0)
    assert (first["complete"], first["revision"], document["failed"]) == (True, 1, [])


def test_one_rewritten_benchmark_does_not_stop_the_others(lab: list[Desk]) -> None:
    sync_benchmarks(located=[desk.located for desk in lab])
    rewrite(lab[0])
    document = sync_benchmarks(located=[desk.located for desk in lab])
    assert not document["ok"]
    assert [one["slug"] for one in document["synced"]] == ["local--one", "local--two"]
    [failure] = document["failed"]
    assert (failure["slug"], failure["code"]) == ("local--one", "ledger_rewritten")
    assert failure["hint"] == "understudy benchmarks sync local--one --rebuild"


def test_a_rebuild_heals_and_keeps_users_and_other_benchmarks(lab: list[Desk]) -> None:
    get_user_model().objects.create_user("mira")
    sync_benchmarks(located=[desk.located for desk in lab])
    others = set(TaskEntry.objects.filter(benchmark__slug="local--two").values_list("pk"))
    rewrite(lab[0])
    revision = entry_of("local--one").revision
    document = sync_benchmarks(located=[lab[0].located], rebuild=True)
    assert document["ok"]
    assert entry_of("local--one").revision == revision + 1
    assert VersionEntry.objects.get(benchmark__slug="local--one").created_at.startswith("2025")
    assert set(TaskEntry.objects.filter(benchmark__slug="local--two").values_list("pk")) == others
    assert get_user_model().objects.count() == 1
    assert check_benchmarks(located=[desk.located for desk in lab])["ok"]


def test_a_directory_that_was_replaced_by_another_is_refused_until_it_is_rebuilt(
    lab: list[Desk],
) -> None:
    sync_benchmarks(located=[lab[0].located])
    shutil.rmtree(lab[0].path)
    other = make_desk(lab[0].path, 3)
    (other.path / "versions.jsonl").unlink()
    document = sync_benchmarks(located=[other.located])
    assert [failure["details"]["reason"] for failure in document["failed"]] == ["it is gone"]
    assert sync_benchmarks(located=[other.located], rebuild=True)["ok"]
    assert entry_of("local--one").counts["tasks"] == 3


def test_a_check_shows_fifty_differences_and_counts_all(
    lab: list[Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "SHOWN_DIFFERENCES", 2)
    sync_benchmarks(located=[lab[0].located])
    for _ in range(3):
        lab[0].directory.append(layout.VERSIONS, make_version([]))
    document = check_benchmarks(located=[lab[0].located])
    assert (document["ok"], document["differing"], len(document["differences"])) == (False, 4, 2)
    assert document["differences"][0]["slug"] == "local--one"
    assert VersionEntry.objects.count() == 1


def test_a_catch_up_says_how_fresh_the_tables_are(lab: list[Desk]) -> None:
    fresh = catch_up(lab[0].located, budget_s=60)
    assert sorted(fresh) == ["behind_bytes", "complete", "read_at", "revision", "source"]
    assert (fresh["source"], fresh["complete"], fresh["behind_bytes"]) == ("mirror", True, 0)
    assert fresh["revision"] == 1


def test_a_catch_up_of_all_makes_entries_and_marks_what_is_gone(lab: list[Desk]) -> None:
    assert catch_up(None, budget_s=60)["revision"] == 2
    assert [entry.slug for entry in BenchmarkEntry.objects.filter(present=True)] == [
        "local--one", "local--two",
    ]  # fmt: skip
    shutil.rmtree(lab[1].path)
    assert catch_up(None, budget_s=60)["complete"]
    assert not BenchmarkEntry.objects.get(slug="local--two").present
    with pytest.raises(UnknownBenchmark, match="no benchmark 'local--two'"):
        entry_of("local--two")
    make_desk(lab[1].path, 1)
    catch_up(None, budget_s=60)
    assert entry_of("local--two").present


def test_a_directory_that_is_gone_is_said_to_be(lab: list[Desk]) -> None:
    catch_up(lab[0].located, budget_s=60)
    shutil.rmtree(lab[0].path)
    with pytest.raises(UnknownBenchmark, match="is gone"):
        catch_up(lab[0].located, budget_s=60)
    assert not BenchmarkEntry.objects.get().present


def test_a_refused_ledger_is_a_warning_of_reads(lab: list[Desk]) -> None:
    catch_up(None, budget_s=60)
    rewrite(lab[0])
    fresh = catch_up(None, budget_s=60)
    assert not fresh["complete"]
    assert fresh["warnings"] == [
        "versions.jsonl of local--one was changed in place: its beginning is not what was read"
    ]


def test_other_roots_keep_their_benchmarks(lab: list[Desk], tmp_path: Path) -> None:
    other = make_desk(tmp_path / "else" / "three", 1)
    sync_directory(Located(other.directory, "data--three", read_only=False))
    within = roots(home())
    assert mark_absent(list_directories(within).found, within) == []
    assert entry_of("data--three").name


def test_progress_counts_the_lines(lab: list[Desk]) -> None:
    said: list[int] = []
    document = sync_benchmarks(located=[lab[0].located], report=said.append)
    assert sum(said) == document["synced"][0]["lines_read"]
