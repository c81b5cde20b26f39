"""Token counts as the logs of coding agents keep them, as one inclusive block."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.blocks import Usage

CODEX_COUNTS = ("input_tokens", "output_tokens", "cached_input_tokens", "reasoning_output_tokens")
GEMINI_COUNTS = ("input", "output", "cached", "thoughts", "tool")


def codex_usage(found: Any) -> UsageRead:
    """A running total of Codex: reasoning is inside the output where input and output are all."""
    counts = _counts(found, (*CODEX_COUNTS, "total_tokens"))
    if isinstance(counts, UsageRead):
        return counts
    spent, said, cached, thought, total = counts
    answered = _sum(said, thought)
    if total is None or _sum(spent, said) == total:
        answered = said
    return _read(spent, answered, cached, thought, total)


def gemini_cli_usage(found: Any) -> UsageRead:
    """The tokens of one message of Gemini CLI: thoughts are beside the output, tools the input.

    Some versions count the cached tokens inside the input, some beside it: the total tells.
    """
    counts = _counts(found, (*GEMINI_COUNTS, "total"))
    if isinstance(counts, UsageRead):
        return counts
    spent, said, cached, thought, tool, total = counts
    whole, answered = _sum(spent, tool), _sum(said, thought)
    if total is not None and _sum(whole, answered) != total:
        for other, less in ((_sum(whole, cached), answered), (whole, said), (spent, answered)):
            if _sum(other, less) == total:
                whole, answered = other, less
                break
    return _read(whole, answered, cached, thought, total)


def _read(
    spent: int | None,
    answered: int | None,
    cached: int | None,
    thought: int | None,
    total: int | None,
) -> UsageRead:
    usage = Usage(
        input_tokens=spent,
        output_tokens=answered,
        cache_read_tokens=cached,
        reasoning_tokens=thought,
        calls=1,
    )
    if total is None or spent is None or answered is None or spent + answered == total:
        return UsageRead(usage)
    detail = f"{spent} + {answered} is not {total}"
    return UsageRead(usage, "usage_unreconciled", detail)


def _counts(found: Any, names: tuple[str, ...]) -> list[int | None] | UsageRead:
    """The counts under these names, or what is wrong with them."""
    if not isinstance(found, Mapping):
        return UsageRead(None, "missing_usage")
    counts: list[int | None] = []
    for name in names:
        value = found.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        if value is not None and not is_count:
            return UsageRead(None, "bad_usage", f"{name}: {value!r}")
        counts.append(value)
    return counts


def _sum(*counts: int | None) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
