"""holdout-ledger.jsonl (spec/files.md 9.4)."""

from typing import Literal

from benchmarks.records.base import nullable
from benchmarks.records.blocks import Actor


class HoldoutLook(Actor):
    """One look at the holdout."""

    schema_version: Literal["understudy.holdout_look.v1"] = "understudy.holdout_look.v1"
    at: str
    kind: Literal["run", "regrade", "compare", "report", "export"]
    run_id: str | None = nullable()
    arms: list[str]
    task_ids: list[str]
    note: str | None = None
