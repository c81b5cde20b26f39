"""The lease in a real Redis: who gets it, how long it is trusted, and how it comes back."""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from benchmarks.artifacts.claim import boot_id
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.lease import Bid, LeaseUnreachable
from benchmarks.artifacts.settings import Settings
from benchmarks.errors import Claimed
from benchmarks.records.base import JsonObject
from runs.lease import (
    RedisLease,
    RedisLeases,
    Rhythm,
    boot_clock,
    is_dead,
    keys_of,
    leases_of,
)
from tests.redis_server import RedisServer, running_redis

KEY = "understudy:claim:0f4c:77"
QUICK = Rhythm(life_s=0.3, renew_s=0.1, trusted_s=0.25, regain_s=0.6, retry_s=0.02)
NOBODY = 2**22 + 7
"""A process id that Linux never gives."""


@dataclass
class Clock:
    """A clock that a test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with running_redis(tmp_path / "redis") as server:
        yield server


@dataclass
class Host:
    """One host's leases; it renews only when told."""

    server: RedisServer
    name: str = "lab-1"
    rhythm: Rhythm = field(default_factory=Rhythm)
    clock: Clock = field(default_factory=Clock)
    beats: bool = False

    @property
    def store(self) -> Redis:
        return Redis.from_url(self.server.url, socket_timeout=2, retry=Retry(NoBackoff(), 0))

    @property
    def leases(self) -> RedisLeases:
        return RedisLeases(
            store=self.store,
            address=self.server.url,
            failures=(RedisError, OSError),
            rhythm=self.rhythm,
            clock=self.clock,
            beats=self.beats,
        )

    def take(self, nonce: str = "n1", *, floor: int = 0, pid: int | None = None) -> RedisLease:
        lease = self.leases.take(make_bid(self.name, nonce, floor, pid))
        assert isinstance(lease, RedisLease)
        return lease


def make_bid(host: str, nonce: str, floor: int = 0, pid: int | None = None) -> Bid:
    block: JsonObject = {
        "pid": os.getpid() if pid is None else pid,
        "host": host,
        "boot_id": boot_id(),
        "nonce": nonce,
        "claimed_at": "2026-11-02T12:00:00.000Z",
        "executor_version": "1.0.0",
    }
    return Bid(Path("/data/refund-desk/runs/claim.lock"), "0f4c", 77, floor, block)


def test_the_key_names_the_directory_and_the_lock_file() -> None:
    assert keys_of(make_bid("lab-1", "n")) == (KEY, f"{KEY}:fence")


def test_a_lease_says_who_has_it_for_sixty_seconds(redis: RedisServer) -> None:
    host = Host(redis)
    lease = host.take("n1")
    value = orjson.loads(host.store.get(KEY))
    assert (value["fence"], value["pid"], value["host"], value["nonce"], value["boot_id"]) == ((
        1,
        os.getpid(),
        "lab-1",
        "n1",
        boot_id(),
    ))
    assert 59_000 < host.store.pttl(KEY) <= 60_000
    assert host.store.get(f"{KEY}:fence") == b"1"
    assert lease.fence == 1


@pytest.mark.parametrize(("counter", "floor", "fence"), [(0, 0, 1), (4, 2, 5), (2, 11, 12)])
def test_the_fence_is_above_every_one_on_disk_and_in_redis(
    redis: RedisServer, counter: int, floor: int, fence: int
) -> None:
    host = Host(redis)
    host.store.set(f"{KEY}:fence", counter)
    assert host.take(floor=floor).fence == fence
    assert host.store.get(f"{KEY}:fence") == str(fence).encode()


def test_a_second_host_is_refused_by_the_name_of_the_first(redis: RedisServer) -> None:
    Host(redis).take("n1")
    with pytest.raises(Claimed) as refused:
        Host(redis, "lab-2").take("n2")
    assert refused.value.message == (
        f"refund-desk is claimed by pid {os.getpid()} on lab-1 since 2026-11-02T12:00:00.000Z "
        "(understudy 1.0.0)"
    )
    assert refused.value.exit_code == 5
    assert refused.value.details["claimed_by"]["nonce"] == "n1"


def test_released_it_is_free_and_the_fence_goes_on(redis: RedisServer) -> None:
    host = Host(redis)
    host.take("n1").release()
    assert host.store.get(KEY) is None
    assert host.take("n2").fence == 2


def test_one_that_is_another_s_by_now_stays_his(redis: RedisServer) -> None:
    host = Host(redis)
    first = host.take("n1")
    host.store.delete(KEY)
    second = host.take("n2")
    first.release()
    assert orjson.loads(host.store.get(KEY))["nonce"] == "n2"
    assert second.renew()


def test_a_dead_holder_of_this_start_of_this_host_is_taken_over_at_once(
    redis: RedisServer,
) -> None:
    host = Host(redis)
    host.take("n1", pid=NOBODY)
    assert host.take("n2").fence == 2


@pytest.mark.parametrize(
    ("changes", "dead"),
    [
        ({"pid": NOBODY}, True),
        ({}, False),
        ({"pid": NOBODY, "host": "lab-2"}, False),
        ({"pid": NOBODY, "boot_id": "another"}, False),
        ({"pid": NOBODY, "boot_id": None}, False),
        ({"pid": "soup"}, False),
    ],
)
def test_only_a_process_that_is_known_to_be_gone_is_dead(changes: Any, dead: bool) -> None:
    here = make_bid("lab-1", "mine").block
    assert is_dead({**make_bid("lab-1", "n1").block, **changes}, here) is dead


def test_a_renewal_gives_it_its_whole_life_again(redis: RedisServer) -> None:
    host = Host(redis)
    lease = host.take()
    host.store.pexpire(KEY, 5_000)
    host.clock.now += 20
    assert lease.renew()
    assert host.store.pttl(KEY) > 59_000
    host.clock.now += 49
    assert lease.is_held()


def test_its_clock_goes_on_while_the_host_sleeps() -> None:
    assert abs(boot_clock() - time.clock_gettime(time.CLOCK_BOOTTIME)) < 1
    assert RedisLeases(Redis(), "r", ()).clock is boot_clock


def test_it_is_trusted_for_fifty_seconds_after_the_last_good_renewal(redis: RedisServer) -> None:
    host = Host(redis)
    lease = host.take()
    host.clock.now += 49.9
    assert lease.is_held()
    host.clock.now += 0.1
    assert lease.is_held() is False


def test_renewals_that_fail_three_times_in_a_row_are_said_once(redis: RedisServer) -> None:
    lease = Host(redis).take()
    redis.kill()
    said = []
    for _ in range(5):
        assert lease.renew() is False
        said.append(lease.news())
    assert said[:2] == [None, None]
    assert (said[2] or "").startswith("3 renewals of the lease failed in a row: ")
    assert said[3:] == [None, None]


def test_it_is_said_again_when_it_begins_again(redis: RedisServer) -> None:
    lease = Host(redis, rhythm=Rhythm(failures=1)).take()
    redis.kill()
    lease.renew()
    assert lease.news() is not None
    redis.start()
    assert lease.renew()
    redis.kill()
    lease.renew()
    assert lease.news() is not None


def test_a_redis_that_forgot_everything_gives_it_back_under_its_fence(redis: RedisServer) -> None:
    host = Host(redis)
    lease = host.take(floor=6)
    redis.kill()
    redis.start()
    assert lease.renew()
    assert orjson.loads(host.store.get(KEY))["fence"] == 7
    assert host.store.get(f"{KEY}:fence") == b"7"


def test_it_does_not_come_back_once_another_fence_was_issued(redis: RedisServer) -> None:
    host = Host(redis)
    lease = host.take("n1")
    host.store.delete(KEY)
    host.take("n2").release()
    assert lease.renew() is False
    assert lease.taken
    assert lease.is_held() is False
    assert lease.regain() is False
    assert lease.news() == "the lease of fence 1 is another holder's"


def test_regain_asks_until_redis_is_there_again(redis: RedisServer) -> None:
    host = Host(redis, rhythm=QUICK)
    lease = host.take()
    redis.kill()
    host.clock.now += 1
    back = threading.Timer(0.1, redis.start)
    back.start()
    assert lease.regain()
    back.join()
    assert lease.is_held()


def test_regain_gives_up_after_its_time(redis: RedisServer) -> None:
    host = Host(redis, rhythm=QUICK)
    lease = host.take()
    redis.kill()
    host.clock.now += 1

    def on() -> float:
        host.clock.now += 0.1
        return host.clock.now

    lease.leases = RedisLeases(
        host.store, "r", (RedisError, OSError), rhythm=QUICK, clock=on, beats=False
    )
    assert lease.regain() is False
    assert lease.taken is False


def test_a_thread_renews_it_until_it_is_released(redis: RedisServer) -> None:
    host = Host(redis, rhythm=QUICK, beats=True)
    lease = host.take()
    time.sleep(0.7)
    assert host.store.get(KEY) is not None
    lease.release()
    time.sleep(0.2)
    assert host.store.get(KEY) is None


def test_without_an_answer_there_is_no_lease(redis: RedisServer) -> None:
    redis.kill()
    with pytest.raises(LeaseUnreachable, match=r"^Redis at redis://127\.0\.0\.1:\d+/0 gives no"):
        Host(redis).take()


def test_leases_come_from_the_redis_that_is_configured(redis: RedisServer, tmp_path: Path) -> None:
    assert leases_of(Home(tmp_path)) is None
    home = Home(tmp_path, Settings(home=tmp_path, redis_url=redis.url))
    leases = leases_of(home)
    assert leases is not None
    lease = leases.take(make_bid("lab-1", "n1"))
    assert lease.fence == 1
    assert lease.is_held()
    lease.release()
