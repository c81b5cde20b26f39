"""normalized-captures.jsonl and capture-ledger.jsonl (spec/files.md 6.1, 6.4)."""

from typing import Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.conversation import Conversation


class Identity(Record):
    """The ids by which a source names a record; null where unknown."""

    request_id: str | None = nullable()
    trace_id: str | None = nullable()
    caller_span_id: str | None = nullable()
    execution_id: str | None = nullable()
    conversation_id: str | None = nullable()
    session_id: str | None = nullable()
    parent_event_id: str | None = nullable()
    task_id: str | None = None
    trial: str | None = None


class Source(Record):
    """Where the bytes are."""

    pointer: str
    pointers: list[str] = Field(default_factory=list)
    sha256: str
    record_sha256: str | None = None
    local_path: str
    content_sha256: str
    identity: Identity = Field(default_factory=Identity)


class Scope(Record):
    """Whose traffic it is."""

    org_id: str | None = nullable()
    project_id: str | None = nullable()
    workload_id: str | None = nullable()
    workload_name: str | None = nullable()


class Routing(Record):
    """Which model answered."""

    provider: str | None = nullable()
    requested_model: str | None = nullable()
    upstream_model: str | None = nullable()


class Transport(Record):
    """How the call travelled."""

    endpoint: str | None = nullable()
    status_code: int | None = nullable()
    latency_ms: float | None = nullable()


class CaptureRequest(Record):
    """The request in chat form, for older readers."""

    system: str | None = nullable()
    messages: list[JsonObject]
    tools: list[JsonObject]
    settings: JsonObject = Field(default_factory=dict)


class CaptureResponse(Record):
    """The response, a streamed one assembled."""

    encoding: str
    body: Any = nullable()
    tool_calls: list[JsonObject]
    stop_reason: str | None = nullable()


class TraceContext(Record):
    """The W3C trace context a capture carried."""

    trace_id: str | None = nullable()
    caller_span_id: str | None = nullable()
    trace_flags: str | None = nullable()
    trace_source: str | None = nullable()
    trace_context_status: str | None = nullable()
    valid: bool = False


class Fingerprints(Record):
    """JSON digests by which captures are grouped."""

    group: str
    messages: list[str]
    sequence: str
    tools: list[str]


class HelperOf(Record):
    """The call that started this helper."""

    capture_key: str
    call_id: str


class Capture(Record):
    """One model call, or one whole conversation, as it was captured."""

    schema_version: Literal["understudy.normalized_capture.v1"] = "understudy.normalized_capture.v1"
    capture_id: str
    capture_key: str
    captured_at: str | None = nullable()
    source: Source
    scope: Scope
    routing: Routing
    transport: Transport
    request: CaptureRequest
    response: CaptureResponse
    trace: TraceContext | None = nullable()
    upstream_request: Any = nullable()
    warnings: list[str] = Field(default_factory=list)
    fingerprints: Fingerprints
    conversation: Conversation
    helper_of: HelperOf | None = None
    secrets: dict[str, int] | None = None


class LedgerEntry(Record):
    """One ingested record: it is not ingested again."""

    source_sha256: str
    source_pointer: str
    capture_key: str
    ingested_at: str
    record_sha256: str | None = None
