"""Buckets of counted tokens under the names that `usage_in_details` knows."""

from collections.abc import Mapping
from typing import Any

from benchmarks.records.base import JsonObject

WRITE_WORDS = ("creation", "write")


def bucketed(details: Mapping[str, Any]) -> JsonObject:
    """The counts, those of cached and of thought tokens each under one name; the first counts."""
    counts: JsonObject = {}
    for key, value in details.items():
        name = key if isinstance(value, dict) else _bucket(key)
        counts.setdefault(name, value)
    return counts


def _bucket(key: str) -> str:
    lower = key.lower()
    if "cache" in lower:
        is_write = any(word in lower for word in WRITE_WORDS)
        return "input_cache_creation" if is_write else "input_cache_read"
    return "output_reasoning_tokens" if "reasoning" in lower else key
