"""One span, whatever container it came in: the only thing that rebuilding a conversation sees."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from benchmarks.intake.wires.usage import UsageRead


class SpanKind(StrEnum):
    """What ran while a span was open."""

    INFERENCE = "inference"
    """A call of a model."""
    TOOL = "tool"
    """The run of a tool."""
    AGENT = "agent"
    """An agent, a workflow, a wrapper around calls."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that happened during a span, or a log record that names the span."""

    name: str
    attributes: Mapping[str, Any]
    time: int | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """One span; times in nanoseconds since 1970, unknown ones None."""

    trace_id: str
    span_id: str
    name: str = ""
    parent_id: str | None = None
    """None for a root."""
    start: int | None = None
    end: int | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """Flat: dotted names to values."""
    events: tuple[SpanEvent, ...] = ()
    scope: str = ""
    """The instrumentation that made the span."""
    error: str | None = None
    """What it failed with; empty when it failed without a word."""
    kind: SpanKind | None = None
    """What the container says it is; its attributes say it first."""
    input: Any = None
    """What the container holds as its input; attributes are read first."""
    output: Any = None
    usage: UsageRead | None = None
    """What the container counted; used where no attribute counts."""
    model: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    record: int = 0
    """Which record of a group the span stands in."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes a span met twice one span (spec/build.md 1.8)."""
        return self.trace_id, self.span_id, self.name
