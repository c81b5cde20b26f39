"""A streamed answer as it was captured, and what its pieces came to."""

from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.sources.parsing import Parser


@dataclass(frozen=True, slots=True)
class Stream:
    """One of: text (SSE, or one object a line), bytes (a binary event stream), parsed chunks."""

    text: str = ""
    data: bytes = b""
    chunks: tuple[Any, ...] = ()
    content_type: str = ""
    parser: Parser = field(default_factory=Parser, compare=False)
    """Reads the JSON of its events and counts what it repaired."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """The body that the same answer would have had unstreamed."""

    body: Any
    truncated: bool = False
    """The stream broke off before its end mark."""
    error: str = ""
    """What an error event said: the call failed, whatever its status."""
