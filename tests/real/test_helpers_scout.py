"""A coding agent's session that started a helper, whose log stands in a file of its own."""

import json
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.services.doctoring import doctor
from tests.benchmarks.services.factories import NOW, build

FILES = ("agent_session.jsonl", "agent-atest01.jsonl")


def test_the_helpers_log_is_attached_to_the_session_that_started_it(
    data_dir: Path, tmp_path: Path
) -> None:
    folder = data_dir / "sessions" / "claude-code" / "scout"
    sources = [folder / name for name in FILES]
    would = doctor(sources=sources, max_loss=1, now=NOW)["would_build"]
    assert (would["tasks"], would["helpers_attached"]) == (1, 1)
    build(tmp_path / "scout", *sources, max_loss=1)
    directory = BenchmarkDir(tmp_path / "scout")
    (task,) = directory.tasks().values()
    captures = {one.capture_key: one for one in directory.read(layout.CAPTURES).records}
    (helper,) = task.helpers
    assert Path(captures[helper].source.local_path).name == FILES[1]
    (edge,) = [one for one in task.source.edges if one["type"] == "helper"]
    assert (edge["from"], edge["to"]) == (task.candidate_boundary, helper)
    assert edge["evidence"] == {"call_id": "toolu_task_001"}
    policy = json.loads((tmp_path / "scout" / "tool-policy.json").read_bytes())
    assert [one for one in policy["tools"].values() if one.get("evidence") == "fan_out"]
