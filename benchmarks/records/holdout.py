"""holdout-ledger.jsonl (spec/files.md 9.4)."""

from typing import Literal

from benchmarks.records.base import Record, nullable


class HoldoutLook(Record):
    """One look at the holdout."""

    schema_version: Literal["understudy.holdout_look.v1"] = "understudy.holdout_look.v1"
    at: str
    kind: Literal["run", "regrade", "compare", "report", "export"]
    run_id: str | None = nullable()
    arms: list[str]
    task_ids: list[str]
    actor: str | None = None
    door: str | None = None
    idempotency_key: str | None = None
    arguments_sha256: str | None = None
    """The actor block of spec/files.md 5.2; absent on old lines."""
    note: str | None = None
