"""What a request is expected to cost, and the one notice that says so (spec/run.md 7.5)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice, Usage
from benchmarks.records.vocabulary import TrustLevel
from benchmarks.records.wording import dollars, many
from runs.requests.arms import ArmSpec

CONSTANT_INPUT = 8000
CONSTANT_OUTPUT = 2000
LOW, HIGH = 0.1, 0.9
NOTICE_CHARS = 240

PricedCall = Callable[[str, Usage], float | None]
"""The cost of one rollout's usage under a model's price; None without a price."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What an arm's current rows here say of one rollout."""

    costs: tuple[float, ...] = ()
    latencies_ms: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounds:
    """From what a cost is guessed: kept rows first, then captured tokens, then constants."""

    kept: Mapping[str, Kept]
    """By arm label."""
    captured: Usage | None
    """The mean usage of one task's captures."""
    price: PricedCall
    table_sha256: str | None
    is_free: Callable[[str], bool]
    """Whether a model costs nothing (a built-in script)."""
    stop_loss_usd: float | None = None
    width: int = 8


@dataclass(frozen=True, slots=True)
class ArmQuote:
    """One arm's part of a quote; no cost where none is known."""

    arm: ArmSpec
    cells: int
    expected: float | None
    low: float | None = None
    high: float | None = None
    tokens: Usage | None = None
    tokens_from: str | None = None

    def document(self) -> JsonObject:
        """The arm as a quote lists it."""
        return {
            "label": self.arm.label,
            "kind": self.arm.kind.value,
            "model": self.arm.model,
            "cells": self.cells,
            "cost_usd": _money(self.expected),
        }


def quote(owed: Mapping[ArmSpec, int], on_disk: int, grounds: Grounds) -> JsonObject:
    """The quote of a request: `owed` cells by arm, and how many rows are there already."""
    parts = [_arm_quote(arm, cells, grounds) for arm, cells in owed.items()]
    priced = [part for part in parts if part.expected is not None]
    unpriced = sorted({part.arm.model or part.arm.label for part in parts if part not in priced})
    known = sum(part.expected or 0.0 for part in priced)
    cells = sum(owed.values())
    some = any(part.cells for part in priced) or not unpriced
    return {
        "cells": cells + on_disk,
        "on_disk": on_disk,
        "owed": cells,
        "cost_usd": _money(known) if some else None,
        "basis": _basis(parts, unpriced),
        "cost_low_usd": _money(sum(part.low or 0.0 for part in priced)) if some else None,
        "cost_high_usd": _money(sum(part.high or 0.0 for part in priced)) if some else None,
        "arms": [part.document() for part in parts],
        "tokens": _tokens(parts),
        "tokens_from": _tokens_from(parts),
        "partial": bool(unpriced),
        "unpriced": unpriced,
        "minutes": _minutes(parts, grounds),
        "table_sha256": grounds.table_sha256,
        "stop_loss_usd": grounds.stop_loss_usd,
    }


def _arm_quote(arm: ArmSpec, cells: int, grounds: Grounds) -> ArmQuote:
    if not arm.spends or (arm.model is not None and grounds.is_free(arm.model)):
        return ArmQuote(arm, cells, 0.0, 0.0, 0.0)
    kept = grounds.kept.get(arm.label, Kept())
    if kept.costs:
        ordered = sorted(kept.costs)
        return ArmQuote(
            arm,
            cells,
            fmean(ordered) * cells,
            percentile(ordered, LOW) * cells,
            percentile(ordered, HIGH) * cells,
            tokens_from="kept_rows",
        )
    tokens_from = "captures" if grounds.captured is not None else "constant"
    tokens = grounds.captured or Usage(input_tokens=CONSTANT_INPUT, output_tokens=CONSTANT_OUTPUT)
    each = grounds.price(arm.model, tokens) if arm.model is not None else None
    total = None if each is None else each * cells
    return ArmQuote(arm, cells, total, total, total, tokens, tokens_from)


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of sorted values lies, between neighbours in proportion."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _money(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _basis(parts: Sequence[ArmQuote], unpriced: Sequence[str]) -> str:
    """`free` when nothing can cost, `unknown` when nothing that can has a price, else `table`."""
    spending = [part for part in parts if part.tokens_from is not None]
    if not spending:
        return "free"
    names = {part.arm.model or part.arm.label for part in spending}
    return "unknown" if names <= set(unpriced) else "table"


def _tokens(parts: Sequence[ArmQuote]) -> JsonObject:
    """Tokens that will be used, over the arms whose tokens are guessed."""
    known = [(part.tokens, part.cells) for part in parts if part.tokens is not None]
    return {
        "input": sum((usage.input_tokens or 0) * cells for usage, cells in known),
        "output": sum((usage.output_tokens or 0) * cells for usage, cells in known),
    }


def _tokens_from(parts: Sequence[ArmQuote]) -> str | None:
    """The weakest ground that any arm stands on."""
    found = {part.tokens_from for part in parts}
    return next((word for word in ("constant", "captures", "kept_rows") if word in found), None)


def _minutes(parts: Sequence[ArmQuote], grounds: Grounds) -> float | None:
    """How long it takes at full width, where kept rows say how long a rollout takes."""
    total_ms = 0.0
    for part in parts:
        if not part.arm.spends:
            continue
        latencies = grounds.kept.get(part.arm.label, Kept()).latencies_ms
        if not latencies:
            return None
        total_ms += fmean(latencies) * part.cells
    return round(total_ms / 60_000 / grounds.width, 1) if total_ms else None


def posture_notice(
    level: str, arms: Sequence[ArmSpec], tasks: int, rollouts: int, quoted: JsonObject
) -> Notice:
    """The one line that must be seen before a spending request is written."""
    spending = [arm.label for arm in arms if arm.spends]
    others = [arm.label for arm in arms if not arm.spends]
    named = f"{many(len(spending), 'model arm')} ({', '.join(spending)})"
    if others:
        named += f" and {many(len(others), 'zero-cost arm')} ({', '.join(others)})"
    size = (
        f"x {many(tasks, 'task')} x {many(rollouts, 'rollout')} = {many(quoted['owed'], 'rollout')}"
    )
    ending = f"; {cost_words(quoted)}; {cap_words(quoted)}; {ways_out(level)}"
    head = f"{level}: {named}"
    room = NOTICE_CHARS - len(f" {size}{ending}")
    if len(head) > room:
        head = head[: room - 1] + "…"
    return Notice(
        kind="posture",
        text=f"{head} {size}{ending}",
        level=level,
        arms=[*spending, *others],
        rollouts=quoted["owed"],
        cost_usd=quoted["cost_usd"],
    )


def ways_out(level: str) -> str:
    """How to stop it, and how to allow less from now on where anything less can be allowed."""
    stop = "stop: runs cancel"
    lowest = TrustLevel.LOCAL_SANDBOX
    return stop if level == lowest else f"{stop}; lower: trust set {lowest}"


def cost_words(quoted: JsonObject) -> str:
    """What it is expected to cost, in words."""
    unknown = ", ".join(quoted["unpriced"])[:60]
    if quoted["cost_usd"] is None:
        return f"cost unknown: {unknown}"
    low, high = quoted["cost_low_usd"], quoted["cost_high_usd"]
    spread = f" ({dollars(low)} to {dollars(high)})" if low != high else ""
    more = f" and cost unknown: {unknown}" if unknown else ""
    return f"about {dollars(quoted['cost_usd'])}{spread}{more}"


def cap_words(quoted: JsonObject) -> str:
    """Where the stop-loss stands, in words."""
    limit = quoted["stop_loss_usd"]
    return "no cap" if limit is None else f"stop-loss ${limit:g}"
