"""What a task demands: outcome_contract and its matchers (spec/files.md 7.2, 7.3).

Matchers stay plain JSON objects, because people edit them by hand and an unknown kind must make
the contract not judgeable, never unreadable. `contract/matching.py` knows the kinds.
"""

from typing import Any

from pydantic import Field

from benchmarks.records.base import JsonObject, Record

GRADING = "final_state_and_obligations"


class Entry(Record):
    """One obligation, preserved entity or forbidden thing; the keys depend on `type`."""

    id: str | None = None
    type: str | None = None
    """A missing type in `required` is `state_effect`, in `forbidden` it is `forbidden`."""
    tool: str | None = None
    arguments: dict[str, JsonObject] | None = None
    observed_arguments: Any = None
    arguments_semantic: JsonObject | None = None
    matching: str | None = None
    kind: str | None = None
    """The kind of a response_obligation."""
    value: Any = None
    as_: str | None = Field(default=None, alias="as")
    source: JsonObject | None = None
    must_reach: JsonObject | None = None
    tools: list[str] | None = None
    entity: JsonObject | None = None
    where: str | None = None
    reason: str | None = None
    expected: Any = None
    expected_keys: list[str] | None = None
    schema_: JsonObject | None = Field(default=None, alias="schema")
    labels: list[str] | None = None
    at: str | None = None
    matcher: JsonObject | None = None
    threshold: float | None = None
    any_of: str | None = None
    confidence: str | None = None
    support: JsonObject | None = None
    optional: bool | None = None
    provenance: Any = None


class Contract(Record):
    """A set of obligations, an expectation about extra writes, and what must not happen."""

    status: str
    grading: str = GRADING
    writes: str | None = None
    """`forbid` or `allow`; absent in an older file means allow."""
    required: list[Entry] = Field(default_factory=list)
    preserved: list[Entry] = Field(default_factory=list)
    forbidden: list[Entry] = Field(default_factory=list)
    source: JsonObject | None = None
