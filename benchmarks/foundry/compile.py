"""The whole pass from captures to tasks; what made no task has a reason.

`in = out + sum(drops)` holds at each stage and is checked at every build.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from benchmarks.contract.compiling import CompileOptions
from benchmarks.contract.mutating import Policy, unclassified
from benchmarks.foundry.boundary import Boundary
from benchmarks.foundry.clusters import demand_of
from benchmarks.foundry.dag import Fate, source_dag
from benchmarks.foundry.drafting import draft_all
from benchmarks.foundry.placing import Placement, by_task, fitted, named, placed, within
from benchmarks.foundry.reasons import OF_CAPTURES, Drop
from benchmarks.foundry.splits import DRAWN, Contender, Measured, Ratios, measure, splits_document
from benchmarks.foundry.tasks import Draft, task_of
from benchmarks.foundry.taxonomy import Sorted, categories_of
from benchmarks.foundry.titles import titles_of
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation
from benchmarks.records.dag import SourceDag
from benchmarks.records.manifest import Category
from benchmarks.records.task import Task


@dataclass(frozen=True)
class BuildOptions:
    """What an operator decides about a build."""

    contracts: CompileOptions = field(default_factory=CompileOptions)
    ratios: Ratios = field(default_factory=Ratios)
    seed: int = 0


@dataclass(frozen=True)
class Made:
    """One task and what it was made of."""

    task: Task
    draft: Draft

    @property
    def boundary(self) -> Boundary:
        """What the candidate is shown."""
        return self.draft.boundary

    @property
    def demand(self) -> str | None:
        """What the task requires, as others are compared with it."""
        return demand_of(self.task.outcome_contract)


@dataclass(frozen=True)
class Compilation:
    """Everything that the captures of a build came to."""

    made: tuple[Made, ...]
    """Tasks that stood before first, in their order, then the new ones."""
    fates: tuple[Fate, ...]
    dag: SourceDag
    drops: Mapping[Drop, int]
    recordings: tuple[Conversation, ...]
    captures: int

    @property
    def tasks(self) -> list[Task]:
        """The tasks in order."""
        return [one.task for one in self.made]

    def unsuccessful(self) -> list[str]:
        """The tasks of the source that no trial solved, by the source's own names."""
        found = (
            fate.thread.main_line[0].source.identity.task_id or fate.thread.execution_group
            for fate in self.fates
            if fate.reason is Drop.NO_SUCCESSFUL_TRAJECTORY
        )
        return list(dict.fromkeys(found))


class CountsDoNotAddUp(Exception):
    """A capture or a conversation went missing: a fault of ours, never of the source."""


def compile_benchmark(
    captures: Sequence[Capture],
    policy: Policy,
    options: BuildOptions,
    standing: Sequence[Task] = (),
    *,
    promoted: bool = False,
    direction: Set[str] | None = None,
) -> Compilation:
    """The tasks of these captures; those that stand already keep id, group, title and split.

    `promoted`: what stands was promoted, so new tasks are compared with it. `direction`: the
    captures that the conversations of the picked card start with; others make no new task.

    Raises:
        CountsDoNotAddUp: what came out and what was dropped is not what came in.
    """
    drafts = draft_all(captures, policy, options.contracts)
    cases = within(named(drafts.cases, standing), standing, direction)
    found = by_task(cases)
    kept = {task.task_id: task for task in standing if task.task_id in found}
    titles = titles_of(
        {name: draft.boundary.asked_text for name, draft in found.items()},
        {name: task.title for name, task in kept.items() if task.title},
    )
    tasks = {name: task_of(draft, name, titles[name]) for name, draft in found.items()}
    tasks = placed(tasks, found, kept, Placement(options.seed, options.ratios))
    tasks = fitted(tasks, found, kept if promoted else {})
    fates = [fate for case in cases for fate in case.drafted.fates(case.task_id)]
    fates += drafts.attached
    in_order = dict.fromkeys([*kept, *tasks])
    compilation = Compilation(
        made=tuple(Made(tasks[name], found[name]) for name in in_order),
        fates=tuple(fates),
        dag=source_dag(fates),
        drops=drops_of(fates),
        recordings=drafts.recordings,
        captures=len(captures),
    )
    check_counts(compilation)
    return compilation


def would_build(
    captures: Sequence[Capture], policy: Policy, options: CompileOptions | None = None
) -> JsonObject:
    """What a build would make of these captures (spec/build.md 1.10)."""
    drafts = draft_all(captures, policy, options or CompileOptions())
    made = [case.draft for case in drafts.cases if case.draft is not None]
    closed = sum(draft.compiled.end.closed for draft in made)
    fates = [fate for case in drafts.cases for fate in case.fates(None)]
    fates += drafts.attached
    lost = [(fate.reason, fate) for fate in fates if fate.reason and fate.reason.is_loss]
    counts = Counter(reason for reason, _ in lost)
    firsts = {reason: fate.thread.leaf.source.pointer for reason, fate in reversed(lost)}
    return {
        "conversations": len(fates),
        "tasks": len(made),
        "trials_merged": sum(len(draft.trials) for draft in made),
        "no_successful_trajectory": sum(
            case.reason is Drop.NO_SUCCESSFUL_TRAJECTORY for case in drafts.cases
        ),
        "helpers_attached": sum(fate.reason is Drop.HELPER_ATTACHED for fate in drafts.attached),
        "closed": closed,
        "open": len(made) - closed,
        "lost": {reason: counts[reason] for reason in Drop if counts[reason]},
        "lost_first": {reason: firsts[reason] for reason in Drop if counts[reason]},
        "unsolved_first": next(
            (
                fate.thread.leaf.source.pointer
                for fate in fates
                if fate.reason is Drop.NO_SUCCESSFUL_TRAJECTORY
            ),
            None,
        ),
        "unclassified_tools": unclassified(
            {name for draft in made for name in draft.surface}, policy
        ),
    }


def drops_of(fates: Sequence[Fate]) -> dict[Drop, int]:
    """How many captures and conversations made no task of their own, by reason."""
    drops: Counter[Drop] = Counter(fate.reason for fate in fates if fate.reason is not None)
    beside = sum(len(fate.thread.beside) for fate in fates)
    own = sum(len(fate.thread.own) for fate in fates)
    drops[Drop.ALTERNATE_BRANCH] = beside
    drops[Drop.SUPERSEDED_HISTORY] = own - beside - len(fates)
    return {drop: drops[drop] for drop in Drop if drops[drop]}


def check_counts(found: Compilation) -> None:
    """Every capture is a conversation's last or dropped; every conversation a task or dropped."""
    of_captures = sum(count for drop, count in found.drops.items() if drop in OF_CAPTURES)
    others = sum(count for drop, count in found.drops.items() if drop not in OF_CAPTURES)
    stages = (
        ("captures", found.captures, len(found.fates), of_captures),
        ("conversations", len(found.fates), len(found.made), others),
    )
    for stage, came, went, dropped in stages:
        if came != went + dropped:
            raise CountsDoNotAddUp(f"{stage}: {came} in, {went} out, {dropped} dropped")


def categories(made: Sequence[Made]) -> list[Category]:
    """The taxonomy of these tasks."""
    return categories_of(
        Sorted(
            task_id=one.task.task_id,
            title=one.task.title,
            surface=tuple(one.task.tool_surface),
            effects=one.task.tool_effects or {},
            required=len(one.task.outcome_contract.required),
            outcomes=one.draft.outcomes,
            captures=one.draft.thread.capture_keys(),
        )
        for one in made
    )


def measured_splits(made: Sequence[Made], ratios: Ratios) -> Measured:
    """How far the splits of these tasks hold the same."""
    return measure(
        [
            Contender(
                task_id=one.task.task_id,
                split=one.task.split,
                user_text=one.boundary.user_text,
                asked_text=one.boundary.asked_text,
                demand=one.demand,
            )
            for one in made
        ],
        [split for split in DRAWN if ratios.of(split) > 0],
    )


def splits_of(made: Sequence[Made], options: BuildOptions) -> JsonObject:
    """The `splits` of benchmark.json."""
    return splits_document(
        [(one.task.task_id, one.task.split) for one in made],
        measured_splits(made, options.ratios),
        seed=options.seed,
        ratios=options.ratios,
    )
