"""Which tasks must share a split: trials, equal contracts, one user, near duplicates."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.foundry.similarity import NEAR, alike
from benchmarks.foundry.wording import EMAIL, tokens
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.conversation import Conversation
from benchmarks.records.digest import json_digest

IDENTITY_WORDS = frozenset({
    "user",
    "customer",
    "client",
    "account",
    "member",
    "guest",
    "patient",
    "passenger",
    "profile",
    "person",
    "username",
    "email",
    "phone",
})
ID_ENDINGS = frozenset({"id", "ids", "key", "number", "no", "email", "phone", "username"})
RARE_AT_LEAST, RARE_SHARE = 4, 0.02
UNCOMPARED = frozenset({"id", "provenance", "confidence", "support", "observed_arguments"})


@dataclass(frozen=True)
class Kin:
    """What a task is compared by when tasks are put together."""

    task_id: str
    user_text: str
    lineage: tuple[str, ...] = ()
    """The external task id and the root of the lineage, each with its kind before it."""
    demand: str | None = None
    """The digest of the required entries; None when they say nothing specific."""
    identities: frozenset[str] = field(default_factory=frozenset)


def clusters_of(kin: Sequence[Kin]) -> list[tuple[str, ...]]:
    """The task ids that belong together, each cluster and the list of them sorted."""
    joined = _Union(one.task_id for one in kin)
    for members in _sharing(kin):
        joined.join(members)
    for found in alike({one.task_id: one.user_text for one in kin}, NEAR):
        joined.join([*found.one, *found.other])
    return joined.groups()


def demand_of(contract: Contract) -> str | None:
    """The digest of what a contract requires; None without a state effect or a value."""
    if not any(_is_specific(entry) for entry in contract.required):
        return None
    bare = [
        {key: value for key, value in entry.dump().items() if key not in UNCOMPARED}
        for entry in contract.required
    ]
    return json_digest(sorted(bare, key=json_digest))


def identities_of(conversation: Conversation, user_text: str) -> frozenset[str]:
    """Who the user is, as far as the calls' identity arguments and his e-mail say."""
    found = {token.casefold() for token in tokens(user_text) if EMAIL.fullmatch(token)}
    for turn in conversation.turns:
        for call in turn.calls():
            for name, value in (call.arguments or {}).items():
                if isinstance(value, str) and value.strip() and _names_a_user(name):
                    found.add(value.strip().casefold())
    return frozenset(found)


def _is_specific(entry: Entry) -> bool:
    kind = entry.type or "state_effect"
    if kind in {"state_effect", "value_propagation"}:
        return True
    return kind == "response_obligation" and entry.kind in {"value", "contains_category"}


def _names_a_user(argument: str) -> bool:
    words = argument.replace("-", "_").casefold().split("_")
    if len(words) == 1:
        return words[0] in IDENTITY_WORDS - {"person", "profile"}
    return words[-1] in ID_ENDINGS and not IDENTITY_WORDS.isdisjoint(words)


def _sharing(kin: Sequence[Kin]) -> Iterable[list[str]]:
    """The task ids that share a lineage, a demand, or a rare identity."""
    rare = max(RARE_AT_LEAST, int(len(kin) * RARE_SHARE))
    yield from _by(kin, lambda one: one.lineage)
    yield from _by(kin, lambda one: () if one.demand is None else (one.demand,))
    for members in _by(kin, lambda one: sorted(one.identities)):
        if len(members) <= rare:
            yield members


def _by(kin: Sequence[Kin], keys_of: Callable[[Kin], Iterable[str]]) -> list[list[str]]:
    members: dict[str, list[str]] = {}
    for one in kin:
        for key in keys_of(one):
            members.setdefault(key, []).append(one.task_id)
    return list(members.values())


class _Union:
    """Disjoint sets of names."""

    def __init__(self, names: Iterable[str]) -> None:
        self.parent = {name: name for name in names}

    def find(self, name: str) -> str:
        while self.parent[name] != name:
            self.parent[name] = self.parent[self.parent[name]]
            name = self.parent[name]
        return name

    def join(self, names: Sequence[str]) -> None:
        roots = sorted({self.find(name) for name in names})
        for root in roots[1:]:
            self.parent[root] = roots[0]

    def groups(self) -> list[tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for name in sorted(self.parent):
            found.setdefault(self.find(name), []).append(name)
        return sorted(tuple(members) for members in found.values())
