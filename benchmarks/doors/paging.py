"""One page of a list: a signed cursor, and an early end when it grows too big."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from benchmarks.doors.cursors import Cursors, foreign

DEFAULT_LIMIT = 50
MAX_LIMIT = 500

T = TypeVar("T")


@dataclass(frozen=True)
class Pager:
    """Cuts lists into pages; its cursors die with another filter or another secret."""

    secret: bytes
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    filter: Any = field(default=None)
    """What the list was asked with; a cursor is good for this only."""

    def page(
        self, items: Sequence[T], *, room: int | None = None, size: Callable[[T], int] = lambda _: 0
    ) -> tuple[list[T], dict[str, Any]]:
        """The items of this page and its `page` document.

        Args:
            items: the whole list, in its order.
            room: bytes that the page may take; at least one item is always given.
            size: the bytes of one item.

        Raises:
            CursorInvalid: the cursor is from another query, filter or secret.
        """
        start = self._start(len(items))
        taken: list[T] = []
        used = 0
        for item in items[start : start + self.limit]:
            used += size(item)
            if room is not None and taken and used > room:
                break
            taken.append(item)
        end = start + len(taken)
        more = self._cursor(end) if end < len(items) else None
        document: dict[str, Any] = {
            "limit": self.limit,
            "returned": len(taken),
            "next_cursor": more,
            "total": len(items),
            "cut": [],
        }
        return taken, document

    def _start(self, count: int) -> int:
        if self.cursor is None:
            return 0
        place = self._cursors.read(self.cursor)
        if not place.isdigit():
            raise foreign(self.cursor)
        return min(int(place), count)

    def _cursor(self, offset: int) -> str:
        return self._cursors.write(str(offset).encode("ascii"))

    @property
    def _cursors(self) -> Cursors:
        return Cursors(self.secret, self.filter)
