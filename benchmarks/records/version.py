"""versions.jsonl (spec/files.md 8.3)."""

from typing import Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.blocks import Hashes
from benchmarks.records.vocabulary import Bump


class TaskBump(Record):
    """How one task changed; `from` null is added, `to` null is removed."""

    task_id: str
    bump: Bump
    from_: str | None = Field(default=None, alias="from", json_schema_extra={"presence": "always"})
    to: str | None = nullable()
    reason: str = ""


class TaskStamp(Record):
    """A task's version and digests after the change."""

    task_id: str
    version: str | None = nullable()
    content_hashes: Hashes | None = nullable()


class VersionLine(Record):
    """One bump of a benchmark. The last major or minor bump of a task is its breaking line."""

    schema_version: Literal["understudy.benchmark_version.v1"] = "understudy.benchmark_version.v1"
    created_at: str
    version: str | None = nullable()
    splits_sha256: str | None = nullable()
    contamination: str | None = nullable()
    note: str | None = nullable()
    task_bumps: list[TaskBump] = Field(default_factory=list)
    tasks: list[TaskStamp] | None = None
    cause: str | None = None
    run_ids: list[str] | None = None
    actor: str | None = None
    door: str | None = None
    splits: JsonObject | None = None
