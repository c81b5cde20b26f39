"""What new tasks are called, and where they stand beside those that are there already."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from benchmarks.foundry.clusters import Kin, clusters_of, demand_of, identities_of
from benchmarks.foundry.drafting import Drafted
from benchmarks.foundry.fit import Fitted, capability_fit
from benchmarks.foundry.ids import cluster_id, task_id
from benchmarks.foundry.reasons import Drop
from benchmarks.foundry.splits import Ratios, assign
from benchmarks.foundry.tasks import Draft
from benchmarks.records.capture import Capture
from benchmarks.records.task import Task

Tasks = dict[str, Task]


@dataclass(frozen=True)
class Placement:
    """How splits are drawn."""

    seed: int
    ratios: Ratios


@dataclass(frozen=True)
class Named:
    """A case under the id of its task; None when it makes none."""

    task_id: str | None
    drafted: Drafted

    @property
    def draft(self) -> Draft | None:
        """What the task is made of."""
        return self.drafted.draft


def named(cases: Sequence[Drafted], standing: Sequence[Task]) -> list[Named]:
    """Every case with its task id.

    A task that stands keeps its id and its group where a case holds its earliest capture; the
    case of its own group comes first.
    """
    owners = _owners(cases, standing)
    taken = {task.task_id for task in standing}
    found = []
    for at, case in enumerate(cases):
        if case.draft is None:
            found.append(Named(None, case))
        elif at in owners:
            task = owners[at]
            group = task.execution_group or case.draft.thread.execution_group
            found.append(Named(task.task_id, regrouped(case, case.draft, group)))
        else:
            name = task_id(case.draft.thread.execution_group, taken)
            taken.add(name)
            found.append(Named(name, case))
    return found


def within(
    cases: Sequence[Named], standing: Sequence[Task], direction: Set[str] | None
) -> list[Named]:
    """The cases, those outside the picked direction without a task unless one stands already."""
    if direction is None:
        return list(cases)
    stands = {task.task_id for task in standing}
    return [
        case
        if case.draft is None
        or case.task_id in stands
        or not direction.isdisjoint(trial.key for trial in case.drafted.case.trials)
        else Named(None, replace(case.drafted, draft=None, reason=Drop.NOT_IN_DIRECTION))
        for case in cases
    ]


def by_task(cases: Sequence[Named]) -> dict[str, Draft]:
    """The draft of each task, by its id."""
    return {
        case.task_id: case.draft
        for case in cases
        if case.task_id is not None and case.draft is not None
    }


def regrouped(case: Drafted, draft: Draft, group: str) -> Drafted:
    """The case with the group of its source as it was first called."""
    if draft.thread.execution_group == group:
        return case
    edges = tuple(edge.with_(execution_group=group) for edge in draft.thread.edges)
    thread = replace(draft.thread, execution_group=group, edges=edges)
    return replace(case, draft=replace(draft, thread=thread))


def placed(
    tasks: Tasks, drafts: Mapping[str, Draft], kept: Mapping[str, Task], placement: Placement
) -> Tasks:
    """The tasks with split and cluster; those that stand keep theirs."""
    kin = [_kin(name, drafts[name], task) for name, task in tasks.items()]
    clusters = clusters_of(kin)
    splits = assign(
        clusters,
        {name: task.category_id or "" for name, task in tasks.items()},
        seed=placement.seed,
        ratios=placement.ratios,
        kept={name: task.split for name, task in kept.items()},
    )
    names = {name: _cluster_name(cluster, kept) for cluster in clusters for name in cluster}
    return {
        name: task.with_(
            split=splits[name],
            cluster_id=(kept[name].cluster_id if name in kept else None) or names[name],
        )
        for name, task in tasks.items()
    }


def fitted(tasks: Tasks, drafts: Mapping[str, Draft], promoted: Mapping[str, Task]) -> Tasks:
    """The tasks with their fit against those that were promoted."""
    old = [_fit_of(name, drafts[name], task) for name, task in promoted.items()]
    return {
        name: task.with_(capability_fit=capability_fit(_fit_of(name, drafts[name], task), old))
        if name not in promoted
        else task.with_(capability_fit=promoted[name].capability_fit)
        for name, task in tasks.items()
    }


def _owners(cases: Sequence[Drafted], standing: Sequence[Task]) -> dict[int, Task]:
    """The task that stands for each case, by the position of the case."""
    by_group = {
        case.draft.thread.execution_group: at
        for at, case in enumerate(cases)
        if case.draft is not None
    }
    owners: dict[int, Task] = {}
    waiting = []
    for task in standing:
        at = by_group.get(task.execution_group or "")
        if at is not None and at not in owners:
            owners[at] = task
        else:
            waiting.append(task)
    holding: dict[str, list[int]] = {}
    for at, case in enumerate(cases):
        if case.draft is not None:
            for name in {name for capture in case.captures() for name in _names(capture)}:
                holding.setdefault(name, []).append(at)
    for task in waiting:
        found = [at for name in _earliest(task) for at in holding.get(name, ()) if at not in owners]
        if found:
            owners[found[0]] = task
    return owners


def _names(capture: Capture) -> list[str]:
    source = capture.source
    return [name for name in (capture.capture_key, source.record_sha256, source.sha256) if name]


def _earliest(task: Task) -> list[str]:
    """The names by which a task knows the capture it started with."""
    first = task.source.captures[0] if task.source.captures else {}
    named = [first.get(key) for key in ("capture_key", "record_sha256", "sha256")]
    return [*(str(name) for name in named if name), *task.source.node_ids[:1]]


def _kin(name: str, draft: Draft, task: Task) -> Kin:
    lineage = [f"root {draft.thread.root}"]
    if draft.external_id is not None:
        lineage.append(f"task {draft.external_id}")
    return Kin(
        task_id=name,
        user_text=draft.boundary.user_text,
        lineage=tuple(lineage),
        demand=demand_of(task.outcome_contract),
        identities=identities_of(draft.conversation, draft.boundary.user_text),
    )


def _cluster_name(cluster: Sequence[str], kept: Mapping[str, Task]) -> str:
    founded = (kept[name].cluster_id for name in cluster if name in kept)
    return next((name for name in founded if name), cluster_id(cluster))


def _fit_of(name: str, draft: Draft, task: Task) -> Fitted:
    return Fitted(
        task_id=name,
        surface=frozenset(task.tool_surface),
        user_text=draft.boundary.user_text,
        demand=demand_of(task.outcome_contract),
    )
