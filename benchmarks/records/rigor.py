"""rigor-report.json and the printed gate (spec/files.md 10.8)."""

from typing import Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record
from benchmarks.records.vocabulary import Mark


class RigorItem(Record):
    """One check: PASS, FLAG or UNKNOWN; a FLAG of a hard check fails the gate."""

    id: str
    title: str
    status: Mark
    hard: bool
    detail: str
    task_ids: list[str] = Field(default_factory=list)
    evidence: list[JsonObject] = Field(default_factory=list)
    remedy: str = ""


class RigorReport(Record):
    """What is known of a benchmark's soundness, and what is not."""

    schema_version: Literal["understudy.rigor_report.v1"] = "understudy.rigor_report.v1"
    benchmark_id: str
    benchmark_version: str
    generated_at: str
    threshold: float
    evidence: JsonObject
    items: list[RigorItem]
    tasks: list[JsonObject]
    counts: dict[str, JsonObject]
    row_counts: JsonObject
    anomaly_counts: dict[str, int]
    split_counts: dict[str, int]
    provenance_origin: str | None
    gate: JsonObject
    seed: int
    inputs: dict[str, str]
    threshold_run: str | None = None
    """The run that set the threshold; absent while it is the default."""


class GateCheck(Record):
    """One check as the gate prints it."""

    check: str
    status: Literal["PASS", "FAIL", "UNKNOWN", "FLAG"]
    detail: str


class GateReport(Record):
    """What `benchmarks rigor --ci` prints; it writes no file."""

    schema_version: Literal["understudy.rigor_ci.v1"] = "understudy.rigor_ci.v1"
    benchmark_dir: str
    benchmark_id: str
    generated_at: str
    checks: list[GateCheck]
    failures: list[str]
    unknowns: list[str]
