"""A verifier put to the test: fixtures, faults that it must reject, variants that it must accept.

Pure and deterministic: the same task and the same seed give the same rows (spec/build.md 8).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmarks.contract.entries import demands_of
from benchmarks.contract.mutants.drawing import Drawn, draw
from benchmarks.contract.mutants.equivalence import Deeds
from benchmarks.contract.mutants.fixtures import rollout_fields, telling_tools
from benchmarks.contract.mutants.operators import FAULTS, HARMLESS, MOST_FAULTS, MOST_HARMLESS
from benchmarks.contract.mutants.original import Original, original_of
from benchmarks.contract.mutants.subject import Subject
from benchmarks.contract.mutants.tried import Shown, Tried
from benchmarks.contract.mutants.verdict import row_of
from benchmarks.contract.score import judge
from benchmarks.records.verifier import (
    Mutation,
    TaskVerification,
    VerifierFixture,
    fixture_id,
)


@dataclass(frozen=True, slots=True)
class Verified:
    """What the test of one verifier found."""

    subject: Subject
    row: TaskVerification
    mutants: tuple[Tried, ...]

    def fixtures(
        self, *, created_at: str, actor: str | None, door: str | None = None, every: bool = False
    ) -> Iterator[VerifierFixture]:
        """The mutants as fixtures: those that a reviewer should see, or every one."""
        telling = telling_tools(self.subject.contract)
        for tried in self.mutants:
            if every or tried.is_told:
                yield VerifierFixture(
                    fixture_id=tried.fixture_id,
                    task_id=self.subject.task_id,
                    expect="pass" if tried.harmless else "fail",
                    origin="mutant",
                    created_at=created_at,
                    actor=actor,
                    door=door,
                    mutation=Mutation(
                        operator=tried.operator, obligation_id=tried.variant.obligation_id
                    ),
                    harmless=True if tried.harmless else None,
                    note=tried.variant.say,
                    **rollout_fields(tried.variant.observed, telling),
                )


def verify_task(subject: Subject, seed: int) -> Verified:
    """Put the verifier of one task to the test."""
    demands = demands_of(subject.contract, subject.policy)
    shown = [
        Shown(example, expect_pass, judge(demands, example.observed, subject.policy))
        for examples, expect_pass in ((subject.passes, True), (subject.fails, False))
        for example in examples
    ]
    original = original_of(subject)
    tried = tuple(mutants_of(original, seed)) if original is not None else ()
    return Verified(subject, row_of(subject, demands, shown, tried), tried)


def mutants_of(original: Original, seed: int) -> Iterator[Tried]:
    """Every drawn mutant, judged; faults that are none are set aside."""
    deeds = Deeds.of(original.policy, original.subject.tools, original.observed)
    for drawn in draw(FAULTS, original, seed, MOST_FAULTS):
        tried = judged(original, drawn, harmless=False)
        if drawn.variant.invented:
            yield replace(tried, set_aside="broken")
        elif deeds.are_those_of(drawn.variant.observed):
            yield replace(tried, set_aside="equivalent")
        else:
            yield tried
    for drawn in draw(HARMLESS, original, seed, MOST_HARMLESS):
        yield judged(original, drawn, harmless=True)


def judged(original: Original, drawn: Drawn, *, harmless: bool) -> Tried:
    """One mutant with what the verifier says of it."""
    scored = original.judge(drawn.variant.observed)
    name = fixture_id(
        original.subject.task_id,
        drawn.operator,
        drawn.variant.obligation_id or "",
        drawn.variant.say,
    )
    return Tried(
        fixture_id=name,
        operator=drawn.operator,
        variant=drawn.variant,
        harmless=harmless,
        strict=scored.score.strict == 1,
        unmet=(*scored.score.unmet, *scored.score.violated),
        reasons=scored.reasons,
        unexpected=scored.unexpected,
    )
