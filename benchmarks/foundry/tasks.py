"""One conversation, cut and compiled -> the task line that holds it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.claims import doubt
from benchmarks.contract.compiling import Compiled
from benchmarks.contract.fallback import FALLBACK
from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.contract.observed import ObservedCall, observed_calls
from benchmarks.foundry.boundary import Boundary
from benchmarks.foundry.confidence import Grounds
from benchmarks.foundry.dag import helper_keys, trace_id_of, workloads_of
from benchmarks.foundry.grouping import Thread
from benchmarks.foundry.ids import category_id
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation
from benchmarks.records.digest import json_digest
from benchmarks.records.task import Incumbent, Task, TaskSource, User
from benchmarks.records.tool_policy import EffectSource
from benchmarks.records.vocabulary import Effect, Split

FIRST_VERSION = "1.0.0"
BOUNDARY_RULE = "earliest"
UNDECIDED = "pending_final_judgment"
ORCHESTRATOR_GUESSED = "orchestrator_guessed"


@dataclass(frozen=True)
class Draft:
    """A conversation that becomes a task, with all that its line is made of."""

    thread: Thread
    conversation: Conversation
    """The main line: tools completed, demonstrations taken off."""
    boundary: Boundary
    compiled: Compiled
    policy: Policy
    trials: tuple[Conversation, ...] = ()
    """The other trials of the task."""
    outcomes: tuple[bool, ...] = ()
    external_id: str | None = None

    @property
    def calls(self) -> tuple[ObservedCall, ...]:
        """What the incumbent called, with its results."""
        return observed_calls(self.conversation, self.policy)

    @property
    def surface(self) -> tuple[str, ...]:
        """The tools that the incumbent called, sorted."""
        return tuple(sorted({call.tool for call in self.calls}))

    @property
    def grounds(self) -> Grounds:
        """What the task's confidence rests on."""
        calls = self.calls
        effects = [call.effect(self.policy) for call in calls]
        return Grounds(
            closed=self.compiled.end.closed,
            calls_classed=Effect.UNKNOWN not in effects,
            calls_parsed=all(call.arguments is not None for call in calls),
            writes_confirmed=all(
                call.confirmed
                for call, effect in zip(calls, effects, strict=True)
                if call.accepted and effect is Effect.WRITE
            ),
            tools_defined=not any(tool.inferred for tool in self.conversation.tools),
            judgeability=self.compiled.judgeability,
            is_fallback=self.compiled.contract.status == FALLBACK,
            dialect=self.conversation.dialect,
            orchestrator_guessed=self.thread.guessed,
        )

    @property
    def effects(self) -> dict[str, EffectSource]:
        """How every offered and called tool is classed."""
        names = dict.fromkeys([*(tool.name for tool in self.conversation.tools), *self.surface])
        return {name: effect_source(name, self.policy) for name in names}


def task_of(draft: Draft, task_id: str, title: str) -> Task:
    """The line of a new task; split, cluster, fit and stamps are given later."""
    thread, grounds = draft.thread, draft.grounds
    contract = draft.compiled.contract
    source = source_of(thread)
    return Task(
        task_id=task_id,
        execution_group=thread.execution_group,
        title=title,
        status=grounds.status,
        split=Split.NONE,
        category_id=category_id(draft.surface),
        candidate_boundary=thread.key,
        boundary_rule=BOUNDARY_RULE,
        user=User(mode=draft.boundary.user.mode, turns=len(draft.boundary.script)),
        machine_confidence=grounds.confidence,
        close_call=grounds.close_call,
        tool_surface=list(draft.surface),
        tool_definitions=draft.conversation.tools,
        tool_effects=draft.effects,
        source=source,
        helpers=helper_keys(thread) or None,
        world_model=world_model(draft),
        outcome_contract=contract,
        claims=[*draft.compiled.claims, *definition_claims(draft), *fan_out_claims(thread)],
        review={"decision": UNDECIDED},
        grouping_label=thread.label,
        trace=trace_of(thread),
        incumbent=incumbent_of(thread.main_line, len(draft.calls)),
        task_hash=task_hash(title, draft.surface, contract.dump(), source.dump()),
        version=FIRST_VERSION,
    )


def effect_source(name: str, policy: Policy) -> EffectSource:
    """A tool's class and who says so; a tool that the policy does not name is unknown."""
    entry = policy.get(name)
    if entry is None:
        return EffectSource(effect=Effect.UNKNOWN)
    return EffectSource(effect=entry.effect, source=entry.source, role=entry.role)


def source_of(thread: Thread) -> TaskSource:
    """The captures of a conversation: its main line, then what stands beside it."""
    return TaskSource(
        node_ids=[capture.capture_key for capture in (*thread.main_line, *thread.beside)],
        edges=[edge.dump() for edge in thread.edges],
        captures=[capture_ref(capture) for capture in thread.main_line],
    )


def capture_ref(capture: Capture) -> JsonObject:
    """A capture as a task names it."""
    source = capture.source
    identity = {name: value for name, value in source.identity.dump().items() if value is not None}
    found: JsonObject = {
        "capture_key": capture.capture_key,
        "capture_id": capture.capture_id,
        "pointer": source.pointer,
        "sha256": source.sha256,
        "identity": identity,
    }
    if source.record_sha256 is not None:
        found["record_sha256"] = source.record_sha256
    return found


def trace_of(thread: Thread) -> JsonObject:
    """Where the conversation stood in its trace."""
    workloads = workloads_of(thread.own)
    return {
        "trace_id": trace_id_of(thread),
        "grouping_label": thread.label,
        "workloads": workloads,
        "workloads_spanned": workloads,
    }


def world_model(draft: Draft) -> JsonObject:
    """Which calls showed the world and which changed it; what they said stands elsewhere."""
    seen: list[JsonObject] = []
    changed: list[JsonObject] = []
    for call in draft.calls:
        entry = draft.policy.get(call.tool)
        if entry is not None and is_closing(entry):
            continue
        named = {"call_id": call.call_id, "tool": call.tool, "status": call.status}
        writes = call.accepted and call.effect(draft.policy) is Effect.WRITE
        (changed if writes else seen).append(named)
    return {
        "status": "machine_proposed",
        "initial_state": {
            "source": "observed_tool_results",
            "materialized": True,
            "observations": seen,
        },
        "transitions": changed,
    }


def definition_claims(draft: Draft) -> list[JsonObject]:
    """One claim for each tool that nobody defined."""
    return [
        {
            "kind": "inferred",
            "claim": f"definition inferred: {tool.name}",
            "confidence": "medium",
            "source_call_id": None,
        }
        for tool in draft.conversation.tools
        if tool.inferred
    ]


def fan_out_claims(thread: Thread) -> list[JsonObject]:
    """That nobody knows who started the helpers."""
    return [doubt(ORCHESTRATOR_GUESSED, "orchestrator guessed", "medium")] if thread.guessed else []


def incumbent_of(captures: tuple[Capture, ...], calls: int) -> Incumbent:
    """The model that answered most of the captures; the later one of equals."""
    routed = [(c.routing.upstream_model or c.routing.requested_model, c) for c in captures]
    counts = Counter(model for model, _ in routed if model)
    if not counts:
        return Incumbent(observed_calls=calls)
    order = {model: at for at, (model, _) in enumerate(routed)}
    most = max(counts, key=lambda model: (counts[model], order[model]))
    provider = next(c.routing.provider for model, c in reversed(routed) if model == most)
    return Incumbent(
        model=most,
        provider=provider,
        observed_calls=calls,
        models=[{"model": model, "captures": counts[model]} for model in sorted(counts)],
    )


def task_hash(
    title: str, tools: tuple[str, ...], contract: Mapping[str, Any], source: Mapping[str, Any]
) -> str:
    """What a review may be pinned to."""
    return json_digest({
        "title": title,
        "tools": list(tools),
        "contract": contract,
        "source": source,
    })


def rehashed(task: Task) -> Task:
    """The task with the hash of what it says now."""
    return task.with_(
        task_hash=task_hash(
            task.title,
            tuple(task.tool_surface),
            task.outcome_contract.dump(),
            task.source.dump(),
        )
    )
