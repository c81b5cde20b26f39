"""May this proposal be promoted: every gate is asked, and every refusal is given at once."""

from dataclasses import dataclass

from benchmarks.records.base import JsonObject
from benchmarks.records.pilot import PilotState
from reviews.promotion.gates import (
    GATES,
    LINEAGE,
    Case,
    Gate,
    Outcome,
    Refusal,
    strictly_measured,
)
from reviews.rigor.gate import verdict_of

RIGOR_LIFTS = frozenset({"rigor", "verifier", "leakage", "tools", "splits"})
"""What `override_rigor` lifts; nothing lifts claim, tasks, decisions, validation or manifest."""

BESIDE_CHECKS = frozenset({"verifier", "tools"})
"""Gates among these that no rigor check answers for: their own codes are named."""


@dataclass(frozen=True, slots=True)
class Lifts:
    """What a person takes on themselves, with their reasons."""

    override_rigor: str | None = None
    waive_dag: str | None = None
    strict: bool = False
    """Whether a hard check that is UNKNOWN refuses too."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every gate, answered."""

    gates: tuple[Gate, ...]

    @property
    def refusals(self) -> list[Refusal]:
        """Everything that still stands against the promotion."""
        return [
            refusal
            for gate in self.gates
            if gate.outcome is Outcome.REFUSED
            for refusal in gate.refusals
        ]

    @property
    def lifted(self) -> list[Gate]:
        """The gates that refused and were overridden or waived."""
        return [gate for gate in self.gates if gate.outcome is Outcome.LIFTED]


def judge(case: Case, lifts: Lifts) -> Judgement:
    """Ask every gate; nothing is written, and no gate hides another."""
    asked = (*GATES, strictly_measured) if lifts.strict else GATES
    return Judgement(tuple(_lift(ask(case), lifts) for ask in asked))


def rigor_block(case: Case, judgement: Judgement, lifts: Lifts) -> JsonObject:
    """The verdict of the rigor checks, as record and answer carry it."""
    verdict = verdict_of(case.items)
    overridden = any(gate.name in RIGOR_LIFTS for gate in judgement.lifted)
    beside = [
        refusal.code
        for gate in judgement.lifted
        if gate.name in BESIDE_CHECKS
        for refusal in gate.refusals
    ]
    return {
        "status": "overridden" if overridden else "failed" if verdict.failures else "passed",
        "failures": list(dict.fromkeys([*verdict.failures, *beside])),
        "unknowns": list(verdict.unknowns),
        "override_reason": lifts.override_rigor if overridden else None,
    }


def waivers(case: Case, judgement: Judgement, lifts: Lifts) -> list[JsonObject]:
    """What was let through on somebody's word, with the word."""
    found: list[JsonObject] = []
    for gate in judgement.lifted:
        by_dag = gate.name == LINEAGE
        found.append({
            "issue": gate.name,
            "rationale": lifts.waive_dag if by_dag else lifts.override_rigor,
            "evidence": [f"{refusal.code}: {refusal.message}" for refusal in gate.refusals],
        })
    if case.pilot.state is PilotState.WAIVED:
        found.append({
            "issue": "pilot",
            "rationale": case.pilot.reason,
            "evidence": ["manifest.json: pilot.waived"],
        })
    return found


def _lift(gate: Gate, lifts: Lifts) -> Gate:
    """The gate after what a person took on themselves."""
    waived = gate.name == LINEAGE and lifts.waive_dag is not None
    overridden = gate.name in RIGOR_LIFTS and lifts.override_rigor is not None
    if gate.outcome is Outcome.REFUSED and (waived or overridden):
        return Gate(gate.name, Outcome.LIFTED, gate.detail, gate.refusals)
    return gate
