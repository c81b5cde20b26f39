"""The lease of a directory in Redis: executors of several hosts exclude each other (run.md 2.3).

Every rule is one script, so that nobody comes between looking and writing. A lease is renewed at a
third of its life; its holder trusts it for less than Redis does, on a clock that goes on while the
host sleeps, so that it stops before another may begin.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson
import psutil

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.lease import Bid, Lease, LeaseUnreachable, refusal
from benchmarks.records.base import JsonObject
from runs.broker.urls import for_people, for_redis

PREFIX = "understudy:claim"
PATIENCE_S = 2.0
"""How long one question to Redis may take."""
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

TAKE = """
local held = redis.call('GET', KEYS[1])
if held and cjson.decode(held).nonce ~= ARGV[4] then return {0, held} end
local fence = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[1])) + 1
local value = cjson.decode(ARGV[2])
value.fence = fence
redis.call('SET', KEYS[2], string.format('%.0f', fence))
redis.call('SET', KEYS[1], cjson.encode(value), 'PX', ARGV[3])
return {fence, ''}
"""
"""Raise the counter and set the key, unless somebody but the dead ARGV[4] has it."""
RENEW = """
local held = redis.call('GET', KEYS[1])
if held then
  if cjson.decode(held).nonce ~= ARGV[1] then return 0 end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1
end
if tonumber(redis.call('GET', KEYS[2]) or '0') > tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[2], ARGV[2])
redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3])
return 1
"""
"""Extend what is mine; set it again where it is gone and no other fence was issued since."""
RELEASE = """
local held = redis.call('GET', KEYS[1])
if held and cjson.decode(held).nonce == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
"""

Clock = Callable[[], float]


class Store(Protocol):
    """What is asked of redis-py: one script, its keys and its arguments."""

    def eval(self, script: str, numkeys: int, *keys_and_args: Any) -> Any:
        """What the script returns."""


def boot_clock() -> float:
    """Seconds since the host was started, those that it slept too."""
    return time.clock_gettime(CLOCK)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How long a lease lives, and how it is kept alive."""

    life_s: float = 60.0
    renew_s: float = 20.0
    trusted_s: float = 50.0
    """How long after a good renewal its holder goes on without another."""
    regain_s: float = 120.0
    """How long a lost lease is asked for again."""
    retry_s: float = 1.0
    failures: int = 3
    """Renewals that fail in a row before that is said."""


RHYTHM = Rhythm()


@dataclass(frozen=True)
class RedisLeases:
    """Gives the leases of one Redis."""

    store: Store
    address: str
    """For people, without its password."""
    failures: tuple[type[Exception], ...]
    """What the store raises when it does not answer."""
    rhythm: Rhythm = RHYTHM
    clock: Clock = boot_clock
    beats: bool = True
    """Whether a thread renews; a test that holds the clock renews by itself."""

    def take(self, bid: Bid) -> Lease:
        """The lease of a directory; a holder of this host that is dead is taken over at once.

        Raises:
            Claimed: a live holder has it.
            LeaseUnreachable: Redis does not answer.
        """
        began = self.clock()
        fence, holder = self._ask(bid, dead="")
        if holder is not None and is_dead(holder, bid.block):
            fence, holder = self._ask(bid, dead=str(holder.get("nonce")))
        if holder is not None:
            raise refusal(bid.path, holder)
        lease = RedisLease(self, keys_of(bid), {**bid.block, "fence": fence}, began)
        lease.begin()
        return lease

    def _ask(self, bid: Bid, *, dead: str) -> tuple[int, JsonObject | None]:
        """The fence that was issued, or who has the lease."""
        life_ms = int(self.rhythm.life_s * 1000)
        value = orjson.dumps(bid.block)
        try:
            answer = self.store.eval(TAKE, 2, *keys_of(bid), bid.floor, value, life_ms, dead)
        except self.failures as error:
            raise LeaseUnreachable(f"Redis at {self.address} gives no lease: {error}") from error
        fence, held = answer
        return int(fence), orjson.loads(held) if held else None


@dataclass(slots=True)
class RedisLease:
    """One lease, renewed by a thread of its own."""

    leases: RedisLeases
    keys: tuple[str, str]
    value: JsonObject
    renewed_at: float
    """When the last good renewal was asked for, on the leases' clock."""
    taken: bool = False
    """Whether another holder has been seen, or another fence."""
    _failed: int = 0
    _word: str | None = None
    _over: threading.Event = field(default_factory=threading.Event)
    _asking: threading.Lock = field(default_factory=threading.Lock)

    @property
    def fence(self) -> int:
        """The number that rises with every holder."""
        return int(self.value["fence"])

    def begin(self) -> None:
        """Renew from now on, until it is released."""
        if self.leases.beats:
            threading.Thread(target=self._beat, name="lease", daemon=True).start()

    def is_held(self) -> bool:
        """Whether the last renewal is young enough."""
        age_s = self.leases.clock() - self.renewed_at
        return not self.taken and age_s < self.leases.rhythm.trusted_s

    def renew(self) -> bool:
        """Ask for more time now; whether it was given."""
        with self._asking:
            asked_at = self.leases.clock()
            try:
                given = self._eval(RENEW, self.fence, self._life_ms, orjson.dumps(self.value))
            except self.leases.failures as error:
                self._note_failure(str(error))
                return False
            if given:
                self.renewed_at, self._failed = asked_at, 0
            elif not self.taken:
                self.taken = True
                self._word = f"the lease of fence {self.fence} is another holder's"
            return bool(given)

    def regain(self) -> bool:
        """Ask until it is renewed, another has it, or two minutes are over."""
        rhythm, clock = self.leases.rhythm, self.leases.clock
        until = clock() + rhythm.regain_s
        while not (self.is_held() or self.renew()):
            if self.taken or clock() >= until or self._over.wait(rhythm.retry_s):
                return False
        return True

    def news(self) -> str | None:
        """That renewals fail, in words: once each time they begin to."""
        word, self._word = self._word, None
        return word

    def release(self) -> None:
        """Let it go; one that is another's by now stays his."""
        self._over.set()
        with self._asking, suppress(*self.leases.failures):
            self._eval(RELEASE)

    @property
    def _life_ms(self) -> int:
        return int(self.leases.rhythm.life_s * 1000)

    def _beat(self) -> None:
        while not self._over.wait(self.leases.rhythm.renew_s):
            self.renew()

    def _note_failure(self, why: str) -> None:
        self._failed += 1
        if self._failed == self.leases.rhythm.failures:
            self._word = f"{self._failed} renewals of the lease failed in a row: {why}"

    def _eval(self, script: str, *arguments: Any) -> Any:
        return self.leases.store.eval(script, 2, *self.keys, self.value["nonce"], *arguments)


def keys_of(bid: Bid) -> tuple[str, str]:
    """The key of a directory's lease, and of its counter of fences."""
    key = f"{PREFIX}:{bid.dir_id}:{bid.inode}"
    return key, f"{key}:fence"


def is_dead(holder: JsonObject, here: JsonObject) -> bool:
    """Whether a holder was a process of this start of this host, and is gone.

    A process that was given the same id since counts as alive: the lease then runs out by itself.
    """
    place = ("host", "boot_id")
    if any(holder.get(key) is None or holder.get(key) != here.get(key) for key in place):
        return False
    try:
        return bool(psutil.Process(holder.get("pid")).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
    except (psutil.Error, TypeError, ValueError, OverflowError):
        return False


def leases_of(home: Home) -> RedisLeases | None:
    """The leases of the Redis that is configured; None without one."""
    url = home.settings.redis_url
    if url is None:
        return None
    from redis import Redis, RedisError  # noqa: PLC0415 - 300 ms, and most homes have no Redis
    from redis.backoff import NoBackoff  # noqa: PLC0415
    from redis.retry import Retry  # noqa: PLC0415

    store = Redis.from_url(
        for_redis(url),
        socket_timeout=PATIENCE_S,
        socket_connect_timeout=PATIENCE_S,
        retry=Retry(NoBackoff(), 1),
    )
    return RedisLeases(store, for_people(url), (RedisError, OSError))
