from pathlib import Path

from benchmarks.artifacts.directory import BenchmarkDir
from runs.regrade.naming import Names
from tests.factories import make_desk, queue


def names(path: Path, *taken: str) -> Names:
    return Names(BenchmarkDir(path), set(taken))


def test_the_smallest_free_number_after_the_root(tmp_path: Path) -> None:
    found = names(tmp_path, "run-1", "run-1-regrade-1", "run-1-regrade-3")
    assert [found.of("run-1") for _ in range(3)] == [
        "run-1-regrade-2", "run-1-regrade-4", "run-1-regrade-5",
    ]  # fmt: skip


def test_names_never_nest(tmp_path: Path) -> None:
    assert names(tmp_path, "run-1-regrade-1").of("run-1-regrade-1") == "run-1-regrade-2"


def test_a_file_or_a_request_takes_a_name_too(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    (desk.path / "rows-run-1-regrade-1-null_agent.jsonl").touch()
    (desk.path / "runs" / "trajectories").mkdir(parents=True)
    (desk.path / "runs" / "trajectories" / "run-1-regrade-2-m1.jsonl").touch()
    queue(desk, "run-1-regrade-3")
    assert names(desk.path).of("run-1") == "run-1-regrade-4"


def test_an_id_that_no_file_can_have_is_made_one(tmp_path: Path) -> None:
    assert names(tmp_path).of("import/2025 a") == "import_2025_a-regrade-1"
    assert names(tmp_path).of("r" * 128) == "r" * 80 + "-regrade-1"
