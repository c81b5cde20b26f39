"""A leaderboard for people: cells of its table, and a line for everything outside it."""

from collections.abc import Mapping
from typing import Any

from benchmarks.records.base import JsonObject
from benchmarks.records.wording import dollars
from benchmarks.stats.estimates import FEW_TASKS

COLUMNS = ("arm", "mean", "95 %", "small sample", "tasks", "rollouts", "per success", "p50", "tie")
RIGHT = (1, 4, 5, 6, 7)
MUTED_COLUMNS = ("not ranked", "mean", "tasks", "rollouts", "p50")
MUTED_RIGHT = (1, 2, 3, 4)
NOTHING = "-"
METHODS = "95 %: bootstrap over tasks; small sample: Wilson's interval, as calibration gives it"


def ranked_cells(arm: JsonObject) -> tuple[str, ...]:
    """One line of the table."""
    return (
        f"{arm['label']}{' (incomplete)' if arm['incomplete'] else ''}",
        _share(arm["overall"]),
        _interval(arm["ci"]),
        _interval(arm["ci_small"]),
        str(arm["tasks"]),
        str(arm["rollouts"]),
        _per_success(arm["cost"]),
        _milliseconds(arm["latency_p50_ms"]),
        arm["tie_letters"] or NOTHING,
    )


def muted_cells(arm: JsonObject) -> tuple[str, ...]:
    """One line of the arms that do not compete."""
    return (
        arm["label"],
        _share(arm["overall"]),
        str(arm["tasks"]),
        str(arm["rollouts"]),
        _milliseconds(arm["latency_p50_ms"]),
    )


def remarks(document: JsonObject) -> list[str]:
    """What a reader must know beside the table: ties, and every row outside the figures."""
    rows = document["rows"]
    lines = [
        METHODS if document["arms"] else "",
        _leaders(document["leaders"]),
        _few(document["arms"]),
        _outside("excluded", rows["excluded_by"]),
        _outside("missing, by blame", rows["missing_by"]),
        _outside("anomalous", rows["anomalous_by"]),
        _outside("no evidence", rows["left_out_by"]),
        f"{rows['unversioned']} rows carry no version" if rows["unversioned"] else "",
        *(_owed(arm) for arm in document["arms"]),
        *(_unpriced(arm) for arm in document["arms"]),
        *(_unstable(pair) for pair in document["stability"]),
    ]
    return [line for line in lines if line]


def _share(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def _interval(estimate: JsonObject) -> str:
    if estimate.get("insufficient"):
        return "insufficient"
    return f"{estimate['low']:.3f}-{estimate['high']:.3f}"


def _per_success(cost: JsonObject) -> str:
    found = cost["per_success"]
    if found is None or found.get("insufficient"):
        return NOTHING
    if found["value"] is None:
        return "no success"
    more = ">= " if cost["lower_bound"] else ""
    return f"{more}{dollars(found['value'], places=4)}"


def _milliseconds(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:.0f} ms" if value < 1_000 else f"{value / 1_000:.1f} s"


def _leaders(leaders: list[str]) -> str:
    if len(leaders) < 2:
        return ""
    return f"tied in front: {', '.join(leaders)} (arms that share a letter cannot be told apart)"


def _few(arms: list[JsonObject]) -> str:
    few = [arm["label"] for arm in arms if arm["tasks"] < FEW_TASKS]
    return f"fewer than {FEW_TASKS} tasks: {', '.join(few)}" if few else ""


def _outside(what: str, reasons: Mapping[str, int]) -> str:
    if not reasons:
        return ""
    counted = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
    return f"outside the figures, {what}: {counted}"


def _owed(arm: JsonObject) -> str:
    parts: list[Any] = arm["owed"]
    said = ", ".join(
        f"{each['cells']} cells of {each['run_id']} ({each['status']})" for each in parts
    )
    return f"{arm['label']} is still owed {said}" if said else ""


def _unpriced(arm: JsonObject) -> str:
    cost = arm["cost"]
    if not cost["lower_bound"]:
        return ""
    return f"{arm['label']}: {cost['priced']} of {cost['rows']} priced, lower bound"


def _unstable(pair: Mapping[str, str]) -> str:
    return (
        f"the order of {pair['a']} and {pair['b']} depends on the cells without a score:"
        f" scored {pair['scored']}, all failed {pair['attempted']}, all passed {pair['all_passed']}"
    )
