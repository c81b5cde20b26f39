"""Where a task comes from: the conversation that was recorded, and the captures around it."""

from collections.abc import Mapping
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.foundry.lineage import Sketch
from benchmarks.foundry.stitching import stitched
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Conversation, Turn
from benchmarks.records.dag import SourceDag
from benchmarks.records.environment import EnvironmentTask
from benchmarks.records.task import Task
from reviews.services.dossier import Dossier

SEEN, LATER, RECORDED = "seen", "later", "recorded"
"""What a candidate gets of a recorded turn: at once, when the scripted user says it, or never."""


def recording(dossier: Dossier, task_id: str) -> JsonObject | None:
    """The captured conversation, each turn with what a candidate sees of it; None without one."""
    task = dossier.tasks[task_id]
    conversation = _conversation(dossier, task)
    if conversation is None:
        return None
    shown = next(
        (row for row in dossier.directory.load_list(layout.ENV_TASKS) if row.task_id == task_id),
        None,
    )
    sides = _Sides.of(shown)
    return {
        "dialect": conversation.dialect,
        "end": conversation.end.dump() if conversation.end else None,
        "issues": [issue.dump() for issue in conversation.issues],
        "turns": [{**turn.dump(), "side": sides.of_turn(turn)} for turn in conversation.turns],
    }


def lineage(dossier: Dossier, task_id: str) -> JsonObject:
    """The captures of a task, how they follow each other, and its kin across the splits."""
    task = dossier.tasks[task_id]
    times = _times(dossier.source_dag)
    main = {str(ref.get("capture_key")): ref for ref in task.source.captures}
    return {
        "grouping": task.grouping_label,
        "captures": [
            {
                "capture_key": key,
                "pointer": (main.get(key) or {}).get("pointer") or times.get(key, {}).get("from"),
                "captured_at": times.get(key, {}).get("at"),
                "beside": key not in main,
            }
            for key in dict.fromkeys([*main, *task.source.node_ids])
        ],
        "edges": task.source.edges,
        "helpers": task.helpers or [],
        "dataset_row": task.source.dataset_row,
        "cluster": _cluster(dossier, task),
        "near_duplicates": _near_duplicates(dossier, task_id),
    }


class _Sides:
    """Which words of a conversation reach a candidate, and when."""

    def __init__(self, opening: frozenset[str], script: tuple[str, ...]) -> None:
        self._opening, self._script = opening, script

    @classmethod
    def of(cls, row: EnvironmentTask | None) -> "_Sides":
        """As the environment's row of the task says; nothing without one."""
        if row is None:
            return cls(frozenset(), ())
        said = (message.get("content") for message in row.candidate_prompt)
        return cls(frozenset(text for text in said if isinstance(text, str)), tuple(row.user.turns))

    def of_turn(self, turn: Turn) -> str:
        """`seen`, `later` or `recorded`."""
        words = turn.text()
        if turn.role == "system" or (words and words in self._opening):
            return SEEN
        if turn.role == "user" and any(words.startswith(line) for line in self._script if line):
            return LATER
        return RECORDED


def _conversation(dossier: Dossier, task: Task) -> Conversation | None:
    """The main line of the task, as it was stitched at build time."""
    keys = [str(ref.get("capture_key")) for ref in task.source.captures]
    found = dossier.directory.captures(keys)
    main_line = [Sketch(found[key]) for key in keys if key in found]
    if not main_line:
        return None
    folded = {
        str(edge.get("to"))
        for edge in task.source.edges
        if edge.get("type") == "folded_continuation"
    }
    return stitched(main_line, folded)


def _times(dag: SourceDag | None) -> Mapping[str, dict[str, Any]]:
    nodes = dag.nodes if dag is not None else []
    return {node.id: {"at": node.captured_at, "from": node.source.get("pointer")} for node in nodes}


def _cluster(dossier: Dossier, task: Task) -> JsonObject | None:
    """The tasks that must share a split with this one; None when it stands alone."""
    if task.cluster_id is None:
        return None
    kin = [each for each in dossier.tasks.values() if each.cluster_id == task.cluster_id]
    if len(kin) < 2:
        return None
    return {
        "cluster_id": task.cluster_id,
        "tasks": [
            {"task_id": each.task_id, "name": each.name, "split": each.split.value}
            for each in kin
            if each.task_id != task.task_id
        ],
        "crosses_splits": len({each.split for each in kin}) > 1,
    }


def _near_duplicates(dossier: Dossier, task_id: str) -> list[JsonObject]:
    """The pairs across splits that name the task, as the build measured them."""
    splits = (dossier.manifest.splits if dossier.manifest else None) or {}
    pairs = splits.get("near_duplicates")
    found = pairs if isinstance(pairs, list) else []
    return [pair for pair in found if isinstance(pair, dict) and task_id in pair.values()]
