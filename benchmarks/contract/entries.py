"""The entries of a contract made ready for scoring, and what makes a contract not judgeable."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.contract.contract_words import STATE_EFFECT, wrong_words
from benchmarks.contract.folding import SUPERSEDING_VERBS, entity_key
from benchmarks.contract.inferring import infer_arguments
from benchmarks.contract.lexicon import read_name
from benchmarks.contract.literals import parse_literal
from benchmarks.contract.matching import Matcher
from benchmarks.contract.mutating import Policy
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.digest import canonical

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
    problem, detail = first_problem(contract, required, policy)
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
    contract: Contract, required: Sequence[Demand], policy: Policy
) -> tuple[str | None, str]:
    """Why a contract is not judgeable: nothing required, an unknown word, a duplicate."""
    if not any(not demand.is_optional for demand in required):
        return EMPTY_CONTRACT, "nothing is required"
    wrong = list(wrong_words(contract))
    if wrong:
        return UNKNOWN, "; ".join(map(str, wrong))
    repeats = list(duplicates(required, policy))
    return (DUPLICATE, "; ".join(repeats)) if repeats else (None, "")


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
