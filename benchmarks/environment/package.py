"""The environment of a build: what a candidate can reach, and the scorer's side apart from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.contract.call_keys import CallKeys
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import observed_from_conversation
from benchmarks.environment.fixtures import SharedRows, own_rows
from benchmarks.environment.guidance import guidance_for
from benchmarks.environment.messages import chat_messages
from benchmarks.environment.prestate import JudgedCall, judge_calls
from benchmarks.environment.scene import Knowledge, Scene, make_scene
from benchmarks.environment.schemas import tool_schemas
from benchmarks.environment.shared import SharedIndex
from benchmarks.environment.slices import slice_digest
from benchmarks.foundry.boundary import Boundary
from benchmarks.foundry.posture import is_simulated, suggested_posture
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
    """The documents under environment/, and the worlds they make."""

    tasks: tuple[EnvironmentTask, ...]
    fixtures: tuple[FixtureRow, ...]
    """Rows of the tasks in task order, then the shared rows."""
    schemas: Mapping[str, ToolSchema]
    guidance: Guidance
    gold: Gold
    environment_sha256: Mapping[str, str]
    """The digest of each task's own slice, by task."""
    scenes: Mapping[str, Scene]
    """Each task's world, before any call."""
    shared: SharedRows
    """What the shared rows were made of, for measuring."""

    @property
    def environment_ref(self) -> str:
        """The digest of the whole package, the scorer's side left out."""
        return package_digest(self.tasks, self.fixtures, self.schemas, self.guidance)

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


def package_digest(
    tasks: Iterable[EnvironmentTask],
    fixtures: Iterable[FixtureRow],
    schemas: Mapping[str, ToolSchema],
    guidance: Guidance,
) -> str:
    """The digest of everything that a candidate can reach."""
    return json_digest({
        "tasks": [task.dump() for task in tasks],
        "fixtures": [row.dump() for row in fixtures],
        "schemas": {name: schema.dump() for name, schema in schemas.items()},
        "guidance": guidance.dump(),
    })


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
    judged = [judge_calls(conversation, policy) for conversation in recordings]
    shared = SharedRows(CallKeys(definitions))
    for calls in judged:
        shared.add(calls, policy)
    rows = shared.agreed()
    known = Knowledge(
        schemas=tool_schemas(definitions, [call for calls in judged for call in calls], policy),
        guidance=guidance_for(definitions, guidance),
        policy=policy,
        shared=SharedIndex(rows, policy),
    )
    return assemble(sources, known, shared, rows)


def assemble(
    sources: Sequence[TaskSource],
    known: Knowledge,
    shared: SharedRows,
    shared_rows: Sequence[FixtureRow],
) -> Package:
    """The package of tasks whose tools and shared rows are known."""
    tasks = tuple(environment_task(source, known.policy) for source in sources)
    judged = [judge_calls(source.conversation, known.policy) for source in sources]
    own = {
        source.task.task_id: fixture_rows(source.task, calls, known.policy)
        for source, calls in zip(sources, judged, strict=True)
    }
    scenes = {
        task.task_id: make_scene(
            task,
            own[task.task_id],
            known,
            simulated=is_simulated(task.posture, task.tools, known.policy),
        )
        for task in tasks
    }
    gold = [gold_task(s, calls, known.policy) for s, calls in zip(sources, judged, strict=True)]
    return Package(
        tasks=tasks,
        fixtures=(*(row for rows in own.values() for row in rows), *shared_rows),
        schemas=known.schemas,
        guidance=known.guidance,
        gold=Gold(tasks=gold),
        environment_sha256={
            task.task_id: slice_digest(task, own[task.task_id], scenes[task.task_id])
            for task in tasks
        },
        scenes=scenes,
        shared=shared,
    )


def tool_definitions(
    sources: Sequence[TaskSource], recordings: Sequence[Conversation]
) -> dict[str, Tool]:
    """One definition of every tool by name: given before inferred, a task's before a recording's.

    Where several differ the first in code-unit order stands, whatever the order of sources.
    """
    offered = [tool for source in sources for tool in source.task.tool_definitions]
    others = [tool for conversation in recordings for tool in conversation.tools]
    ranked = [*((0, tool) for tool in offered), *((1, tool) for tool in others)]
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


def fixture_rows(task: Task, judged: Sequence[JudgedCall], policy: Policy) -> list[FixtureRow]:
    """The pre-state of one task."""
    keys = CallKeys({tool.name: tool for tool in task.tool_definitions})
    return own_rows(task.task_id, judged, keys, policy)


def gold_task(source: TaskSource, judged: Sequence[JudgedCall], policy: Policy) -> GoldTask:
    """The scorer's side of one task: all that its source did and said."""
    observed = observed_from_conversation(source.conversation, policy)
    apart = [
        item for item in judged if item.call.confirmed and not item.pre_state and not item.closing
    ]
    return GoldTask(
        task_id=source.task.task_id,
        post_state_observations=[recorded_call(item) for item in apart],
        final_response=observed.final_response,
        calls=[recorded_call(item) for item in judged],
        texts=list(observed.texts),
        text_turns=list(observed.text_turns),
        termination=str(observed.termination),
    )


def recorded_call(item: JudgedCall) -> RecordedCall:
    """One call of the source as gold keeps it."""
    return RecordedCall(
        call_id=item.call.call_id or "",
        tool=item.call.tool,
        arguments=item.call.arguments,
        status=item.call.status,
        write=item.is_write,
        confirmed=None if item.call.confirmed else False,
        turn=item.call.turn,
        content=item.call.result,
    )
