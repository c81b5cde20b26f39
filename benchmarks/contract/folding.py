"""Repeated and superseded writes count once, in the source and in the candidate alike.

An identical repeat of an idempotent write folds into the first; a later setting of the same thing
takes the place of the earlier (spec/build.md 4.4). Money moves are not idempotent: each counts.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.entities import ID_ENDINGS
from benchmarks.contract.lexicon import read_name, tokens, words
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import ObservedCall
from benchmarks.contract.shapes import is_id_name
from benchmarks.contract.values import same_value, scalar_text
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import canonical

SUPERSEDING_VERBS = words("set unset reset update put change modify")
PATH_NAMES = words("path file folder dir url")
NAMELESS = ""


@dataclass(slots=True)
class Writes:
    """The accepted writes of a rollout while they are folded, by the entity they stand on."""

    calls: Sequence[ObservedCall]
    policy: Policy
    survivor: dict[int, int] = field(default_factory=dict)
    """Each call that was folded away, and the call that stands for it."""
    kept: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    on_entity: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    last_repeat: dict[int, int] = field(default_factory=dict)

    def add(self, index: int) -> None:
        """Fold one more write into an earlier one, or let it stand."""
        call = self.calls[index]
        entity = entity_of_call(call, self.policy)
        standing = self.kept[entity]
        for earlier in self.foldable(standing, call):
            if same_call(self.calls[earlier], call) and not self.others_since(earlier, entity):
                self.survivor[index] = earlier
                self.last_repeat[earlier] = index
                break
            if self.superseded(earlier, index, entity):
                standing.remove(earlier)
                self.survivor[earlier] = index
        else:
            standing.append(index)
        self.on_entity[entity].append(index)

    def foldable(self, standing: Sequence[int], call: ObservedCall) -> list[int]:
        """The earlier writes of the same tool, newest first; none where it is not idempotent."""
        entry = self.policy.get(call.tool)
        if entry is None or entry.idempotent is not True:
            return []
        return [one for one in reversed(standing) if self.calls[one].tool == call.tool]

    def since(self, earlier: int, entity: str) -> Iterator[ObservedCall]:
        """The writes on an entity after the last repeat of an earlier one."""
        last = self.last_repeat.get(earlier, earlier)
        for index in reversed(self.on_entity[entity]):
            if index == last:
                return
            yield self.calls[index]

    def others_since(self, earlier: int, entity: str) -> bool:
        """Whether any other write stands between."""
        return any(True for _ in self.since(earlier, entity))

    def superseded(self, earlier: int, index: int, entity: str) -> bool:
        """Whether the later write sets the same thing anew, no other tool between."""
        tool = self.calls[index].tool
        if entity == NAMELESS or read_name(tool).verb not in SUPERSEDING_VERBS:
            return False
        if not sets_same_thing(self.calls[earlier], self.calls[index]):
            return False
        return all(between.tool == tool for between in self.since(earlier, entity))


def fold(calls: Sequence[ObservedCall], policy: Policy) -> dict[int, int]:
    """The accepted writes that do not count, each with the call that stands for it."""
    writes = Writes(calls, policy)
    for index, call in enumerate(calls):
        if call.accepted and call.is_write(policy):
            writes.add(index)
    return {index: standing(index, writes.survivor) for index in writes.survivor}


def standing(index: int, survivor: dict[int, int]) -> int:
    """The call that stands for a folded one, however many folds lie between."""
    while index in survivor:
        index = survivor[index]
    return index


def entity_of_call(call: ObservedCall, policy: Policy) -> str:
    """What a write stands on: the value of its id argument; nameless without one."""
    entry = policy.get(call.tool)
    name = entry.id_argument if entry else None
    value = (call.arguments or {}).get(name) if name else None
    return entity_key(value)


def entity_key(value: Any) -> str:
    """A value as the name of an entity; numbers and their texts name the same one."""
    if value is None:
        return NAMELESS
    text = scalar_text(value)
    return canonical(value).decode() if text is None else text


def same_call(one: ObservedCall, other: ObservedCall) -> bool:
    """Whether two calls have equal arguments."""
    if one.arguments is None or other.arguments is None:
        return one.arguments is other.arguments and one.arguments_raw == other.arguments_raw
    return same_value(one.arguments, other.arguments)


def sets_same_thing(one: ObservedCall, other: ObservedCall) -> bool:
    """Whether two calls name the same arguments and the same ids and paths."""
    first, second = one.arguments, other.arguments
    if first is None or second is None or first.keys() != second.keys():
        return False
    return same_names(first, second) and not same_value(first, second)


def same_names(first: JsonObject, second: JsonObject) -> bool:
    """Whether every argument that names something is equal in both."""
    return all(same_value(first[name], second[name]) for name in first if names_something(name))


def names_something(name: str) -> bool:
    """Whether an argument holds an id, an address or a path."""
    parts = tokens(name)
    ends = bool(parts) and parts[-1] in ID_ENDINGS
    return ends or is_id_name(name) or not PATH_NAMES.isdisjoint(parts)
