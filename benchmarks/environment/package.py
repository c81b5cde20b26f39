"""The environment of a build: what a candidate can reach, and the scorer's side apart from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import observed_from_conversation
from benchmarks.environment.canonical import CallKey, CallKeys
from benchmarks.environment.fixtures import SharedRows, own_rows
from benchmarks.environment.guidance import guidance_for
from benchmarks.environment.messages import chat_messages
from benchmarks.environment.posture import suggested_posture
from benchmarks.environment.prestate import JudgedCall, judge_calls
from benchmarks.environment.schemas import tool_schemas
from benchmarks.foundry.boundary import Boundary
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Conversation, Tool
from benchmarks.records.digest import canonical, json_digest
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    Gold,
    GoldTask,
    Guidance,
    RecordedCall,
    ToolSchema,
)
from benchmarks.records.task import Task
from benchmarks.versioning.hashing import environment_sha256

GOLD_REF = "environment/gold.json"


@dataclass(frozen=True, slots=True)
class TaskSource:
    """A task and the conversations that its world is made of."""

    task: Task
    boundary: Boundary
    conversation: Conversation
    """The main line that the contract was compiled from."""
    trials: tuple[Conversation, ...] = ()
    """The other trials of the task: they measure fidelity."""


@dataclass(frozen=True, slots=True)
class Package:
    """The documents under environment/, and what each task's own slice of them is."""

    tasks: tuple[EnvironmentTask, ...]
    fixtures: tuple[FixtureRow, ...]
    """Rows of the tasks in task order, then the shared rows."""
    schemas: Mapping[str, ToolSchema]
    guidance: Guidance
    gold: Gold
    environment_sha256: Mapping[str, str] = field(default_factory=dict)
    """The digest of each task's own slice."""
    shared: SharedRows = field(default_factory=SharedRows)
    """What the shared rows were made of, for measuring."""

    @property
    def environment_ref(self) -> str:
        """The digest of the whole package, the scorer's side left out."""
        return json_digest({
            "tasks": [task.dump() for task in self.tasks],
            "fixtures": [row.dump() for row in self.fixtures],
            "schemas": {name: schema.dump() for name, schema in self.schemas.items()},
            "guidance": self.guidance.dump(),
        })

    def rows_for(self, task_id: str) -> list[FixtureRow]:
        """The rows that serve one task: its own and the shared ones."""
        return [row for row in self.fixtures if row.task_id in {task_id, None}]

    def fixtures_split(self) -> JsonObject:
        """The block of manifest.json that says how the recording was divided."""
        kept_apart = sum(len(task.post_state_observations) for task in self.gold.tasks)
        return {
            "layout": "prestate_only.v1",
            "pre_state_fixtures": sum(row.task_id is not None for row in self.fixtures),
            "shared_fixtures": sum(row.task_id is None for row in self.fixtures),
            "post_state_gold_observations": kept_apart,
            "gold_ref": GOLD_REF,
            "incumbent_post_state_observations_omitted": kept_apart,
        }


def package(
    sources: Sequence[TaskSource],
    recordings: Sequence[Conversation],
    policy: Policy,
    *,
    guidance: Guidance | None = None,
) -> Package:
    """The environment of these tasks.

    `recordings` are all conversations of the build, those of the tasks among them: what agrees in
    all of them is shared, and tools are known by every record. `guidance` is an operator's wording.
    """
    definitions = tool_definitions(sources, recordings)
    keys = CallKeys(definitions)
    judged = [judge_calls(conversation, policy) for conversation in recordings]
    shared = SharedRows()
    for calls in judged:
        shared.add(calls, keys, policy)
    own = [fixture_rows(source, policy) for source in sources]
    built = Package(
        tasks=tuple(environment_task(source, policy) for source in sources),
        fixtures=(*(row for rows in own for row in rows), *shared.agreed()),
        schemas=tool_schemas(definitions, [call for calls in judged for call in calls], policy),
        guidance=guidance_for(definitions, guidance),
        gold=Gold(tasks=[gold_task(source, policy) for source in sources]),
        shared=shared,
    )
    return with_digests(built)


def with_digests(built: Package) -> Package:
    """The package with the digest of every task's own slice."""
    digests = {task.task_id: slice_digest(task, built) for task in built.tasks}
    return Package(
        tasks=built.tasks,
        fixtures=built.fixtures,
        schemas=built.schemas,
        guidance=built.guidance,
        gold=built.gold,
        environment_sha256=digests,
        shared=built.shared,
    )


def slice_digest(task: EnvironmentTask, built: Package) -> str:
    """The digest of what one task's candidate can meet."""
    names = [tool.name for tool in task.tools]
    return environment_sha256(
        task.dump(),
        [row.dump() for row in reachable_rows(task, built.rows_for(task.task_id))],
        {name: built.schemas[name].dump() for name in names if name in built.schemas},
        {name: built.guidance.tools[name] for name in names if name in built.guidance.tools},
    )


def reachable_rows(task: EnvironmentTask, rows: Iterable[FixtureRow]) -> list[FixtureRow]:
    """A task's own rows, and the shared ones of its tools whose key has no own row."""
    keys = CallKeys({tool.name: tool for tool in task.tools})
    served: set[CallKey] = set()
    reachable = []
    for row in rows:
        key = keys.key(row.tool, row.arguments)
        if row.task_id is not None:
            served.add(key)
        elif key in served or row.tool not in keys.tools:
            continue
        reachable.append(row)
    return reachable


def tool_definitions(
    sources: Sequence[TaskSource], recordings: Sequence[Conversation]
) -> dict[str, Tool]:
    """One definition of every tool by name: a task's before a recording's, given before inferred.

    Where several differ the first in code-unit order stands, whatever the order of sources.
    """
    offered = [tool for source in sources for tool in source.task.tool_definitions]
    others = [tool for conversation in recordings for tool in conversation.tools]
    ranked = [(0, tool) for tool in offered] + [(1, tool) for tool in others]
    best: dict[str, tuple[tuple[bool, int, bytes], Tool]] = {}
    for rank, tool in ranked:
        order = (bool(tool.inferred), rank, canonical(tool.dump()))
        kept = best.get(tool.name)
        if kept is None or order < kept[0]:
            best[tool.name] = (order, tool)
    return {name: tool for name, (_, tool) in sorted(best.items())}


def environment_task(source: TaskSource, policy: Policy) -> EnvironmentTask:
    """What a candidate is shown of a task."""
    task, boundary = source.task, source.boundary
    shown = chat_messages(boundary.shown)
    return EnvironmentTask(
        task_id=task.task_id,
        prompt=boundary.prompt,
        candidate_prompt=shown,
        system_prompt=boundary.system or None,
        source_messages=shown,
        split=task.split,
        outcome_contract=task.outcome_contract,
        tool_surface=task.tool_surface,
        boundary_rule=task.boundary_rule,
        tools=task.tool_definitions,
        tool_effects=task.tool_effects or {},
        user=boundary.user,
        posture=task.posture or suggested_posture(task.tool_definitions, policy),
    )


def fixture_rows(source: TaskSource, policy: Policy) -> list[FixtureRow]:
    """The pre-state of one task."""
    keys = CallKeys({tool.name: tool for tool in source.task.tool_definitions})
    judged = judge_calls(source.conversation, policy)
    return own_rows(source.task.task_id, judged, keys, policy)


def gold_task(source: TaskSource, policy: Policy) -> GoldTask:
    """The scorer's side of one task: all that its source did and said."""
    observed = observed_from_conversation(source.conversation, policy)
    judged = judge_calls(source.conversation, policy)
    apart = [item for item in judged if item.call.confirmed and not item.pre_state]
    return GoldTask(
        task_id=source.task.task_id,
        post_state_observations=[
            recorded_call(item, content=item.call.result) for item in apart if not item.closing
        ],
        final_response=observed.final_response,
        calls=[recorded_call(item, content=item.call.result) for item in judged],
        texts=list(observed.texts),
        text_turns=list(observed.text_turns),
        termination=str(observed.termination),
    )


def recorded_call(item: JudgedCall, content: Any) -> RecordedCall:
    """One call of the source as gold keeps it."""
    return RecordedCall(
        call_id=item.call.call_id or "",
        tool=item.call.tool,
        arguments=item.call.arguments,
        status=item.call.status,
        write=item.is_write,
        turn=item.call.turn,
        content=content,
    )
