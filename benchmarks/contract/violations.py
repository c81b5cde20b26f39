"""What must not happen: forbidden calls and values, and entities to leave alone."""

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.contract.entries import Demand, Demands
from benchmarks.contract.lexicon import tokens
from benchmarks.contract.matching import Results, match_arguments
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.contract.said import in_arguments, is_said, said_kind
from benchmarks.contract.values import same_value, shown
from benchmarks.records.tool_policy import ToolEntry


def violations(
    demands: Demands, observed: Observed, policy: Policy, results: Results
) -> dict[str, str]:
    """How each violated entry was violated, by its id."""
    found: dict[str, str] = {}
    for demand in demands.preserved:
        reason = broken(demand, observed, policy)
        if reason is not None:
            found[demand.id] = reason
    for demand in demands.forbidden:
        by_value = demand.type == "forbidden_value"
        reason = (
            said_anyway(demand, observed, policy) if by_value else done(demand, observed, results)
        )
        if reason is not None:
            found[demand.id] = reason
    return found


def broken(demand: Demand, observed: Observed, policy: Policy) -> str | None:
    """The accepted write that touched what had to be left alone."""
    for index, call in enumerate(observed.calls):
        if call.accepted and call.is_write(policy) and touches(demand, call, policy):
            return f"call {index + 1} to {call.tool} touched it"
    return None


def touches(demand: Demand, call: ObservedCall, policy: Policy) -> bool:
    """Whether a write is to a named tool, or holds the entity's id where its kind is named."""
    entity = demand.entry.entity or {}
    tools = demand.entry.tools or ([demand.tool] if demand.tool else [])
    if tools and call.tool not in tools:
        return False
    wanted = entity.get("id")
    if wanted is None:
        return True
    kind = str(entity.get("type") or "")
    return any(same_value(value, wanted) for value in id_values(call, policy, kind))


def id_values(call: ObservedCall, policy: Policy, kind: str) -> Iterable[Any]:
    """The ids that a write names: its entity's, and those of arguments named after the kind."""
    for name, value in (call.arguments or {}).items():
        if names_entity(name, policy.get(call.tool), kind) or names_kind(name, kind):
            yield from value if isinstance(value, list) else [value]


def names_entity(name: str, entry: ToolEntry | None, kind: str) -> bool:
    """Whether an argument holds the id of the tool's entity, which is of that kind if known."""
    if entry is None or name != entry.id_argument:
        return False
    return not kind or not entry.entity or same_kind(entry.entity, kind)


def names_kind(name: str, kind: str) -> bool:
    """Whether an argument is named after a kind, with or without an ending such as `_id`."""
    return same_kind(name, kind) or same_kind("_".join(tokens(name)[:-1]), kind)


def same_kind(one: str, other: str) -> bool:
    """Whether two names mean one kind of thing: their last words are equal."""
    first, second = tokens(one), tokens(other)
    return bool(first) and bool(second) and first[-1] == second[-1]


def done(demand: Demand, observed: Observed, results: Results) -> str | None:
    """The accepted call that was forbidden."""
    matchers: Mapping[str, Any] = demand.entry.arguments or {}
    for index, call in enumerate(observed.calls):
        if not call.accepted or call.tool != demand.tool:
            continue
        if not match_arguments(matchers, call.arguments, results):
            return f"call {index + 1} to {call.tool} is forbidden"
    return None


def said_anyway(demand: Demand, observed: Observed, policy: Policy) -> str | None:
    """Where a forbidden value stands: in what was said, or in the arguments of a call."""
    value, where = demand.entry.value, demand.entry.where or "any"
    kind = said_kind(value, demand.entry.as_)
    if where != "tool_args":
        texts = [observed.final_text(policy)]
        if where == "any":
            texts.extend(observed.texts)
        if any(is_said(text, value, kind) for text in texts):
            return f"{shown(value)} was said"
    if where != "final_response":
        for index, call in enumerate(observed.calls):
            if in_arguments(call.arguments, value, kind):
                return f"{shown(value)} stands in call {index + 1} to {call.tool}"
    return None
