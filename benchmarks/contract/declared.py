"""What a JSON Schema declares about a value, as far as contracts need it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

MAX_STEPS = 8
JOINS = ("anyOf", "oneOf", "allOf")
EMPTY: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Declared:
    """One node of a schema; the empty schema declares nothing. What it says is read once."""

    node: Mapping[str, Any] = field(default_factory=dict)
    root: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, schema: Any) -> "Declared":
        """The top of a schema; anything that is no object declares nothing."""
        node = schema if isinstance(schema, Mapping) else EMPTY
        return cls(node, node)

    @cached_property
    def nodes(self) -> tuple[Mapping[str, Any], ...]:
        """The node and the alternatives inside it, references followed."""
        return tuple(self._walked())

    def _walked(self) -> Iterator[Mapping[str, Any]]:
        waiting: list[Any] = [self.node]
        for _, node in zip(range(MAX_STEPS * MAX_STEPS), waiting, strict=False):
            if not isinstance(node, Mapping):
                continue
            yield node
            if isinstance(node.get("$ref"), str):
                waiting.append(self.referred(node["$ref"]))
            for key in JOINS:
                if isinstance(node.get(key), list):
                    waiting.extend(node[key])

    def referred(self, ref: str) -> Any:
        """What a local reference points to; nothing for any other reference."""
        node: Any = self.root if ref.startswith("#") else EMPTY
        for step in ref.lstrip("#/").split("/"):
            node = node.get(step, EMPTY) if isinstance(node, Mapping) else EMPTY
        return node

    def types(self) -> frozenset[str]:
        """The JSON types that are declared, null aside."""
        return self._types

    @cached_property
    def _types(self) -> frozenset[str]:
        found: set[str] = set()
        for node in self.nodes:
            kind = node.get("type")
            kinds = kind if isinstance(kind, list) else [kind]
            found.update(str(one).lower() for one in kinds if isinstance(one, str))
        return frozenset(found - {"null"})

    def has(self, key: str) -> bool:
        """Whether a keyword is there."""
        return any(key in node for node in self.nodes)

    def get(self, key: str) -> Any:
        """The first value of a keyword, or None."""
        return next((node[key] for node in self.nodes if key in node), None)

    def has_enum(self) -> bool:
        """Whether the values are listed."""
        return self.has("enum") or self.has("const")

    def properties(self) -> Mapping[str, "Declared"]:
        """The declared properties, in order."""
        return self._properties

    @cached_property
    def _properties(self) -> dict[str, "Declared"]:
        found: dict[str, Declared] = {}
        for node in self.nodes:
            inner = node.get("properties")
            for name, schema in inner.items() if isinstance(inner, Mapping) else ():
                if isinstance(schema, Mapping):
                    found.setdefault(str(name), Declared(schema, self.root))
        return found

    def property(self, name: str) -> "Declared":
        """What is declared about a property."""
        return self.properties().get(name, Declared())

    def items(self) -> "Declared":
        """What is declared about the elements of an array."""
        return self._items

    @cached_property
    def _items(self) -> "Declared":
        inner = self.get("items")
        return Declared(inner, self.root) if isinstance(inner, Mapping) else Declared()
