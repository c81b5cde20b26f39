"""The providers of one execution: one client and one lane per provider and credential."""

import asyncio
from collections.abc import Callable
from datetime import datetime

import httpx2

from benchmarks.gateway.client import OpenAIChat, http_client
from benchmarks.gateway.credentials import Credentials, find_target
from benchmarks.gateway.limiter import Lane, lane_key
from benchmarks.gateway.reaching import reach


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
        target = find_target(name, self._credentials)
        if target is None:
            target = await asyncio.to_thread(reach, name, self._credentials)
        key = lane_key(target.base_url, target.key)
        lane = self.lanes.setdefault(key, Lane(key, self._width))
        if key not in self._clients:
            self._clients[key] = http_client(self._width, self._version)
        return OpenAIChat(target, lane=lane, http=self._clients[key], wall_clock=self._wall_clock)

    async def aclose(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()
