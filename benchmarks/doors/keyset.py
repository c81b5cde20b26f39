"""One page of a mirrored list, by where the page before it ended: no offset, no count, no scan.

The order of a list and its query are its selector's; a door keeps the place between two pages, in
a cursor that is signed and dies with another filter.
"""

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
Key = tuple[Any, ...]
"""Numbers, texts and times by which a list is ordered, of the last entry of a page."""
AT = "at"


@dataclass(frozen=True, slots=True)
class Keyset:
    """The pages of one list, asked for in one way."""

    secret: bytes
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    filter: Any = field(default=None)
    """What the list was asked with; a cursor is good for this only."""

    def after(self) -> Key | None:
        """The key behind which the page starts; None for the first page.

        Raises:
            CursorInvalid: the cursor is from another query, filter or secret.
        """
        if self.cursor is None:
            return None
        values = json.loads(self._cursors.read(self.cursor))
        if not isinstance(values, list):
            raise foreign(self.cursor)
        return tuple(_read(value) for value in values)

    def document(self, returned: int, following: Key | None, total: int | None) -> dict[str, Any]:
        """The `page` document of a page that ends at `following`, or at the end of the list."""
        return {
            "limit": self.limit,
            "returned": returned,
            "next_cursor": None if following is None else self._cursor(following),
            "total": total,
            "cut": [],
        }

    def page(
        self, rows: QuerySet[M], order: Sequence[str], *, total: int | None = None
    ) -> tuple[list[M], dict[str, Any]]:
        """The rows of this page of a query, and its `page` document.

        Args:
            rows: the whole list; its own order does not count.
            order: columns without nulls, `-` before one that descends; the last one is unique.
            total: how many rows there are, where a counter says so.

        Raises:
            CursorInvalid: the cursor is from another query, filter or secret.
        """
        chosen, after = rows.order_by(*order), self.after()
        if after is not None:
            if len(after) != len(order):
                raise foreign(self.cursor or "")
            chosen = chosen.filter(behind(order, after))
        found = list(chosen[: self.limit + 1])
        taken = found[: self.limit]
        is_more = len(found) > self.limit
        following = key_of(order, taken[-1]) if is_more else None
        return taken, self.document(len(taken), following, total)

    def _cursor(self, key: Key) -> str:
        text = json.dumps([_written(value) for value in key], ensure_ascii=False)
        return self._cursors.write(text.encode())

    @property
    def _cursors(self) -> Cursors:
        return Cursors(self.secret, ["keyset", self.filter])


def key_of(order: Sequence[str], row: Model) -> Key:
    """The values of a row by which it is ordered."""
    return tuple(attrgetter(_column(name).replace("__", "."))(row) for name in order)


def behind(order: Sequence[str], key: Key) -> Q:
    """The rows behind a key: beyond it in the first column that differs."""
    beyond, same = Q(), Q()
    for name, value in zip(order, key, strict=True):
        step = "lt" if name.startswith("-") else "gt"
        beyond |= same & Q(**{f"{_column(name)}__{step}": value})
        same &= Q(**{_column(name): value})
    step = "lte" if order[0].startswith("-") else "gte"
    # Said alone too, so that a database finds the place by its index on the first column.
    return Q(**{f"{_column(order[0])}__{step}": key[0]}) & beyond


def _column(name: str) -> str:
    return name.removeprefix("-")


def _written(value: Any) -> Any:
    return {AT: value.isoformat()} if isinstance(value, datetime) else value


def _read(value: Any) -> Any:
    return datetime.fromisoformat(value[AT]) if isinstance(value, dict) else value
