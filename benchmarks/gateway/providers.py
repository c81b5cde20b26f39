"""The providers of one execution: one client and one lane per provider and credential."""

from collections.abc import Callable
from datetime import datetime

import httpx2
import orjson

from benchmarks.gateway.client import OpenAIChat, http_client
from benchmarks.gateway.credentials import (
    LOCAL_KEY,
    Credentials,
    Target,
    find_target,
    local_servers,
    missing,
)
from benchmarks.gateway.limiter import Lane, lane_key
from benchmarks.records.vocabulary import Route

PROBE_TIMEOUT_S = 1.0


class Providers:
    """Makes models from their names and keeps what their calls share."""

    def __init__(
        self,
        credentials: Credentials,
        *,
        width: int,
        version: str,
        wall_clock: Callable[[], datetime],
    ) -> None:
        self._credentials = credentials
        self._width = width
        self._version = version
        self._wall_clock = wall_clock
        self._clients: dict[str, httpx2.AsyncClient] = {}
        self.lanes: dict[str, Lane] = {}
        """By lane key."""

    async def model(self, name: str) -> OpenAIChat:
        """The model of that name, by the chain of credentials.

        Raises:
            CredentialsMissing: no source yields a key and no local server lists the model.
            Unsupported: its source speaks another wire.
        """
        target = find_target(name, self._credentials) or await self._local(name)
        if target is None:
            raise missing(name, self._credentials)
        key = lane_key(target.base_url, target.key)
        lane = self.lanes.setdefault(key, Lane(key, self._width))
        if key not in self._clients:
            self._clients[key] = http_client(self._width, self._version)
        return OpenAIChat(target, lane=lane, http=self._clients[key], wall_clock=self._wall_clock)

    async def _local(self, name: str) -> Target | None:
        """The first server on this machine that lists the model."""
        wanted = {name, name.removeprefix("local/")}
        async with httpx2.AsyncClient(timeout=PROBE_TIMEOUT_S, trust_env=False) as http:
            for url in local_servers(self._credentials.environ):
                found = wanted & await _listed(http, url)
                if found:
                    return Target(min(found), url, LOCAL_KEY, url, Route.LOCAL)
        return None

    async def aclose(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()


async def _listed(http: httpx2.AsyncClient, url: str) -> set[str]:
    """The model ids that a server names; none when it does not answer."""
    headers = {"Authorization": f"Bearer {LOCAL_KEY}"}
    try:
        response = await http.get(f"{url}/models", headers=headers)
        body = orjson.loads(response.content)
    except (httpx2.HTTPError, orjson.JSONDecodeError):
        return set()
    entries = body.get("data") if isinstance(body, dict) else None
    if response.status_code != 200 or not isinstance(entries, list):
        return set()
    return {str(entry["id"]) for entry in entries if isinstance(entry, dict) and "id" in entry}
