"""How much a contract can judge; derived where it is asked for, never stored."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from benchmarks.contract.claims import PARTIAL_EVIDENCE, codes_of
from benchmarks.contract.entries import Demand, demands_of
from benchmarks.contract.mutating import Policy
from benchmarks.records.contract import Contract

Judgeability = Literal["none", "weak", "partial", "full"]

WEAK_KINDS = frozenset({"answered", "consulted", "json_parses"})


def judgeability(
    contract: Contract, claims: Iterable[Mapping[str, Any]] = (), policy: Policy | None = None
) -> Judgeability:
    """How much a contract can judge.

    `none`: no number can be given. `weak`: only entries that almost any rollout meets. `partial`:
    the claims name an unknown call, a cut or an unconfirmed write. `full`: the rest.
    """
    demands = demands_of(contract, policy or {})
    if demands.problem is not None:
        return "none"
    if all(is_weak(demand) for demand in demands.required if not demand.is_optional):
        return "weak"
    return "partial" if codes_of(claims) & PARTIAL_EVIDENCE else "full"


def is_weak(demand: Demand) -> bool:
    """Whether an entry is met by almost any rollout that does no harm."""
    if demand.type == "no_state_change":
        return True
    return demand.type == "response_obligation" and demand.entry.kind in WEAK_KINDS
