"""When a mutant does what its original did."""

from dataclasses import replace

import pytest

from benchmarks.contract.mutants.equivalence import Deeds
from benchmarks.contract.observed import Observed
from tests.benchmarks.contract.making import POLICY, call, rejected, rollout
from tests.benchmarks.contract.mutants.probing import KNOWN

LOOKED = call("get_order", order_id="A-7")
REFUNDED = call("issue_refund", order_id="A-7", amount=25)
CLOSED = call("close-ticket", ticket_id="T-1")
HANDED = call("transfer_to_human_agents", summary="x")
SOURCE = rollout(LOOKED, REFUNDED, CLOSED, said=["A moment.", "Done."])


def is_equivalent(observed: Observed, source: Observed = SOURCE) -> bool:
    return Deeds.of(POLICY, KNOWN, source).are_those_of(observed)


@pytest.mark.parametrize(
    "calls",
    [
        (REFUNDED, CLOSED),
        (CLOSED, REFUNDED),
        (REFUNDED, CLOSED, CLOSED),
        (rejected("issue_refund"), REFUNDED, CLOSED),
        (call("issue_refund", order_id="A-7", amount="25.0"), CLOSED),
        (call("issue_refund", order_id="A-7", amount=25, note=None), CLOSED),
    ],
)
def test_the_same_writes_in_other_words_are_equivalent(calls):
    assert is_equivalent(replace(SOURCE, calls=calls))


@pytest.mark.parametrize(
    "calls",
    [
        (REFUNDED,),
        (REFUNDED, REFUNDED, CLOSED),
        (call("issue_refund", order_id="A-8", amount=25), CLOSED),
        (call("issue_refund", order_id="A-7", amount=-25), CLOSED),
        (rejected("issue_refund", order_id="A-7", amount=25), CLOSED),
    ],
)
def test_other_writes_are_not(calls):
    assert not is_equivalent(replace(SOURCE, calls=calls))


def test_other_words_or_another_end_are_not():
    assert not is_equivalent(replace(SOURCE, texts=("A moment.", "Gone.")))
    assert not is_equivalent(replace(SOURCE, final_response="Gone."))
    assert not is_equivalent(replace(SOURCE, termination="max_turns"))


def test_another_closing_call_is_not():
    source = rollout(REFUNDED, HANDED, said="")
    assert is_equivalent(rollout(REFUNDED, HANDED, said=""), source)
    assert not is_equivalent(rollout(REFUNDED, said=""), source)
    other = call("transfer_to_human_agents", summary="another")
    assert not is_equivalent(rollout(REFUNDED, other, said=""), source)
