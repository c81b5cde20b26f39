"""What a compiled contract says about its own evidence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.records.base import JsonObject

UNCLASSIFIED_CALL = "unclassified_call"
UNCONFIRMED_WRITE = "unconfirmed_write"
CAP_CUT = "cap_cut"
NOT_CLOSED = "not_closed"
EXTRA_WRITES_ALLOWED = "extra_writes_allowed"
ARGUMENTS_UNPARSED = "arguments_unparsed"
PARTIAL_EVIDENCE = frozenset({UNCLASSIFIED_CALL, UNCONFIRMED_WRITE, CAP_CUT})
"""The claims that make a contract judge only a part of what was done."""


def observed_claim(claim: str, call_id: str | None) -> JsonObject:
    """Something that stands in the recording."""
    return {"kind": "observed", "claim": claim, "confidence": "high", "source_call_id": call_id}


def doubt(code: str, claim: str, confidence: str, call_id: str | None = None) -> JsonObject:
    """Something that makes the contract less sure; `code` names it for programs."""
    return {
        "kind": "inferred",
        "claim": claim,
        "confidence": confidence,
        "source_call_id": call_id,
        "code": code,
    }


def codes_of(claims: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The codes that claims carry."""
    return frozenset(str(claim["code"]) for claim in claims if claim.get("code"))


def lowest_confidence(claims: Sequence[Mapping[str, Any]]) -> str:
    """The confidence that the doubts leave: high without any."""
    said = {claim.get("confidence") for claim in claims if claim.get("code")}
    return next((level for level in ("low", "medium") if level in said), "high")
