"""promotion-record.json (spec/files.md 8.4)."""

from typing import Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record


class PromotionRecord(Record):
    """Who promoted what, on which evidence, over which doubts."""

    schema_version: Literal["understudy.promotion_record.v1"] = "understudy.promotion_record.v1"
    benchmark_id: str
    promoted_at: str
    promoted_by: str
    counts: dict[str, int]
    accepted_tasks: list[str]
    excluded_tasks: list[JsonObject]
    decisions: dict[str, JsonObject]
    blockers_cleared: JsonObject = Field(default_factory=dict)
    waivers: list[JsonObject] = Field(default_factory=list)
    rigor_gate: JsonObject
    gates: list[JsonObject] | None = None
    door: str | None = None
    pilot: JsonObject | None = None
    postures: list[JsonObject] | None = None
    """How each dependency was played, and who approved it."""
    verifiers: dict[str, int] | None = None
    """How many of the accepted tasks had a tested, a weak and an untested verifier."""
    inputs: dict[str, str] | None = None
