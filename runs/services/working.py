"""A worker's turn at one directory: what its queue holds, within one slice of time."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from benchmarks.artifacts.claim import Locking
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Root, resolve
from benchmarks.errors import Claimed, ClaimLost, UnderstudyError
from benchmarks.records.base import JsonObject
from runs.execution.queue import execute_directory, waiting
from runs.executor.assignment import Listener
from runs.executor.slices import Slice
from runs.services.executing import Order, means_of


class Outcome(StrEnum):
    """How a turn ended; every one of them is a success of its message."""

    DONE = "done"
    """The queue holds nothing more that this executor runs."""
    PAUSED = "paused"
    """The slice is over, or the worker is to end: the run goes on with the next holder."""
    IDLE = "idle"
    """There was nothing to do: the request has ended already."""
    CLAIMED = "claimed"
    """Another executor holds the directory; it works the queue off itself."""
    REFUSED = "refused"
    """Nothing can be run here: the error says why."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn came to."""

    outcome: Outcome
    ended: tuple[str, ...] = ()
    """The runs that came to an end."""
    error: JsonObject | None = None

    def document(self) -> JsonObject:
        """As JSON."""
        word: JsonObject = {"outcome": self.outcome.value, "ended": list(self.ended)}
        return {**word, "error": self.error} if self.error is not None else word


def work_on(
    *,
    slug: str,
    run_id: str,
    home: Home,
    roots: Sequence[Root],
    listener: Listener,
    shutdown: Slice,
    longest_s: float | None = None,
    locking: Locking | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Turn:
    """Work off the queue of a directory if `run_id` still waits in it.

    Requests that are queued meanwhile are run too: whoever was told of them finds the directory
    claimed. Nothing is raised that a message given to a worker again would only raise again.
    """
    ended: list[str] = []
    try:
        directory = resolve(slug, roots, cwd=home.path).directory
        means = replace(
            means_of(Order(find=list), home, listener, shutdown, environ),
            longest_s=longest_s,
            locking=locking or Locking(),
        )
        seen: set[str] = set()
        if next(waiting(directory, run_id), None) is None:
            return Turn(Outcome.IDLE)
        while new := {request.run_id for request in waiting(directory)} - seen:
            if shutdown.requested:
                return Turn(Outcome.PAUSED, tuple(ended))
            seen |= new
            ended += [request.run_id for request in execute_directory(directory, means)]
        is_paused = shutdown.requested and next(waiting(directory), None) is not None
        return Turn(Outcome.PAUSED if is_paused else Outcome.DONE, tuple(ended))
    except ClaimLost as error:
        return Turn(Outcome.REFUSED, tuple(ended), error.document()["error"])
    except Claimed as error:
        return Turn(Outcome.CLAIMED, tuple(ended), error.document()["error"])
    except UnderstudyError as error:
        return Turn(Outcome.REFUSED, tuple(ended), error.document()["error"])
