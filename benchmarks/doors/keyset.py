"""One page of a mirrored list, by where the page before it ended: no offset, no count, no scan."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

from benchmarks.doors.cursors import Cursors, foreign
from benchmarks.doors.paging import DEFAULT_LIMIT

M = TypeVar("M", bound=Model)
AT = "at"


@dataclass(frozen=True, slots=True)
class Keyset:
    """Cuts lists in the database into pages; ties are broken by the last column of the order."""

    secret: bytes
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    filter: Any = field(default=None)
    """What the list was asked with; a cursor is good for this only."""

    def page(
        self, rows: QuerySet[M], order: Sequence[str], *, total: int | None = None
    ) -> tuple[list[M], dict[str, Any]]:
        """The rows of this page and its `page` document.

        Args:
            rows: the whole list; its own order does not count.
            order: columns without nulls, `-` before one that descends; the last one is unique.
            total: how many rows there are, where a counter says so.

        Raises:
            CursorInvalid: the cursor is from another query, filter or secret.
        """
        chosen = rows.order_by(*order)
        if self.cursor is not None:
            chosen = chosen.filter(_after(order, self._place(order)))
        found = list(chosen[: self.limit + 1])
        taken = found[: self.limit]
        more = len(found) > self.limit
        document: dict[str, Any] = {
            "limit": self.limit,
            "returned": len(taken),
            "next_cursor": self._next(order, taken[-1]) if more else None,
            "total": total,
            "cut": [],
        }
        return taken, document

    def _cursors(self, order: Sequence[str]) -> Cursors:
        return Cursors(self.secret, [list(order), self.filter])

    def _place(self, order: Sequence[str]) -> list[Any]:
        cursor = self.cursor or ""
        values = json.loads(self._cursors(order).read(cursor))
        if not isinstance(values, list) or len(values) != len(order):
            raise foreign(cursor)
        return [_read(value) for value in values]

    def _next(self, order: Sequence[str], last: Model) -> str:
        values = [attrgetter(_column(name).replace("__", "."))(last) for name in order]
        text = json.dumps([_written(value) for value in values], ensure_ascii=False)
        return self._cursors(order).write(text.encode())


def _column(name: str) -> str:
    return name.removeprefix("-")


def _after(order: Sequence[str], place: Sequence[Any]) -> Q:
    """The rows behind a place: beyond it in the first column that differs."""
    beyond = Q()
    same = Q()
    for name, value in zip(order, place, strict=True):
        column, is_descending = _column(name), name.startswith("-")
        step = "lt" if is_descending else "gt"
        beyond |= same & Q(**{f"{column}__{step}": value})
        same &= Q(**{column: value})
    first, is_descending = _column(order[0]), order[0].startswith("-")
    # Said alone too, so that a database finds the place by its index on the first column.
    return Q(**{f"{first}__{'lte' if is_descending else 'gte'}": place[0]}) & beyond


def _written(value: Any) -> Any:
    return {AT: value.isoformat()} if isinstance(value, datetime) else value


def _read(value: Any) -> Any:
    return datetime.fromisoformat(value[AT]) if isinstance(value, dict) else value
