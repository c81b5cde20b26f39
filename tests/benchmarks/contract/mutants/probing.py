"""Originals of small contracts, and what operators make of them."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from benchmarks.contract.mutants.original import Original, original_of
from benchmarks.contract.mutants.pool import Pool
from benchmarks.contract.mutants.subject import Example, Subject
from benchmarks.contract.mutants.variant import Operator, Variant
from benchmarks.contract.mutating import Policy, effective_policy
from benchmarks.contract.observed import Observed
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Tool
from tests.benchmarks.contract.making import POLICY, TOOLS, response, tool

KNOWN = tuple(tool(name, keys) for name, keys in TOOLS.items())
ANSWERED = response("answered", "a1")


def offered(*names: str) -> tuple[Tool, ...]:
    """Some of the tools."""
    return tuple(one for one in KNOWN if one.name in names)


def subject(
    demand: Contract,
    *rollouts: Observed,
    tools: Sequence[Tool] = (),
    values: Mapping[str, Sequence[Any]] | None = None,
    **more: Any,
) -> Subject:
    """A task that was done right in these ways."""
    policy: Policy = POLICY if not tools else {**POLICY, **effective_policy(None, tools)}
    passes = tuple(Example(f"fx-{place}", one) for place, one in enumerate(rollouts, 1))
    pool = Pool({name: tuple(seen) for name, seen in (values or {}).items()})
    return Subject(
        task_id="task-1",
        contract=demand,
        verifier_sha256="46",
        policy=policy,
        tools=tuple(tools),
        passes=passes,
        pool=pool,
        **more,
    )


def original(demand: Contract, observed: Observed, **more: Any) -> Original:
    """The rollout that mutants are made of."""
    found = original_of(subject(demand, observed, **more))
    assert found is not None, "the verifier refuses the original"
    return found


def made(operator: Operator, source: Original) -> list[Variant]:
    """Every variant of an operator, in the order it makes them."""
    return list(operator(source, Random(0)))


def said(variants: Sequence[Variant]) -> list[str]:
    """What is different in each."""
    return [one.say for one in variants]


def verdicts(source: Original, variants: Sequence[Variant]) -> set[int | None]:
    """What the verifier says of them all."""
    return {source.judge(one.observed).score.strict for one in variants}


def arguments(variants: Sequence[Variant], place: int = -1) -> list[Any]:
    """The arguments of one call in each."""
    return [one.observed.calls[place].arguments for one in variants]


def finals(variants: Sequence[Variant]) -> list[str | None]:
    """The last words of each."""
    return [one.observed.final_response for one in variants]
