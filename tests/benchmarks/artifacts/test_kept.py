"""What was read stands while its file does, and no longer."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.artifacts import kept as module
from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.folder import Folder
from benchmarks.artifacts.kept import Kept, one_state, signatures
from benchmarks.artifacts.reading import Read
from benchmarks.errors import InvalidBenchmark
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.task import Task
from tests.reviews.factories import make_review, make_task


@pytest.fixture
def directory(tmp_path: Path) -> BenchmarkDir:
    folder = tmp_path / "desk"
    folder.mkdir()
    return BenchmarkDir(folder)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """A keeper for which every file has settled."""
    monkeypatch.setattr(module, "UNSETTLED_S", -1e9)
    return Kept()


def reviews(kept: Kept, directory: BenchmarkDir) -> Read[Review]:
    read = kept.read(directory, layout.REVIEWS)
    assert read == directory.read(layout.REVIEWS)
    return read


def test_a_file_that_stands_is_read_once(directory: BenchmarkDir, kept: Kept) -> None:
    directory.append(layout.REVIEWS, make_review("t1", "accept"))
    assert reviews(kept, directory) is reviews(kept, directory)


def test_a_ledger_that_has_grown_is_read_on(directory: BenchmarkDir, kept: Kept) -> None:
    directory.append(layout.REVIEWS, make_review("t1", "accept"))
    first = reviews(kept, directory).records
    directory.append(layout.REVIEWS, make_review("t2", "reject"))
    second = reviews(kept, directory).records
    assert [review.task_id for review in second] == ["t1", "t2"]
    assert second[0] is first[0]
    assert [review.task_id for review in first] == ["t1"]


def test_what_was_met_on_the_way_is_counted_over_all_reads(
    directory: BenchmarkDir, kept: Kept
) -> None:
    directory.append(layout.REVIEWS, make_review("t1", "accept"))
    path = directory.path / "reviews.jsonl"
    for text in ("not json\n", '{"schema_version": "else.v1"}\n', '{"torn": '):
        with path.open("a") as file:
            file.write(text)
        reviews(kept, directory)
    found = reviews(kept, directory).counts
    assert (found.lines, found.malformed, found.foreign_schema, found.torn_tail) == (3, 1, 1, True)
    directory.append(layout.REVIEWS, make_review("t2", "accept"))
    found = reviews(kept, directory).counts
    assert (found.lines, found.torn_tail) == (4, False)


def test_a_ledger_that_was_rewritten_is_read_anew(directory: BenchmarkDir, kept: Kept) -> None:
    directory.append(layout.REVIEWS, make_review("t1", "accept"))
    reviews(kept, directory)
    path = directory.path / "reviews.jsonl"
    path.write_text(path.read_text().replace("t1", "t7") * 2)
    assert [review.task_id for review in reviews(kept, directory).records] == ["t7", "t7"]


def test_a_file_that_is_gone_or_came_is_told(directory: BenchmarkDir, kept: Kept) -> None:
    assert reviews(kept, directory).records == []
    directory.append(layout.REVIEWS, make_review("t1", "accept"))
    assert len(reviews(kept, directory).records) == 1
    (directory.path / "reviews.jsonl").unlink()
    assert reviews(kept, directory).records == []


def test_an_edit_of_the_same_size_and_time_is_told_by_its_change_time(
    directory: BenchmarkDir, kept: Kept
) -> None:
    directory.replace(layout.TASKS, [make_task("t1")])
    path = directory.path / "tasks.jsonl"
    before = path.stat()
    assert kept.read(directory, layout.TASKS).records[0].task_id == "t1"
    path.write_text(path.read_text().replace('"t1"', '"t9"'))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert kept.read(directory, layout.TASKS).records[0].task_id == "t9"


def test_a_file_that_has_just_changed_is_not_kept(directory: BenchmarkDir) -> None:
    kept = Kept()
    directory.replace(layout.TASKS, [make_task("t1")])
    first = kept.read(directory, layout.TASKS)
    assert kept.read(directory, layout.TASKS) is not first


def test_a_document_is_kept_and_its_refusal_is_not(directory: BenchmarkDir, kept: Kept) -> None:
    directory.replace(layout.REVIEW_POLICY, ReviewPolicy(min_confidence="low"))
    first = kept.load(directory, layout.REVIEW_POLICY)
    assert first is kept.load(directory, layout.REVIEW_POLICY)
    assert kept.load(directory, layout.CALIBRATION) is None
    (directory.path / "calibration.json").write_text("{}")
    for _ in range(2):
        with pytest.raises(InvalidBenchmark):
            kept.load(directory, layout.CALIBRATION)


def counting(works: list[str]) -> Callable[[], int]:
    def work() -> int:
        works.append("done")
        return len(works)

    return work


def test_what_is_worked_out_stands_on_its_files(directory: BenchmarkDir, kept: Kept) -> None:
    works: list[str] = []
    files = ["reviews.jsonl", "flags.jsonl"]

    def asked() -> int:
        stood = signatures(directory, files)
        return kept.worked_out(directory, "sum", stood, counting(works))

    directory.append(layout.REVIEWS, make_review("t1", "accept"))
    assert (asked(), asked()) == (1, 1)
    directory.append(layout.REVIEWS, make_review("t2", "accept"))
    assert (asked(), asked()) == (2, 2)


def test_what_was_worked_out_while_a_file_changed_is_good_for_nobody_else(
    directory: BenchmarkDir, kept: Kept
) -> None:
    directory.append(layout.REVIEWS, make_review("t1", "accept"))
    stood = signatures(directory, ["reviews.jsonl"])

    def work() -> list[str]:
        directory.append(layout.REVIEWS, make_review("t2", "accept"))
        return ["t1"]

    assert kept.worked_out(directory, "ids", stood, work) == ["t1"]
    now = signatures(directory, ["reviews.jsonl"])
    assert kept.worked_out(directory, "ids", now, lambda: ["t1", "t2"]) == ["t1", "t2"]


def test_the_least_used_goes_first(
    directory: BenchmarkDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "UNSETTLED_S", -1e9)
    directory.append(layout.REVIEWS, make_review("t1", "accept"))
    directory.replace(layout.TASKS, [make_task("t1")])
    size = (directory.path / "tasks.jsonl").stat().st_size
    kept = Kept(most_bytes=size + 10)
    first = kept.read(directory, layout.REVIEWS)
    tasks: Read[Task] = kept.read(directory, layout.TASKS)
    assert kept.read(directory, layout.TASKS) is tasks
    assert kept.read(directory, layout.REVIEWS) is not first
    assert Kept(most_bytes=10).read(directory, layout.TASKS) == tasks


def test_nothing_is_kept_any_more_after_forget(directory: BenchmarkDir, kept: Kept) -> None:
    directory.replace(layout.TASKS, [make_task("t1")])
    first = kept.read(directory, layout.TASKS)
    kept.forget()
    assert kept.read(directory, layout.TASKS) is not first


def test_work_of_one_state_is_done_once_also_on_files_that_have_not_settled(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "a.json").write_bytes(b"{}")
    kept, done = Kept(), []

    def work() -> int:
        done.append(1)
        return len(done)

    def ask() -> int:
        return kept.worked_out(folder, "n", signatures(folder, ["a.json"]), work)

    with one_state():
        assert (ask(), ask()) == (1, 1)
        (tmp_path / "a.json").write_bytes(b"{ }")
        assert ask() == 2
    assert ask() == 3
