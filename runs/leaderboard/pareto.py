"""The arms that no other arm beats in quality and in one more respect at once."""

from collections.abc import Callable, Mapping, Sequence

from benchmarks.stats.costs import SuccessCost
from runs.leaderboard.figures import Arm

MIN_POINTS = 2


def _cost_per_task(arm: Arm) -> float | None:
    return arm.costs.per_task if arm.costs.fully_priced else None


def _cost_per_success(arm: Arm) -> float | None:
    found = arm.costs.per_success
    return found.value if arm.costs.fully_priced and isinstance(found, SuccessCost) else None


def _latency(arm: Arm) -> float | None:
    return arm.speed.p50_ms


def _memory(arm: Arm) -> float | None:
    return arm.speed.peak_memory_bytes


def _slowness(arm: Arm) -> float | None:
    rate = arm.speed.tokens_per_sec
    return -rate if rate is not None else None


AXES: Mapping[str, Callable[[Arm], float | None]] = {
    "cost_per_task": _cost_per_task,
    "cost_per_success": _cost_per_success,
    "latency_p50": _latency,
    "peak_memory": _memory,
    "tokens_per_sec": _slowness,
}
"""Each axis as a price to keep low, so that one rule fits all."""


def frontiers(ranked: Sequence[Arm]) -> dict[str, list[str]]:
    """For each axis the undominated arms, in table order; an axis needs two points."""
    found = {}
    for axis, price in AXES.items():
        points = [
            (arm.label, arm.mean.overall, cost)
            for arm in ranked
            if arm.mean.overall is not None and (cost := price(arm)) is not None
        ]
        if len(points) >= MIN_POINTS:
            found[axis] = [
                label
                for label, quality, cost in points
                if not any(_beats((q, c), (quality, cost)) for _, q, c in points)
            ]
    return found


def _beats(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether a point is at least as good in both respects and better in one."""
    return a[0] >= b[0] and a[1] <= b[1] and a != b
