"""Verifiers of real airline tasks: no seed finds a fault that passes, and a hole is found out.

The figures of seed 0 through a whole build are those of docs/validity.md (test_validity.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.contract.mutants.pool import Pool
from benchmarks.contract.mutants.subject import Example, Subject
from benchmarks.contract.mutants.verifying import Verified, verify_task
from benchmarks.contract.observed import observed_from_conversation
from benchmarks.foundry.compile import BuildOptions, compile_benchmark
from benchmarks.foundry.drafting import policy_in_force
from benchmarks.foundry.trials import succeeded
from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.conversation import Conversation

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))


@pytest.fixture(scope="module")
def subjects(data_dir: Path) -> list[Subject]:
    """Every task with its source, its other trials and the values of all."""
    source = data_dir / "tau-bench" / "gpt-4o-airline.trials01.json"
    captures = ingest([source], options=OPTIONS).captures
    policy = policy_in_force(captures, None)
    found = compile_benchmark(captures, policy, BuildOptions())

    def example(trial: Conversation, name: str) -> Example:
        return Example(name, observed_from_conversation(trial, policy))

    bare = [
        Subject(
            task_id=one.task.task_id,
            contract=one.task.outcome_contract,
            verifier_sha256=None,
            policy=policy,
            tools=tuple(one.task.tool_definitions),
            passes=(
                example(one.draft.conversation, "source"),
                *(example(trial, "trial") for trial in one.draft.trials if outcome(trial)),
            ),
            fails=tuple(
                example(trial, "failed") for trial in one.draft.trials if not outcome(trial)
            ),
        )
        for one in found.made
    ]
    pool = Pool.of(one.observed for subject in bare for one in subject.passes)
    return [replace(subject, pool=pool) for subject in bare]


def outcome(trial: Conversation) -> bool:
    known = succeeded(trial.outcome)
    assert known is not None
    return known


def loosened(
    subjects: list[Subject], change: Callable[[Contract], Iterator[Contract]]
) -> list[Verified]:
    """The verifiers with a hole made in each, tested."""
    return [
        verify_task(replace(subject, contract=contract), 0)
        for subject in subjects
        for contract in change(subject.contract)
    ]


def without(contract: Contract, gone: Callable[[Entry], bool]) -> Contract:
    return contract.with_(required=[one for one in contract.required if not gone(one)])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_whatever_the_seed_faults_fail_and_harmless_variants_pass(
    subjects: list[Subject], seed: int
) -> None:
    rows = [verify_task(subject, seed).row for subject in subjects]
    assert [row.why for row in rows] == [None] * 31
    assert {row.verdict for row in rows} == {"tested"}
    assert {row.mutation_score for row in rows} == {1}
    assert {(row.harmless.made, row.harmless.accepted) for row in rows} == {(15, 15)}
    assert sum(row.fixtures.pass_accepted for row in rows) == 31 + 12
    assert sum(row.fixtures.fail_rejected for row in rows) == 19
    assert all(row.mutants.broken == 0 for row in rows)


def test_a_contract_that_names_no_entity_is_weak(subjects: list[Subject]) -> None:
    def nameless(contract: Contract) -> Iterator[Contract]:
        for entry in contract.required:
            named = dict(entry.arguments or {})
            if named.pop("reservation_id", None) is not None:
                rest = [one for one in contract.required if one is not entry]
                yield contract.with_(required=[*rest, entry.with_(arguments=named)])

    found = loosened(subjects, nameless)
    assert len(found) == 16
    assert {one.row.verdict for one in found} == {"weak"}
    operators = [[survivor.operator for survivor in one.row.survivors] for one in found]
    assert all("wrong_entity" in some for some in operators)
    assert {some[0] for some in operators} == {"wrong_entity", "captured"}


def test_a_contract_that_needs_no_answer_is_weak(subjects: list[Subject]) -> None:
    found = loosened(
        subjects, lambda contract: iter([without(contract, lambda one: one.kind == "answered")])
    )
    assert len(found) == 31
    assert {one.row.verdict for one in found} == {"weak"}
    assert {one.row.survivors[0].operator for one in found} == {"drop_reply"}


def test_a_failed_trial_that_passes_is_the_first_survivor(subjects: list[Subject]) -> None:
    """With nothing asked but an answer, every failed trial that answered passes."""
    asks_nothing = loosened(
        [subject for subject in subjects if subject.fails],
        lambda contract: iter([
            without(contract, lambda one: one.kind != "answered").with_(writes="allow")
        ]),
    )
    passed = [one.row for one in asks_nothing if not one.row.wrong_fail]
    assert len(passed) == 19
    assert {row.survivors[0].operator for row in passed} == {"captured"}
    assert {row.verdict for row in passed} == {"weak"}
