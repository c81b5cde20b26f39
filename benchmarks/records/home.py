"""The files under ~/.understudy that this release has (spec/files.md 11)."""

from typing import Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable


class TrustPosture(Record):
    """trust.json: what may be done without asking."""

    schema_version: Literal["understudy.trust_posture.v1"] = "understudy.trust_posture.v1"
    level: str
    set_at: str | None = nullable()
    overrides: JsonObject = Field(default_factory=dict)
    actor: str | None = None
    door: str | None = None
    idempotency_key: str | None = None
    arguments_sha256: str | None = None
    """The actor block of spec/files.md 5.2; absent on old lines."""


class LiveEndpoint(Record):
    """A place of live tools that a person approved on this machine."""

    endpoint: str
    actor: str
    door: str
    at: str


class LiveEndpoints(Record):
    """live-endpoints.json: a benchmark directory may name any place; these alone are called."""

    schema_version: Literal["understudy.live_endpoints.v1"] = "understudy.live_endpoints.v1"
    endpoints: list[LiveEndpoint] = Field(default_factory=list)


class PriceTable(Record):
    """prices.json: US dollars per `per_tokens` tokens, laid over the built-in table."""

    schema_version: Literal["understudy.price_table.v1"] = "understudy.price_table.v1"
    version: str
    currency: str = "USD"
    per_tokens: int = 1_000_000
    models: dict[str, JsonObject] = Field(default_factory=dict)


class Job(Record):
    """jobs/<job_id>.json: one background job."""

    schema_version: Literal["understudy.job.v1"] = "understudy.job.v1"
    job_id: str
    kind: str
    slug: str | None = nullable()
    status: str
    progress: JsonObject = Field(default_factory=dict)
    started_at: str | None = nullable()
    finished_at: str | None = nullable()
    error: JsonObject | None = nullable()
    result: Any = nullable()
    pid: int | None = nullable()
    host: str | None = nullable()
    actor: str | None = None
    door: str | None = None
    idempotency_key: str | None = None
    arguments_sha256: str | None = None
    """The actor block of spec/files.md 5.2; absent on old lines."""


class AuditLine(Record):
    """audit.jsonl: one write through a door, or one refusal."""

    schema_version: Literal["understudy.audit.v1"] = "understudy.audit.v1"
    at: str
    door: str
    actor: str
    service: str
    slug: str | None = nullable()
    arguments_sha256: str
    code: str
    ref: str | None = nullable()


class HubCard(Record):
    """hubs/<port>.json: one hub, while it listens."""

    schema_version: Literal["understudy.hub_card.v1"] = "understudy.hub_card.v1"
    pid: int
    host: str
    port: int
    url: str
    instance_id: str
    version: str
    started_at: str
    behind_proxy: bool = False
