"""Ids out of content: never out of a position, a file name or a random number."""

from collections.abc import Container, Sequence

from benchmarks.records.digest import json_digest

TASK_ID_LENGTHS = (16, 24, 32)


def trace_group(trace_id: str, episode: int) -> str:
    """The group of a trace's episode."""
    return json_digest({"kind": "trace", "trace_id": trace_id, "episode": episode})


def session_group(session_id: str) -> str:
    """The group of a session."""
    return json_digest({"kind": "session", "session_id": session_id})


def fingerprint_group(root: str) -> str:
    """The group of a conversation that only its earliest capture names."""
    return json_digest({"kind": "fingerprint", "root": root})


def task_id(execution_group: str, taken: Container[str]) -> str:
    """A task's id out of its group: as short as is free."""
    for length in TASK_ID_LENGTHS:
        found = f"task-{execution_group[:length]}"
        if found not in taken:
            return found
    return f"task-{execution_group}"


def category_id(tool_surface: Sequence[str]) -> str:
    """The category of a tool surface, whatever order its tools stand in."""
    return "cap-" + json_digest(sorted(tool_surface))[:12]


def cluster_id(task_ids: Sequence[str]) -> str:
    """The near-duplicate cluster that these tasks founded."""
    return "cl-" + json_digest(min(task_ids))[:12]


def benchmark_id(source: str, workload: str | None) -> str:
    """The id of a benchmark built from traces: the base name of its source, and its workload."""
    named = {"source": source} if workload is None else {"source": source, "workload": workload}
    return "trace-" + json_digest(named)[:16]
