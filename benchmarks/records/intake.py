"""intake-report.json (spec/files.md 6.5, spec/build.md 1.10)."""

from typing import Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record


class IntakeReport(Record):
    """What was read, recovered, redacted and dropped, and why. Only class L reasons are loss."""

    schema_version: Literal["understudy.intake_report.v1"] = "understudy.intake_report.v1"
    generated_at: str
    verdict: Literal["pass", "fail"]
    loss: float
    bar: float
    sources: list[JsonObject]
    dialects: dict[str, int]
    records: int
    captures: int
    conversations: int
    turns: int
    tool_calls: int
    tool_results: int
    joined_results: int
    dropped: dict[str, int]
    examples: list[JsonObject]
    duplicates: int
    repaired: dict[str, int] = Field(default_factory=dict)
    secrets: dict[str, int] = Field(default_factory=dict)
    redacted: bool = True
    orphan_spans: int = 0
    wrapper_usage: JsonObject = Field(
        default_factory=lambda: {"spans": 0, "input_tokens": 0, "output_tokens": 0}
    )
    cut: list[JsonObject] = Field(default_factory=list)
    issues: dict[str, int] = Field(default_factory=dict)
    by_dialect: dict[str, JsonObject] | None = None
    files: JsonObject | None = None
    joins: JsonObject | None = None
    losses: JsonObject | None = None
    lost: JsonObject | None = None
    """How many of how many each loss is; `apart`, by reason, stands in files without a capture."""
    text: JsonObject | None = None
    tools: JsonObject | None = None
    would_build: JsonObject | None = None
    findings: list[JsonObject] | None = None
