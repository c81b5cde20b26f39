"""Answers of services that cost more than a page may: kept while nothing of the benchmark changes.

While a run goes on something always changes. Then an answer is worked out anew for a tenth of the
time at most, and a page says how old the one is that it shows.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.core.cache import cache
from django.utils import timezone

from benchmarks.models import BenchmarkEntry
from benchmarks.records.digest import json_digest

A = TypeVar("A")
KEPT_S = 3600
REST = 10
"""An answer that took a second stands for ten, whatever changed meanwhile."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[A]):
    """An answer, and what it was worked out of."""

    answer: A
    revision: int
    at: datetime
    seconds: float

    def stands(self, revision: int, now: datetime) -> bool:
        """Whether it may be shown: nothing changed, or it was dear and is young."""
        rest = self.seconds * REST
        return self.revision == revision or (now - self.at).total_seconds() < rest


def kept(entry: BenchmarkEntry, name: str, *asked: Any, answer: Callable[[], A]) -> Kept[A]:
    """The answer to what was asked of a benchmark, worked out when the kept one stands no more."""
    key = json_digest([entry.path, entry.slug, name, list(asked)])
    found: Kept[A] | None = cache.get(key)
    if found is not None and found.stands(entry.revision, timezone.now()):
        return found
    began = time.perf_counter()
    value = answer()
    fresh = Kept(value, entry.revision, timezone.now(), time.perf_counter() - began)
    cache.set(key, fresh, KEPT_S)
    return fresh
