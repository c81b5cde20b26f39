"""Tools of a real MCP server, in a process of its own: over its pipes and over HTTP."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.environment.live import LiveFailed, LiveReply
from benchmarks.records.endpoint import Endpoint
from runs.live.mcp_server import McpTools

REPOSITORY = Path(__file__).resolve().parents[3]
DESK = (sys.executable, str(REPOSITORY / "tests" / "live_desk.py"))
STARTED = Endpoint("mcp_command", command=(*DESK, "stdio"))


def with_tools(
    work: Callable[[McpTools], Coroutine[Any, Any, Any]],
    endpoint: Endpoint = STARTED,
    token: str | None = None,
    timeout_s: float = 60.0,
) -> Any:
    async def run() -> Any:
        tools = McpTools(endpoint, token, timeout_s)
        try:
            return await work(tools)
        finally:
            await tools.aclose()

    return asyncio.run(run())


@pytest.fixture
def listening() -> Iterator[Endpoint]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [*DESK, "http", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_for(port)
            yield Endpoint("mcp_url", url=f"http://127.0.0.1:{port}/mcp")
        finally:
            process.kill()


def wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


async def a_working_day(tools: McpTools) -> list[LiveReply]:
    return [
        await tools.call("mcp__desk__get_order", {"order_id": "A-1"}),
        await tools.call("cancel_order", {"order_id": "A-1"}),
        await tools.call("get_order", {"order_id": "A-1"}),
        await tools.call("get_order", {"order_id": "Z-9"}),
        await tools.call("no_such_tool", {}),
    ]


def test_a_started_server_answers_keeps_its_state_and_gets_its_key() -> None:
    async def work(tools: McpTools) -> list[LiveReply]:
        return [*await a_working_day(tools), await tools.call("whisper", {})]

    *day, key = with_tools(work, token="key-1")
    assert [reply.status for reply in day] == ["ok", "ok", "ok", "error", "error"]
    assert [reply.content for reply in day[:3]] == [
        "A-1 is open",
        "A-1 cancelled",
        "A-1 is cancelled",
    ]
    assert "get_order" in day[3].content
    assert key == LiveReply("ok", "key-1")


def test_a_server_that_listens_answers_the_same(listening: Endpoint) -> None:
    day = with_tools(a_working_day, listening)
    assert [reply.status for reply in day] == ["ok", "ok", "ok", "error", "error"]
    assert day[2].content == "A-1 is cancelled"


def test_no_answer_in_time_one_too_large_and_a_server_that_dies_are_failures() -> None:
    async def work(tools: McpTools) -> list[str]:
        said = []
        for name, arguments in (
            ("sleep", {"seconds": 5}),
            ("shout", {"size": 1_000_001}),
            ("crash", {}),
            ("get_order", {"order_id": "A-1"}),
        ):
            with pytest.raises(LiveFailed) as raised:
                await tools.call(name, arguments)
            said.append(str(raised.value))
        return said

    slow, large, dead, after = with_tools(work, timeout_s=3)
    assert "timed out" in slow
    assert "over 1000000 bytes" in large
    assert "Connection closed" in dead
    assert after


@pytest.mark.parametrize(
    "endpoint",
    [
        Endpoint("mcp_command", command=("/no/such/command",)),
        Endpoint("mcp_url", url="http://127.0.0.1:9/mcp"),
    ],
)
def test_a_place_that_is_not_there_is_a_failure(endpoint: Endpoint) -> None:
    async def work(tools: McpTools) -> None:
        with pytest.raises(LiveFailed, match=r"FileNotFoundError|ConnectError"):
            await tools.call("get_order", {})

    with_tools(work, endpoint)


def test_a_call_that_is_cancelled_leaves_no_server_behind() -> None:
    async def work(tools: McpTools) -> bool:
        await tools.call("get_order", {"order_id": "A-1"})
        call = asyncio.create_task(tools.call("sleep", {"seconds": 30}))
        await asyncio.sleep(0.1)
        call.cancel()
        await asyncio.wait({call})
        return call.cancelled()

    began = time.monotonic()
    assert with_tools(work) is True
    assert time.monotonic() - began < 25


def test_closing_what_was_never_opened_starts_nothing() -> None:
    async def work(tools: McpTools) -> bool:
        return tools.serves("anything")

    assert with_tools(work, Endpoint("mcp_command", command=("/no/such/command",))) is True
