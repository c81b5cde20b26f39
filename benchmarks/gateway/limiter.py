"""One lane per provider and credential: a fixed window of calls, and pauses that all keep."""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from benchmarks.gateway.failures import AUTH, QUOTA, TOO_LONG_LIMITED, CallFailed, Scope
from benchmarks.gateway.patience import Patience

AUTH_FAILURES = 3


def lane_key(base_url: str, credential: str) -> str:
    """The origin of the URL and the first 12 hex of the credential's digest."""
    parts = urlsplit(base_url)
    digest = hashlib.sha256(credential.encode()).hexdigest()[:12]
    return f"{parts.scheme}://{parts.netloc}#{digest}"


class Lane:
    """What all calls to one provider with one credential share."""

    def __init__(self, key: str, width: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self.key = key
        self.closed_by: CallFailed | None = None
        """The failure after which no call is sent any more: out of quota, or not let in."""
        self._window = asyncio.Semaphore(width)
        self._pause_until = 0.0
        self._refusals = 0
        self._now = now

    @asynccontextmanager
    async def admission(self, patience: Patience) -> AsyncIterator[None]:
        """A place in the window; the wait for it is not rollout time.

        Raises:
            CallFailed: the lane is closed, or the rollout has waited as long as it may.
        """
        if self.closed_by is not None:
            raise CallFailed(self.closed_by.message, kind=self.closed_by.kind)
        if self._window.locked() or self._pause_until > self._now():
            await self._wait(patience)
        else:
            await self._window.acquire()
        patience.admitted()
        try:
            yield
        finally:
            self._window.release()

    async def _wait(self, patience: Patience) -> None:
        with patience.waiting():
            try:
                async with asyncio.timeout(patience.wait_left_s):
                    await self._pause_over()
                    await self._window.acquire()
            except TimeoutError as error:
                raise waited_too_long(patience) from error

    async def _pause_over(self) -> None:
        while (left := self._pause_until - self._now()) > 0:
            await asyncio.sleep(left)

    def pause(self, seconds: float) -> None:
        """Let every caller wait until `seconds` from now."""
        self._pause_until = max(self._pause_until, self._now() + seconds)

    def succeeded(self) -> None:
        """An answer came: earlier refusals of the credential no longer count."""
        self._refusals = 0

    def failed(self, failure: CallFailed) -> None:
        """A final failure: close the lane when it is out of money or its key is refused."""
        if failure.kind.scope is Scope.QUOTA:
            self.closed_by = self.closed_by or failure
        if failure.kind.scope is not Scope.AUTH:
            return
        self._refusals += 1
        if self._refusals >= AUTH_FAILURES:
            self.closed_by = self.closed_by or failure

    @property
    def out_of_quota(self) -> bool:
        """Whether the provider will take no more calls for want of money."""
        return self.closed_by is not None and self.closed_by.kind is QUOTA

    @property
    def refused(self) -> bool:
        """Whether the provider keeps refusing the credential."""
        return self.closed_by is not None and self.closed_by.kind is AUTH


def waited_too_long(patience: Patience) -> CallFailed:
    """The failure of a rollout that has used up its waits for limits."""
    return CallFailed(
        f"RateLimited: waited {patience.waited_s:.0f} s for the provider's limits",
        kind=TOO_LONG_LIMITED,
    )
