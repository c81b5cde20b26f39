"""What the test of a verifier comes to: figures, findings in words, and a verdict."""

from collections.abc import Iterable, Iterator, Sequence

from benchmarks.contract.entries import Demands
from benchmarks.contract.mutants.operators import CRITICAL, FAULTS
from benchmarks.contract.mutants.subject import Subject
from benchmarks.contract.mutants.tried import Shown, Tried
from benchmarks.records.verifier import (
    Finding,
    FixtureCounts,
    HarmlessCounts,
    MutantCounts,
    ObligationProbes,
    ProbeCounts,
    SetAside,
    TaskVerification,
    Verdict,
)

LOO_BAR = 0.8
FEWEST_SUCCESSES = 4
"""From how many successes on leaving one out says something of the contract."""
DECIMALS = 4
FOUND_FIRST = {"captured": -2, "authored": -1}
"""Before any mutant stands what really happened, then what a person thought of."""


def row_of(
    subject: Subject, demands: Demands, shown: Sequence[Shown], tried: Sequence[Tried]
) -> TaskVerification:
    """The row of one task in the report."""
    faults = [one for one in tried if not one.harmless]
    counted = [one for one in faults if one.set_aside is None]
    harmless = [one for one in tried if one.harmless]
    rejected = [one for one in counted if not one.strict]
    right = [one for one in shown if one.expect_pass]
    wrong = [one for one in shown if not one.expect_pass]
    row = TaskVerification(
        task_id=subject.task_id,
        verifier_sha256=subject.verifier_sha256,
        valid_pass=bool(right) and all(one.behaves for one in right),
        wrong_fail=bool(wrong or rejected) and all(one.behaves for one in wrong),
        fixtures=FixtureCounts(
            pass_=len(right),
            pass_accepted=sum(one.behaves for one in right),
            fail=len(wrong),
            fail_rejected=sum(one.behaves for one in wrong),
        ),
        mutants=MutantCounts(
            made=len(faults),
            rejected=len(rejected),
            equivalent=sum(one.set_aside == "equivalent" for one in faults),
            broken=sum(one.set_aside == "broken" for one in faults),
        ),
        mutation_score=round(len(rejected) / len(counted), DECIMALS) if counted else None,
        harmless=HarmlessCounts(made=len(harmless), accepted=sum(one.strict for one in harmless)),
        loo_accept=subject.loo_accept,
        loo_refused={name: dict(why) for name, why in subject.loo_refused.items()} or None,
        survivors=survivors(wrong, counted),
        refused=None if demands.problem else refused(right, harmless) or None,
        set_aside=[set_aside(one) for one in faults if one.set_aside is not None] or None,
        by_obligation=by_obligation(demands, counted),
        by_operator=by_operator(counted),
        judgeability=subject.judgeability,
        verdict="tested",
    )
    verdict, why = verdict_of(row, subject, demands)
    return row.model_copy(update={"verdict": verdict, "why": why or None})


def survivors(wrong: Sequence[Shown], counted: Sequence[Tried]) -> list[Finding]:
    """The wrong rollouts that pass: captured ones first, then authored, then mutants by weight."""
    order = {operator.__name__: place for place, operator in enumerate(FAULTS)}
    fixtures = [
        Finding(
            fixture_id=one.example.fixture_id,
            operator=one.example.origin,
            say=f"{one.example} failed, and the verifier passes it",
        )
        for one in wrong
        if one.passes
    ]
    fixtures.sort(key=lambda one: FOUND_FIRST.get(one.operator, 0))
    mutants = [one for one in counted if one.strict]
    mutants.sort(key=lambda one: (one.operator not in CRITICAL, order[one.operator]))
    return [*fixtures, *map(finding, mutants)]


def finding(tried: Tried) -> Finding:
    """A mutant as a reviewer reads it."""
    return Finding(
        fixture_id=tried.fixture_id,
        operator=tried.operator,
        obligation_id=tried.variant.obligation_id,
        say=tried.variant.say,
    )


def set_aside(tried: Tried) -> SetAside:
    """A fault that is not counted, and why."""
    return SetAside(**dict(finding(tried)), why=tried.set_aside)


def refused(right: Sequence[Shown], harmless: Sequence[Tried]) -> list[Finding]:
    """The right rollouts that fail, each with the first reason."""
    found = [
        Finding(
            fixture_id=one.example.fixture_id,
            operator=one.example.origin,
            obligation_id=next(iter(one.scored.reasons), None),
            say=f"{one.example} is right, and the verifier refuses it: "
            + first_reason(one.scored.reasons.values(), one.scored.unexpected),
        )
        for one in right
        if not one.passes
    ]
    for tried in harmless:
        if not tried.strict:
            why = first_reason(tried.reasons.values(), tried.unexpected)
            found.append(finding(tried).model_copy(update={"say": f"{tried.variant.say}: {why}"}))
    return found


def first_reason(reasons: Iterable[str], unexpected: Sequence[int]) -> str:
    """Why a rollout fails, in one reason."""
    extra = f"call {unexpected[0] + 1} is a write that nothing asks for" if unexpected else ""
    return next(iter(reasons), extra)


def by_obligation(demands: Demands, counted: Sequence[Tried]) -> dict[str, ObligationProbes]:
    """The faults aimed at each obligation, and whether any fault left it unmet."""
    killed = {name for one in counted if not one.strict for name in one.unmet}
    found: dict[str, ObligationProbes] = {}
    for name in obligations(demands):
        aimed = [one for one in counted if one.variant.obligation_id == name]
        found[name] = ObligationProbes(
            made=len(aimed),
            rejected=sum(not one.strict for one in aimed),
            killed=name in killed,
        )
    return found


def obligations(demands: Demands) -> Iterator[str]:
    """Every entry that can be unmet or violated."""
    for demand in (*demands.required, *demands.preserved, *demands.forbidden):
        if not demand.is_optional:
            yield demand.id


def by_operator(counted: Sequence[Tried]) -> dict[str, ProbeCounts]:
    """The counted faults of each operator, in the order of the table."""
    found: dict[str, ProbeCounts] = {}
    for operator in FAULTS:
        made = [one for one in counted if one.operator == operator.__name__]
        if made:
            rejected = sum(not one.strict for one in made)
            found[operator.__name__] = ProbeCounts(made=len(made), rejected=rejected)
    return found


def verdict_of(
    row: TaskVerification, subject: Subject, demands: Demands
) -> tuple[Verdict, list[str]]:
    """Tested, weak or untested, and why not the first."""
    if demands.problem is not None:
        return "untested", [f"the contract cannot be judged: {demands.detail}"]
    if not row.fixtures.fail and not row.mutants.made - uncounted(row):
        return "untested", ["no wrong rollout was ever put to it"]
    why = list(weaknesses(row, subject))
    return ("weak" if why else "tested"), why


def uncounted(row: TaskVerification) -> int:
    """The faults that are none."""
    return row.mutants.equivalent + row.mutants.broken


def weaknesses(row: TaskVerification, subject: Subject) -> Iterator[str]:
    """Everything that makes a verifier weak (spec/build.md 8.3)."""
    fixtures, harmless = row.fixtures, row.harmless
    if not row.valid_pass:
        count = fixtures.pass_ - fixtures.pass_accepted
        yield f"{count} of {fixtures.pass_} right rollouts refused" if count else "no right rollout"
    if fixtures.fail_rejected < fixtures.fail:
        passed = fixtures.fail - fixtures.fail_rejected
        yield f"{passed} of {fixtures.fail} wrong rollouts passed"
    if harmless.accepted < harmless.made:
        yield f"{harmless.made - harmless.accepted} of {harmless.made} harmless variants refused"
    score = row.mutation_score
    if score is not None and score < subject.min_mutation_score:
        yield f"rejects {score:.0%} of the faults, fewer than {subject.min_mutation_score:.0%}"
    critical = dict.fromkeys(one.operator for one in row.survivors if one.operator in CRITICAL)
    if critical:
        yield f"passes {', '.join(critical)}"
    alive = [name for name, probes in row.by_obligation.items() if not probes.killed]
    if alive:
        yield f"no fault was caught by {', '.join(alive)}"
    loo = row.loo_accept
    if loo is not None and loo < LOO_BAR and subject.successes >= FEWEST_SUCCESSES:
        yield f"the contract of the other successes accepts {loo:.0%} of them"
