"""Tools behind HTTP, against a real server on this machine."""

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from benchmarks.environment.live import LiveFailed, LiveReply
from runs.arms.http_tools import HttpTools

SEEN: list[tuple[str, str | None, Any]] = []


class Handler(BaseHTTPRequestHandler):
    """`/status/CODE` answers with the code, everything else with an order."""

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        SEEN.append((self.path, self.headers.get("Authorization"), body))
        code, answer = 200, b'{"status": "open"}'
        if self.path.startswith("/status/"):
            code, answer = int(self.path.split("/")[2]), b'{"error": "so it is"}'
        if self.path.startswith("/text"):
            answer = b"just words"
        if self.path.startswith("/large"):
            answer = b"x" * 1_000_001
        self.send_response(code)
        if 300 <= code < 400:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def place() -> Iterator[str]:
    SEEN.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def call(url: str, token: str | None = None, tool: str = "get_order") -> LiveReply:
    async def work() -> LiveReply:
        tools = HttpTools(url, token, timeout_s=5)
        try:
            return await tools.call(tool, {"order_id": "A-1"})
        finally:
            await tools.aclose()

    return asyncio.run(work())


def test_a_place_with_the_name_in_it_gets_the_arguments_and_the_key(place: str) -> None:
    reply = call(f"{place}/tools/{{tool}}", "key-1", tool="mcp__desk__get order")
    assert reply == LiveReply("ok", {"status": "open"})
    assert SEEN == [("/tools/get%20order", "Bearer key-1", {"order_id": "A-1"})]


def test_a_place_without_it_gets_the_name_too(place: str) -> None:
    call(f"{place}/call")
    assert SEEN == [("/call", None, {"tool": "get_order", "arguments": {"order_id": "A-1"}})]


def test_an_answer_that_is_no_json_stays_text(place: str) -> None:
    assert call(f"{place}/text") == LiveReply("ok", "just words")


@pytest.mark.parametrize("code", [400, 404, 409, 422])
def test_a_refusal_of_the_call_is_the_tools_own_error(place: str, code: int) -> None:
    assert call(f"{place}/status/{code}") == LiveReply("error", {"error": "so it is"})


@pytest.mark.parametrize("code", [401, 403, 408, 429, 500, 503])
def test_a_place_that_does_not_serve_is_a_failure(place: str, code: int) -> None:
    with pytest.raises(LiveFailed, match=f"status {code}"):
        call(f"{place}/status/{code}", "key-1")


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(place: str, code: int) -> None:
    with pytest.raises(LiveFailed, match="redirects are not followed"):
        call(f"{place}/status/{code}")
    assert [path for path, _, _ in SEEN] == [f"/status/{code}"]


def test_an_answer_over_a_million_bytes_is_a_failure(place: str) -> None:
    with pytest.raises(LiveFailed, match="over 1000000 bytes"):
        call(f"{place}/large")


def test_a_place_that_is_not_there_is_a_failure_that_says_no_key() -> None:
    with pytest.raises(LiveFailed) as raised:
        call("http://127.0.0.1:9/", "key-1")
    assert "key-1" not in str(raised.value)
