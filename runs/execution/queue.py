"""What an executor does with the queue of one directory: claim it, run each request in order.

A request that cannot be run fails by itself; the queue goes on.
"""

import socket
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from benchmarks.artifacts.claim import Claim, ClaimOwner
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import ClaimLost, DiskFull, UnderstudyError
from benchmarks.gateway.reaching import leaves_machine
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import RunStatus
from runs.execution.authoring import Authoring
from runs.execution.means import Means
from runs.execution.playing import Playing
from runs.executor import transitions
from runs.executor.events import EventMaker, read_happened
from runs.executor.foreign import Here, is_respected
from runs.requests.arms import arms_of
from runs.requests.authoring import is_authoring
from runs.requests.capabilities import lacking, requires
from runs.trust.guard import NEEDED, Shape, allows, allows_upload


def execute_directory(
    directory: BenchmarkDir, means: Means, *, run_id: str | None = None
) -> list[RunRequest]:
    """Run what the queue of a directory holds, oldest first; the requests that came to an end.

    Raises:
        Claimed: a live executor holds the directory.
        LocksUnsupported: its file system has no locks that exclude anybody.
        ClaimLost: another executor took it; nothing more was written.
        DiskFull: a line did not fit; what was acknowledged stands, and the run can be resumed.
    """
    if next(waiting(directory, run_id), None) is None:
        return []
    owner = ClaimOwner(means.version, means.clock(), run_id)
    with directory.claim(owner, means.locking) as claim:
        return Pass(directory, claim, means).run(run_id)


def waiting(
    directory: BenchmarkDir, run_id: str | None = None, tried: Collection[str] = ()
) -> Iterator[RunRequest]:
    """The requests with something left to do, oldest first."""
    for request in directory.requests().requests:
        if run_id not in {None, request.run_id} or request.run_id in tried:
            continue
        if transitions.is_unfinished(request):
            yield request


@dataclass(frozen=True)
class Pass:
    """One pass over the queue of a directory that is held."""

    directory: BenchmarkDir
    claim: Claim
    means: Means

    def run(self, run_id: str | None) -> list[RunRequest]:
        """Run every request once, those that are queued meanwhile too."""
        tried: set[str] = set()
        ended: list[RunRequest] = []
        while not self.means.shutdown.requested:
            request = next(waiting(self.directory, run_id, tried), None)
            if request is None:
                break
            tried.add(request.run_id)
            after = self._request(request)
            if after.status not in transitions.OPEN:
                ended.append(after)
        return ended

    def _request(self, request: RunRequest) -> RunRequest:
        """Run one request, unless it is left alone."""
        happened = read_happened(self.directory, request.run_id)
        version, clock = self.means.version, self.means.clock
        events = EventMaker(request.run_id, version, clock, happened.last_seq)
        playing = Playing(self.directory, self.claim, self.means, events, happened)
        if self._is_left_alone(request, playing):
            return request
        try:
            if is_authoring(request):
                return Authoring(playing, request).run()
            return playing.run(request)
        except (ClaimLost, DiskFull):
            raise
        except UnderstudyError as error:
            return playing.fail(request, error)

    def _is_left_alone(self, request: RunRequest, playing: Playing) -> bool:
        """Whether another program has it, this version cannot run it, or nobody allowed it."""
        if request.status == RunStatus.CANCELLED:
            return False
        return (
            self._is_anothers(request, playing)
            or self._is_beyond(request, playing)
            or self._is_blocked(request, playing)
            or self._is_too_long(request)
        )

    def _is_anothers(self, request: RunRequest, playing: Playing) -> bool:
        if request.claimed_by is None:
            return False
        here = Here(
            host=socket.gethostname(),
            now=self.means.clock(),
            last_event_at=playing.happened.last_at,
            timeout_s=self.means.timeout_for(request),
        )
        if not is_respected(request, here):
            return False
        block = request.claimed_by
        text = f"{request.run_id} is left to pid {block.get('pid')} on {block.get('host')}"
        self.means.listener.narrate(text)
        return True

    def _is_beyond(self, request: RunRequest, playing: Playing) -> bool:
        """Mark a request that this version cannot run; say so once."""
        needed = request.requires
        if needed is None:
            needed = requires(request, self.directory.tasks().values())
        missing = lacking(needed)
        if not missing:
            return False
        version, at = self.means.version, self.means.now
        if transitions.unsupported(request, version, missing, at) is not None:
            transitions.edit(
                self.directory,
                request.run_id,
                lambda now: transitions.unsupported(now, version, missing, at) or now,
            )
            text = f"executor {version} lacks {', '.join(missing)}"
            playing.tell(playing.events.make("run_unsupported", status=request.status, error=text))
        return True

    def _is_too_long(self, request: RunRequest) -> bool:
        """Leave alone what this executor would have to cut short again and again."""
        longest, timeout_s = self.means.longest_s, self.means.timeout_for(request)
        if longest is None or timeout_s <= longest:
            return False
        self.means.listener.narrate(
            f"{request.run_id} is left alone: a rollout of it may take {timeout_s:g} s, and this "
            f"worker is made for at most {longest:g} s"
        )
        return True

    def _is_blocked(self, request: RunRequest, playing: Playing) -> bool:
        """Judge again what nobody was asked about: a request by hand, or of an older tool."""
        why = self._why_blocked(request) or self._why_held_back(request)
        if why is None:
            return False
        if "run_blocked" not in playing.happened.types:
            playing.tell(playing.events.make("run_blocked", error=why))
        return True

    def _why_blocked(self, request: RunRequest) -> str | None:
        """Why nobody allowed it to spend; None where somebody did, or nothing is to be asked."""
        if request.notices or request.confirmed or request.status != RunStatus.QUEUED:
            return None
        named = isinstance(request.tasks, list)
        shape = Shape(arms_of(request), request.rollouts_per_task, named)
        if allows(shape, self.means.posture, confirmed=False):
            return None
        return f"{shape.reason} needs {NEEDED}; the posture is {self.means.posture.level}"

    def _why_held_back(self, request: RunRequest) -> str | None:
        """Why captured content may not leave for a provider; asked again at every start."""
        if not is_authoring(request):
            return None
        models = [arm.label for arm in arms_of(request)]
        leaving = [name for name in models if leaves_machine(name, self.means.credentials)]
        confirmed = request.confirmed is True
        if allows_upload(leaving, self.means.posture, confirmed=confirmed):
            return None
        return f"captured content may not be sent to the provider of {', '.join(leaving)}"
