"""What an executor has at hand, read once: keys, prices, the posture, how wide and how long."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path

from benchmarks.artifacts.claim import Locking
from benchmarks.gateway.builtin_prices import builtin_table
from benchmarks.gateway.credentials import Credentials
from benchmarks.gateway.prices import PriceBook, price_book, read_prices
from benchmarks.records.blocks import Usage
from benchmarks.records.request import RunRequest
from benchmarks.records.times import stamp
from runs.executor.assignment import Listener
from runs.executor.shutdown import Shutdown
from runs.trust.posture import Posture

DEFAULT_TIMEOUT_S = 600.0
DEFAULT_WIDTH = 8


@dataclass(frozen=True)
class Means:
    """The means of one executor."""

    version: str
    credentials: Credentials
    prices_file: Path
    posture: Posture
    listener: Listener
    shutdown: Shutdown
    clock: Callable[[], datetime]
    widths: tuple[int, ...] = ()
    """Upper bounds of rollouts in flight that somebody gave."""
    timeout_s: float | None = None
    """How long a rollout may take where its request does not say."""
    longest_s: float | None = None
    """The longest rollout that this executor lives to see; None: any."""
    live_endpoints: frozenset[str] = frozenset()
    """The places of live tools that somebody approved on this machine."""
    locking: Locking = field(default_factory=Locking)
    """How it keeps other executors off its directory."""

    @property
    def now(self) -> str:
        """This moment, as it is written."""
        return stamp(self.clock())

    @cached_property
    def price_book(self) -> PriceBook:
        """The built-in prices with the operator's laid over them; read when first needed."""
        return price_book(builtin_table(self.clock().date()), read_prices(self.prices_file))

    def price(self, model: str, usage: Usage) -> float | None:
        """What a call of a model cost; None without a price."""
        price = self.price_book.find(model)
        return price.of_call(usage) if price is not None else None

    def width_for(self, request: RunRequest) -> int:
        """How many rollouts of a request may be in flight: the smallest number given."""
        given = [*self.widths, *([request.concurrency] if request.concurrency else [])]
        return min(given, default=DEFAULT_WIDTH)

    def timeout_for(self, request: RunRequest) -> float:
        """How long one rollout of a request may take."""
        return request.rollout_timeout_seconds or self.timeout_s or DEFAULT_TIMEOUT_S
