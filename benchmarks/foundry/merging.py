"""A task that stands, and what the same rules make of its source today -> the task from now on.

Three ways are compared: what stands (`existing`), what the rules made of the old inputs (`base`)
and what they make of the new ones (`fresh`). Only what the inputs changed is changed, so whatever
a person wrote stays.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.foundry.tasks import rehashed
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.digest import json_digest
from benchmarks.records.task import Task

FOLLOWED = (
    "candidate_boundary",
    "boundary_rule",
    "tool_surface",
    "tool_definitions",
    "tool_effects",
    "posture",
    "category_id",
    "source",
    "helpers",
    "grouping_label",
    "trace",
    "incumbent",
    "machine_confidence",
    "close_call",
)
"""Fields that follow the source: where old and new inputs differ, the new ones decide."""
EDITABLE = ("title", "status", "user", "world_model")
"""Fields that people edit: where what stands is not what the old inputs gave, it stays."""
SCALARS = ("status", "writes", "source")
NUMBERED = re.compile(r"o(\d+)")


def merged_task(existing: Task, base: Task, fresh: Task) -> Task:
    """The task from now on, under the id, group, split, cluster and stamps that it has."""
    changes: dict[str, Any] = {}
    for name in (*FOLLOWED, *EDITABLE):
        before, now, stands = (getattr(one, name) for one in (base, fresh, existing))
        if before != now and (name in FOLLOWED or stands == before):
            changes[name] = now
    contract = merged_contract(
        existing.outcome_contract, base.outcome_contract, fresh.outcome_contract
    )
    if contract != existing.outcome_contract:
        changes["outcome_contract"] = contract
    if base.claims != fresh.claims:
        changes["claims"] = fresh.claims
    return rehashed(existing.with_(**changes)) if changes else existing


def adopted_task(existing: Task, fresh: Task) -> Task:
    """A task of the reference under today's boundary; its contract and its words stay."""
    kept = existing.outcome_contract
    changes: dict[str, Any] = {name: getattr(fresh, name) for name in FOLLOWED}
    changes["user"] = fresh.user
    changes["outcome_contract"] = kept if kept.required else repaired(kept, fresh.outcome_contract)
    changes["world_model"] = existing.world_model or fresh.world_model
    changes["claims"] = existing.claims or fresh.claims
    changes["cluster_id"] = existing.cluster_id or fresh.cluster_id
    changes["capability_fit"] = existing.capability_fit or fresh.capability_fit
    changes["execution_group"] = existing.execution_group or fresh.execution_group
    return rehashed(existing.with_(**changes))


def repaired(empty: Contract, fresh: Contract) -> Contract:
    """A contract that required nothing, compiled again; what it keeps off stays."""
    return fresh.with_(preserved=empty.preserved, forbidden=empty.forbidden)


def merged_contract(existing: Contract, base: Contract, fresh: Contract) -> Contract:
    """The contract from now on: entries that the inputs changed go and come, the others stay."""
    changes: dict[str, Any] = {
        name: getattr(fresh, name)
        for name in SCALARS
        if getattr(base, name) != getattr(fresh, name)
        and getattr(existing, name) == getattr(base, name)
    }
    required = merged_entries(existing.required, base.required, fresh.required)
    if required != existing.required:
        changes["required"] = required
    return existing.with_(**changes) if changes else existing


def merged_entries(
    existing: Sequence[Entry], base: Sequence[Entry], fresh: Sequence[Entry]
) -> list[Entry]:
    """Entries without those that went out of the inputs, and with those that came in.

    An id is never given twice, and a `ref` follows the entry it names. What is there already, by
    hand or by a build that was killed after this step, does not come again.
    """
    gone = _count(base) - _count(fresh)
    come = _count(fresh) - _count(base) - (_count(existing) - _count(base))
    if not gone and not come:
        return list(existing)
    stay = []
    for entry in existing:
        if gone[_content(entry)] > 0:
            gone[_content(entry)] -= 1
        else:
            stay.append(entry)
    number = _highest([*existing, *base])
    ids: dict[str, str] = {}
    free = {_content(entry): entry.id for entry in stay if entry.id}
    added = []
    for entry in fresh:
        if come[_content(entry)] > 0:
            come[_content(entry)] -= 1
            number += 1
            ids[entry.id or ""] = f"o{number}"
            added.append(entry.with_(id=f"o{number}"))
        elif _content(entry) in free:
            ids[entry.id or ""] = str(free[_content(entry)])
    return [*stay, *(_with_refs(entry, lambda old: ids.get(old, old)) for entry in added)]


def _content(entry: Entry) -> str:
    """What an entry says, without what it is called."""
    return json_digest({key: value for key, value in entry.dump().items() if key != "id"})


def _count(entries: Sequence[Entry]) -> Counter[str]:
    return Counter(_content(entry) for entry in entries)


def _highest(entries: Sequence[Entry]) -> int:
    numbers = (NUMBERED.fullmatch(entry.id or "") for entry in entries)
    return max((int(found[1]) for found in numbers if found), default=0)


def _with_refs(entry: Entry, renamed: Callable[[str], str]) -> Entry:
    if entry.arguments is None:
        return entry
    return entry.with_(arguments=_renamed(entry.arguments, renamed))


def _renamed(value: Any, renamed: Callable[[str], str]) -> Any:
    if isinstance(value, list):
        return [_renamed(item, renamed) for item in value]
    if not isinstance(value, Mapping):
        return value
    if value.get("match") == "ref":
        return {**value, "entry": renamed(str(value.get("entry")))}
    return {key: _renamed(item, renamed) for key, item in value.items()}
