"""What a model over a wire is to the rest of the lab: one question, one answer, one failure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmarks.gateway.patience import Patience
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.vocabulary import Route


@dataclass(frozen=True, slots=True)
class ChatCall:
    """One turn to ask of a model, in the form of the wire."""

    model: str
    messages: Sequence[JsonObject]
    tools: Sequence[JsonObject] = ()
    """Empty: the key is not sent."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    """The idempotency key: the same for every try of one turn."""


@dataclass(frozen=True, slots=True)
class AskedCall:
    """One tool call that a model asks for, its arguments as the text they came in."""

    call_id: str | None
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """One whole answer of a model."""

    text: str | None
    calls: tuple[AskedCall, ...]
    stop: str | None
    """The provider's finish reason, as found."""
    usage: Usage | None
    """None: the provider reported none, which is not zero."""
    model: str | None
    refusal: str | None = None
    reasoning: str | None = None
    sent: bytes = b""
    """The body of the request as it was sent."""
    latency_ms: float = 0.0
    bad_usage: bool = False


class ChatModel(Protocol):
    """A model that answers one turn at a time."""

    lane_key: str
    """Which provider and credential the calls count against."""
    route: Route
    called_model: str
    """The model id on the wire."""

    async def complete(self, call: ChatCall, patience: Patience) -> ChatAnswer:
        """The model's answer to one turn.

        Raises:
            CallFailed: no answer, after every try that the failure allows.
        """
        ...
