"""The one joiner of results to calls, in the order of the conversation (spec/build.md 1.6).

Joining by a dictionary of ids is the rejected way: ids are used again inside one trajectory, and
a dictionary gives the first call the second call's result.
"""

from dataclasses import dataclass, field

from benchmarks.records.conversation import CallRef


@dataclass(slots=True)
class OpenCall:
    """A call that may still be answered."""

    at: CallRef
    call_id: str
    raw_id: str | None
    name: str


@dataclass(slots=True)
class Joiner:
    """Gives each result to the earliest call it can belong to."""

    waiting: list[OpenCall] = field(default_factory=list)
    raw_ids: set[str] = field(default_factory=set)
    given_ids: set[str] = field(default_factory=set)

    def open(self, at: CallRef, raw_id: str | None, name: str) -> tuple[str, bool]:
        """Take note of a call; its id, and whether that id was used before."""
        repeated = raw_id is not None and raw_id in self.raw_ids
        call_id = raw_id if raw_id is not None else self._new_id()
        self.given_ids.add(call_id)
        if raw_id is not None:
            self.raw_ids.add(raw_id)
        self.waiting.append(OpenCall(at=at, call_id=call_id, raw_id=raw_id, name=name))
        return call_id, repeated

    def answer(self, raw_id: str | None, name: str | None) -> OpenCall | None:
        """Close and return the call that a result answers; None for an orphan."""
        call = self._by_id(raw_id, name) if raw_id is not None else self._by_name(name)
        if call is not None:
            self.waiting.remove(call)
        return call

    def _by_id(self, raw_id: str, name: str | None) -> OpenCall | None:
        """The earliest open call with the id; for an id no call has, a call that has none."""
        for call in self.waiting:
            if call.raw_id == raw_id:
                return call
        if raw_id in self.raw_ids:
            return None
        nameless = [call for call in self.waiting if call.raw_id is None]
        return self._named(nameless, name) or (nameless[0] if _only(nameless, name) else None)

    def _by_name(self, name: str | None) -> OpenCall | None:
        return self._named(self.waiting, name) or (
            self.waiting[0] if len(self.waiting) == 1 else None
        )

    @staticmethod
    def _named(calls: list[OpenCall], name: str | None) -> OpenCall | None:
        return next((call for call in calls if name is not None and call.name == name), None)

    def _new_id(self) -> str:
        number = len(self.given_ids) + 1
        while f"call-{number}" in self.given_ids:
            number += 1
        return f"call-{number}"


def _only(calls: list[OpenCall], name: str | None) -> bool:
    return len(calls) == 1 and name is None
