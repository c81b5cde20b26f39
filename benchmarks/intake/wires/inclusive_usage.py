"""Counts of kits whose input holds the cached tokens and whose output holds the thought."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.values import number
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.blocks import Usage

Names = Mapping[str, tuple[str, ...]]
"""The fields of a usage block, each with the names that a kit has for it, the newest first."""


def inclusive_usage(found: Mapping[str, Any], names: Names, *, cost: Any = None) -> UsageRead:
    """The usage that counts tell; a count that is no whole number is named."""
    counts: dict[str, int | None] = {}
    for field, keys in names.items():
        key = next((key for key in keys if found.get(key) is not None), None)
        value = number(found[key]) if key is not None else None
        if key is not None and (value is None or value < 0 or not float(value).is_integer()):
            return UsageRead(None, "bad_usage", f"{key}: {str(found[key])[:40]!r}")
        counts[field] = None if value is None else int(value)
    if all(count is None for count in counts.values()):
        return UsageRead(None, "missing_usage")
    spent = number(cost)
    known = float(spent) if spent is not None and spent >= 0 else None
    return UsageRead(Usage(**counts, reported_cost_usd=known, calls=1))
