"""Which argument names the thing a tool acts on, and whether doing it twice is doing it once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.lexicon import NameReading, tokens, words

ID_ENDINGS = words("id ids uuid key number no code email")
IDEMPOTENT_VERBS = words(
    "set unset reset update put patch replace change modify edit mark tag enable disable activate"
    " deactivate cancel delete remove assign unassign archive close lock unlock confirm approve"
)
AMOUNTS = words("amount payment price quantity qty charge fee balance count")
MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class ArgumentNames:
    """The names of a tool's arguments, in order, and every name inside them."""

    top: tuple[str, ...]
    every: frozenset[str]


def argument_names(
    parameters: Mapping[str, Any] | None, calls: Sequence[Mapping[str, Any]]
) -> ArgumentNames:
    """The names that a schema declares or, without one, that the recorded calls use."""
    properties = (parameters or {}).get("properties")
    if isinstance(properties, Mapping) and properties:
        return ArgumentNames(tuple(map(str, properties)), frozenset(schema_names(parameters)))
    top = tuple(dict.fromkeys(name for call in calls for name in call))
    return ArgumentNames(top, frozenset(name for call in calls for name in value_names(call)))


def schema_names(schema: Any, depth: int = 0) -> Iterator[str]:
    """Every property name that a schema declares, at any depth."""
    if depth > MAX_DEPTH or not isinstance(schema, Mapping):
        return
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        for name, inner in properties.items():
            yield str(name)
            yield from schema_names(inner, depth + 1)
    yield from schema_names(schema.get("items"), depth + 1)


def value_names(value: Any, depth: int = 0) -> Iterator[str]:
    """Every key of a value, at any depth."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from value_names(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from value_names(inner, depth + 1)


def id_argument(tool: str, names: Sequence[str]) -> str | None:
    """The argument that names the entity: one that shares a word with the tool, else the first."""
    ending = [name for name in names if (parts := tokens(name)) and parts[-1] in ID_ENDINGS]
    about = set(tokens(tool))
    sharing = (name for name in ending if about.intersection(tokens(name)[:-1]))
    return next(sharing, ending[0] if ending else None)


def entity_of(tool: str, argument: str, reading: NameReading) -> str | None:
    """The kind of thing an id argument names: its name without the ending, else the tool's noun."""
    noun = tokens(argument)[:-1] or tuple(part for part in tokens(tool) if part != reading.verb)
    return "_".join(noun) or None


def is_idempotent(
    reading: NameReading, names: ArgumentNames, annotations: Mapping[str, Any] | None
) -> bool:
    """Whether the same call twice leaves what one leaves; amounts are counted, each."""
    hint = (annotations or {}).get("idempotentHint")
    if isinstance(hint, bool):
        return hint
    if reading.verb not in IDEMPOTENT_VERBS:
        return False
    return not any(AMOUNTS.intersection(tokens(name)) for name in names.every)
