"""Marks: what gives a record away that is recognised and has no reader of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Test = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True)
class Mark:
    """A name, and what gives it away in a record."""

    name: str
    test: Test
    lacks: str
    """What a near miss lacks, for the report when nothing was recognised."""

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


def is_reference(record: Mapping[str, Any]) -> bool:
    """Whether a record looks like reference."""
    return str(record.get("schema_version", "")).startswith("understudy.normalized_capture.")


def is_langfuse(record: Mapping[str, Any]) -> bool:
    """Whether a record looks like langfuse."""
    kinds = {"GENERATION", "SPAN", "TOOL", "AGENT", "EVENT"}
    if isinstance(record.get("observations"), list):
        return True
    return "traceId" in record and record.get("type") in kinds


def is_langsmith(record: Mapping[str, Any]) -> bool:
    """Whether a record looks like langsmith."""
    if "run_type" in record and ("inputs" in record or "dotted_order" in record):
        return True
    return isinstance(record.get("post"), list) and isinstance(record.get("patch"), list)


def is_otel_span(record: Mapping[str, Any]) -> bool:
    """Whether a record looks like otel span."""
    if isinstance(record.get("attributes"), dict | list):
        return bool(record.keys() & {"name", "spanContext", "context", "span_kind"})
    starts = ("gen_ai.", "llm.", "openinference.", "traceloop.", "ai.operationId")
    if any(key.startswith(starts) for key in record):
        return True
    return bool(record) and all(_is_span_list(value) for value in record.values())


def _is_span_list(value: Any) -> bool:
    """Whether a value is a list of spans, as in a dump by operation."""
    return (
        isinstance(value, list)
        and bool(value)
        and isinstance(value[0], dict)
        and "attributes" in value[0]
    )
