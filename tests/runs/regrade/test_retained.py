import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from runs.regrade.retained import first_trace, observed_from_nodes, retained_trace

CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "update_item", "arguments": '{"item_id": "I-0001"}'},
}
NODES: list[dict[str, Any]] = [
    {"id": "n0", "parents": [], "task_id": "t1", "role": "user", "content": "Do it."},
    {"id": "n1", "parents": ["n0"], "task_id": "t1", "role": "assistant", "content": "",
     "tool_calls": [CALL]},
    {"id": "n2", "parents": ["n1"], "task_id": "t1", "role": "tool", "content": "ok",
     "tool_call_id": "c1"},
    {"id": "n3", "parents": ["n2"], "task_id": "t1", "role": "assistant", "content": "Done."},
    {"id": "m0", "parents": [], "task_id": "t1", "role": "user", "content": "Again."},
    {"id": "m1", "parents": ["m0"], "task_id": "t1", "role": "assistant", "content": "No."},
]  # fmt: skip


def test_the_first_trace_ends_where_the_next_begins() -> None:
    assert [node["id"] for node in first_trace(NODES)] == ["n0", "n1", "n2", "n3"]
    assert first_trace([]) == []


def test_calls_read_as_accepted_with_their_results() -> None:
    observed = observed_from_nodes(first_trace(NODES))
    [call] = observed.calls
    assert (call.tool, call.arguments, call.status) == ("update_item", {"item_id": "I-0001"}, "ok")
    assert (call.result, call.turn) == ("ok", 1)
    assert (observed.texts, observed.final_response) == (("Done.",), "Done.")


@pytest.mark.parametrize(
    "calls", [None, "x", [None], [{"function": None}], [{"id": 3, "function": {"arguments": 5}}]]
)
def test_odd_calls_are_read_and_never_raise(calls: Any) -> None:
    node = {"role": "assistant", "content": None, "tool_calls": calls}
    assert all(call.arguments is None for call in observed_from_nodes([node]).calls)


def test_the_arms_own_folder_is_looked_into(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "work" / "run-1--m_1" / "outputs" / "deep"
    folder.mkdir(parents=True)
    lines = "".join(json.dumps(node) + "\n" for node in NODES)
    (folder / "traces.jsonl").write_text(lines, encoding="utf-8")
    directory = BenchmarkDir(tmp_path)
    observed = retained_trace(directory, "run-1", "m/1", "t1")
    assert observed is not None
    assert observed.final_response == "Done."
    assert retained_trace(directory, "run-1", "m/1", "t2") is None
    assert retained_trace(directory, "run-2", "m/1", "t1") is None
