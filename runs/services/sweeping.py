"""The sweep: what waits for an executor is handed to the broker, what is stuck is named.

A message may be lost, a worker may die, a broker may be down: the files say what is owed, and
handing a request over twice is harmless (spec/run.md 2.5).
"""

import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime

from benchmarks.artifacts.roots import Located
from benchmarks.errors import UnderstudyError
from benchmarks.records.base import JsonObject
from benchmarks.records.request import RunRequest
from benchmarks.records.times import read_time
from benchmarks.records.vocabulary import RunStatus
from runs.execution.means import DEFAULT_TIMEOUT_S
from runs.executor.events import read_happened
from runs.executor.foreign import SILENCES, Here, is_respected
from runs.executor.transitions import is_unfinished
from runs.requests.capabilities import lacking, requires

WAITED_S = 10.0
"""A request younger than this is on its way by the message of the door that queued it."""

HandOver = Callable[[str, str], bool]


@dataclass(slots=True)
class Found:
    """What one sweep came upon."""

    handed: list[JsonObject] = field(default_factory=list)
    """Given to the broker."""
    resumable: list[JsonObject] = field(default_factory=list)
    """Could be run now, and no broker took it."""
    young: list[JsonObject] = field(default_factory=list)
    """Queued, and left to the message of the door that queued it until it has waited."""
    respected: list[JsonObject] = field(default_factory=list)
    """In a directory that a live executor holds, or that may not be written."""
    unsupported: list[JsonObject] = field(default_factory=list)
    """Needs what this version lacks."""
    stalled: list[JsonObject] = field(default_factory=list)
    """Its executor is alive and has said nothing for twice the time of a rollout."""
    unreadable: list[JsonObject] = field(default_factory=list)
    """Files of a queue that are no requests, and queues that cannot be read."""

    def document(self) -> JsonObject:
        """As JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that an executor could take up now."""

    request: RunRequest
    item: JsonObject


def sweep(
    *,
    located: Sequence[Located],
    hand_over: HandOver,
    waited_s: float = WAITED_S,
    now: datetime | None = None,
) -> JsonObject:
    """Hand over every queued request that has waited, and every interrupted one, oldest first.

    Without a broker, and from the first one that it does not take, requests are only named.
    """
    sweeping = Sweeping(now or datetime.now(UTC), waited_s)
    waiting = [each for one in located for each in sweeping.look(one)]
    waiting.sort(key=lambda each: (each.request.created_at, each.request.run_id))
    found, takes = sweeping.found, True
    for each in waiting:
        takes = takes and hand_over(each.item["slug"], each.request.run_id)
        (found.handed if takes else found.resumable).append(each.item)
    return found.document()


@dataclass(frozen=True, slots=True)
class Sweeping:
    """One sweep."""

    now: datetime
    waited_s: float
    found: Found = field(default_factory=Found)

    def look(self, located: Located) -> Iterator[Waiting]:
        """What waits in one directory; everything else of it is put where it belongs."""
        try:
            listed = located.directory.requests()
            for file in listed.unreadable:
                self.found.unreadable.append({
                    "slug": located.slug,
                    "file": file.name,
                    "message": file.message,
                })
            yield from self._sorted(located, filter(is_unfinished, listed.requests))
        except (UnderstudyError, OSError) as error:
            message = getattr(error, "message", str(error))
            self.found.unreadable.append({"slug": located.slug, "file": None, "message": message})

    def _sorted(self, located: Located, requests: Iterable[RunRequest]) -> Iterator[Waiting]:
        left = list(requests)
        if not left:
            return
        holder = located.directory.holder()
        for request in left:
            item = item_of(located, request)
            missing = lacking(needs_of(located, request))
            if missing:
                self.found.unsupported.append({**item, "missing": list(missing)})
            elif holder is not None:
                self._held(located, request, {**item, "holder": holder_of(holder)})
            elif located.read_only:
                self.found.respected.append({**item, "holder": None, "reason": "read_only"})
            elif self._is_anothers(located, request):
                self.found.respected.append({**item, "holder": holder_of(request.claimed_by or {})})
            elif request.status != RunStatus.QUEUED or self._has_waited(request):
                yield Waiting(request, item)
            else:
                self.found.young.append({**item, "waits_s": self.waited_s})

    def _held(self, located: Located, request: RunRequest, item: JsonObject) -> None:
        """A live executor has the directory: it is respected, also where it is silent."""
        self.found.respected.append(item)
        if request.status != RunStatus.RUNNING:
            return
        last = read_happened(located.directory, request.run_id).last_at
        last = last or read_time(request.started_at)
        silent_s = (self.now - last).total_seconds() if last is not None else 0.0
        if silent_s >= SILENCES * timeout_of(request):
            self.found.stalled.append({**item, "silent_s": round(silent_s)})

    def _is_anothers(self, located: Located, request: RunRequest) -> bool:
        """Whether an executor that takes no lock may be at work on it."""
        if request.claimed_by is None:
            return False
        last = read_happened(located.directory, request.run_id).last_at
        here = Here(socket.gethostname(), self.now, last, timeout_of(request))
        return is_respected(request, here)

    def _has_waited(self, request: RunRequest) -> bool:
        created = read_time(request.created_at)
        return created is None or (self.now - created).total_seconds() >= self.waited_s


def item_of(located: Located, request: RunRequest) -> JsonObject:
    """A request as a sweep names it."""
    return {
        "slug": located.slug,
        "run_id": request.run_id,
        "status": request.status,
        "created_at": request.created_at,
    }


def needs_of(located: Located, request: RunRequest) -> Sequence[str]:
    """What an executor must be able to do for a request."""
    if request.requires is not None:
        return request.requires
    return requires(request, located.directory.tasks().values())


def holder_of(block: JsonObject) -> JsonObject:
    """Who holds a directory, as a sweep names it."""
    keys = ("pid", "host", "executor_version", "claimed_at")
    return {key: block[key] for key in keys if key in block}


def timeout_of(request: RunRequest) -> float:
    """How long one rollout of a request may take."""
    return request.rollout_timeout_seconds or DEFAULT_TIMEOUT_S
