"""Marks: what gives a record away that is recognised by name and holds no conversation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Test = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True)
class Mark:
    """A name, and what gives it away in a record."""

    name: str
    test: Test

    def detect(self, record: Any) -> bool:
        """Whether a record is an object that the test accepts."""
        return isinstance(record, dict) and self.test(record)


def has(*keys: str) -> Test:
    """Whether a record has all of the keys."""
    wanted = frozenset(keys)
    return lambda record: wanted <= record.keys()


def has_list(key: str, *also: str) -> Test:
    """Whether a record has a list under `key`, and all of the other keys."""
    wanted = frozenset(also)
    return lambda record: isinstance(record.get(key), list) and wanted <= record.keys()


def any_of(*tests: Test) -> Test:
    """Whether one of the tests holds."""
    return lambda record: any(test(record) for test in tests)
