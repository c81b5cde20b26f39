"""How far several models agree on the same tasks: what each proposed, held against the others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.authoring.merge import LETTERS, canonical_entry
from benchmarks.authoring.reply import Reply, read_reply
from benchmarks.records.authoring import FAILED, OK, VERIFIED, AuthoringEvent
from benchmarks.records.base import JsonObject

SCHEMA = "understudy.authoring_agreement.v1"
WORDS = ("category", "difficulty", "confidence")
PLACES = 4


@dataclass(frozen=True, slots=True)
class Proposal:
    """The last word of one model on one task."""

    event: AuthoringEvent
    reply: Reply | None
    """None where no answer came, or none that can be read."""

    @property
    def entries(self) -> frozenset[str]:
        """What its contract parts ask for, however they are written."""
        if self.reply is None:
            return frozenset()
        return frozenset(
            canonical_entry(demand.entry, section)
            for section in LETTERS
            for demand in self.reply.demands(section)
        )

    def word(self, name: str) -> str | None:
        """A word of the reply that models can agree on."""
        if self.reply is None:
            return None
        words = {
            "category": str(self.reply.category_proposal["id"]),
            "difficulty": self.reply.difficulty,
            "confidence": self.reply.confidence,
        }
        return words[name]

    def document(self) -> JsonObject:
        """The proposal as the report lists it."""
        reply = self.reply
        return {
            "status": self.event.status,
            "grounding": self.event.grounding,
            "violations": self.event.violations,
            "error": self.event.error,
            **{name: self.word(name) for name in WORDS},
            "statement": reply.statement if reply is not None else None,
            "entries": len(self.entries),
        }


def agreement_report(
    models: Sequence[str], task_ids: Sequence[str], events: Iterable[AuthoringEvent]
) -> JsonObject:
    """Which models were borne out how often, and how alike what they proposed is, pair by pair."""
    kept = list(events)
    last = {(event.model, event.task_id): event for event in kept}
    found = {
        place: Proposal(event, read_reply(event.reply or "")[0]) for place, event in last.items()
    }
    return {
        "schema_version": SCHEMA,
        "models": list(models),
        "task_ids": list(task_ids),
        "by_model": {model: of_model(model, kept, found) for model in models},
        "pairs": [of_pair(one, other, task_ids, found) for one, other in combinations(models, 2)],
        "tasks": [
            {
                "task_id": task_id,
                "proposals": {
                    model: found[model, task_id].document()
                    for model in models
                    if (model, task_id) in found
                },
            }
            for task_id in task_ids
        ],
    }


def of_model(
    model: str, events: Sequence[AuthoringEvent], found: Mapping[tuple[str, str], Proposal]
) -> JsonObject:
    """How one model did."""
    own = [event for event in events if event.model == model]
    last = [proposal.event for (name, _), proposal in found.items() if name == model]
    costs = [event.cost_estimate_usd for event in own if event.status == OK]
    known = [cost for cost in costs if cost is not None]
    return {
        "verified": sum(event.grounding == VERIFIED for event in last),
        "failed": sum(event.grounding == FAILED for event in last),
        "errors": sum(event.status != OK for event in last),
        "calls": len(own),
        "retried": sum(event.attempt > 1 for event in own),
        "cost_usd": round(sum(known), 9) if len(known) == len(costs) else None,
        "seconds": round(sum(event.ms for event in own) / 1000, 3),
    }


def of_pair(
    one: str, other: str, task_ids: Sequence[str], found: Mapping[tuple[str, str], Proposal]
) -> JsonObject:
    """How alike two models' proposals are, over the tasks that both have answered readably."""
    pairs = [
        (found[one, task_id], found[other, task_id])
        for task_id in task_ids
        if (one, task_id) in found and (other, task_id) in found
    ]
    both = [(a, b) for a, b in pairs if a.reply is not None and b.reply is not None]
    return {
        "models": [one, other],
        "tasks": len(pairs),
        "compared": len(both),
        "same_grounding": share(a.event.grounding == b.event.grounding for a, b in both),
        **{f"same_{name}": share(a.word(name) == b.word(name) for a, b in both) for name in WORDS},
        "entries_in_common": mean([overlap(a.entries, b.entries) for a, b in both]),
    }


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of entries that both have of those that either has; two empty parts agree."""
    return len(one & other) / len(one | other) if one | other else 1.0


def share(found: Iterable[bool]) -> float | None:
    """The share that holds; None of nothing."""
    return mean([float(each) for each in found])


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return round(sum(values) / len(values), PLACES) if values else None
