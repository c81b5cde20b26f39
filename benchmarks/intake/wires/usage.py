"""Reported token counts as one inclusive block (spec/files.md 5.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.intake.values import either, number, objects
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage


class BadUsage(ValueError):
    """A count that is negative or no whole number; the message names its key."""


@dataclass(frozen=True, slots=True)
class UsageRead:
    """The block, or None, and what was odd about it."""

    usage: Usage | None
    issue: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Names:
    """Where a wire that counts everything inside its two totals writes its counts."""

    spent: tuple[str, ...]
    answered: tuple[str, ...]
    cached: tuple[str, ...] = ()
    thought: tuple[str, ...] = ()
    total: tuple[str, ...] = ()


CHAT = Names(
    spent=("prompt_tokens",),
    answered=("completion_tokens",),
    cached=("prompt_tokens_details", "cached_tokens"),
    thought=("completion_tokens_details", "reasoning_tokens"),
    total=("total_tokens",),
)
RESPONSES = Names(
    spent=("input_tokens",),
    answered=("output_tokens",),
    cached=("input_tokens_details", "cached_tokens"),
    thought=("output_tokens_details", "reasoning_tokens"),
    total=("total_tokens",),
)
COHERE = Names(
    spent=("tokens", "input_tokens"),
    answered=("tokens", "output_tokens"),
    cached=("cached_tokens",),
)
COHERE_BILLED = Names(
    spent=("billed_units", "input_tokens"), answered=("billed_units", "output_tokens")
)
OLLAMA = Names(spent=("prompt_eval_count",), answered=("eval_count",))


def chat_usage(found: Any) -> UsageRead:
    """Usage of a chat completion: cached and reasoning tokens are inside the two totals."""
    return _named_usage(found, CHAT)


def responses_usage(found: Any) -> UsageRead:
    """Usage of a Responses answer: the same counts as of a completion, by other names."""
    return _named_usage(found, RESPONSES)


def cohere_usage(found: Any) -> UsageRead:
    """Usage of a Cohere answer: what the model read and wrote, else what was billed."""
    tokens = found.get("tokens") if isinstance(found, dict) else None
    return _named_usage(found, COHERE if tokens else COHERE_BILLED)


def ollama_usage(found: Any) -> UsageRead:
    """Usage of an Ollama answer, whose counts stand beside its message."""
    counted = isinstance(found, dict) and ("prompt_eval_count" in found or "eval_count" in found)
    return _named_usage(found if counted else None, OLLAMA)


def _named_usage(found: Any, names: Names) -> UsageRead:
    if not isinstance(found, dict):
        return UsageRead(None, "missing_usage")
    try:
        usage = Usage(
            input_tokens=_count(found, *names.spent),
            output_tokens=_count(found, *names.answered),
            cache_read_tokens=_optional(found, names.cached),
            reasoning_tokens=_optional(found, names.thought),
            reported_cost_usd=_cost(found.get("cost")),
            calls=1,
        )
        total = _optional(found, names.total)
    except BadUsage as error:
        return UsageRead(None, "bad_usage", str(error))
    return _reconciled(usage, total)


def _optional(found: Mapping[str, Any], path: tuple[str, ...]) -> int | None:
    return _count(found, *path) if path else None


def anthropic_usage(found: Any) -> UsageRead:
    """Usage of an Anthropic message: its input leaves the cached tokens out, so they are added."""
    if not isinstance(found, dict):
        return UsageRead(None, "missing_usage")
    try:
        fresh = _count(found, "input_tokens")
        read = _count(found, "cache_read_input_tokens")
        written = _count(found, "cache_creation_input_tokens")
        whole = None if fresh is None else fresh + (read or 0) + (written or 0)
        usage = Usage(
            input_tokens=whole,
            output_tokens=_count(found, "output_tokens"),
            cache_read_tokens=read,
            cache_write_tokens=written,
            cache_write_1h_tokens=_count(found, "cache_creation", "ephemeral_1h_input_tokens"),
            calls=1,
            extra=_extra(found, "server_tool_use"),
        )
    except BadUsage as error:
        return UsageRead(None, "bad_usage", str(error))
    return UsageRead(usage)


def gemini_usage(found: Any) -> UsageRead:
    """Usage of a Gemini answer: thoughts are beside the candidates, tool prompts beside the prompt.

    An answer without candidates spent what the total holds beyond its input.
    """
    if not isinstance(found, dict):
        return UsageRead(None, "missing_usage")
    try:
        prompt, tools = (
            _either(found, "promptTokenCount"),
            _either(found, "toolUsePromptTokenCount"),
        )
        said, thought = _either(found, "candidatesTokenCount"), _either(found, "thoughtsTokenCount")
        cached, total = _either(found, "cachedContentTokenCount"), _either(found, "totalTokenCount")
    except BadUsage as error:
        return UsageRead(None, "bad_usage", str(error))
    spent, answered = _sum(prompt, tools), _sum(said, thought)
    if answered is None and total is not None and spent is not None and total >= spent:
        answered = total - spent
    usage = Usage(
        input_tokens=spent,
        output_tokens=answered,
        cache_read_tokens=cached,
        reasoning_tokens=thought,
        calls=1,
    )
    return _fitting(usage, total, (spent, said), (prompt, answered))


def bedrock_usage(found: Any) -> UsageRead:
    """Usage of a Converse answer: its input leaves the cached tokens out, so they are added."""
    if not isinstance(found, dict):
        return UsageRead(None, "missing_usage")
    try:
        fresh, answered = _count(found, "inputTokens"), _count(found, "outputTokens")
        read, written = (
            _count(found, "cacheReadInputTokens"),
            _count(found, "cacheWriteInputTokens"),
        )
        total = _count(found, "totalTokens")
        hour = [_count(one, "inputTokens") for one in objects(found.get("cacheDetails"))
                if one.get("ttl") == "1h"]  # fmt: skip
    except BadUsage as error:
        return UsageRead(None, "bad_usage", str(error))
    whole = None if fresh is None else fresh + (read or 0) + (written or 0)
    usage = Usage(
        input_tokens=whole,
        output_tokens=answered,
        cache_read_tokens=read,
        cache_write_tokens=written,
        cache_write_1h_tokens=_sum(*hour),
        calls=1,
        extra=_extra(found, "serverToolUsage"),
    )
    if total is not None and fresh is not None and total == fresh + (answered or 0):
        # Some regions leave the cached tokens out of the total as well.
        return UsageRead(usage)
    return _fitting(usage, total)


def _fitting(usage: Usage, total: int | None, *others: tuple[int | None, int | None]) -> UsageRead:
    """The reading whose sum is the reported total, of this one and others; else this, and why."""
    spent, answered = usage.input_tokens, usage.output_tokens
    if total is None or spent is None or answered is None or spent + answered == total:
        return UsageRead(usage)
    for other_spent, other_answered in others:
        if _sum(other_spent, other_answered) == total and None not in {other_spent, other_answered}:
            return UsageRead(usage.with_(input_tokens=other_spent, output_tokens=other_answered))
    return UsageRead(usage, "usage_unreconciled", f"{spent} + {answered} is not {total}")


def _either(found: Mapping[str, Any], name: str) -> int | None:
    return _count({name: either(found, name)}, name)


def _sum(*counts: int | None) -> int | None:
    """The sum of the counts that were reported; None when none was."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _reconciled(usage: Usage, total: int | None) -> UsageRead:
    """The reading whose sum is the reported total; else the larger, and that is said."""
    spent, answered = usage.input_tokens, usage.output_tokens
    if total is None or spent is None or answered is None or spent + answered == total:
        return UsageRead(usage)
    with_thought = answered + (usage.reasoning_tokens or 0)
    if spent + with_thought == total:
        return UsageRead(usage.with_(output_tokens=with_thought))
    detail = f"{spent} + {answered} is not {total}"
    return UsageRead(usage.with_(output_tokens=with_thought), "usage_unreconciled", detail)


def _count(found: Mapping[str, Any], *path: str) -> int | None:
    value: Any = found
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadUsage(f"{'.'.join(path)}: {value!r}")
    return value


def _cost(value: Any) -> float | None:
    cost = number(value)
    return None if cost is None or cost < 0 else float(cost)


def _extra(found: Mapping[str, Any], key: str) -> JsonObject | None:
    return {key: found[key]} if found.get(key) is not None else None
