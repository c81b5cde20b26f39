"""Answers of services that are kept while nothing of the benchmark changes."""

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

from benchmarks.models import BenchmarkEntry
from benchmarks.records.digest import json_digest

A = TypeVar("A")
KEPT_S = 3600


def kept(entry: BenchmarkEntry, name: str, *asked: object, answer: Callable[[], A]) -> A:
    """The answer to what was asked at the entry's revision, worked out once.

    A sync that changes anything raises the revision, and with it the answer is asked for anew.
    """
    key = json_digest([entry.path, entry.slug, entry.revision, name, list(asked)])
    found: A | None = cache.get(key)
    if found is None:
        found = answer()
        cache.set(key, found, KEPT_S)
    return found
