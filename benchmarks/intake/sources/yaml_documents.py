"""One YAML document as JSON: a recorded cassette is a record like any other.

Only what JSON can say comes out. Bytes become `{"base64_string": …}`, the form that cassettes have
for them in JSON; times stay the text they are; a tag that stands for code or for a class is
refused. Aliases are followed as far as they repeat little.
"""

import importlib.util
import math
from functools import cached_property
from typing import Any

from benchmarks.artifacts.parsing import MAX_DEPTH
from benchmarks.intake.sources.parsing import TOO_DEEP, BadJson
from benchmarks.records.digest import whole_text

EXTRA = "yaml"
BYTES_KEY = "base64_string"
TAG = "tag:yaml.org,2002:"
BINARY_TAGS = frozenset({f"{TAG}binary", "!binary"})
TEXT_TAGS = frozenset({f"{TAG}str", f"{TAG}timestamp", f"{TAG}value", f"{TAG}merge"})
MAPPINGS = frozenset({f"{TAG}map", f"{TAG}omap"})
SEQUENCES = frozenset({f"{TAG}seq", f"{TAG}pairs"})
MAX_DIGITS = 4000
"""A longer integer stays the text it is: no process reads one that long without being told to."""
MAX_GROWTH = 10
"""How many times its own length a document may come to when its aliases are written out."""
FREE_LENGTH = 2**20


def can_read_yaml() -> bool:
    """Whether the extra that reads YAML is installed."""
    return importlib.util.find_spec("yaml") is not None


def yaml_document(data: bytes) -> Any:
    """The one YAML document in `data`, as a JSON value.

    Raises:
        BadJson: it is no YAML, holds a tag that JSON has no word for, nests more than 200 levels
            deep, or its aliases repeat far more than it holds.
        ModuleNotFoundError: the extra is not installed; ask `can_read_yaml` first.
    """
    import yaml  # noqa: PLC0415  (40 ms, and of an extra)

    loader = yaml.CSafeLoader(data)
    try:
        node = loader.get_single_node()
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadJson(_in_one_line(error)) from None
    except RecursionError:
        raise BadJson(TOO_DEEP) from None
    finally:
        loader.dispose()
    if node is None:
        return None
    budget = FREE_LENGTH + MAX_GROWTH * len(data)
    return _Reader(budget, yaml.constructor.SafeConstructor()).value(node, 0)


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())


class _Reader:
    """Turns nodes into values; what they come to is counted against a budget."""

    def __init__(self, budget: int, constructor: Any) -> None:
        self.left = budget
        self.constructor = constructor

    @cached_property
    def scalars(self) -> dict[str, Any]:
        """How a scalar of each tag is read."""
        return {
            f"{TAG}null": lambda _: None,
            f"{TAG}bool": self.constructor.construct_yaml_bool,
            f"{TAG}int": self._integer,
            f"{TAG}float": self._number,
        }

    def value(self, node: Any, depth: int) -> Any:
        """The value of a node; an alias is read as often as it stands there."""
        if depth > MAX_DEPTH:
            raise BadJson(TOO_DEEP)
        self._spend(1)
        if node.id == "mapping" and node.tag in MAPPINGS:
            return self._mapping(node, depth)
        if node.id == "sequence" and node.tag in SEQUENCES:
            return self._sequence(node, depth)
        if node.id == "scalar":
            return self._scalar(node)
        raise BadJson(f"the tag {node.tag} at line {node.start_mark.line + 1}")

    def _mapping(self, node: Any, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in node.value:
            if key.id != "scalar":
                raise BadJson(f"a key that is no word at line {key.start_mark.line + 1}")
            self._spend(len(key.value))
            found[whole_text(key.value)] = self.value(value, depth + 1)
        return found

    def _sequence(self, node: Any, depth: int) -> list[Any]:
        return [self.value(item, depth + 1) for item in node.value]

    def _scalar(self, node: Any) -> Any:
        self._spend(len(node.value))
        if node.tag in TEXT_TAGS:
            return whole_text(node.value)
        if node.tag in BINARY_TAGS:
            return {BYTES_KEY: "".join(node.value.split())}
        read = self.scalars.get(node.tag)
        if read is None:
            raise BadJson(f"the tag {node.tag} at line {node.start_mark.line + 1}")
        if ":" in node.value:
            # YAML 1.1 reads 12:30 as minutes of base 60; whoever wrote it meant a time.
            return whole_text(node.value)
        try:
            return read(node)
        except (ValueError, KeyError):
            return whole_text(node.value)

    def _integer(self, node: Any) -> int | str:
        if len(node.value) > MAX_DIGITS:
            return whole_text(node.value)
        return int(self.constructor.construct_yaml_int(node))

    def _number(self, node: Any) -> float | None:
        number = float(self.constructor.construct_yaml_float(node))
        return number if math.isfinite(number) else None

    def _spend(self, length: int) -> None:
        self.left -= length
        if self.left < 0:
            raise BadJson("aliases that repeat more than the document holds")
