"""Derived entries: only what differs from before is written."""

from collections.abc import Sequence
from typing import TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)
BATCH = 500


def write_differences(model: type[M], benchmark_id: int, key: str, entries: Sequence[M]) -> int:
    """Make the entries of a benchmark these; how many were written or removed.

    Args:
        model: a table with a `benchmark` and a column that is unique within it.
        benchmark_id: whose entries they are.
        key: that column.
        entries: all that shall be there, unsaved.
    """
    of_benchmark = model._default_manager.filter(benchmark_id=benchmark_id)
    fields = [each.attname for each in model._meta.concrete_fields if not each.primary_key]
    before = {getattr(entry, key): entry for entry in of_benchmark}
    new: list[M] = []
    changed: list[M] = []
    moved: set[str] = set()
    for entry in entries:
        old = before.pop(getattr(entry, key), None)
        if old is None:
            new.append(entry)
            continue
        entry.pk = old.pk
        differing = [name for name in fields if getattr(entry, name) != getattr(old, name)]
        if differing:
            changed.append(entry)
            moved.update(differing)
    of_benchmark.filter(pk__in=[entry.pk for entry in before.values()]).delete()
    if changed:
        model._default_manager.bulk_update(changed, sorted(moved), batch_size=BATCH)
    model._default_manager.bulk_create(new, batch_size=BATCH)
    return len(before) + len(changed) + len(new)
