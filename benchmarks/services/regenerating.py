"""Tasks that people changed, or tools that were classed anew: everything that rests on them.

Contracts are compiled again only where an effect changed or nothing was required; what a person
wrote stays. A change of one task never bumps another.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.contract.contract_words import wrong_words
from benchmarks.contract.mutating import Policy
from benchmarks.errors import (
    Complaint,
    EnvironmentMissing,
    InvalidArguments,
    UnknownTask,
    WrongStage,
)
from benchmarks.foundry.compile import Compilation, compile_benchmark
from benchmarks.foundry.drafting import policy_in_force, policy_of
from benchmarks.foundry.ids import benchmark_id
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.build import BuildManifest
from benchmarks.records.caller import Caller
from benchmarks.records.environment import Guidance
from benchmarks.records.task import Task
from benchmarks.records.times import stamp
from benchmarks.records.tool_policy import ToolPolicy
from benchmarks.records.vocabulary import AuditStatus
from benchmarks.services.addressing import address_feedback
from benchmarks.services.asking import (
    build_options_of,
    effect_complaints,
    signed,
    with_operator_words,
)
from benchmarks.services.assembling import (
    Assembled,
    Checked,
    Surroundings,
    Work,
    assemble,
    check,
    with_posture,
)
from benchmarks.services.examining import Examined, bench_of, examine, proven
from benchmarks.services.keeping import Inputs, Kept, keep
from benchmarks.services.proposing import Change, Naming, Proposed, propose
from benchmarks.services.standing import Standing, read_standing
from benchmarks.services.writing import Documents, write_all
from benchmarks.versioning.hashing import is_edited

CAUSE = "regen"


def regenerate_env(
    *,
    directory: BenchmarkDir,
    slug: str,
    tasks: Collection[str] | None = None,
    tool_policy: Mapping[str, str] | None = None,
    guidance: Guidance | None = None,
    dry_run: bool = False,
    caller: Caller,
    now: datetime,
) -> JsonObject:
    """Make the environment, its proof, the stamps and the manifests of a benchmark again.

    `tasks` names those whose hand edits are taken over; None is all. `tool_policy` are effects by
    tool, written as the operator's word. `guidance` is the operator's wording of rejections.

    Raises:
        InvalidArguments: an effect is no effect, or no task is offered the tool.
        UnknownTask: a task is not there.
        WrongStage: the directory holds no tasks.
        EnvironmentMissing: no capture is left to make an environment of.
        InvalidBenchmark: tasks.jsonl holds lines that cannot be read.
        DirectoryBusy: somebody else wrote to the directory meanwhile.
    """
    words = dict(tool_policy or {})
    wrong = effect_complaints(words)
    if wrong:
        raise InvalidArguments("; ".join(f"{c.path}: {c.message}" for c in wrong), errors=wrong)
    standing = read_standing(directory)
    check_ready(standing, slug, tasks)
    _check_tools(standing, words)
    asked = {"tasks": sorted(tasks) if tasks else None, "tool_policy": words}
    change = Change(CAUSE, caller, stamp(now), asked)
    again = Again(standing, words, guidance, frozenset(tasks) if tasks else None, change, now)
    documents = again.documents
    addressed: list[str] = []
    if not dry_run:
        with directory.guard():
            standing.check_unmoved()
            write_all(directory, documents)
            addressed = address_feedback(directory, documents.tasks, CAUSE, caller, now)
    return _answer(again, addressed, slug=slug, dry_run=dry_run)


@dataclass(frozen=True)
class Again:
    """A benchmark made again: each step is computed once, when first asked for."""

    standing: Standing
    words: Mapping[str, str]
    guidance: Guidance | None
    selected: frozenset[str] | None
    change: Change
    now: datetime

    @cached_property
    def policy_file(self) -> ToolPolicy:
        """tool-policy.json from now on."""
        words = with_operator_words(self.standing.policy, self.words, self.change.caller, self.now)
        return policy_of(self.standing.built_on, words)

    @cached_property
    def policy(self) -> Policy:
        """The class of every tool."""
        return policy_in_force(self.standing.built_on, self.policy_file)

    @cached_property
    def compilation(self) -> Compilation:
        """What the rules make of the captures today.

        Raises:
            EnvironmentMissing: no task has a source any more.
        """
        standing = self.standing
        options = build_options_of(standing.build, standing.benchmark)
        found = compile_benchmark(standing.built_on, self.policy, options, standing.tasks)
        names = {task.task_id for task in standing.tasks}
        made = tuple(one for one in found.made if one.task.task_id in names)
        if not made:
            raise EnvironmentMissing(
                f"{layout.CAPTURES.path} of {standing.directory.name} holds the source of no task",
                hint="build it again from its sources: understudy traces build-benchmark",
            )
        return with_posture(replace(found, made=made), self.policy, standing.dependencies)

    @cached_property
    def kept(self) -> Kept:
        """The tasks that stand, brought up to how their tools are classed."""
        standing = self.standing
        options = build_options_of(standing.build, standing.benchmark)
        before = Inputs(standing.built_on, standing.policy, options)
        after = replace(before, policy=self.policy_file, dependencies=standing.dependencies)
        return keep(standing.tasks, self.compilation, before, after)

    @cached_property
    def bare(self) -> Assembled:
        """The tasks stamped, with their environment."""
        standing = self.standing
        listed = standing.listed
        made = assemble(
            Work(
                made=[one for one in self.kept.made if one.task.task_id in listed],
                recordings=self.compilation.recordings,
                policy=self.policy,
                at=self.change.at,
                before={task.task_id: task for task in standing.tasks},
                old=standing.environment,
                guidance=self.guidance or standing.environment.guidance,
            )
        )
        return replace(made, tasks=[self._of_selection(task) for task in made.tasks])

    @cached_property
    def checked(self) -> Checked:
        """The verdicts of the self-check and of the leakage audit."""
        others = {layout.TOOL_POLICY.path: self.policy_file.dump()}
        build = self.standing.build
        redacted = build is None or build.is_redacted
        return check(self.bare, Surroundings(redacted=redacted, others=others))

    @cached_property
    def assembled(self) -> Assembled:
        """The tasks as they are written."""
        return proven(self.bare, self.checked, self.examined, self.standing)

    @cached_property
    def examined(self) -> Examined:
        """The test of every verifier, drawn as the last one was."""
        standing = self.standing
        bench = bench_of(self.bare, self.policy, standing)
        seed = build_options_of(standing.build, standing.benchmark).seed
        return examine(bench, seed=seed, by=self.change.written())

    @cached_property
    def proposed(self) -> Proposed:
        """benchmark.json and the version line."""
        standing = self.standing
        name = standing.directory.name
        return propose(
            standing,
            self.kept.made,
            self.assembled,
            build_options_of(standing.build, standing.benchmark),
            Naming(benchmark_id(name, None), f"{name} trace benchmark"),
            self.change,
        )

    @cached_property
    def manifest(self) -> BuildManifest:
        """manifest.json with the new verdicts; one that was missing says only these."""
        build = self.standing.build or BuildManifest.read({
            "schema_version": "understudy.trace_foundry.v1",
            "output_dir": self.standing.directory.name,
        })
        changes: JsonObject = {
            "self_check": self.checked.summary,
            "leakage_audit": self.checked.leakage.dump(),
            "fixtures_split": self.bare.fixtures_split,
        }
        bumps = [bump.dump() for bump in self.proposed.bumps]
        if bumps or build.versioning is None:
            changes["versioning"] = {**(build.versioning or {}), "bumps": bumps}
        return build.with_(**changes)

    @cached_property
    def documents(self) -> Documents:
        """Everything that is to be written."""
        return Documents(
            policy=self.policy_file,
            environment=self.assembled.environment,
            tasks=self.assembled.tasks,
            benchmark=self.proposed.benchmark,
            manifest=self.manifest,
            version_line=self.proposed.line,
            examined=self.examined,
            verifiers=self.assembled.verifiers,
        )

    @property
    def changed(self) -> list[str]:
        """The tasks whose digests moved, hand edits that were taken over among them."""
        before = {task.task_id: task.content_hashes for task in self.standing.tasks}
        return [
            task.task_id
            for task in self.assembled.tasks
            if task.content_hashes != before.get(task.task_id)
        ]

    def _of_selection(self, task: Task) -> Task:
        """A task that was not selected and that nothing but its own edit changed stays edited."""
        if self.selected is None or task.task_id in self.selected:
            return task
        old = next(one for one in self.standing.tasks if one.task_id == task.task_id)
        moved = task.with_(
            version=old.version,
            content_hashes=old.content_hashes,
            stamp_basis=old.stamp_basis,
            version_history=old.version_history,
            environment_ref=old.environment_ref,
            self_check=old.self_check,
            task_hash=old.task_hash,
        )
        if moved != old or not is_edited(old):
            return task
        return old.with_(environment_ref=task.environment_ref)


def check_ready(standing: Standing, slug: str, tasks: Collection[str] | None) -> None:
    """Refuse what cannot be made again: no tasks, tasks that are not there, no captures.

    Raises:
        WrongStage, UnknownTask, EnvironmentMissing: one of these.
    """
    if not standing.tasks:
        raise WrongStage(
            f"{slug} holds no tasks",
            hint=f"build them first: understudy traces build-benchmark {slug}",
            details={"stage": standing.stage.value if standing.stage else None},
            next_actions=(cures.read_status(slug),),
        )
    known = {task.task_id for task in standing.tasks}
    unknown = sorted(set(tasks or ()) - known)
    if unknown:
        raise UnknownTask(
            f"no task {', '.join(unknown)} in {slug}",
            hint=f"it holds {len(known)} tasks: understudy benchmarks tasks {slug}",
            details={"unknown": unknown},
        )
    if not standing.captures:
        raise EnvironmentMissing(
            f"{slug} holds no captures to make an environment of",
            hint="build it again from its sources: understudy traces build-benchmark",
        )


def _check_tools(standing: Standing, words: Mapping[str, str]) -> None:
    """Refuse a word about a tool that nobody knows: it would be a typing error that is kept."""
    known = {tool.name for task in standing.tasks for tool in task.tool_definitions}
    known |= set(standing.policy.tools) if standing.policy is not None else set()
    wrong = [
        Complaint(f"tool_policy.{name}", word, "no task is offered a tool of that name")
        for name, word in words.items()
        if name not in known
    ]
    if wrong:
        raise InvalidArguments(
            "; ".join(f"{c.path}: {c.message}" for c in wrong),
            hint=f"the tools are: {', '.join(sorted(known)) or 'none'}",
            errors=wrong,
        )


def failed(answer: Mapping[str, Any]) -> bool:
    """Whether an answer names an oracle, a sentinel or a self-check that fails, or a leak."""
    return not (
        answer["oracle_pass"]
        and answer["sentinel_pass"]
        and answer["self_check"]["failed"] == 0
        and not answer["self_check"]["environment_failures"]
        and answer["leakage_audit"]["status"] != AuditStatus.FINDINGS
    )


def contract_errors(tasks: Sequence[Task]) -> list[JsonObject]:
    """Every word of a contract that no rule knows: the task, the place, the value, the remedy."""
    return [
        {"task_id": task.task_id, **Complaint(word.path, word.value, word.message).document()}
        for task in tasks
        for word in wrong_words(task.outcome_contract)
    ]


def _answer(again: Again, addressed: Sequence[str], *, slug: str, dry_run: bool) -> JsonObject:
    rows = again.assembled.environment.validation
    rows_of = rows.tasks if rows is not None else []
    summary = again.checked.summary
    answer = {
        **({"dry_run": True} if dry_run else {}),
        "ok": True,
        "replayed": False,
        **signed(again.change.caller),
        "slug": slug,
        "path": str(again.standing.directory.path),
        "version": again.proposed.benchmark.version,
        "oracle_pass": all(row.is_solvable for row in rows_of),
        "oracle_failed": [row.task_id for row in rows_of if not row.is_solvable],
        "sentinel_pass": not any(row.passing_sentinels for row in rows_of),
        "contract_errors": contract_errors(again.assembled.tasks),
        "sentinel_failed": [row.task_id for row in rows_of if row.passing_sentinels],
        "repaired_empty_contracts": list(again.kept.repaired),
        "version_bumps": [bump.dump() for bump in again.proposed.bumps],
        "changed_tasks": again.changed,
        "leakage_audit": {
            "status": again.checked.leakage.status.value,
            "tier_counts": again.checked.leakage.tier_counts,
            "leaking_tasks": again.checked.leakage.leaking_tasks,
        },
        "self_check": {
            "checked": summary.checked,
            "failed": summary.failed,
            "environment_failures": summary.environment_failures,
            "failures": {
                name: found["failures"] for name, found in summary.tasks.items() if not found["ok"]
            },
        },
        "promotion_blockers": again.proposed.benchmark.promotion_blockers,
        "feedback_addressed": list(addressed),
        "next_actions": [] if dry_run else [cures.read_status(slug).document()],
    }
    return {**answer, "ok": not failed(answer)}
