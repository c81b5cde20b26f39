"""A request to author tasks: what it asks for beside its models, and what that will cost."""

from collections.abc import Sequence

from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice, Usage
from benchmarks.records.request import RunRequest
from benchmarks.records.wording import many
from runs.requests.arms import arms_of
from runs.requests.quoting import Grounds, PricedCall, cap_words, cost_words, quote, ways_out

AUTHORING = "authoring"
RETRIES = 2
"""Calls of a task at most: the second only where the first was not borne out."""


def is_authoring(request: RunRequest) -> bool:
    """Whether a request is executed by the authoring service."""
    return request.kind == AUTHORING


def compares(request: RunRequest) -> bool:
    """Whether several models are compared, and nothing is written back."""
    return len(request.models) > 1


def authoring_quote(
    request: RunRequest,
    tokens: Sequence[tuple[int, int]],
    *,
    price: PricedCall,
    free: Sequence[str],
    table_sha256: str | None,
    stop_loss_usd: float | None,
) -> JsonObject:
    """The quote of a pass: one call a task and model, at most two. `tokens` are those of a task.

    `free` names the models that nobody is paid for.
    """
    arms = arms_of(request)
    count = len(tokens)
    mean = Usage(
        input_tokens=round(sum(each for each, _ in tokens) / count) if count else 0,
        output_tokens=round(sum(each for _, each in tokens) / count) if count else 0,
    )
    grounds = Grounds(
        kept={},
        captured=mean,
        price=price,
        table_sha256=table_sha256,
        is_free=lambda model: model in free,
        stop_loss_usd=stop_loss_usd,
        width=request.concurrency or 8,
    )
    found = quote(dict.fromkeys(arms, count), 0, grounds)
    high = found["cost_high_usd"]
    return {
        **found,
        "calls": found["owed"],
        "most_calls": found["owed"] * RETRIES,
        "cost_high_usd": None if high is None else round(high * RETRIES, 6),
    }


def authoring_notice(level: str, request: RunRequest, quoted: JsonObject, tasks: int) -> Notice:
    """The one line that must be seen before anything is asked."""
    models = [arm.label for arm in arms_of(request)]
    text = (
        f"{level}: authoring {many(tasks, 'task')} with {', '.join(models)[:80]}, "
        f"{many(quoted['calls'], 'call')}; {cost_words(quoted)}; {cap_words(quoted)}; "
        f"{ways_out(level)}"
    )
    return Notice(
        kind="posture",
        text=text,
        level=level,
        arms=models,
        rollouts=quoted["calls"],
        cost_usd=quoted["cost_usd"],
    )


def visible_line(request: RunRequest, quoted: JsonObject, tasks: int) -> str:
    """What is said before anything is sent, whether a notice is owed or not."""
    models = ", ".join(arm.label for arm in arms_of(request))
    return f"authoring {many(tasks, 'task')} with {models}: {cost_words(quoted)}"
