"""Tokens of one model call, in the inclusive form of spec/files.md 5.3, and their sum."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.records.blocks import Usage

COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "cache_write_1h_tokens",
    "reasoning_tokens",
)
KNOWN = frozenset({
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "input_tokens",
    "output_tokens",
    "prompt_tokens_details",
    "completion_tokens_details",
    "input_tokens_details",
    "output_tokens_details",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "cache_creation",
    "reasoning_tokens",
    "cost",
})


class BadCount(ValueError):
    """A count that is negative or no integer."""


@dataclass(frozen=True, slots=True)
class ReadUsage:
    """What a provider reported; `bad` when it reported something that cannot be."""

    usage: Usage | None
    bad: bool = False


def read_usage(block: object) -> ReadUsage:
    """The usage of one call, from the block beside its answer: zero is kept, absent stays so."""
    if not isinstance(block, Mapping) or not block:
        return ReadUsage(None)
    try:
        counts = _anthropic(block) if _is_anthropic(block) else _openai(block)
    except BadCount:
        return ReadUsage(None, bad=True)
    if all(count is None for count in counts.values()):
        return ReadUsage(None)
    extra = {
        str(key): value
        for key, value in block.items()
        if key not in KNOWN and isinstance(value, str | int | float | bool)
    }
    return ReadUsage(Usage(**counts, reported_cost_usd=_cost(block), calls=1, extra=extra or None))


def _is_anthropic(block: Mapping[str, Any]) -> bool:
    return "cache_read_input_tokens" in block or "cache_creation_input_tokens" in block


def _openai(block: Mapping[str, Any]) -> dict[str, int | None]:
    """Cached tokens are part of the prompt; reasoning is part of the answer, or beside it."""
    prompt = _count(block, "prompt_tokens", "input_tokens")
    completion = _count(block, "completion_tokens", "output_tokens")
    into = _details(block, "prompt_tokens_details", "input_tokens_details")
    out = _details(block, "completion_tokens_details", "output_tokens_details")
    reasoning = _first(_count(out, "reasoning_tokens"), _count(block, "reasoning_tokens"))
    total = _count(block, "total_tokens")
    if reasoning and total == (prompt or 0) + (completion or 0) + reasoning:
        completion = (completion or 0) + reasoning
    return {
        "input_tokens": prompt,
        "output_tokens": completion,
        "cache_read_tokens": _count(into, "cached_tokens"),
        "cache_write_tokens": _count(into, "cache_write_tokens", "cache_creation_tokens"),
        "reasoning_tokens": reasoning,
    }


def _anthropic(block: Mapping[str, Any]) -> dict[str, int | None]:
    """Input leaves the cached parts out, so they are added."""
    fresh = _count(block, "input_tokens", "prompt_tokens")
    read = _count(block, "cache_read_input_tokens")
    created = _count(block, "cache_creation_input_tokens")
    split = _details(block, "cache_creation")
    hour = _count(split, "ephemeral_1h_input_tokens")
    return {
        "input_tokens": None if fresh is None else fresh + (read or 0) + (created or 0),
        "output_tokens": _count(block, "output_tokens", "completion_tokens"),
        "cache_read_tokens": read,
        "cache_write_tokens": created if created is None else max(0, created - (hour or 0)),
        "cache_write_1h_tokens": hour,
    }


def _details(block: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        value = block.get(name)
        if isinstance(value, Mapping):
            return value
    return {}


def _count(block: Mapping[str, Any], *names: str) -> int | None:
    value = next((block[name] for name in names if block.get(name) is not None), None)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise BadCount(value)
    if value != int(value):
        raise BadCount(value)
    return int(value)


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _cost(block: Mapping[str, Any]) -> float | None:
    cost = block.get("cost")
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost < 1e9:
        return None
    return float(cost)


@dataclass(slots=True)
class Tally:
    """The running sum over the calls of one rollout."""

    calls: int = 0
    unreported: int = 0
    reported_cost_usd: float | None = None
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, usage: Usage | None) -> None:
        """Count one answered call, or the calls that a usage sums."""
        if usage is None:
            self.add_unreported(1)
            return
        self.calls += usage.calls or 1
        for name in COUNTS:
            count = getattr(usage, name)
            if count is not None:
                self.counts[name] = self.counts.get(name, 0) + count
        if usage.reported_cost_usd is not None:
            self.reported_cost_usd = (self.reported_cost_usd or 0.0) + usage.reported_cost_usd

    def add_unreported(self, calls: int) -> None:
        """Count tries that may have been worked on and left no usage."""
        self.calls += calls
        self.unreported += calls

    def total(self) -> Usage | None:
        """The sum; None when no model was called."""
        if not self.calls:
            return None
        return Usage(
            **self.counts,
            reported_cost_usd=self.reported_cost_usd,
            calls=self.calls,
            unreported_calls=self.unreported or None,
        )


def total_usage(parts: Iterable[Usage | None]) -> Usage | None:
    """The sum over calls; None when there was no call."""
    tally = Tally()
    for part in parts:
        tally.add(part)
    return tally.total()
