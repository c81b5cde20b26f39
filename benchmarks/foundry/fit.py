"""How a new task relates to the version that was promoted before it.

It feeds no split and no contamination: it tells a reviewer what is new.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.foundry.similarity import NEAR, jaccard
from benchmarks.foundry.wording import shingles
from benchmarks.records.base import JsonObject


@dataclass(frozen=True)
class Fitted:
    """A task as fit compares it."""

    task_id: str
    surface: frozenset[str]
    user_text: str
    demand: str | None


def capability_fit(task: Fitted, promoted: Sequence[Fitted]) -> JsonObject:
    """The class of a task against the promoted ones; `new_capability` where there are none."""
    if not promoted:
        return _fit("new_capability", None, 0.0, "no promoted version")
    mine = shingles(task.user_text)
    similarity, nearest = max(
        ((jaccard(mine, shingles(other.user_text)), other) for other in promoted),
        key=lambda found: (found[0], found[1].surface == task.surface, found[1].task_id),
    )
    if similarity >= NEAR and nearest.surface == task.surface:
        same = nearest.demand == task.demand
        word = "task_variant" if same else "contradiction"
        return _fit(word, nearest, similarity, "near-duplicate request")
    alike = [other for other in promoted if other.surface == task.surface]
    if alike:
        closest = max(alike, key=lambda one: (jaccard(mine, shingles(one.user_text)), one.task_id))
        return _fit("new_instance", closest, similarity, "same tools")
    known = frozenset().union(*(other.surface for other in promoted))
    if task.surface & known and task.surface - known:
        added = ", ".join(sorted(task.surface - known))
        return _fit("environment_extension", nearest, similarity, f"new tools: {added}")
    return _fit("new_capability", nearest, similarity, "a new set of tools")


def _fit(word: str, matched: Fitted | None, similarity: float, evidence: str) -> JsonObject:
    return {
        "classification": word,
        "matched_task_id": matched.task_id if matched else None,
        "similarity": round(similarity, 4),
        "evidence": evidence,
    }
