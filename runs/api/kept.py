"""The rollouts of a task as the reference lists them: each row with the turns that were kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.places import line_at
from benchmarks.contract.observed import result_content, spoken
from benchmarks.errors import MissingBlob
from benchmarks.records.base import JsonObject
from benchmarks.records.blobs import with_blobs
from benchmarks.records.conversation import ToolCall, ToolResult, Turn
from benchmarks.records.json_bytes import json_bytes
from benchmarks.records.trajectory import Trajectory
from runs.models import RowEntry, TrajectoryEntry
from runs.selectors import trajectories_of

MOST_TURNS = 400
SNIPPET_CHARS = 120
Cell = tuple[str, str, int | None]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of some rollouts of one benchmark."""

    directory: BenchmarkDir
    places: dict[Cell, list[TrajectoryEntry]]

    @classmethod
    def of(cls, directory: BenchmarkDir, rows: Sequence[RowEntry]) -> "Kept":
        """The trajectories of these rows, all found in one query."""
        places: dict[Cell, list[TrajectoryEntry]] = {}
        for entry in trajectories_of(rows):
            places.setdefault((entry.run_id, entry.arm, entry.rollout), []).append(entry)
        return cls(directory, places)

    def document(self, row: RowEntry) -> JsonObject:
        """One row with its turns; the system prompt stands apart from them."""
        trajectory = self._trajectory(row)
        turns = trajectory.turns if trajectory is not None else []
        shown = [turn for turn in turns if turn.role != "system"]
        return {
            "id": f"{row.run_id}/{row.arm}/{row.rollout if row.rollout is not None else row.line}",
            "run_id": row.run_id,
            "model": row.arm,
            "arm_kind": row.arm_kind,
            "rollout": row.rollout,
            "route": row.route,
            "status": row.status,
            "score": row.score,
            "subscores": row.subscores,
            "anomaly": row.anomaly,
            "latency_ms": row.latency_ms,
            "cost": row.cost,
            "created_at": row.created_at or None,
            "termination": row.termination or None,
            "trace_leaf": None,
            "snippet": snippet_of(shown),
            "system": trajectory.system if trajectory is not None else None,
            "turns": [turn_document(turn) for turn in shown[:MOST_TURNS]],
            "turns_total": len(shown),
            "branch_depth": len(turns) if trajectory is not None else None,
        }

    def _trajectory(self, row: RowEntry) -> Trajectory | None:
        """The attempt that the row stands on, else the newest; None without one."""
        kept = self.places.get((row.run_id, row.arm, row.rollout or 0), [])
        own = [each for each in kept if row.attempt is None or each.attempt == row.attempt]
        if not own:
            return None
        place = own[-1]
        line = line_at(self.directory, place.file, place.offset, place.length, place.sha256)
        if line is None:
            return None
        try:
            return Trajectory.read(with_blobs(line, self.directory.read_blob))
        except (ValidationError, MissingBlob):
            return None


def turn_document(turn: Turn) -> JsonObject:
    """A turn as a role and a text; calls and results are told as text too, and apart."""
    calls = [part for part in turn.parts if isinstance(part, ToolCall)]
    results = [part for part in turn.parts if isinstance(part, ToolResult)]
    return {
        "role": turn.role,
        "text": spoken(turn),
        "calls": [
            {
                "call_id": call.call_id,
                "tool": call.name,
                "arguments": call.arguments if call.arguments is not None else call.arguments_raw,
            }
            for call in calls
        ],
        "results": [
            {
                "call_id": result.call_id,
                "tool": result.name,
                "status": result.status,
                "content": _text(result_content(result.parts)),
            }
            for result in results
        ],
    }


def snippet_of(turns: Sequence[Turn]) -> str:
    """The first line of the first thing the user said, else of the first turn."""
    first = next((turn for turn in turns if turn.role == "user"), turns[0] if turns else None)
    lines = (line.strip() for line in spoken(first).split("\n")) if first is not None else iter(())
    line = next((each for each in lines if each), "")
    return line if len(line) <= SNIPPET_CHARS else line[: SNIPPET_CHARS - 1] + "…"


def _text(content: object) -> str:
    return content if isinstance(content, str) else json_bytes(content).decode()
