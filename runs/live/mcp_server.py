"""Tools of an MCP server: started by its command for one rollout, or reached by its URL.

A server's session lives in a task of its own, so that whoever waits for an answer may be cancelled
at any moment without leaving the session half closed.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from benchmarks.environment.live import (
    CALL_TIMEOUT_S,
    CLOSE_TIMEOUT_S,
    MOST_BYTES,
    START_TIMEOUT_S,
    LiveFailed,
    LiveReply,
    server_name,
)
from benchmarks.gateway.guarded_http import bearer, guarded_client
from benchmarks.records.base import JsonObject
from benchmarks.records.endpoint import Endpoint
from benchmarks.records.json_bytes import json_bytes

TOKEN = "UNDERSTUDY_LIVE_TOKEN"
"""Under which name a started server finds its key."""


@dataclass(frozen=True, slots=True)
class _Asked:
    tool: str
    arguments: JsonObject
    answer: asyncio.Future[CallToolResult]


class McpTools:
    """One session with one server, opened by the first call."""

    def __init__(
        self, endpoint: Endpoint, token: str | None = None, timeout_s: float = CALL_TIMEOUT_S
    ) -> None:
        self._endpoint, self._token, self._timeout_s = endpoint, token, timeout_s
        self._queue: asyncio.Queue[_Asked | None] = asyncio.Queue()
        self._session: asyncio.Task[None] | None = None

    def serves(self, tool: str) -> bool:
        """Any tool that is sent here."""
        return True

    async def call(self, tool: str, arguments: JsonObject) -> LiveReply:
        """The tool's answer.

        Raises:
            LiveFailed: the server cannot be reached, does not answer in time, or says too much.
        """
        if self._session is None:
            self._session = asyncio.create_task(self._serve())
        asked = _Asked(server_name(tool), arguments, asyncio.get_running_loop().create_future())
        await self._queue.put(asked)
        wait_s = self._timeout_s + START_TIMEOUT_S
        waiting: set[asyncio.Future[Any]] = {asked.answer, self._session}
        await asyncio.wait(waiting, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        if not asked.answer.done():
            raise LiveFailed(f"{asked.tool}: {self._why_ended(wait_s)}")
        try:
            return _reply(asked.answer.result())
        except (MCPError, TimeoutError, OSError, ValueError) as error:
            raise LiveFailed(f"{asked.tool}: {_words(error)}") from error

    async def aclose(self) -> None:
        """End the session and the server that it started; it never raises."""
        if self._session is None:
            return
        await self._queue.put(None)
        done, _ = await asyncio.wait({self._session}, timeout=CLOSE_TIMEOUT_S)
        if not done:
            self._session.cancel()
            await asyncio.wait({self._session}, timeout=CLOSE_TIMEOUT_S)
        with suppress(BaseException):
            self._session.result()

    async def _serve(self) -> None:
        async with _transport(self._endpoint, self._token) as transport:
            client = Client(transport, read_timeout_seconds=self._timeout_s, cache=None)
            async with client:
                while (asked := await self._queue.get()) is not None:
                    await self._answer(client, asked)

    async def _answer(self, client: Client, asked: _Asked) -> None:
        try:
            result = await client.call_tool(
                asked.tool, asked.arguments, read_timeout_seconds=self._timeout_s
            )
        except Exception as error:  # noqa: BLE001  (whoever asked is told)
            if not asked.answer.done():
                asked.answer.set_exception(LiveFailed(_words(error)))
        else:
            if not asked.answer.done():
                asked.answer.set_result(result)

    def _why_ended(self, wait_s: float) -> str:
        session = self._session
        if session is None or not session.done():
            return f"no answer within {wait_s:g} s"
        error = None if session.cancelled() else session.exception()
        return _words(_first(error)) if error is not None else "the server's session ended"


@asynccontextmanager
async def _transport(endpoint: Endpoint, token: str | None) -> AsyncIterator[Any]:
    """The way to a server; what a started one prints goes nowhere, it may hold secrets."""
    if endpoint.kind == "mcp_command":
        command, *words = endpoint.command
        env = {TOKEN: token} if token else None
        with Path(os.devnull).open("w", encoding="utf-8") as silent:
            yield _started(StdioServerParameters(command=command, args=words, env=env), silent)
        return
    http = guarded_client(headers=bearer(token), timeout_s=START_TIMEOUT_S, most_bytes=MOST_BYTES)
    async with http:
        yield streamable_http_client(endpoint.url, http_client=http, max_sse_event_size=MOST_BYTES)


def _started(server: StdioServerParameters, silent: TextIO) -> Any:
    return stdio_client(server, errlog=silent)


def _reply(result: CallToolResult) -> LiveReply:
    """Texts as they stand, one below the other; anything else as JSON."""
    if all(isinstance(block, TextContent) for block in result.content):
        content: Any = "\n".join(
            block.text for block in result.content if isinstance(block, TextContent)
        )
        if not result.content and result.structured_content is not None:
            content = result.structured_content
    else:
        content = [block.model_dump(mode="json", exclude_none=True) for block in result.content]
    size = len(content.encode()) if isinstance(content, str) else len(json_bytes(content))
    if size > MOST_BYTES:
        raise LiveFailed(f"the answer is over {MOST_BYTES} bytes")
    return LiveReply("error" if result.is_error else "ok", content)


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def _first(error: BaseException) -> BaseException:
    """The cause inside groups of errors."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error
