"""schemas.json: what the world knows of each tool from its definition and all its records.

No recorded value stands here, but for an example error of a read tool from the pre-state.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.json_text import pointed
from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.environment.arithmetic import NumberFormat, is_sum, learn_format
from benchmarks.environment.breaches import breaches, types_of
from benchmarks.environment.echo import reply_shape
from benchmarks.environment.made_ids import as_object, id_prefix, names_an_id
from benchmarks.environment.prestate import JudgedCall
from benchmarks.environment.rejections import cut, style_of
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool
from benchmarks.records.digest import canonical
from benchmarks.records.environment import ToolSchema
from benchmarks.records.vocabulary import Effect

MIN_CONSTANT = 5


@dataclass(slots=True)
class Records:
    """Every recorded call of one tool, over all conversations of a build."""

    calls: list[JudgedCall] = field(default_factory=list)

    def confirmed(self, status: str) -> list[JudgedCall]:
        """The calls of one status whose result was captured."""
        return [item for item in self.calls if item.call.confirmed and item.call.status == status]


def tool_schemas(
    definitions: Mapping[str, Tool], judged: Iterable[JudgedCall], policy: Policy
) -> dict[str, ToolSchema]:
    """The schema of every defined tool, by name."""
    records = {name: Records() for name in definitions}
    for item in judged:
        if item.call.tool in records:
            records[item.call.tool].calls.append(item)
    return {
        name: tool_schema(tool, records[name], policy) for name, tool in sorted(definitions.items())
    }


def tool_schema(tool: Tool, records: Records, policy: Policy) -> ToolSchema:
    """What one tool's definition says and its records show."""
    entry = policy.get(tool.name)
    answered = records.confirmed("ok")
    replies = [item.call.result for item in answered]
    failed = records.confirmed("error")
    errors = [item.call.result for item in failed]
    looked_up = entry is not None and entry.effect is Effect.READ and not is_closing(entry)
    form = calculator(answered, failed) if looked_up else None
    shape = reply_shape(in_order(replies))
    made = made_ids(answered)
    if shape is not None and made:
        shape = {**shape, "ids": made}
    return ToolSchema(
        inferred=bool(tool.inferred),
        required=list(tool.required),
        properties=property_types(tool),
        observed_n=len(records.calls),
        rejection_style=style_of(in_order(errors)),
        observed_error_example=error_example(records) if looked_up else None,
        description=tool.description,
        parameters=tool.parameters,
        annotations=tool.annotations,
        effect=entry.effect if entry else Effect.UNKNOWN,
        reply_shape=shape,
        constant=True if looked_up and is_constant(replies, errors) else None,
        builtin="arithmetic" if form else None,
        builtin_format=form.document() if form else None,
        id_prefix=next(iter(made.values()), None),
        unenforced=contradicted(tool, records) or None,
    )


def in_order(values: Sequence[Any]) -> list[Any]:
    """The values in an order of their own, so that the order of sources leaves no mark."""
    return sorted(values, key=canonical)


def property_types(tool: Tool) -> JsonObject:
    """The declared type of each argument by name; `any` where none is declared."""
    properties = (tool.parameters or {}).get("properties")
    if not isinstance(properties, Mapping):
        return {}
    return {
        str(name): "|".join(types_of(inner) if isinstance(inner, Mapping) else ()) or "any"
        for name, inner in properties.items()
    }


def error_example(records: Records) -> str | None:
    """One recorded error of the pre-state, at most 500 characters."""
    texts = [
        item.call.result
        if isinstance(item.call.result, str)
        else canonical(item.call.result).decode()
        for item in records.confirmed("error")
        if item.pre_state
    ]
    return cut(min(texts)) if texts else None


def is_constant(replies: Sequence[Any], errors: Sequence[Any]) -> bool:
    """Whether at least five records, and all of them, gave one result."""
    if errors or len(replies) < MIN_CONSTANT:
        return False
    return len({canonical(reply) for reply in replies}) == 1


def calculator(answered: Sequence[JudgedCall], failed: Sequence[JudgedCall]) -> NumberFormat | None:
    """How the tool writes sums, where every record is one and comes out the same.

    A recorded error is no exception where no sum was asked for.
    """
    asked = [only_text(item) for item in answered]
    refused = [only_text(item) for item in failed]
    if any(text is None for text in asked) or any(text and is_sum(text) for text in refused):
        return None
    results = (item.call.result for item in answered)
    return learn_format([(str(text), result) for text, result in zip(asked, results, strict=True)])


def only_text(item: JudgedCall) -> str | None:
    """The one argument of a call, where it is a text."""
    given = list((item.call.arguments or {}).values())
    return given[0] if len(given) == 1 and isinstance(given[0], str) else None


def made_ids(answered: Sequence[JudgedCall]) -> dict[str, str]:
    """The prefix of the ids that a tool's records show it makes, by JSON pointer.

    A pointer counts where at least half of the replies hold a new id. The first one is the call's
    own id.
    """
    by_pointer: dict[str, list[str]] = {}
    for item in answered:
        for pointer, made in item.made_ids.items():
            by_pointer.setdefault(pointer, []).append(made)
    return {
        pointer: id_prefix(ids)
        for pointer, ids in by_pointer.items()
        if 2 * len(ids) >= len(answered) and are_ids(pointer, ids, answered)
    }


def are_ids(pointer: str, found: Sequence[str], answered: Sequence[JudgedCall]) -> bool:
    """Whether what looks like ids is more than one word that every reply holds."""
    if not pointer:
        return len(answered) == 1 or len(set(found)) > 1 or id_prefix(found) != ""
    if names_an_id(pointer.rpartition("/")[2]) or len(answered) == 1:
        return True
    said = (pointed(as_object(item.call.result), pointer)[1] for item in answered)
    return len({canonical(value) for value in said}) > 1


def contradicted(tool: Tool, records: Records) -> list[str]:
    """The declared rules that a recorded accepted call breaks: nobody enforced them."""
    if tool.inferred:
        return []
    return sorted({
        breach.key
        for item in records.calls
        if item.call.accepted and item.call.arguments is not None
        for breach in breaches(tool.parameters, item.call.arguments)
    })
