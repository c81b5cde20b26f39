"""Every fault fails and every harmless variant passes, whatever was recorded (issue 5, 1)."""

from collections.abc import Sequence

from hypothesis import given, settings

from benchmarks.contract.mutants.subject import Example, Subject
from benchmarks.contract.mutants.tried import Tried
from benchmarks.contract.mutants.verifying import verify_task
from benchmarks.contract.observed import ObservedCall, observed_from_conversation
from tests.benchmarks.contract.making import POLICY
from tests.benchmarks.contract.test_properties import OFFERED, contract_of, plans, said, talk_of

FEW = settings(max_examples=15, deadline=None)


def tried(calls: Sequence[ObservedCall], final: str) -> tuple[Tried, ...]:
    """The mutants of a source under its own contract, which forbids what it does not ask for."""
    contract = contract_of(calls, final)
    assert contract.writes == "forbid"
    source = Example("source", observed_from_conversation(talk_of(calls, final), POLICY))
    subject = Subject("t1", contract, None, POLICY, tools=tuple(OFFERED), passes=(source,))
    return verify_task(subject, seed=5).mutants


@given(plans, said)
@FEW
def test_every_fault_that_is_one_fails(calls: list[ObservedCall], final: str) -> None:
    found = [one for one in tried(calls, final) if not one.harmless and one.set_aside is None]
    assert found
    assert [(one.operator, one.variant.say) for one in found if one.strict] == []


@given(plans, said)
@FEW
def test_every_harmless_variant_passes(calls: list[ObservedCall], final: str) -> None:
    found = [one for one in tried(calls, final) if one.harmless]
    assert found
    assert [(one.operator, one.variant.say, one.reasons) for one in found if not one.strict] == []
