from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import append
from runs.executor.files import RunFiles


def test_an_arm_s_files_have_its_name(tmp_path: Path) -> None:
    files = RunFiles(BenchmarkDir(tmp_path), "run-1", {"openai/gpt": "openai_gpt"}, {})
    own = files.of("openai/gpt")
    assert own.rows.path.name == "rows-run-1-openai_gpt.jsonl"
    assert own.trajectory_path == "runs/trajectories/run-1-openai_gpt.jsonl"
    assert own.journal_path == "runs/live/run-1-openai_gpt.jsonl"
    assert files.of("openai/gpt") is own
    assert not files.renamed
    files.close()


def test_files_that_hold_another_run_s_lines_are_left_to_it(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    theirs = {
        "schema_version": "understudy.eval_result.v1",
        "run_id": "run",
        "model": "1-m",
        "task_id": "t",
        "status": "ok",
    }
    append(tmp_path / layout.rows("run-1", "m").path, [theirs])
    files = RunFiles(folder, "run-1", {"m": "m"}, {})
    assert files.of("m").name == layout.suffixed("m")
    assert files.names == {"m": layout.suffixed("m")}
    assert files.renamed
    files.close()


def test_numbering_goes_on_where_the_journal_ends(tmp_path: Path) -> None:
    lines = {"runs/live/run-1-m.jsonl": 41}
    files = RunFiles(BenchmarkDir(tmp_path), "run-1", {"m": "m"}, lines)
    assert files.of("m").next_seq == 42
    files.close()
