"""An HTTP client for places that a benchmark names: no redirect, no proxy, no endless answer."""

from collections.abc import AsyncIterator, Mapping

import httpx2


class Redirected(httpx2.HTTPError):
    """The place sent the call elsewhere: it is not followed."""


class TooMuch(httpx2.HTTPError):
    """The answer is larger than it may be."""


class _Counted(httpx2.AsyncByteStream):
    """A body that ends with an error once it is too large."""

    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        self._inner, self._most = inner, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._inner:
            read += len(chunk)
            if read > self._most:
                raise TooMuch(f"the answer is over {self._most} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class Guarded(httpx2.AsyncBaseTransport):
    """Refuses redirects and bodies over a limit, before anything follows or keeps them."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._inner = httpx2.AsyncHTTPTransport(trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer, read no further than the limit.

        Raises:
            Redirected: the place sends the call elsewhere.
        """
        response = await self._inner.handle_async_request(request)
        if 300 <= response.status_code < 400:
            await response.aclose()
            raise Redirected(f"status {response.status_code}: redirects are not followed")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Counted(response.stream, self._most)
        return response

    async def aclose(self) -> None:
        """Close every connection."""
        await self._inner.aclose()


def guarded_client(
    *, headers: Mapping[str, str], timeout_s: float, most_bytes: int
) -> httpx2.AsyncClient:
    """A client with these headers on every call."""
    return httpx2.AsyncClient(
        headers=dict(headers),
        timeout=timeout_s,
        follow_redirects=False,
        trust_env=False,
        transport=Guarded(most_bytes),
    )


def bearer(token: str | None) -> dict[str, str]:
    """The header that opens a door; none without a token."""
    return {"Authorization": f"Bearer {token}"} if token else {}
