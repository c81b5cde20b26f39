"""Chat completions over HTTP: one turn, with the tries and waits that spec/run.md 4.3 allows."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime

import httpx2
import orjson

from benchmarks.gateway.base import ChatAnswer, ChatCall
from benchmarks.gateway.credentials import Target
from benchmarks.gateway.failures import (
    BROKEN_OFF,
    DETAIL_CHARS,
    UNREACHABLE,
    WANTS_COMPLETION_TOKENS,
    CallFailed,
    FailureKind,
    back_off,
    error_text,
    failure_of_status,
    masked,
)
from benchmarks.gateway.limiter import Lane, waited_too_long
from benchmarks.gateway.patience import Patience, Retry
from benchmarks.gateway.wire import LIMIT_KEY, NEWER_LIMIT_KEY, read_answer, request_body

CONNECT_TIMEOUT_S = 10.0
SPARE_CONNECTIONS = 4
READ_GRACE_S = 1.0
"""The rollout's own deadline is to end a silent call, not the socket's."""


def http_client(width: int, version: str) -> httpx2.AsyncClient:
    """A client for one provider: no redirects, TLS verified, room for the whole window."""
    connections = width + SPARE_CONNECTIONS
    return httpx2.AsyncClient(
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
        follow_redirects=False,
        headers={"User-Agent": f"understudy/{version}", "Content-Type": "application/json"},
    )


class OpenAIChat:
    """One model behind one OpenAI-compatible base URL."""

    def __init__(
        self,
        target: Target,
        *,
        lane: Lane,
        http: httpx2.AsyncClient,
        wall_clock: Callable[[], datetime],
    ) -> None:
        self.called_model = target.model
        self.lane_key = lane.key
        self.route = target.route
        self._url = f"{target.base_url}/chat/completions"
        self._secret = target.key
        self._lane = lane
        self._http = http
        self._wall_clock = wall_clock
        self._limit_key = LIMIT_KEY

    async def complete(self, call: ChatCall, patience: Patience) -> ChatAnswer:
        """The model's answer to one turn; no answer and no error is ever kept for another call."""
        tried: Counter[str] = Counter()
        while True:
            try:
                answer = await self._try(call, patience)
            except CallFailed as failure:
                await self._next_try(failure, tried, call, patience)
            else:
                self._lane.succeeded()
                return answer

    async def _try(self, call: ChatCall, patience: Patience) -> ChatAnswer:
        body = request_body(call, limit_key=self._limit_key)
        async with self._lane.admission(patience):
            began = time.monotonic()
            response = await self._post(body, call.key, patience)
            took = (time.monotonic() - began) * 1000
        if response.status_code != 200:
            raise self._failure(response)
        return read_answer(response.content, sent=body, latency_ms=took)

    async def _post(self, body: bytes, key: str, patience: Patience) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self._secret}"}
        if key:
            headers["Idempotency-Key"] = key
        timeout = httpx2.Timeout(patience.left_s + READ_GRACE_S, connect=CONNECT_TIMEOUT_S)
        request = self._http.build_request(
            "POST", self._url, content=body, headers=headers, timeout=timeout
        )
        try:
            response = await self._http.send(request, stream=True)
        except httpx2.HTTPError as error:
            raise self._lost(error, answered=False) from error
        try:
            await response.aread()
        except httpx2.HTTPError as error:
            raise self._lost(error, answered=True) from error
        finally:
            await response.aclose()
        return response

    def _lost(self, error: httpx2.HTTPError, *, answered: bool) -> CallFailed:
        """Lost before any byte came back, or after the provider had begun to work."""
        begun = answered or isinstance(error, httpx2.ReadTimeout)
        text = masked(f"{type(error).__name__}: {error}".rstrip(": "), self._secret)
        return CallFailed(text[:DETAIL_CHARS], kind=BROKEN_OFF if begun else UNREACHABLE)

    def _failure(self, response: httpx2.Response) -> CallFailed:
        try:
            text = error_text(orjson.loads(response.content), response.text)
        except orjson.JSONDecodeError:
            text = response.text
        return failure_of_status(
            response.status_code, text, response.headers, self._wall_clock(), self._secret
        )

    async def _next_try(
        self, failure: CallFailed, tried: Counter[str], call: ChatCall, patience: Patience
    ) -> None:
        """Wait as the failure asks, or raise it when it is final."""
        kind = failure.kind
        tried[kind.name] += 1
        if failure.retry_after_s is not None:
            self._lane.pause(failure.retry_after_s)
        if kind is WANTS_COMPLETION_TOKENS:
            self._limit_key = NEWER_LIMIT_KEY
        if tried[kind.name] >= kind.tries:
            self._lane.failed(failure)
            if kind.unreported:
                patience.unreported += 1
            raise failure
        wait = self._wait_s(failure, kind, tried[kind.name], call.key)
        patience.note(Retry(kind.name, wait, kind.limited, kind.unreported))
        if kind.limited:
            await _sleep_limited(wait, patience)
        else:
            await asyncio.sleep(wait)

    @staticmethod
    def _wait_s(failure: CallFailed, kind: FailureKind, tried: int, key: str) -> float:
        """The back-off; none where the whole lane pauses, or where the cure is known."""
        if failure.retry_after_s is not None or kind is WANTS_COMPLETION_TOKENS:
            return 0.0
        return back_off(kind, tried, key)


async def _sleep_limited(wait: float, patience: Patience) -> None:
    with patience.waiting():
        await asyncio.sleep(min(wait, patience.wait_left_s))
    if patience.wait_left_s <= 0:
        raise waited_too_long(patience)
