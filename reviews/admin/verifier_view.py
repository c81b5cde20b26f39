"""What the task page tells of a verifier: what it judges, and what its test found, in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.audit.verdicts import TESTED, UNTESTED, WEAK

TONES = {TESTED: "good", WEAK: "bad", UNTESTED: "warn"}
WHOLE = "the whole rollout"


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A wrong answer that the verifier has to refuse, and whether it did."""

    name: str
    refused: bool | None


@dataclass(frozen=True, slots=True)
class About:
    """What was found about one obligation, in sentences."""

    obligation: str
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """How the faults aimed at one obligation were judged."""

    obligation: str
    words: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Test:
    """What the test of a verifier found."""

    right: str
    wrong: str
    score: str
    harmless: str
    why: tuple[str, ...]
    passes: tuple[About, ...]
    """Wrong rollouts that it passes, by obligation."""
    refuses: tuple[About, ...]
    """Right rollouts that it refuses."""
    aside: tuple[str, ...]
    """Faults that were not counted, and why."""
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class VerifierView:
    """What is known of the verifier."""

    judges: str
    oracle: str
    oracle_tone: str
    sentinels: tuple[Sentinel, ...]
    verdict: str
    tone: str
    test: Test | None
    """None where no report is about the verifier of today."""


def verifier_view(document: Mapping[str, Any]) -> VerifierView:
    """How much the contract judges, what the offline validation found, and what the test did."""
    verifier = document["verifier"]
    words, tone = _oracle(verifier["oracle"])
    report = verifier["report"]
    return VerifierView(
        judges=str(verifier["judgeability"]),
        oracle=words,
        oracle_tone=tone,
        sentinels=tuple(
            Sentinel(name, None if strict is None else strict == 0)
            for name, strict in verifier["sentinels"].items()
        ),
        verdict=str(verifier["verdict"]),
        tone=TONES[verifier["verdict"]],
        test=tested(report) if report is not None else None,
    )


def tested(report: Mapping[str, Any]) -> Test:
    """One row of the verifier report, in words."""
    fixtures, mutants, harmless = report["fixtures"], report["mutants"], report["harmless"]
    counted = mutants["made"] - mutants["equivalent"] - mutants["broken"]
    score = report["mutation_score"]
    return Test(
        right=f"{fixtures['pass_accepted']} of {fixtures['pass']} pass",
        wrong=f"{fixtures['fail_rejected']} of {fixtures['fail']} refused",
        score=f"{score:.2f}: {mutants['rejected']} of {counted} faults refused"
        if score is not None
        else "none: no fault could be made",
        harmless=f"{harmless['accepted']} of {harmless['made']} pass",
        why=tuple(report.get("why") or ()),
        passes=by_obligation(report["survivors"]),
        refuses=by_obligation(report.get("refused") or ()),
        aside=tuple(f"{one['say']}: {one['why']}" for one in report.get("set_aside") or ()),
        proofs=tuple(
            Proof(
                name,
                f"{found['rejected']} of {found['made']} faults aimed at it refused"
                if found["killed"]
                else "no fault was ever caught by it",
                found["killed"],
            )
            for name, found in report["by_obligation"].items()
        ),
    )


def by_obligation(found: Sequence[Mapping[str, Any]]) -> tuple[About, ...]:
    """Sentences by the obligation that they are about, in the order in which they were found."""
    names: Iterable[str] = dict.fromkeys(str(one.get("obligation_id") or WHOLE) for one in found)
    return tuple(
        About(
            name,
            tuple(str(one["say"]) for one in found if (one.get("obligation_id") or WHOLE) == name),
        )
        for name in names
    )


def _oracle(oracle: Mapping[str, Any] | None) -> tuple[str, str]:
    if oracle is None:
        return "UNKNOWN: no current offline validation", "warn"
    if oracle["strict"] is None:
        return "UNKNOWN: the recorded solution cannot be judged", "warn"
    if oracle["strict"] == 1:
        return "the recorded solution passes", "good"
    return "the recorded solution fails in its own world", "bad"
