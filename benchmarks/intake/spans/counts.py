"""Reported token counts of a span as one inclusive block, by every convention."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.spans.identifiers import integer_of
from benchmarks.intake.spans.span import Span
from benchmarks.intake.values import number
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage

INPUT = (
    "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens",
    "llm.token_count.prompt", "ai.usage.inputTokens", "ai.usage.promptTokens",
)  # fmt: skip
OUTPUT = (
    "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.usage.completion_tokens",
    "llm.token_count.completion", "ai.usage.outputTokens", "ai.usage.completionTokens",
)  # fmt: skip
INCLUSIVE_READ = (
    "gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read",
    "ai.usage.cachedInputTokens", "gen_ai.usage.input_cached_tokens",
)  # fmt: skip
INCLUSIVE_WRITTEN = (
    "gen_ai.usage.cache_creation.input_tokens", "llm.token_count.prompt_details.cache_write",
    "gen_ai.usage.input_cache_creation",
)  # fmt: skip
UNCLEAR_READ = ("gen_ai.usage.cache_read_input_tokens",)
"""Written by kits that count the cached tokens in and by kits that do not."""
UNCLEAR_WRITTEN = ("gen_ai.usage.cache_creation_input_tokens",)
REASONING = (
    "gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens",
    "llm.token_count.completion_details.reasoning", "ai.usage.reasoningTokens",
)  # fmt: skip
TOTAL = (
    "gen_ai.usage.total_tokens", "llm.usage.total_tokens", "llm.token_count.total",
    "ai.usage.totalTokens", "ai.usage.tokens",
)  # fmt: skip
COST = ("gen_ai.usage.cost", "llm.cost.total")
DETAILS = ("langfuse.observation.usage_details", "usageDetails", "usage_details",
           "mlflow.chat.tokenUsage")  # fmt: skip
COST_DETAILS = "langfuse.observation.cost_details"


class BadCount(ValueError):
    """A count that is negative or no whole number; the message names it."""


@dataclass(frozen=True, slots=True)
class _Counts:
    """Counts as they were reported; `is_clear` when it is known what the input holds."""

    spent: int | None
    answered: int | None
    read: int | None
    written: int | None
    thought: int | None
    total: int | None
    is_clear: bool


def usage_of(span: Span) -> UsageRead:
    """What a span says it used; without a word the block is None and the issue `missing_usage`."""
    try:
        counts = _counted(span.attributes)
    except BadCount as error:
        return UsageRead(None, "bad_usage", str(error))
    if counts is not None:
        return _inclusive(counts, _cost(span.attributes))
    if span.usage is not None:
        return span.usage
    details = next((found for name in DETAILS if (found := _object(span, name))), None)
    return usage_in_details(details) if details else UsageRead(None, "missing_usage")


def usage_in_details(found: Mapping[str, Any]) -> UsageRead:
    """The usage in an object of counts, whichever words it counts in."""
    spent_names = ("input", "input_tokens", "prompt_tokens", "inputTokens", "promptTokens",
                   "promptTokenCount")  # fmt: skip
    answered_names = ("output", "output_tokens", "completion_tokens", "outputTokens",
                      "completionTokens", "candidatesTokenCount")  # fmt: skip
    read_names = ("input_cached_tokens", "cache_read_input_tokens", "input_cache_read",
                  "cachedInputTokens", "cacheReadInputTokens")  # fmt: skip
    written_names = ("input_cache_creation", "cache_creation_input_tokens",
                     "cacheCreationInputTokens", "cacheWriteInputTokens")  # fmt: skip
    try:
        counts = _Counts(
            spent=_first(found, spent_names),
            answered=_first(found, answered_names),
            read=_first(found, read_names) or _inner(found, "cache_read", "cached_tokens"),
            written=_first(found, written_names) or _inner(found, "cache_creation"),
            thought=_first(found, ("output_reasoning_tokens", "reasoningTokens"))
            or _inner(found, "reasoning", "reasoning_tokens"),
            total=_first(found, ("total", "total_tokens", "totalTokens", "totalTokenCount")),
            is_clear=any(key.endswith(("_details", "_token_details")) for key in found),
        )
    except BadCount as error:
        return UsageRead(None, "bad_usage", str(error))
    if counts.spent is None and counts.answered is None:
        return UsageRead(None, "missing_usage")
    return _inclusive(counts, None)


def _inner(found: Mapping[str, Any], *names: str) -> int | None:
    """A count among the details of an object of counts."""
    for key, value in found.items():
        if key.endswith("_details") and isinstance(value, dict):
            count = _first(value, names)
            if count is not None:
                return count
    return None


def _counted(found: Mapping[str, Any]) -> _Counts | None:
    spent, answered = _first(found, INPUT), _first(found, OUTPUT)
    read, written = _first(found, INCLUSIVE_READ), _first(found, INCLUSIVE_WRITTEN)
    is_clear = read is not None or written is not None
    if not is_clear:
        read, written = _first(found, UNCLEAR_READ), _first(found, UNCLEAR_WRITTEN)
    thought = _first(found, REASONING)
    total = _first(found, TOTAL)
    if spent is None and answered is None:
        return None
    return _Counts(spent, answered, read, written, thought, total, is_clear)


def _inclusive(counts: _Counts, cost: float | None) -> UsageRead:
    """All of the prompt and all of the answer, by the reading whose sum was reported."""
    cached = (counts.read or 0) + (counts.written or 0)
    spent, answered, issue, detail = counts.spent, counts.answered, "", ""
    is_apart = spent is not None and cached > spent
    if spent is not None and answered is not None and counts.total is not None:
        sums = _readings(spent, answered, cached, counts.thought or 0)
        fitting = next((pair for pair in sums if sum(pair) == counts.total), None)
        if fitting is None:
            issue, detail = "usage_unreconciled", f"{spent} + {answered} is not {counts.total}"
            fitting = (spent if counts.is_clear and not is_apart else spent + cached, answered)
        spent, answered = fitting
    elif is_apart and spent is not None:
        spent += cached
    elif cached and not counts.is_clear and spent is not None:
        issue, detail = "usage_unreconciled", f"{cached} cached tokens in {spent}, or beside them"
        spent += cached
    if answered is not None and counts.thought is not None and counts.thought > answered:
        answered += counts.thought
    usage = Usage(
        input_tokens=spent,
        output_tokens=answered,
        cache_read_tokens=counts.read,
        cache_write_tokens=counts.written,
        reasoning_tokens=counts.thought,
        reported_cost_usd=cost,
        calls=1,
    )
    return UsageRead(usage, issue, detail)


def _readings(spent: int, answered: int, cached: int, thought: int) -> tuple[tuple[int, int], ...]:
    """What the two counts may mean: cached tokens beside the input, thought beside the output."""
    return (
        (spent, answered),
        (spent + cached, answered),
        (spent, answered + thought),
        (spent + cached, answered + thought),
    )


def _first(found: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    """The first of the names that counts; zero is a count."""
    for name in names:
        value = found.get(name)
        if value is None or value == "":
            continue
        count = integer_of(value)
        if count is None or count < 0:
            raise BadCount(f"{name}: {str(value)[:40]!r}")
        return count
    return None


def _cost(found: Mapping[str, Any]) -> float | None:
    details = decoded(found.get(COST_DETAILS))
    values = [found.get(name) for name in COST]
    if isinstance(details, dict):
        parts = [number(value) for key, value in details.items() if key != "total"]
        whole = number(details.get("total"))
        values.append(sum(part for part in parts if part) if whole is None else whole)
    cost = next((value for item in values if (value := number(item)) is not None), None)
    return float(cost) if cost is not None and cost >= 0 else None


def _object(span: Span, name: str) -> JsonObject:
    found = decoded(span.attributes.get(name))
    return found if isinstance(found, dict) else {}
