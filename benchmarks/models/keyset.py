"""Pages by key: the next page starts behind the last entry, however many stand before it."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.models import Case, Expression, F, Q, When

M = TypeVar("M", bound=models.Model)
Key = tuple[Any, ...]
"""The values of an entry by which a list is ordered, plain enough for a cursor."""


@dataclass(frozen=True, slots=True)
class Window(Generic[M]):
    """The entries of one page, in order."""

    entries: list[M] = field(default_factory=list)
    next: Key | None = None
    """The key behind which the next page starts; None where the list ends."""


@dataclass(frozen=True, slots=True)
class Keyset:
    """The order of a list: fields that together are unique, all rising or all falling."""

    fields: tuple[str, ...]
    falling: bool = False

    def key(self, entry: models.Model) -> Key:
        """The key of an entry."""
        return tuple(getattr(entry, name) for name in self.fields)

    def behind(self, key: Key) -> Q:
        """What stands behind a key.

        The first field is bounded by itself: only so does a database go straight to the place in
        the index, and not through all that stands before it.
        """
        ahead = "lt" if self.falling else "gt"
        rest = Q()
        for name, value in reversed(list(zip(self.fields, key, strict=True))):
            further = Q(**{f"{name}__{ahead}": value})
            rest = further | (Q(**{name: value}) & rest) if rest else further
        return Q(**{f"{self.fields[0]}__{ahead}e": key[0]}) & rest

    def window(self, queryset: "models.QuerySet[M]", *, limit: int, after: Key | None) -> Window[M]:
        """One page of a query."""
        return self.merged([queryset], limit=limit, after=after)

    def merged(
        self, querysets: Sequence["models.QuerySet[M]"], *, limit: int, after: Key | None
    ) -> Window[M]:
        """One page of several queries that have no entry in common, each read in index order.

        A query for one of several values would have to be sorted; one query a value need not.
        """
        parts = [self._first(each, limit + 1, after) for each in querysets]
        found = list(heapq.merge(*parts, key=self.key, reverse=self.falling))[: limit + 1]
        entries = found[:limit]
        more = len(found) > limit and bool(entries)
        return Window(entries, self.key(entries[-1]) if more else None)

    def _first(self, queryset: "models.QuerySet[M]", count: int, after: Key | None) -> list[M]:
        if after is not None:
            queryset = queryset.filter(self.behind(after))
        sign = "-" if self.falling else ""
        return list(queryset.order_by(*(sign + name for name in self.fields))[:count])


NEWEST_FIRST = Keyset(("moment", "id"), falling=True)
"""The order of every ledger's list."""


def bounded_count(queryset: "models.QuerySet[M]", most: int) -> int:
    """How many entries a query has, counted no further than one beyond `most`."""
    return int(queryset.order_by()[: most + 1].count())


@dataclass(frozen=True, slots=True)
class Asked:
    """What a newest-first list is asked for: OR within a column, AND across columns."""

    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """By column; a column without values is not asked about."""
    since: int | None = None
    """The smallest moment."""
    until: int | None = None
    """The first moment that is too late."""
    also: Q = field(default_factory=Q)
    """What else must hold, looked at entry by entry."""

    def chosen(self) -> dict[str, Sequence[Any]]:
        """The columns that are asked about."""
        return {name: values for name, values in self.values.items() if values}


Driver = tuple[str, ...]
"""Columns of an index that goes on with `moment` and `id`."""
MOST_DRIVEN = 32
"""Queries a page may take: one for each combination of the driver's values."""


def newest(
    model: type[M],
    asked: Asked,
    *,
    drivers: Sequence[Driver],
    limit: int,
    after: Key | None = None,
) -> Window[M]:
    """One page of a ledger's list, newest first.

    The first driver whose columns are all asked about is the way into the table. Every other
    column is looked at entry by entry, as an expression: else a database would take two columns of
    a wide filter for better than the narrow one that was chosen.
    """
    chosen = asked.chosen()
    driver = next((each for each in drivers if _drives(each, chosen)), ())
    rest = {name: values for name, values in chosen.items() if name not in driver}
    base = model._default_manager.filter(_between(asked), asked.also).select_related("benchmark")
    base = base.alias(**{f"plain_{name}": _unindexed(model, name) for name in rest})
    for name, values in rest.items():
        base = base.filter(_one_of(f"plain_{name}", values))
    parts = [
        base.filter(**dict(zip(driver, values, strict=True)))
        for values in product(*(dict.fromkeys(chosen[name]) for name in driver))
    ]
    return NEWEST_FIRST.merged(parts, limit=limit, after=after)


def _drives(driver: Driver, chosen: Mapping[str, Sequence[Any]]) -> bool:
    known = all(name in chosen and None not in chosen[name] for name in driver)
    return known and prod(len(chosen[name]) for name in driver) <= MOST_DRIVEN


def _between(asked: Asked) -> Q:
    found = Q()
    if asked.since is not None:
        found &= Q(moment__gte=asked.since)
    if asked.until is not None:
        found &= Q(moment__lt=asked.until)
    return found


def _one_of(name: str, values: Sequence[Any]) -> Q:
    """Among these values; None stands for nothing."""
    said = [value for value in values if value is not None]
    found = Q(**{f"{name}__in": said}) if said else Q()
    return found | Q(**{f"{name}__isnull": True}) if len(said) < len(values) else found


def _unindexed(model: type[models.Model], name: str) -> Expression:
    """The column as something that no index knows."""
    column = model._meta.get_field(name)
    whole = column.is_relation or isinstance(column, models.IntegerField | models.BooleanField)
    kind: models.Field[Any, Any] = models.BigIntegerField() if whole else models.TextField()
    return Case(When(Q(pk__isnull=False), then=F(name)), output_field=kind)


def any_word(name: str, words: Sequence[str], *, between: str) -> Q:
    """Entries with any of these words in a column that holds words between marks."""
    found = Q()
    for each in words:
        found |= Q(**{f"{name}__contains": f"{between}{each}{between}"})
    return found
