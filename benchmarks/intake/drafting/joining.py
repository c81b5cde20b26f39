"""The one joiner of results to calls, in the order of the conversation (spec/build.md 1.6).

Joining by a dictionary of ids is the rejected way: ids are used again inside one trajectory, and
a dictionary gives the first call the second call's result.
"""

from collections import deque
from dataclasses import dataclass, field

from benchmarks.records.conversation import CallRef


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that may still be answered."""

    at: CallRef
    call_id: str
    raw_id: str | None
    name: str


@dataclass(slots=True)
class _Queues:
    """Open calls by a key, in order; those that were answered meanwhile are passed over."""

    waiting: dict[int, OpenCall] = field(default_factory=dict)
    _by_key: dict[str, deque[int]] = field(default_factory=dict)

    def put(self, number: int, call: OpenCall, key: str) -> None:
        """Take in one call."""
        self.waiting[number] = call
        self._by_key.setdefault(key, deque()).append(number)

    def first(self, key: str | None) -> int | None:
        """The earliest open call of a key."""
        queue = self._by_key.get(key) if key is not None else None
        while queue and queue[0] not in self.waiting:
            queue.popleft()
        return queue[0] if queue else None

    def only(self) -> int | None:
        """The open call, when there is one alone."""
        return next(iter(self.waiting)) if len(self.waiting) == 1 else None


@dataclass(slots=True)
class Joiner:
    """Gives each result to the earliest call it can belong to, however many are open."""

    given_ids: set[str] = field(default_factory=set)
    _raw_ids: set[str] = field(default_factory=set)
    _named: _Queues = field(default_factory=_Queues)
    """All open calls, by name."""
    _identified: _Queues = field(default_factory=_Queues)
    """Those with an id, by it."""
    _nameless: _Queues = field(default_factory=_Queues)
    """Those without an id, by name."""
    _opened: int = 0

    @property
    def waiting(self) -> list[OpenCall]:
        """The calls that nothing has answered, in order."""
        return list(self._named.waiting.values())

    def open(self, at: CallRef, raw_id: str | None, name: str) -> tuple[str, bool]:
        """Take note of a call; its id, and whether that id was used before."""
        repeated = raw_id is not None and raw_id in self._raw_ids
        call_id = raw_id if raw_id is not None else self._new_id()
        self.given_ids.add(call_id)
        call = OpenCall(at=at, call_id=call_id, raw_id=raw_id, name=name)
        number = self._opened
        self._opened += 1
        self._named.put(number, call, name)
        if raw_id is None:
            self._nameless.put(number, call, name)
        else:
            self._raw_ids.add(raw_id)
            self._identified.put(number, call, raw_id)
        return call_id, repeated

    def answer(self, raw_id: str | None, name: str | None) -> OpenCall | None:
        """Close and return the call that a result answers; None for an orphan."""
        number = self._by_id(raw_id, name) if raw_id is not None else self._by_name(name)
        if number is None:
            return None
        self._identified.waiting.pop(number, None)
        self._nameless.waiting.pop(number, None)
        return self._named.waiting.pop(number)

    def _by_id(self, raw_id: str, name: str | None) -> int | None:
        """The earliest open call with the id; for an id no call has, a call that has none."""
        if raw_id in self._raw_ids:
            return self._identified.first(raw_id)
        return self._nameless.first(name) if name is not None else self._nameless.only()

    def _by_name(self, name: str | None) -> int | None:
        found = self._named.first(name)
        return self._named.only() if found is None else found

    def _new_id(self) -> str:
        number = len(self.given_ids) + 1
        while f"call-{number}" in self.given_ids:
            number += 1
        return f"call-{number}"
