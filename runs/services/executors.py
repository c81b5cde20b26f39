"""Which executors are alive, and which requests wait for one: told when a hub starts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import RunStatus


@dataclass(frozen=True, slots=True)
class Executor:
    """A live process that runs what is queued."""

    pid: object
    host: object
    version: object


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that no live executor works on."""

    slug: str
    run_id: str
    interrupted: bool
    """Whether its executor is gone: it is resumed, not begun."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What runs and what waits under some roots."""

    executors: tuple[Executor, ...]
    waiting: tuple[Waiting, ...]


def executors_and_queue(*, located: Sequence[Located]) -> Standing:
    """Every live executor once, and every request that waits, benchmark by benchmark."""
    executors: dict[Executor, None] = {}
    waiting: list[Waiting] = []
    for each in located:
        executors.update(dict.fromkeys(_executors(each.directory)))
        held = each.directory.holder() is not None
        waiting += [
            Waiting(each.slug, request.run_id, request.status == RunStatus.RUNNING)
            for request in each.directory.requests().requests
            if _waits(request, held=held)
        ]
    return Standing(tuple(executors), tuple(waiting))


def _executors(directory: BenchmarkDir) -> Iterator[Executor]:
    """Who holds the directory and who watches it: often one process."""
    for block in (directory.holder(), directory.watcher()):
        if block is not None:
            yield _executor(block)


def _executor(block: Mapping[str, object]) -> Executor:
    return Executor(block.get("pid"), block.get("host"), block.get("executor_version"))


def _waits(request: RunRequest, *, held: bool) -> bool:
    """Queued, or running without a holder; while somebody holds the directory it is at work."""
    if request.status == RunStatus.QUEUED:
        return True
    return request.status == RunStatus.RUNNING and not held
