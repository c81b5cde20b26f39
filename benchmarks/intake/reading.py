"""What a dialect makes of one record, before it becomes a capture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.records.capture import (
    CaptureRequest,
    CaptureResponse,
    Identity,
    Routing,
    Scope,
    TraceContext,
    Transport,
)
from benchmarks.records.conversation import Conversation


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the bodies of a call: whose, when, how, which ids."""

    identity: Identity = field(default_factory=Identity)
    scope: Scope = field(default_factory=Scope)
    routing: Routing = field(default_factory=Routing)
    transport: Transport = field(default_factory=Transport)
    captured_at: str | None = None
    unread_time: str | None = None
    """A time that was written and could not be read."""
    capture_id: str | None = None
    trace: TraceContext | None = None
    upstream_request: Any = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One conversation, the chat form of its request and response, and its frame."""

    conversation: Conversation
    request: CaptureRequest
    response: CaptureResponse
    frame: Frame
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    """Bytes that the conversation names by digest."""
    response_id: str | None = None
    """The provider's own id of the answer: the same answer met twice is one capture."""
    previous_id: str | None = None
    """The response id of the call whose history this one goes on from, kept by the provider."""
    taken_apart: bool = False
    """Whether values were read out of its words: secrets are sought in them once more."""
    kept_in: str | None = None
    """The conversation in which the provider keeps the history that this call goes on from."""
