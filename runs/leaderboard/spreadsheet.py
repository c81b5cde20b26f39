"""A leaderboard as CSV: one line for each arm, ranked ones first."""

import csv
import io

from benchmarks.records.base import JsonObject

COLUMNS = (
    *("arm", "kinds", "route", "ranked", "tasks", "rollouts", "overall", "ci_low", "ci_high"),
    *("ci_small_low", "ci_small_high", "attempted", "bound_low", "bound_high", "tie_letters"),
    *("cost_per_task_usd", "cost_per_success_usd", "priced_share", "latency_p50_ms"),
    "latency_p95_ms",
)


def as_csv(document: JsonObject) -> str:
    """The arms of a leaderboard; what is not known is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for arm in document["arms"]:
        writer.writerow({**_cells(arm), "ranked": "yes", "tie_letters": arm["tie_letters"]})
    for arm in document["muted"]:
        writer.writerow({**_cells(arm), "ranked": "no"})
    return out.getvalue()


def _cells(arm: JsonObject) -> JsonObject:
    bounds = arm["bounds"] or (None, None)
    cost = arm["cost"]
    return {
        "arm": arm["label"],
        "kinds": " ".join(arm["kinds"]),
        **{key: arm[key] for key in ("route", "tasks", "rollouts", "overall", "attempted")},
        "ci_low": arm["ci"].get("low"),
        "ci_high": arm["ci"].get("high"),
        "ci_small_low": arm["ci_small"].get("low"),
        "ci_small_high": arm["ci_small"].get("high"),
        "bound_low": bounds[0],
        "bound_high": bounds[1],
        "cost_per_task_usd": cost["per_task_usd"],
        "cost_per_success_usd": (cost["per_success"] or {}).get("value"),
        "priced_share": cost["priced_share"],
        "latency_p50_ms": arm["latency_p50_ms"],
        "latency_p95_ms": arm["latency_p95_ms"],
    }
