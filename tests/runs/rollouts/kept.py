"""Hand-made rollouts."""

from typing import Any

from benchmarks.records.trajectory import JournalLine, Trajectory


def text(index: int, role: str, words: str) -> dict[str, Any]:
    origin = "response" if role == "assistant" else "request"
    return {
        "index": index,
        "role": role,
        "origin": origin,
        "parts": [{"type": "text", "text": words}],
    }


def calling(index: int, *names: str, words: str = "") -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "text", "text": words}] if words else []
    parts += [
        {"type": "tool_call", "call_id": f"c{index}{place}", "name": name, "arguments": {}}
        for place, name in enumerate(names)
    ]
    return {"index": index, "role": "assistant", "origin": "response", "parts": parts}


def call(index: int, tool: str, arguments: Any = None, **changes: Any) -> dict[str, Any]:
    return {
        "index": index,
        "call_id": f"c{index}",
        "turn": None,
        "tool": tool,
        "arguments": {} if arguments is None else arguments,
        "write": False,
        "status": "ok",
        "source": "recorded",
        "content": f"answer {index}",
        **changes,
    }


def trajectory(
    turns: list[dict[str, Any]] | None = None,
    calls: list[dict[str, Any]] | None = None,
    **changes: Any,
) -> Trajectory:
    return Trajectory.read({
        "run_id": "r1",
        "benchmark_id": "demo",
        "task_id": "t1",
        "model": "m1",
        "arm_kind": "candidate",
        "rollout": 0,
        "attempt": 1,
        "fence": 1,
        "seed": 7,
        "started_at": "2026-11-02T12:00:00.000Z",
        "finished_at": "2026-11-02T12:00:03.000Z",
        "termination": "finished",
        "turns": turns or [],
        "calls": calls or [],
        "final_response": None,
        **changes,
    })


def line(seq: int, kind: str, **fields: Any) -> JournalLine:
    return JournalLine.read({"at": 1793620800.0 + seq, "seq": seq, "kind": kind, **fields})
