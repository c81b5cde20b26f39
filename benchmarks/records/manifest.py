"""benchmark.json, as a proposal and promoted (spec/files.md 8.1)."""

from typing import Any

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.blocks import Hashes
from benchmarks.records.task import Incumbent
from benchmarks.records.vocabulary import AnySplit, Split

PROPOSAL = "understudy.benchmark_proposal.v1"
PROMOTED = "understudy.benchmark.v1"


class Category(Record):
    """One tool surface, with a name for people."""

    category_id: str
    name: str = ""
    description: str = ""
    difficulty: str | None = None
    derived_from: JsonObject | None = None


class ManifestTask(Record):
    """A task as the manifest lists it."""

    task_id: str
    category_id: str | None = nullable()
    seed: int | None = None
    genesis: str | None = None
    generator_ref: str | None = None
    split: AnySplit = Split.NONE
    gold: JsonObject | None = nullable()
    status: str | None = None
    task_hash: str | None = None
    capability_fit: JsonObject | None = None
    incumbent: Incumbent | None = None
    version: str | None = None
    content_hashes: Hashes | None = None


class BenchmarkManifest(Record):
    """benchmark.json: what the benchmark is."""

    schema_version: str
    benchmark_id: str = ""
    version: str | None = None
    name: str | None = None
    description: str | None = None
    created_at: str | None = None
    provenance: JsonObject | None = None
    incumbent: Incumbent | None = nullable()
    taxonomy: list[Category] = Field(default_factory=list)
    tasks: list[ManifestTask] = Field(default_factory=list)
    environment: JsonObject | None = None
    verifier: JsonObject | None = None
    splits: JsonObject | None = None
    linked_eval: Any = nullable()
    results_contract: JsonObject | None = None
    status: str | None = None
    executable: bool = False
    promotion_blockers: list[str] = Field(default_factory=list)
    monthly_volume: int | None = None
