"""Two hosts on one directory, and a Redis that goes: the lease excludes, pauses and comes back."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import Locking
from benchmarks.errors import ClaimLost
from benchmarks.records.event import RunEvent
from runs.executor.assignment import Listener
from runs.lease import RedisLeases, Rhythm
from tests.executing import execute
from tests.factories import Desk, make_desk, queue
from tests.redis_server import RedisServer, running_redis
from tests.stub_model import Behaviour, StubModel
from tests.working import row_lines, until

TASKS = 12
STOPPED_AT = 3
QUICK = Rhythm(life_s=1.0, renew_s=0.05, trusted_s=0.4, regain_s=30.0, retry_s=0.02)

pytestmark = pytest.mark.xdist_group("workers")


def everybody(descriptor: int, path: Path) -> bool:
    """The lock of a file system that excludes nobody."""
    return True


def nfs(_: Path) -> str:
    return "NFS"


def local(_: Path) -> None:
    return None


@dataclass
class Host:
    """One executor's way to the directory."""

    server: RedisServer
    rhythm: Rhythm = QUICK
    ahead_s: float = 0.0
    """How far its clock has been moved: as long as it was stopped."""
    beats: bool = True
    network: Callable[[Path], str | None] = nfs

    @property
    def locking(self) -> Locking:
        store = Redis.from_url(
            self.server.url,
            socket_timeout=0.5,
            socket_connect_timeout=0.5,
            retry=Retry(NoBackoff(), 0),
        )
        leases = RedisLeases(
            store=store,
            address=self.server.url,
            failures=(RedisError, OSError),
            rhythm=self.rhythm,
            clock=lambda: time.monotonic() + self.ahead_s,
            beats=self.beats,
        )
        lock = {"try_lock": everybody} if self.network is nfs else {}
        return Locking(leases, self.network, **lock)


@dataclass
class Run:
    """An executor in a thread, with how it ended."""

    desk: Desk
    url: str
    host: Host
    at_row: Callable[[int], None] = lambda row: None
    ended: list[Any] = field(default_factory=list)
    events: list[RunEvent] = field(default_factory=list)
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._execute)

    def _execute(self) -> None:
        listener = Listener(self._hear, lambda text: None)
        try:
            changes: dict[str, Any] = {"listener": listener, "locking": self.host.locking}
            self.ended += execute(self.desk, self.url, **changes)
        except ClaimLost as error:
            self.ended.append(error)

    def _hear(self, event: RunEvent) -> None:
        self.events.append(event)
        if event.type == "rollout":
            self.at_row((event.progress or {})["completed"])

    @property
    def types(self) -> Counter[str]:
        return Counter(event.type for event in self.events)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with running_redis(tmp_path / "redis") as server:
        yield server


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = make_desk(tmp_path / "desk", TASKS)
    queue(desk, models=["stub-model"], concurrency=2)
    return desk


def cells(desk: Desk) -> Counter[str]:
    return Counter(row.task_id for row in desk.rows())


def every_byte(desk: Desk) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in desk.path.rglob("*") if path.is_file()}


def test_a4_a_host_that_was_stopped_writes_nothing_more_once_another_took_over(
    desk: Desk, redis: RedisServer
) -> None:
    goes_on = threading.Event()
    stopped = threading.Event()

    def stop(row: int) -> None:
        if row == STOPPED_AT:
            stopped.set()
            goes_on.wait(60)

    slow = Rhythm(life_s=0.3)
    first_host = Host(redis, slow, beats=False)
    with StubModel(Behaviour(latency_s=0.02), keep=False) as stub:
        first = Run(desk, stub.url, first_host, at_row=stop)
        first.thread.start()
        assert stopped.wait(60)
        first_host.ahead_s = 90
        time.sleep(0.4)
        second = Run(desk, stub.url, Host(redis))
        second.thread.start()
        second.thread.join(60)
        (ended,) = second.ended
        assert (ended.status, ended.claimed_by["fence"]) == ("done", 2)
        before = every_byte(desk)
        goes_on.set()
        first.thread.join(60)
    (lost,) = first.ended
    assert isinstance(lost, ClaimLost)
    assert every_byte(desk) == before
    assert (len(desk.rows()), set(cells(desk).values())) == (TASKS, {1})
    assert {row.fence for row in desk.rows()} == {1, 2}

    rows = desk.path / layout.rows("run-1", "stub-model").path
    lines = rows.read_bytes().splitlines(keepends=True)
    assert b'"fence":1' in lines[0]
    with rows.open("ab") as file:
        file.write(lines[0])
    read = desk.directory.rows()
    assert (len(read.records), read.counts.late) == (TASKS, 1)


def test_a8_on_a_local_disk_work_goes_on_without_redis_and_says_so(
    desk: Desk, redis: RedisServer
) -> None:
    def kill(row: int) -> None:
        if row == STOPPED_AT:
            redis.kill()

    with StubModel(Behaviour(latency_s=0.1), keep=False) as stub:
        run = Run(desk, stub.url, Host(redis, network=local), at_row=kill)
        run.thread.start()
        run.thread.join(60)
        calls = stub.calls
    (ended,) = run.ended
    assert ended.status == "done"
    assert (run.types["lease_lost"], run.types["attempt_lost"]) == (1, 0)
    (word,) = [event for event in desk.events() if event.type == "lease_lost"]
    assert word.model_extra["warning"].startswith("3 renewals of the lease failed in a row: ")
    assert (len(desk.rows()), set(cells(desk).values()), calls) == (TASKS, {1}, 2 * TASKS)


def test_a8_a_redis_that_is_down_from_the_start_is_a_warning_on_a_local_disk(
    desk: Desk, redis: RedisServer
) -> None:
    redis.kill()
    with StubModel(keep=False) as stub:
        run = Run(desk, stub.url, Host(redis, network=local))
        run.thread.start()
        run.thread.join(60)
    assert run.ended[0].status == "done"
    assert [event.type for event in run.events[:2]] == ["claim_taken", "lease_lost"]


def test_a8_on_a_network_file_system_it_pauses_and_resumes_when_redis_is_back(
    desk: Desk, redis: RedisServer
) -> None:
    def kill(row: int) -> None:
        if row == STOPPED_AT:
            redis.kill()

    with StubModel(Behaviour(latency_s=0.1), keep=False) as stub:
        run = Run(desk, stub.url, Host(redis), at_row=kill)
        run.thread.start()
        until(lambda: redis.process is None, "redis is killed")
        time.sleep(QUICK.trusted_s + 0.6)
        paused = row_lines(desk)
        assert STOPPED_AT <= paused < TASKS
        calls = stub.calls
        time.sleep(0.6)
        assert (row_lines(desk), stub.calls) == (paused, calls)
        assert run.thread.is_alive()
        redis.start()
        run.thread.join(60)
        calls = stub.calls
    assert run.ended[0].status == "done"
    assert (len(desk.rows()), set(cells(desk).values()), calls) == (TASKS, {1}, 2 * TASKS)
    assert {row.fence for row in desk.rows()} == {1}


def test_a8_on_a_network_file_system_it_leaves_when_another_fence_was_issued(
    desk: Desk, redis: RedisServer
) -> None:
    def overtake(row: int) -> None:
        if row == STOPPED_AT:
            with Redis.from_url(redis.url) as store:
                (key,) = [name for name in store.scan_iter() if not name.endswith(b":fence")]
                with store.pipeline(transaction=True) as both:
                    both.delete(key).set(key + b":fence", 9).execute()

    with StubModel(Behaviour(latency_s=0.1), keep=False) as stub:
        run = Run(desk, stub.url, Host(redis), at_row=overtake)
        run.thread.start()
        run.thread.join(60)
        (lost,) = run.ended
        assert isinstance(lost, ClaimLost)
        assert "the lease of fence 1 is gone" in lost.message
        kept = row_lines(desk)
        assert STOPPED_AT <= kept < TASKS
        assert desk.request("run-1").status == "running"
        again = Run(desk, stub.url, Host(redis))
        again.thread.start()
        again.thread.join(60)
    assert again.ended[0].status == "done"
    assert again.ended[0].claimed_by["fence"] == 10
    assert (len(desk.rows()), set(cells(desk).values())) == (TASKS, {1})
