"""Fixtures on disk and the rollouts that they are."""

from collections.abc import Collection

from benchmarks.contract.contract_words import references
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract
from benchmarks.records.verifier import FixtureCall, VerifierFixture
from benchmarks.records.vocabulary import Termination


def observed_of(fixture: VerifierFixture) -> Observed:
    """The rollout that a fixture is, as the scorer sees it."""
    final = fixture.final_response
    says = final is not None and bool(final.strip())
    texts = fixture.texts if fixture.texts is not None else [final] if final and says else []
    usual = Termination.FINISHED if says else Termination.MAX_TURNS
    return Observed(
        calls=tuple(
            ObservedCall(
                tool=call.tool,
                arguments=call.arguments,
                arguments_raw=call.arguments_raw,
                status=call.status,
                result=call.content,
            )
            for call in fixture.calls
        ),
        texts=tuple(texts),
        final_response=final,
        termination=fixture.termination or usual,
    )


def rollout_fields(observed: Observed, telling: Collection[str]) -> JsonObject:
    """The fields of a fixture that hold a rollout; results only of the tools that tell ids."""
    return {
        "calls": [
            FixtureCall(
                tool=call.tool,
                arguments=call.arguments,
                status=call.status,
                content=call.result if call.tool in telling else None,
                arguments_raw=call.arguments_raw,
            )
            for call in observed.calls
        ],
        "final_response": observed.final_response,
        "texts": list(observed.texts),
        "termination": str(observed.termination),
    }


def telling_tools(contract: Contract) -> frozenset[str]:
    """The tools whose results some `ref` reads."""
    named = {
        target
        for entry in contract.required
        for target in references((entry.arguments or {}).values())
    }
    return frozenset(
        entry.tool
        for place, entry in enumerate(contract.required, 1)
        if entry.tool and (entry.id or f"o{place}") in named
    )
