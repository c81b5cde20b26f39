"""Rules 7 and 8: the words give nothing away, and the merged contract still judges as it must."""

from collections.abc import Iterator

from benchmarks.audit.golds import golds_of
from benchmarks.audit.leakage import Case, holds
from benchmarks.audit.surfaces import Library, surface
from benchmarks.audit.written import Subject, Written
from benchmarks.authoring.evidence import Evidence
from benchmarks.authoring.reply import Reply
from benchmarks.contract.entries import demands_of
from benchmarks.contract.score import judge
from benchmarks.contract.values import shown
from benchmarks.environment.sentinels import prove, sentinel_scores
from benchmarks.records.contract import Contract

EXCERPT = 60


def leak_complaints(reply: Reply, contract: Contract, evidence: Evidence) -> Iterator[str]:
    """Rule 7: the words that a reader sees hold no gold of the merged contract or the source."""
    task = evidence.task.with_(outcome_contract=contract)
    subject = Subject(task, evidence.shown, (), evidence.gold, None, None, {})
    case = Case(subject, Library(Written(tasks=[task])))
    golds = golds_of(task, evidence.gold)
    for place in (
        surface("statement", [reply.statement]),
        surface("intent_summary", [reply.intent_summary]),
    ):
        for gold in golds:
            if holds(place, gold) and not case.excuses(gold, place):
                kind = gold.kind.value.replace("_", " ")
                yield f"rule 7: {place.location} gives away {shown(gold.text[:EXCERPT])} ({kind})"


def proof_complaints(contract: Contract, evidence: Evidence) -> Iterator[str]:
    """Rule 8: the oracle passes, no sentinel does, and every known rollout keeps its verdict."""
    demands = demands_of(contract, evidence.policy)
    if demands.problem is not None:
        yield f"rule 8: the merged contract cannot be judged: {demands.detail}"
        return
    proof = prove(evidence.scene, evidence.gold, contract, evidence.policy)
    missed = proof.played.fidelity.not_recorded
    if proof.scored.score.strict != 1:
        reasons = [
            *proof.scored.reasons.items(),
            *(("unexpected", str(place)) for place in proof.scored.unexpected[:1]),
        ]
        why = "; ".join(f"{name}: {reason}" for name, reason in reasons)
        yield f"rule 8: the oracle fails the merged contract ({why})"
    elif missed:
        yield f"rule 8: the oracle met {missed} answers that were never recorded"
    for name, score in sentinel_scores(proof).items():
        if score.strict != 0:
            yield f"rule 8: the sentinel {name} passes the merged contract"
    for rollout in evidence.known:
        strict = judge(demands, rollout.observed, evidence.policy).score.strict
        if rollout.must_pass and strict != 1:
            yield f"rule 8: the fixture {rollout.name} must pass and fails the merged contract"
        elif not rollout.must_pass and strict != 0:
            yield f"rule 8: the fixture {rollout.name} must fail and passes the merged contract"
