"""The verifiers of a benchmark put to the test: with what, and what is kept of it.

The ledger keeps what a person reads: every captured and authored rollout, the oracle, what a
verifier judged wrongly, and for each obligation one fault that proves it. The other mutants are
made again from the seed whenever they are wanted.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from multiprocessing import get_context

from benchmarks.audit.verdicts import current_verifiers, totals, verifier_digest
from benchmarks.contract.judgeability import judgeability
from benchmarks.contract.learning.leaving_out import LeftOut
from benchmarks.contract.mutants.fixtures import observed_of, rollout_fields, telling_tools
from benchmarks.contract.mutants.pool import Pool
from benchmarks.contract.mutants.subject import Example, Subject
from benchmarks.contract.mutants.verifying import Verified, verify_task
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import observed_from_conversation
from benchmarks.environment.examples import (
    FAIL,
    PASS,
    as_written,
    recorded,
    right_examples,
    trial_examples,
)
from benchmarks.environment.scene import Scene
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Conversation
from benchmarks.records.environment import GoldTask
from benchmarks.records.task import Task
from benchmarks.records.verifier import (
    TaskVerification,
    VerifierFixture,
    VerifierReport,
    standing_fixtures,
)
from benchmarks.services.assembling import Assembled, Checked
from benchmarks.services.leaving_out import left_out
from benchmarks.services.proposing import listed_tasks
from benchmarks.services.standing import Standing
from benchmarks.versioning.hashing import is_edited

MANY = 200
"""From how many tasks on the work is shared between processes."""
SHARE_DECIMALS = 4
SHARE = 32
"""How many are sent to a process at once."""
MUTANT, AUTHORED = "mutant", "authored"
BESIDE_CONTENT = frozenset({
    "created_at",
    "actor",
    "door",
    "idempotency_key",
    "arguments_sha256",
})
"""What a fixture says of its writing: two that differ in this alone are the same."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Bench:
    """Everything that verifiers of a benchmark are tested with."""

    tasks: Sequence[Task]
    """Those whose verifiers can be tested, in order."""
    scenes: Mapping[str, Scene]
    gold: Mapping[str, GoldTask]
    policy: Policy
    trials: Mapping[str, Sequence[Conversation]]
    """The other trials of each task."""
    fixtures: Sequence[VerifierFixture]
    """Those that stand in the ledger."""
    bar: float
    """The review policy's `min_mutation_score`."""
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)
    """Of tasks with several successes: whether each would pass the contract of the others."""

    def pool(self) -> Pool:
        """The values seen anywhere in the build."""
        sources = [recorded(gold) for _, gold in sorted(self.gold.items())]
        others = [
            as_written(observed_from_conversation(trial, self.policy))
            for _, trials in sorted(self.trials.items())
            for trial in trials
        ]
        return Pool.of([*sources, *others])

    def subjects(self, names: Iterable[str]) -> list[Subject]:
        """What each of these tasks is tested with."""
        wanted, pool = frozenset(names), self.pool()
        kept: dict[str, list[VerifierFixture]] = {}
        for fixture in self.fixtures:
            if fixture.origin != MUTANT:
                kept.setdefault(fixture.task_id, []).append(fixture)
        return [
            self._subject(task, kept.get(task.task_id, ()), pool)
            for task in self.tasks
            if task.task_id in wanted
        ]

    def _subject(self, task: Task, kept: Sequence[VerifierFixture], pool: Pool) -> Subject:
        passes, fails = self._examples(task.task_id)
        left = self.left_out.get(task.task_id)
        known = {example.fixture_id for example in (*passes, *fails)}
        for fixture in kept:
            if fixture.fixture_id not in known:
                (passes if fixture.expect == PASS else fails).append(as_example(fixture))
        return Subject(
            task_id=task.task_id,
            contract=Contract.read(task.outcome_contract.dump()),
            verifier_sha256=verifier_digest(task),
            policy=self.policy,
            tools=tuple(task.tool_definitions),
            passes=tuple(passes),
            fails=tuple(fails),
            pool=pool,
            judgeability=judgeability(task.outcome_contract, task.claims, self.policy),
            min_mutation_score=self.bar,
            loo_accept=None if left is None else round(left.share, SHARE_DECIMALS),
            successes=1 if left is None else left.of,
            loo_refused={} if left is None else left.refused,
        )

    def _examples(self, task_id: str) -> tuple[list[Example], list[Example]]:
        """What is known of a task to be right and to be wrong, each rollout once."""
        gold = self.gold.get(task_id)
        right = list(right_examples(gold, self.scenes.get(task_id))) if gold is not None else []
        passes = {example.fixture_id: example for example in right}
        fails: dict[str, Example] = {}
        for example, succeeded in trial_examples(
            task_id, self.trials.get(task_id, ()), self.policy
        ):
            (passes if succeeded else fails).setdefault(example.fixture_id, example)
        return list(passes.values()), list(fails.values())


@dataclass(frozen=True)
class Examined:
    """What the test of some verifiers found, and the fixtures that tell of it."""

    seed: int
    by: JsonObject
    """Who tested, and when."""
    rows: tuple[TaskVerification, ...]
    fixtures: tuple[VerifierFixture, ...]
    """Of each tested task, all that stand from now on but the older captured and authored ones."""

    @property
    def names(self) -> frozenset[str]:
        """The tested tasks."""
        return frozenset(row.task_id for row in self.rows)

    def to_append(
        self, ledger: Iterable[VerifierFixture], added: Iterable[VerifierFixture] = ()
    ) -> list[VerifierFixture]:
        """The lines that bring a ledger up to this test; none where it says the same already.

        `added` are authored ones that were given with it.
        """
        newest = {line.fixture_id: line for line in ledger}
        fresh = {fixture.fixture_id: fixture for fixture in (*added, *self.fixtures)}
        added = [
            fixture
            for name, fixture in fresh.items()
            if name not in newest or content_of(newest[name]) != content_of(fixture)
        ]
        gone = [
            retired(line, self.by)
            for name, line in newest.items()
            if line.origin == MUTANT
            and not line.retired
            and name not in fresh
            and line.task_id in self.names
        ]
        return [*added, *gone]

    def report(self, before: VerifierReport | None, tasks: Sequence[Task]) -> VerifierReport:
        """The report with these rows in place of the older ones, in the order of the tasks."""
        rows = {row.task_id: row for row in before.tasks} if before is not None else {}
        rows |= {row.task_id: row for row in self.rows}
        kept = [rows[task.task_id] for task in tasks if task.task_id in rows]
        made = VerifierReport(generated_at=self.by["created_at"], seed=self.seed, tasks=kept)
        names = [task.task_id for task in tasks]
        return made.with_(totals=totals(names, current_verifiers(tasks, made)))


def examine(
    bench: Bench,
    names: Iterable[str] | None = None,
    *,
    seed: int,
    by: JsonObject,
    progress: Progress | None = None,
) -> Examined:
    """Put the verifiers of these tasks, or of all, to the test; `by` says who and when."""
    wanted = [task.task_id for task in bench.tasks] if names is None else names
    subjects = bench.subjects(wanted)
    rows: list[TaskVerification] = []
    fixtures: list[VerifierFixture] = []
    for done, (row, told) in enumerate(_examined(subjects, seed, by), start=1):
        rows.append(row)
        fixtures += told
        if progress is not None:
            progress(done, len(subjects))
    return Examined(seed, by, tuple(rows), tuple(fixtures))


def bench_of(assembled: Assembled, policy: Policy, standing: Standing) -> Bench:
    """What the verifiers of tasks that were just assembled are tested with.

    A task that stays as a person edited it is left out: its digest is not about its contract.
    """
    made = {source.task.task_id for source in assembled.sources}
    gold = assembled.environment.gold
    return Bench(
        tasks=[task for task in assembled.tasks if task.task_id in made and not is_edited(task)],
        scenes=assembled.scenes,
        gold={task.task_id: task for task in gold.tasks} if gold is not None else {},
        policy=policy,
        trials={source.task.task_id: source.trials for source in assembled.sources},
        fixtures=standing_fixtures(standing.verifier_fixtures),
        bar=standing.review_policy.min_mutation_score,
        left_out=left_out(
            {
                source.task.task_id: (source.conversation, *source.trials)
                for source in assembled.sources
            },
            policy,
        ),
    )


def proven(bare: Assembled, checked: Checked, examined: Examined, standing: Standing) -> Assembled:
    """The tasks with the verdicts of the checks and of the test of their verifiers."""
    whole = replace(bare, tasks=checked.tasks, leakage=checked.leakage)
    tasks = listed_tasks(standing, whole.tasks)
    return replace(whole, verifiers=examined.report(standing.verifiers, tasks))


def as_example(fixture: VerifierFixture) -> Example:
    """A fixture of the ledger as a rollout of known outcome."""
    named = fixture.note or f"{fixture.origin} {fixture.fixture_id}"
    origin = fixture.origin
    return Example(
        fixture.fixture_id,
        observed_of(fixture),
        origin="captured" if origin == "mutant" else origin,
        name=named,
    )


def content_of(fixture: VerifierFixture) -> JsonObject:
    """A fixture without who wrote it and when."""
    return {key: value for key, value in fixture.dump().items() if key not in BESIDE_CONTENT}


def retired(line: VerifierFixture, by: JsonObject) -> VerifierFixture:
    """The line that takes a mutant out of use; what it did stands in its earlier line."""
    return VerifierFixture(
        fixture_id=line.fixture_id,
        task_id=line.task_id,
        expect=line.expect,
        origin=line.origin,
        mutation=line.mutation,
        harmless=line.harmless,
        retired=True,
        **by,
    )


Told = tuple[TaskVerification, list[VerifierFixture]]


def _examined(subjects: Sequence[Subject], seed: int, by: JsonObject) -> Iterator[Told]:
    """Each verifier tested, in order: here, or by several processes where there are many."""
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if len(subjects) < MANY or processes == 1:
        for subject in subjects:
            yield _tested(subject, seed, by)
        return
    shares = [subjects[at : at + SHARE] for at in range(0, len(subjects), SHARE)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        asked = [pool.submit(_share_tested, share, seed, by) for share in shares]
        for share, future in zip(shares, asked, strict=True):
            try:
                yield from future.result()
            except BrokenProcessPool:
                # A process was lost, killed for its memory say: its share is tested here.
                yield from _share_tested(share, seed, by)


def _share_tested(subjects: Sequence[Subject], seed: int, by: JsonObject) -> list[Told]:
    """Some verifiers, sent together: what they have in common is sent once."""
    return [_tested(subject, seed, by) for subject in subjects]


def _tested(subject: Subject, seed: int, by: JsonObject) -> Told:
    verified = verify_task(subject, seed)
    return verified.row, [*_examples_as_fixtures(subject, by), *_told(verified, by)]


def _examples_as_fixtures(subject: Subject, by: JsonObject) -> Iterator[VerifierFixture]:
    """The rollouts of known outcome; authored ones stand as they were written."""
    telling = telling_tools(subject.contract)
    for examples, expect in ((subject.passes, PASS), (subject.fails, FAIL)):
        for example in examples:
            if example.origin != AUTHORED:
                yield VerifierFixture(
                    fixture_id=example.fixture_id,
                    task_id=subject.task_id,
                    expect=expect,
                    origin=example.origin,
                    note=example.name or None,
                    **by,
                    **rollout_fields(example.observed, telling),
                )


def _told(verified: Verified, by: JsonObject) -> Iterator[VerifierFixture]:
    """The mutants that a person reads: judged wrongly, set aside, or the proof of an obligation."""
    proofs: dict[str, str] = {}
    for tried in verified.mutants:
        if not (tried.strict or tried.harmless or tried.set_aside):
            for name in tried.unmet:
                proofs.setdefault(name, tried.fixture_id)
    wanted = {tried.fixture_id for tried in verified.mutants if tried.is_told}
    wanted.update(proofs.values())
    made = verified.fixtures(**by, every=True)
    return (fixture for fixture in made if fixture.fixture_id in wanted)
