"""source-dag.json and execution-index.jsonl (spec/files.md 6.3, 6.4)."""

from collections import Counter
from typing import Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.wording import many


class Node(Record):
    """One capture in the lineage."""

    id: str
    capture_id: str
    execution_group: str
    captured_at: str | None = nullable()
    message_count: int
    has_error: bool
    warnings: list[str] = Field(default_factory=list)
    source: JsonObject
    trace_id: str | None = nullable()


class Edge(Record):
    """How one capture follows another."""

    from_: str = Field(alias="from")
    to: str
    type: str
    execution_group: str
    confidence: str
    evidence: JsonObject = Field(default_factory=dict)


class Group(Record):
    """One execution: the captures of one conversation."""

    id: str
    capture_count: int
    edge_count: int
    roots: list[str]
    grouping_label: str
    trace_id: str | None = nullable()
    workloads: list[str] = Field(default_factory=list)
    workloads_spanned: list[str] = Field(default_factory=list)
    task_id: str | None = None
    helpers: list[str] | None = None


class Quarantine(Record):
    """A group that no task can be made of."""

    execution_group: str
    code: str
    edge_count: int = 0
    candidate_count: int = 0
    common_prefix_messages: int = 0
    available_identity_fields: list[str] = Field(default_factory=list)


class SourceDag(Record):
    """The lineage of every capture of a build."""

    schema_version: Literal["understudy.source_dag.v1"] = "understudy.source_dag.v1"
    valid: bool
    issues: list[str]
    quarantines: list[Quarantine]
    quarantined_groups: list[str]
    nodes: list[Node]
    edges: list[Edge]
    groups: list[Group]

    @property
    def quarantined(self) -> str | None:
        """How many groups no task can be made of, and why, in words; None without any."""
        if not self.quarantined_groups:
            return None
        codes = Counter(each.code.replace("_", " ") for each in self.quarantines)
        why = ", ".join(f"{count} {code}" for code, count in codes.items())
        said = f"in quarantine: {many(len(self.quarantined_groups), 'group')}"
        return f"{said} ({why})" if why else said

    @property
    def faults(self) -> list[str]:
        """What a promotion has to be told to overlook, in words."""
        found = [self.quarantined] if self.quarantined else []
        return found if self.valid else [*found, f"not valid: {'; '.join(self.issues)}"]


class IndexRow(Record):
    """One group, or one dropped record, with what became of it."""

    schema_version: Literal["understudy.eval-execution-index-row.v1"] = (
        "understudy.eval-execution-index-row.v1"
    )
    execution_group: str | None = nullable()
    lineage_status: str
    grouping_label: str | None = nullable()
    trace_id: str | None = nullable()
    capture_count: int
    edge_count: int
    workloads: list[str]
    task_id: str | None = nullable()
    exclusion_reasons: list[str]
    source_status: str | None = None
    source_files: list[JsonObject] | None = None
