"""manifest.json: how a benchmark was built (spec/files.md 8.2)."""

from typing import Any

from pydantic import Field

from benchmarks.records.base import JsonObject, Record
from benchmarks.records.vocabulary import AuditStatus, LeakTier

TRACE_FOUNDRY = "understudy.trace_foundry.v1"
DATASET_FOUNDRY = "understudy.dataset_foundry.v1"


class SelfCheck(Record):
    """The self-check over a whole build (spec/build.md 7.2)."""

    schema_version: str = "understudy.foundry_self_check.v1"
    checked: int
    failed: int
    cap_warnings: int = 0
    environment_failures: list[JsonObject] = Field(default_factory=list)
    tasks: dict[str, JsonObject] = Field(default_factory=dict)


class LeakageFinding(Record):
    """One place where a candidate can read what it should have to work for."""

    task_id: str
    location: str
    """The surface, and where on it."""
    kind: str
    """What stands there: a value of the contract, or what the incumbent said or called."""
    excerpt: str
    tier: LeakTier = LeakTier.VERBATIM
    """Absent in an older audit: verbatim."""
    similarity: float = 1
    signal: str = ""
    """How it was found."""


class LeakageAudit(Record):
    """The leakage audit over a whole build (spec/build.md 7.1)."""

    schema_version: str = "understudy.leakage_audit.v1"
    status: AuditStatus
    checked_tasks: int
    findings: list[LeakageFinding] = Field(default_factory=list)
    tier_counts: dict[str, int] = Field(default_factory=dict)
    heuristic: str = ""
    surfaces: list[str] = Field(default_factory=list)
    package_sha256: str | None = None
    """The package that was audited: an audit of another one is out of date."""

    @property
    def leaking_tasks(self) -> list[str]:
        """The tasks with a verbatim finding, in order."""
        found = (one.task_id for one in self.findings if one.tier is LeakTier.VERBATIM)
        return list(dict.fromkeys(found))


class BuildManifest(Record):
    """manifest.json of either foundry; what an older writer left out is unknown."""

    schema_version: str | None = None
    status: str | None = None
    source: str | None = None
    output_dir: str | None = None
    freshness: JsonObject | None = None
    counts: JsonObject = Field(default_factory=dict)
    artifacts: JsonObject | None = None
    privacy: JsonObject | None = None
    source_scope: JsonObject | None = None
    quarantines: list[JsonObject] | None = None
    lineage: JsonObject | None = None
    self_check: SelfCheck | None = None
    leakage_audit: JsonObject | None = None
    """Absent means not audited: UNKNOWN."""
    fixtures_split: JsonObject | None = None
    versioning: JsonObject | None = None
    builder: JsonObject | None = None
    seed: int | None = None
    intake_report: str | None = None
    pilot: JsonObject | None = None
    """`{task_id, pending}`: the pilot task and how many conversations wait for its audit; with
    `waived {reason, actor, door, at}` when it was waived."""
    direction: str | None = None
    """The picked card whose conversations alone were built."""
    options: JsonObject | None = None
    """The build options that change contracts: refusals, extra_writes, contract_from."""
    mapping: Any = None
    curation: JsonObject | None = None

    @property
    def is_redacted(self) -> bool:
        """Whether secrets were taken out of the captures; only a word against it counts."""
        return (self.privacy or {}).get("redacted") is not False
