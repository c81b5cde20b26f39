"""The world of a task as a reviewer checks it: what it holds, who answers, and what is missing."""

from collections import Counter
from collections.abc import Sequence

from benchmarks.artifacts import layout
from benchmarks.foundry.posture import suggested_posture
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool
from benchmarks.records.environment import EnvironmentTask, FixtureRow, GoldTask
from benchmarks.records.vocabulary import Effect
from reviews.services.dossier import Dossier


def surroundings(dossier: Dossier, task_id: str) -> JsonObject:
    """Entities, recorded answers by tool, posture, and what a candidate may ask for in vain."""
    row = _row(dossier, task_id)
    own, shared = _fixtures(dossier, task_id)
    tools = row.tools if row is not None else dossier.tasks[task_id].tool_definitions
    return {
        "posture": _posture(dossier, task_id, row, tools),
        "entities": _entities(own),
        "tools": [_tool(dossier, tool, own, shared) for tool in tools],
        "not_recorded": _not_recorded(dossier, tools, own, shared),
        "unconfirmed": _unconfirmed(dossier, task_id),
    }


def _row(dossier: Dossier, task_id: str) -> EnvironmentTask | None:
    rows = dossier.directory.load_list(layout.ENV_TASKS)
    return next((row for row in rows if row.task_id == task_id), None)


def _fixtures(dossier: Dossier, task_id: str) -> tuple[list[FixtureRow], list[FixtureRow]]:
    """The recorded answers of the task itself, and those that serve every task."""
    rows = dossier.directory.load_list(layout.FIXTURES)
    own = [row for row in rows if row.task_id == task_id]
    return own, [row for row in rows if row.task_id is None]


def _posture(
    dossier: Dossier, task_id: str, row: EnvironmentTask | None, tools: Sequence[Tool]
) -> JsonObject:
    """How the world answers, and who says so."""
    said = dossier.tasks[task_id].posture or (row.posture if row is not None else None)
    return {
        "posture": said or suggested_posture(tools, dossier.tools),
        "from": "the task" if said else "its tools, as a suggestion",
    }


def _entities(own: Sequence[FixtureRow]) -> list[JsonObject]:
    """The things that the task's own recording speaks of, and how often."""
    counts = Counter((row.entity.type, row.entity.id) for row in own if row.entity is not None)
    return [{"type": kind, "id": name, "reads": n} for (kind, name), n in sorted(counts.items())]


def _tool(
    dossier: Dossier, tool: Tool, own: Sequence[FixtureRow], shared: Sequence[FixtureRow]
) -> JsonObject:
    mine = [row for row in own if row.tool == tool.name]
    entry = dossier.tools.get(tool.name)
    return {
        "name": tool.name,
        "effect": (entry.effect if entry else Effect.UNKNOWN).value,
        "role": entry.role.value if entry and entry.role else None,
        "own": len(mine),
        "errors": sum(row.status == "error" for row in mine),
        "shared": sum(row.tool == tool.name for row in shared),
    }


def _not_recorded(
    dossier: Dossier,
    tools: Sequence[Tool],
    own: Sequence[FixtureRow],
    shared: Sequence[FixtureRow],
) -> list[str]:
    """The offered tools that may read, and of which nothing was ever recorded."""
    answered = {row.tool for row in (*own, *shared)}
    return [
        tool.name
        for tool in tools
        if tool.name not in answered
        and (entry := dossier.tools.get(tool.name)) is not None
        and entry.effect is Effect.READ
        and entry.role is None
    ]


def _unconfirmed(dossier: Dossier, task_id: str) -> list[str]:
    """The calls of the source whose results were never captured, by tool."""
    gold = dossier.directory.load(layout.GOLD)
    rows: Sequence[GoldTask] = gold.tasks if gold else []
    found = next((row for row in rows if row.task_id == task_id), None)
    calls = found.calls if found is not None else []
    return [call.tool for call in calls if call.confirmed is False]
