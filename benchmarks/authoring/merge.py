"""What a grounded reply adds to a task. Nothing is removed, nothing loosened, no status raised."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.authoring.reply import Reply
from benchmarks.contract.contract_words import reach_of
from benchmarks.contract.entries import matchers_of
from benchmarks.contract.said import said_kind
from benchmarks.foundry.tasks import rehashed
from benchmarks.records.authoring import FAILED, VERIFIED, Authored, grounding_of
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.digest import json_digest
from benchmarks.records.task import Task

AUTHORED = "authored"
NEEDS_REVIEW = "needs_review"
LOWERED = frozenset({"machine_proposed"})
"""The statuses that a failed reply lowers; a person's word and a blocked task stay."""
LETTERS = {"required": "o", "preserved": "p", "forbidden": "x"}
WORDS = frozenset({"id", "reason", "confidence", "provenance", "observed_arguments", "call_id",
                   "arguments_semantic", "matching", "source"})  # fmt: skip
"""Keys that say something about an entry and change nothing that it asks for."""


@dataclass(frozen=True, slots=True)
class Authorship:
    """Who wrote it, when, and on what."""

    model: str
    at: str
    truncated: Sequence[str] = ()

    def provenance(self, entry: Entry) -> JsonObject:
        """Where an added entry comes from, with the call that the model cited."""
        cited = (entry.model_extra or {}).get("call_id")
        return {
            "kind": AUTHORED,
            "proposed_by": self.model,
            "grounded": True,
            "authored_at": self.at,
            **({"call_id": cited} if cited is not None else {}),
        }


def merged_contract(
    contract: Contract, reply: Reply, covering: Collection[str], by: Authorship
) -> Contract:
    """The contract with what the reply adds: entries that nothing there asks for already.

    `covering` names the proposed effects that stand for a compiled one: the compiled one stays.
    """
    changes: dict[str, list[Entry]] = {}
    for section, letter in LETTERS.items():
        standing: list[Entry] = getattr(contract, section)
        added = list(additions(standing, reply, section, covering))
        if added:
            first = highest(standing, letter) + 1
            changes[section] = [
                *standing,
                *(
                    signed(entry, f"{letter}{number}", by)
                    for number, entry in enumerate(added, first)
                ),
            ]
    return contract.with_(**changes) if changes else contract


def additions(
    standing: Sequence[Entry], reply: Reply, section: str, covering: Collection[str]
) -> Iterator[Entry]:
    """The proposed entries of a part that are new, each once."""
    seen = {canonical_entry(entry, section) for entry in standing}
    for demand in reply.demands(section):
        key = canonical_entry(demand.entry, section)
        if demand.id in covering or key in seen:
            continue
        seen.add(key)
        yield demand.entry


def canonical_entry(entry: Entry, section: str = "required") -> str:
    """What an entry asks for: two that ask for the same are one, however they are written."""
    asked = {key: value for key, value in entry.dump().items() if key not in WORDS}
    kind = asked.get("type") or {"required": "state_effect", "forbidden": "forbidden"}.get(section)
    asked["type"] = kind or "preserved"
    if asked["type"] in {"state_effect", "read_obligation", "forbidden"}:
        asked["arguments"] = dict(matchers_of(entry))
    if asked["type"] == "value_propagation":
        asked["as"] = said_kind(entry.value, entry.as_)
        asked["must_reach"] = {**(entry.must_reach or {}), "kind": reach_of(entry)}
    if asked["type"] == "forbidden_value":
        asked["as"] = said_kind(entry.value, entry.as_)
        asked["where"] = entry.where or "any"
    return json_digest(asked)


def signed(entry: Entry, entry_id: str, by: Authorship) -> Entry:
    """An added entry under its id, with who proposed it; absent keys stay absent."""
    body: dict[str, Any] = {key: value for key, value in entry.dump().items() if key != "call_id"}
    return Entry.read({**body, "id": entry_id, "provenance": by.provenance(entry)})


def highest(entries: Sequence[Entry], letter: str) -> int:
    """The highest number of the ids that begin with a letter."""
    ids = [entry.id or "" for entry in entries]
    numbers = [int(one[1:]) for one in ids if one[:1] == letter and one[1:].isdecimal()]
    return max([len(entries), *numbers])


def verified(task: Task, reply: Reply, contract: Contract, by: Authorship) -> Task:
    """The task with a grounded reply merged; its status stays."""
    block = block_of(reply, VERIFIED, (), by)
    return rehashed(task.with_(outcome_contract=contract, authored=block))


def refused(task: Task, reply: Reply | None, violations: Sequence[str], by: Authorship) -> Task:
    """The task with a reply that was not borne out: shown as such, nothing merged.

    Where a grounded block stands already, it stays: a later reply that fails takes nothing away.
    """
    if grounding_of(task.authored) == VERIFIED:
        return task
    status = NEEDS_REVIEW if task.status in LOWERED else task.status
    return task.with_(authored=block_of(reply, FAILED, violations, by), status=status)


def block_of(
    reply: Reply | None, grounding: str, violations: Sequence[str], by: Authorship
) -> JsonObject:
    """The `authored` block of a task."""
    about: JsonObject = {
        "model": by.model,
        "authored_at": by.at,
        "grounding": grounding,
        "grounding_violations": list(violations),
        "evidence_truncated": list(by.truncated),
    }
    if reply is not None:
        about |= {
            "statement": reply.statement,
            "success_criteria": list(reply.success_criteria),
            "category_proposal": reply.category_proposal,
            "difficulty": reply.difficulty,
            "difficulty_reason": reply.difficulty_reason,
            "intent_summary": reply.intent_summary,
            "contract": reply.parts.dump(),
            "confidence": reply.confidence,
            "ambiguities": list(reply.ambiguities),
        }
    return Authored.read(about).dump()
