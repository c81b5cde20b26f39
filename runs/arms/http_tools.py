"""Tools behind HTTP: one POST a call, its JSON answer the result (docs/files.md, endpoints)."""

from urllib.parse import quote

import httpx2
import orjson

from benchmarks.environment.live import (
    CALL_TIMEOUT_S,
    MOST_BYTES,
    LiveFailed,
    LiveReply,
    server_name,
)
from benchmarks.gateway.guarded_http import bearer, guarded_client
from benchmarks.records.base import JsonObject

PLACE = "{tool}"
ANSWERS_OF_THE_TOOL = frozenset({400, 404, 405, 406, 409, 410, 412, 422})
"""Refusals that are about the call; every other status over 299 is a failure of the place."""


class HttpTools:
    """Calls over one connection pool: `{tool}` of the URL is the tool's name.

    Without `{tool}` the body is `{"tool", "arguments"}`, else the arguments alone.
    """

    def __init__(
        self, url: str, token: str | None = None, timeout_s: float = CALL_TIMEOUT_S
    ) -> None:
        self._url = url
        self._http = guarded_client(
            headers=bearer(token), timeout_s=timeout_s, most_bytes=MOST_BYTES
        )

    def serves(self, tool: str) -> bool:
        """Any tool that is sent here."""
        return True

    async def call(self, tool: str, arguments: JsonObject) -> LiveReply:
        """The tool's answer; a text that is no JSON stays text.

        Raises:
            LiveFailed: the place did not answer for the tool.
        """
        name = server_name(tool)
        url, body = self._url, {"tool": name, "arguments": arguments}
        if PLACE in url:
            url, body = url.replace(PLACE, quote(name, safe="")), arguments
        try:
            response = await self._http.post(url, json=body)
        except httpx2.HTTPError as error:
            raise LiveFailed(f"{name}: {type(error).__name__}: {error}"[:300]) from error
        if response.is_success:
            return LiveReply("ok", _content(response))
        if response.status_code in ANSWERS_OF_THE_TOOL:
            return LiveReply("error", _content(response))
        raise LiveFailed(f"{name}: the place answered with status {response.status_code}")

    async def aclose(self) -> None:
        """Close every connection."""
        await self._http.aclose()


def _content(response: httpx2.Response) -> object:
    try:
        found: object = orjson.loads(response.content)
    except orjson.JSONDecodeError:
        return response.text
    return found
