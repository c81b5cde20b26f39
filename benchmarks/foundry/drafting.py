"""Captures -> drafts: which conversations become tasks, and why the others do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.contract.compiling import (
    Compiled,
    CompileOptions,
    SourceContext,
    compile_contract,
    recorded_structures,
)
from benchmarks.contract.learning.learn import Success, learn_contract, read_success
from benchmarks.contract.learning.restoring import Failure
from benchmarks.contract.mutating import Policy, effective_policy, merge_policy
from benchmarks.contract.observed import end_under, observed_from_conversation
from benchmarks.foundry.boundary import boundary_of, demonstrations
from benchmarks.foundry.dag import Fate
from benchmarks.foundry.definitions import with_inferred_tools
from benchmarks.foundry.delegation import linked, with_delegates
from benchmarks.foundry.fanout import fan_out
from benchmarks.foundry.grouping import Thread, threads_of
from benchmarks.foundry.reasons import Drop
from benchmarks.foundry.stitching import without_opening
from benchmarks.foundry.tasks import Draft
from benchmarks.foundry.trials import Case, cases_of, trial_name
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation, Tool
from benchmarks.records.tool_policy import ToolPolicy

Calls = Mapping[str, Sequence[JsonObject]]
"""The arguments of every recorded call, by tool."""


@dataclass(frozen=True)
class Drafted:
    """One case: its draft, or why it has none, and the trials that are merged into it."""

    case: Case
    draft: Draft | None
    reason: Drop | None = None

    def captures(self) -> list[Capture]:
        """Every capture of every trial."""
        return [
            capture for trial in self.case.trials for capture in (*trial.main_line, *trial.beside)
        ]

    def fates(self, task_id: str | None) -> list[Fate]:
        """What became of each conversation of the case, once its task has an id."""
        if self.draft is None:
            return [Fate(trial, reason=self.reason) for trial in self.case.trials]
        source = self.draft.thread
        return [
            Fate(source, task_id=task_id)
            if trial.key == source.key and trial.leaf is source.leaf
            else Fate(trial, reason=Drop.REPEAT_TRIAL)
            for trial in self.case.trials
        ]


@dataclass(frozen=True)
class Drafts:
    """Every case of a build, in the order of its conversations."""

    cases: tuple[Drafted, ...]
    recordings: tuple[Conversation, ...]
    """All conversations, those that make no task among them, tools completed."""
    attached: tuple[Fate, ...] = ()
    """What became of helpers, and of conversations that are said to have started each other."""


def recorded_calls(captures: Sequence[Capture]) -> dict[str, list[JsonObject]]:
    """The arguments of every call in the captures, by tool, in one order whatever theirs."""
    found: dict[str, list[JsonObject]] = {}
    for capture in sorted(captures, key=lambda capture: capture.capture_key):
        for turn in capture.conversation.turns:
            for call in turn.calls():
                found.setdefault(call.name, []).append(call.arguments or {})
    return found


def offered_tools(captures: Sequence[Capture]) -> list[Tool]:
    """Every tool definition in the captures, in one order whatever theirs."""
    ordered = sorted(captures, key=lambda capture: capture.capture_key)
    return [tool for capture in ordered for tool in capture.conversation.tools]


def policy_of(captures: Sequence[Capture], existing: ToolPolicy | None) -> ToolPolicy:
    """The policy file of a build: what stands, and every tool of the captures."""
    merged = merge_policy(offered_tools(captures), recorded_calls(captures), existing)
    return merged.with_(tools=with_delegates(merged.tools, captures))


def policy_in_force(captures: Sequence[Capture], policy: ToolPolicy | None) -> Policy:
    """The policy to compile by: what the file says stands as it was written."""
    found = effective_policy(policy, offered_tools(captures), recorded_calls(captures))
    filed = policy.tools if policy is not None else {}
    return {**with_delegates(found, captures), **{name: found[name] for name in filed}}


def draft_all(captures: Sequence[Capture], policy: Policy, options: CompileOptions) -> Drafts:
    """Every conversation in the captures, drafted where a task can be made of it."""
    found = fan_out(
        threads_of(linked(captures), lambda conversation: end_under(conversation, policy).closed)
    )
    cases = cases_of(found.threads)
    threads = (*found.threads, *found.helpers, *found.looped)
    alike = {
        trial.execution_group: case.trials[0].execution_group
        for case in cases
        for trial in case.trials
    }
    whole = {thread.execution_group: thread.conversation for thread in threads}
    complete = with_inferred_tools(whole)
    examples = demonstrations(whole, alike)
    structured = recorded_structures(recorded_calls(captures))
    drafter = _Drafter(complete, examples, policy, options, SourceContext(structured=structured))
    return Drafts(
        cases=tuple(drafter.drafted(case) for case in cases),
        recordings=tuple(drafter.cut(thread) for thread in threads),
        attached=(
            *(Fate(thread, reason=Drop.HELPER_ATTACHED) for thread in found.helpers),
            *(Fate(thread, reason=Drop.LINEAGE_CYCLE) for thread in found.looped),
        ),
    )


@dataclass(frozen=True)
class _Drafter:
    """What every draft of a build is made with."""

    conversations: Mapping[str, Conversation]
    examples: Mapping[str, int]
    policy: Policy
    options: CompileOptions
    context: SourceContext

    def drafted(self, case: Case) -> Drafted:
        """The draft of a case, or why it has none."""
        source = case.source
        if source is None:
            return Drafted(case, None, Drop.NO_SUCCESSFUL_TRAJECTORY)
        whole = self.conversations[source.execution_group]
        boundary = boundary_of(whole, self.examples[source.execution_group])
        if boundary is None:
            return Drafted(case, None, Drop.NO_USER_TURN)
        conversation = self.cut(source)
        if not any(turn.role == "assistant" and turn.parts for turn in conversation.turns):
            return Drafted(case, None, Drop.NO_MODEL_OUTPUT)
        draft = Draft(
            thread=source,
            conversation=conversation,
            boundary=boundary,
            compiled=self._compiled(case, source),
            policy=self.policy,
            trials=tuple(self.cut(trial) for trial in case.trials if trial is not source),
            outcomes=case.outcomes,
            external_id=case.external_id,
        )
        return Drafted(case, draft)

    def _compiled(self, case: Case, source: Thread) -> Compiled:
        """The contract of the earliest success, or of all where that is wanted and there are.

        One that cannot be judged is worth less than that of the earliest success alone.
        """
        alone = compile_contract(self.cut(source), self.policy, self.options, self._context(source))
        if self.options.contract_from == "first" or len(case.successes) == 1:
            return alone
        successes = [self._success(trial) for trial in case.successes]
        if not successes:
            return alone
        failures = [
            Failure(trial_name(trial), observed_from_conversation(self.cut(trial), self.policy))
            for trial in case.failures
        ]
        learned = learn_contract(successes, self.policy, failures)
        return alone if learned.judgeability == "none" else learned

    def _success(self, trial: Thread) -> Success:
        return read_success(
            trial_name(trial), self.cut(trial), self.policy, self._context(trial), self.options
        )

    def _context(self, thread: Thread) -> SourceContext:
        if not thread.guessed:
            return self.context
        return replace(self.context, holes=("who started its helpers is not captured",))

    def cut(self, thread: Thread) -> Conversation:
        """A conversation as it is compiled: tools completed, demonstrations taken off."""
        whole = self.conversations[thread.execution_group]
        return without_opening(whole, self.examples[thread.execution_group])
