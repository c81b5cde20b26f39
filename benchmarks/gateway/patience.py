"""The clock of one rollout: what counts as its time, and how long it may still wait."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

DEFAULT_TIMEOUT_S = 600.0
LEAST_WAIT_LIMIT_S = 3600.0
WAITS_PER_TIMEOUT = 6


@dataclass(frozen=True, slots=True)
class Retry:
    """One try that failed and will be followed by another."""

    kind: str
    wait_s: float
    limited: bool
    """The provider asked for fewer calls; such a wait is not rollout time."""
    unreported: bool
    """The provider may have worked, and been paid, without saying so."""


def wait_limit(timeout_s: float) -> float:
    """How long one rollout may wait for its provider's limits, all waits together."""
    return max(LEAST_WAIT_LIMIT_S, WAITS_PER_TIMEOUT * timeout_s)


class Patience:
    """The time of one rollout: it starts with the first admitted call and stops while limited.

    The executor binds it to the `asyncio.Timeout` that cancels the rollout; a wait for the
    provider's limits moves that deadline by as much as it lasted.
    """

    def __init__(
        self,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        *,
        on_retry: Callable[[Retry], None] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.timeout_s = timeout_s
        self.waited_s = 0.0
        self.backed_off_s = 0.0
        self.retries = 0
        self.limited = 0
        self.unreported = 0
        self._wait_limit_s = wait_limit(timeout_s)
        self._used_s = 0.0
        self._running_since: float | None = None
        self._on_retry = on_retry
        self._now = now
        self._deadline: asyncio.Timeout | None = None

    def bind(self, deadline: asyncio.Timeout) -> None:
        """Let this clock move `deadline`."""
        self._deadline = deadline

    @property
    def is_running(self) -> bool:
        """Whether rollout time is passing: a call was admitted and nothing is waited for."""
        return self._running_since is not None

    @property
    def used_s(self) -> float:
        """The rollout time so far."""
        running = 0.0 if self._running_since is None else self._now() - self._running_since
        return self._used_s + running

    @property
    def left_s(self) -> float:
        """The rollout time that is left; never below zero."""
        return max(0.0, self.timeout_s - self.used_s)

    @property
    def wait_left_s(self) -> float:
        """How much longer the rollout may wait for limits."""
        return max(0.0, self._wait_limit_s - self.waited_s)

    @property
    def mostly_backing_off(self) -> bool:
        """Whether half or more of the rollout time was back-off between tries."""
        return self.backed_off_s * 2 >= self.used_s > 0

    def admitted(self) -> None:
        """Start the clock, if it does not run: a call may be sent now."""
        if self._running_since is not None:
            return
        self._running_since = self._now()
        if self._deadline is not None:
            self._deadline.reschedule(asyncio.get_running_loop().time() + self.left_s)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Stop the clock: the body waits for the provider's limits."""
        was_running = self._running_since is not None
        if was_running:
            self._used_s, self._running_since = self.used_s, None
            if self._deadline is not None:
                self._deadline.reschedule(None)
        began = self._now()
        try:
            yield
        finally:
            self.waited_s += self._now() - began
            if was_running:
                self.admitted()

    def note(self, retry: Retry) -> None:
        """Count one failed try and pass it on."""
        if retry.limited:
            self.limited += 1
        else:
            self.retries += 1
            self.backed_off_s += retry.wait_s
        self.unreported += retry.unreported
        if self._on_retry is not None:
            self._on_retry(retry)
