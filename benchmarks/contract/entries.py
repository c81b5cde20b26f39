"""The entries of a contract made ready for scoring, and what makes a contract not judgeable."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.folding import SUPERSEDING_VERBS, entity_key
from benchmarks.contract.inferring import infer_arguments
from benchmarks.contract.lexicon import read_name
from benchmarks.contract.literals import parse_literal
from benchmarks.contract.matching import Matcher, unknown_kinds
from benchmarks.contract.mutating import Policy
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.digest import canonical

STATE_EFFECT = "state_effect"
REQUIRED_TYPES = frozenset({
    STATE_EFFECT, "read_obligation", "value_propagation", "response_obligation", "no_state_change",
})  # fmt: skip
RESPONSE_KINDS = frozenset({
    "answered", "consulted", "json_parses", "schema_valid", "contains_category", "value",
    "token_f1",
})  # fmt: skip
SAID_KINDS = frozenset({"exact", "number", "text", "date"})
REACHES = frozenset({"final_response", "response", "tool_args"})
PLACES = frozenset({"any", "final_response", "tool_args"})
EMPTY_CONTRACT = "empty_contract"
UNKNOWN = "unknown_obligation"
DUPLICATE = "duplicate_obligation"


@dataclass(frozen=True, slots=True)
class Demand:
    """One entry with its id, its type and its argument matchers."""

    id: str
    type: str
    entry: Entry
    matchers: Mapping[str, Matcher]

    @property
    def tool(self) -> str:
        """The tool that the entry is about."""
        return self.entry.tool or ""

    @property
    def is_optional(self) -> bool:
        """Whether the entry may be met and need not be."""
        return self.entry.optional is True

    @property
    def group(self) -> str:
        """What counts once: the `any_of` group, or the entry itself."""
        return f"any_of:{self.entry.any_of}" if self.entry.any_of else f"entry:{self.id}"


@dataclass(frozen=True, slots=True)
class Demands:
    """A contract made ready: what is required, preserved and forbidden."""

    required: tuple[Demand, ...]
    preserved: tuple[Demand, ...]
    forbidden: tuple[Demand, ...]
    writes_allowed: bool
    problem: str | None
    """Why the contract is not judgeable, or None."""
    detail: str = ""

    def by_id(self, entry_id: str) -> Demand | None:
        """The required entry with an id."""
        return next((demand for demand in self.required if demand.id == entry_id), None)


def demands_of(contract: Contract, policy: Policy) -> Demands:
    """The entries of a contract, older shapes read, with what makes it not judgeable."""
    required = ready(contract.required, "o", STATE_EFFECT)
    preserved = ready(contract.preserved, "p", "preserved")
    forbidden = ready(contract.forbidden, "x", "forbidden")
    problem, detail = first_problem(contract, (required, preserved, forbidden), policy)
    return Demands(
        required=required,
        preserved=preserved,
        forbidden=forbidden,
        writes_allowed=contract.writes != "forbid",
        problem=problem,
        detail=detail,
    )


def ready(entries: Sequence[Entry], letter: str, default: str) -> tuple[Demand, ...]:
    """Entries with ids; one without an id is named by its place."""
    return tuple(
        Demand(entry.id or f"{letter}{place}", entry.type or default, entry, matchers_of(entry))
        for place, entry in enumerate(entries, 1)
    )


def matchers_of(entry: Entry) -> Mapping[str, Matcher]:
    """The argument matchers of an entry; derived from what was observed in an older file."""
    if entry.arguments is not None:
        return entry.arguments
    observed = entry.arguments_semantic or entry.observed_arguments
    if isinstance(observed, str):
        observed = parse_literal(observed)
    return infer_arguments(observed) if isinstance(observed, dict) else {}


def first_problem(
    contract: Contract, parts: Sequence[Sequence[Demand]], policy: Policy
) -> tuple[str | None, str]:
    """Why a contract is not judgeable: nothing required, an unknown word, a duplicate."""
    required, preserved, forbidden = parts
    if not any(not demand.is_optional for demand in required):
        return EMPTY_CONTRACT, "nothing is required"
    complaints = [
        *contract_complaints(contract),
        *(f"{one.id}: {say}" for one in required for say in required_complaints(one)),
        *(f"{one.id}: {say}" for one in preserved for say in preserved_complaints(one)),
        *(f"{one.id}: {say}" for one in forbidden for say in forbidden_complaints(one)),
        *reference_complaints(required),
    ]
    if complaints:
        return UNKNOWN, "; ".join(complaints)
    repeats = list(duplicates(required, policy))
    return (DUPLICATE, "; ".join(repeats)) if repeats else (None, "")


def contract_complaints(contract: Contract) -> Iterable[str]:
    """Words of the contract itself that no rule knows."""
    if contract.writes not in {None, "forbid", "allow"}:
        yield f"writes: {contract.writes!r} is neither forbid nor allow"


def required_complaints(demand: Demand) -> Iterable[str]:
    """Words of a required entry that no rule knows."""
    if demand.type not in REQUIRED_TYPES:
        yield f"unknown type {demand.type!r}"
    elif demand.type in {STATE_EFFECT, "read_obligation"}:
        yield from tool_complaints(demand)
    elif demand.type == "value_propagation":
        yield from value_complaints(demand.entry)
    elif demand.type == "response_obligation":
        yield from response_complaints(demand.entry)


def tool_complaints(demand: Demand) -> Iterable[str]:
    """What is wrong with an entry about a call."""
    if not demand.tool:
        yield "names no tool"
    for name, matcher in demand.matchers.items():
        for kind in unknown_kinds(matcher):
            yield f"{name}: unknown matcher {kind!r}"


def value_complaints(entry: Entry) -> Iterable[str]:
    """What is wrong with an entry about a value that must be said."""
    if entry.as_ is not None and entry.as_ not in SAID_KINDS:
        yield f"unknown `as` {entry.as_!r}"
    if reach_of(entry) not in REACHES:
        yield f"unknown must_reach {reach_of(entry)!r}"
    if entry.value is None:
        yield "has no value"


def response_complaints(entry: Entry) -> Iterable[str]:
    """What is wrong with an entry about the answer."""
    if entry.kind not in RESPONSE_KINDS:
        yield f"unknown kind {entry.kind!r}"
    elif entry.kind == "value":
        for kind in unknown_kinds(entry.matcher):
            yield f"unknown matcher {kind!r}"
        if not is_place(entry.at):
            yield f"unknown place {entry.at!r}"
    elif entry.kind == "contains_category" and entry.expected is None:
        yield "has no expected label"
    elif entry.kind == "token_f1" and not isinstance(entry.expected, str):
        yield "has no expected text"


def is_place(at: str | None) -> bool:
    """Whether a word names a place in an answer."""
    return at in {"answer", "text"} or (at is not None and (at == "" or at.startswith("/")))


def preserved_complaints(demand: Demand) -> Iterable[str]:
    """What is wrong with an entry about something to leave alone."""
    if demand.type != "preserved":
        yield f"unknown type {demand.type!r}"
    elif not demand.tool and (demand.entry.entity or {}).get("id") is None:
        yield "names neither an entity nor a tool"


def forbidden_complaints(demand: Demand) -> Iterable[str]:
    """What is wrong with an entry about something that must not happen."""
    if demand.type == "forbidden":
        yield from tool_complaints(demand)
    elif demand.type != "forbidden_value":
        yield f"unknown type {demand.type!r}"
    else:
        if demand.entry.as_ is not None and demand.entry.as_ not in SAID_KINDS:
            yield f"unknown `as` {demand.entry.as_!r}"
        if (demand.entry.where or "any") not in PLACES:
            yield f"unknown place {demand.entry.where!r}"


def reach_of(entry: Entry) -> str:
    """Where a value must be said."""
    return str((entry.must_reach or {}).get("kind") or "final_response")


def reference_complaints(required: Sequence[Demand]) -> Iterable[str]:
    """References to entries that are not there."""
    known = {demand.id for demand in required}
    for demand in required:
        for target in references(demand.matchers.values()):
            if target not in known:
                yield f"{demand.id}: refers to {target!r}, which is no entry"


def references(value: Any) -> Iterable[str]:
    """The entries that matchers refer to, at any depth."""
    if isinstance(value, Mapping):
        if value.get("match") == "ref":
            yield str(value.get("entry"))
        value = value.values()
    elif isinstance(value, str) or not isinstance(value, Iterable):
        return
    for inner in value:
        yield from references(inner)


def duplicates(required: Sequence[Demand], policy: Policy) -> Iterable[str]:
    """Equal entries on an idempotent tool: its repeats fold, so both could never be met."""
    effects = [one for one in required if one.type == STATE_EFFECT and not one.is_optional]
    seen: dict[tuple[str, bytes], Demand] = {}
    for demand in effects:
        entry = policy.get(demand.tool)
        if entry is None or entry.idempotent is not True:
            continue
        key = (demand.tool, canonical(dict(demand.matchers)))
        first = seen.setdefault(key, demand)
        if first is demand or first.group == demand.group:
            continue
        if not any(keeps_apart(other, demand, policy) for other in effects):
            yield f"{first.id} and {demand.id} ask for the same {demand.tool}"


def keeps_apart(other: Demand, repeated: Demand, policy: Policy) -> bool:
    """Whether another required write on the same entity keeps two repeats from folding."""
    if entity_of_demand(other, policy) != entity_of_demand(repeated, policy):
        return False
    if other.tool != repeated.tool:
        return True
    replaced = read_name(repeated.tool).verb in SUPERSEDING_VERBS
    return not replaced and other.matchers != repeated.matchers


def entity_of_demand(demand: Demand, policy: Policy) -> str:
    """What a required write stands on: the value of its id argument; nameless without one."""
    entry = policy.get(demand.tool)
    matcher = demand.matchers.get(entry.id_argument) if entry and entry.id_argument else None
    return entity_key(matcher.get("value", matcher.get("entry")) if matcher else None)
