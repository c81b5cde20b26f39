"""`benchmarks verify`: every verifier against rollouts that it must pass and that it must fail.

Offline and deterministic. A task's row is tied to its verifier by digest: once the verifier
changes, the row counts no longer.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.stage import stage
from benchmarks.audit.verdicts import TESTED, UNTESTED, WEAK, current_verifiers, totals
from benchmarks.environment.loading import load_world_data
from benchmarks.errors import (
    DirectoryBusy,
    NothingSelected,
    NotMeasured,
    TaskEdited,
    UnknownTask,
    WrongStage,
)
from benchmarks.foundry.compile import compile_benchmark
from benchmarks.foundry.drafting import policy_in_force
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.build import LeakageAudit
from benchmarks.records.caller import Caller
from benchmarks.records.conversation import Conversation
from benchmarks.records.task import Task
from benchmarks.records.times import stamp
from benchmarks.records.verifier import VerifierFixture, VerifierReport, standing_fixtures
from benchmarks.records.vocabulary import Stage
from benchmarks.services.asking import build_options_of, signed
from benchmarks.services.assembling import Proofs
from benchmarks.services.authored_fixtures import authored
from benchmarks.services.examining import Bench, Examined, Progress, examine
from benchmarks.services.leaving_out import left_out
from benchmarks.services.proposing import with_blockers
from benchmarks.services.standing import Standing, read_standing
from benchmarks.services.writing import write_verifiers
from benchmarks.versioning.hashing import is_edited

RESTS_ON = (
    layout.TASKS.path,
    layout.CAPTURES.path,
    layout.TOOL_POLICY.path,
    layout.ENV_TASKS.path,
    layout.FIXTURES.path,
    layout.SCHEMAS.path,
    layout.GUIDANCE.path,
    layout.GOLD.path,
)
"""If one of these moves during the work, its result is about the past."""
EXITS = {TESTED: 0, WEAK: 1, UNTESTED: 3}
WORST_FIRST = (WEAK, UNTESTED, TESTED)


def verify_tasks(
    *,
    located: Located,
    tasks: Collection[str] | None = None,
    fixtures: Sequence[Any] | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    caller: Caller,
    now: datetime,
) -> JsonObject:
    """Put verifiers to the test, and keep the fixtures and the report beside the benchmark.

    `tasks` names those that are tested: None is every one, and the others keep their rows.
    `fixtures` are rollouts that must pass or fail, by a person's word. `seed` draws the mutants: by
    default that of the build. The answer is the report on the tested tasks, weak ones first.

    Raises:
        WrongStage: the directory holds no tasks.
        NothingSelected: no task is named.
        UnknownTask: a task is not there.
        TaskEdited: a task was edited by hand, and its stamps are old.
        InvalidArguments: a fixture is none; all complaints are listed, and nothing is written.
        EnvironmentMissing: there is no environment to play the source in.
        ReadOnly: this process may not write here.
        DirectoryBusy: somebody else wrote to the directory meanwhile.
    """
    directory = located.directory
    with directory.guard():
        stood = {name: directory.digest(name) for name in RESTS_ON}
    standing = read_standing(directory)
    names = _selected(standing, located.slug, tasks)
    by = {"created_at": stamp(now), "actor": caller.actor, "door": caller.door}
    added = _authored(standing, fixtures, caller, by)
    work = _Verifying(standing, added)
    examined = examine(
        work.bench,
        names,
        seed=work.seed if seed is None else seed,
        by=by,
        progress=progress,
    )
    with directory.guard():
        moved = [name for name, digest in stood.items() if directory.digest(name) != digest]
        if moved:
            raise DirectoryBusy(
                f"{', '.join(moved)} of {directory.name} changed during the work",
                hint="run the same command again",
                details={"files": moved},
            )
        report = examined.report(directory.load(layout.VERIFIER_REPORT), work.tasks)
        write_verifiers(directory, examined, report, added)
        blockers = work.tell_blockers(report)
    return _answer(located, examined, report, caller, blockers)


def read_verification(*, located: Located) -> JsonObject:
    """The report as it stands, with every task that it has no row of today for.

    Raises:
        NotMeasured: no report was ever written.
    """
    directory = located.directory
    report = directory.load(layout.VERIFIER_REPORT)
    if report is None:
        raise NotMeasured(
            f"no verifier of {located.slug} was ever tested",
            hint=f"understudy benchmarks verify {located.slug}",
            next_actions=(cures.verify(located.slug),),
        )
    tasks = tasks_of(directory)
    rows = current_verifiers(tasks, report)
    return {
        "slug": located.slug,
        **report.dump(),
        "totals": totals([task.task_id for task in tasks], rows),
        "untested": [task.task_id for task in tasks if task.task_id not in rows],
    }


def tasks_of(directory: BenchmarkDir) -> list[Task]:
    """The tasks of a benchmark: of a promoted one those that it lists, else every line."""
    tasks, benchmark = directory.read_tasks().records, directory.load(layout.BENCHMARK)
    if benchmark is None or stage(directory).stage is not Stage.PROMOTED:
        return tasks
    listed = {task.task_id for task in benchmark.tasks}
    return [task for task in tasks if task.task_id in listed]


def exit_code(document: Mapping[str, Any]) -> int:
    """0 when every verifier is tested, 1 when one is weak, 3 when one is untested."""
    found = document["totals"]
    return next((EXITS[word] for word in WORST_FIRST if found[word]), 0)


@dataclass(frozen=True)
class _Verifying:
    """What verifiers of one directory are tested with."""

    standing: Standing
    added: Sequence[VerifierFixture]

    @cached_property
    def tasks(self) -> list[Task]:
        """Every task of the benchmark, in order."""
        listed = self.standing.listed
        return [task for task in self.standing.tasks if task.task_id in listed]

    @property
    def seed(self) -> int:
        """What the build was drawn with."""
        return build_options_of(self.standing.build, self.standing.benchmark).seed

    @cached_property
    def bench(self) -> Bench:
        """The worlds, the gold, the trials and the fixtures that stand."""
        standing = self.standing
        data = load_world_data(standing.directory)
        gold = standing.environment.gold
        trials = trials_of(standing)
        return Bench(
            tasks=self.tasks,
            scenes={name: data.scene(name) for name in data.tasks},
            gold={task.task_id: task for task in gold.tasks} if gold is not None else {},
            policy=data.policy,
            trials={task_id: others for task_id, (_, *others) in trials.items()},
            fixtures=standing_fixtures([*standing.verifier_fixtures, *self.added]),
            bar=standing.review_policy.min_mutation_score,
            left_out=left_out(trials, data.policy),
        )

    def tell_blockers(self, report: VerifierReport) -> list[str]:
        """`promotion_blockers` of a proposal, brought up to the report under the caller's guard."""
        standing, directory = self.standing, self.standing.directory
        benchmark = directory.load(layout.BENCHMARK)
        if benchmark is None or standing.is_promoted:
            return benchmark.promotion_blockers if benchmark is not None else []
        told = standing.build.leakage_audit if standing.build is not None else None
        leakage = LeakageAudit.read(told) if told is not None else None
        proofs = Proofs(standing.environment.validation, leakage, report)
        brought = with_blockers(benchmark, standing, self.tasks, proofs)
        if brought.promotion_blockers != benchmark.promotion_blockers:
            directory.replace(layout.BENCHMARK, brought)
        return brought.promotion_blockers


def trials_of(standing: Standing) -> dict[str, tuple[Conversation, ...]]:
    """The trials of each task, its source first, of the captures that the directory holds."""
    if not standing.captures:
        return {}
    policy = policy_in_force(standing.built_on, standing.policy)
    options = build_options_of(standing.build, standing.benchmark)
    found = compile_benchmark(standing.built_on, policy, options, standing.tasks)
    return {one.task.task_id: (one.draft.conversation, *one.draft.trials) for one in found.made}


def _selected(standing: Standing, slug: str, tasks: Collection[str] | None) -> list[str]:
    """The tasks to test, in the order of the table."""
    there = [task for task in standing.tasks if task.task_id in standing.listed]
    if not there:
        raise WrongStage(
            f"{slug} holds no tasks",
            hint=f"build them first: understudy traces build-benchmark {slug}",
            details={"stage": standing.stage.value if standing.stage else None},
            next_actions=(cures.read_status(slug),),
        )
    if tasks is not None and not tasks:
        raise NothingSelected("no task is named", hint="name some, or leave --task out for all")
    unknown = sorted(set(tasks or ()) - {task.task_id for task in there})
    if unknown:
        raise UnknownTask(
            f"no task {', '.join(unknown)} in {slug}",
            hint=f"it holds {len(there)} tasks: understudy benchmarks tasks {slug}",
            details={"unknown": unknown},
        )
    wanted = [task for task in there if tasks is None or task.task_id in tasks]
    edited = [task.task_id for task in wanted if is_edited(task)]
    if edited:
        raise TaskEdited(
            f"{', '.join(edited)} of {slug}: edited by hand, and the stamps are old",
            hint=cures.regenerate(slug).command,
            details={"task_ids": edited},
            next_actions=(cures.regenerate(slug),),
        )
    return [task.task_id for task in wanted]


def _authored(
    standing: Standing, fixtures: Sequence[Any] | None, caller: Caller, by: JsonObject
) -> list[VerifierFixture]:
    if fixtures is None:
        return []
    names = {task.task_id for task in standing.tasks}
    return authored(fixtures, names, {**by, **caller.block({"fixtures": list(fixtures)})})


def _answer(
    located: Located,
    examined: Examined,
    report: VerifierReport,
    caller: Caller,
    blockers: Sequence[str],
) -> JsonObject:
    rows = sorted(examined.rows, key=lambda row: WORST_FIRST.index(row.verdict))
    counted = {word: sum(row.verdict == word for row in rows) for word in report.totals}
    return {
        "ok": True,
        "replayed": False,
        **signed(caller),
        "slug": located.slug,
        "dir": str(located.directory.path),
        **report.dump(),
        "tasks": [row.dump() for row in rows],
        "totals": counted,
        "of_benchmark": report.totals,
        "promotion_blockers": list(blockers),
        "next_actions": [_next(located.slug, counted).document()],
    }


def _next(slug: str, counted: Mapping[str, int]) -> Any:
    return cures.read_weak_verifiers(slug) if counted[WEAK] else cures.read_status(slug)
