"""A small OpenAI-compatible server for tests and measurements: asyncio, HTTP/1.1, nothing else.

It does what the prompts of `tests/factories.py` ask ("Set item I-0001 to shipped."), as often as
`pass_rate` says, and can be slow, broken, limited or silent. Run it in a thread (`StubModel`) or as
a process (`python -m tests.stub_model`), which prints its port.
"""

import argparse
import asyncio
import hashlib
import json
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

ORDER = re.compile(r"Set item (\S+) to (\w+)")
REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}
USAGE = {"prompt_tokens": 830, "completion_tokens": 61, "total_tokens": 891}

Reply = tuple[int, dict[str, str], Any]


@dataclass
class Behaviour:
    """What the stub does; every field may be changed while it runs."""

    pass_rate: float = 1.0
    latency_s: float = 0.0
    status: int = 200
    failing: int | None = None
    """How many of the first calls answer `status`; None is all of them."""
    error: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    hangs_on: str | None = None
    """Never answers what holds this text."""
    broken_body: bool = False
    usage: dict[str, Any] | None = field(default_factory=lambda: dict(USAGE))
    seed: int = 0
    script: Callable[[dict[str, Any], int], Reply | None] | None = None
    """Answers instead of all the above, where it answers; gets the body and the call's number."""


@dataclass(frozen=True)
class Seen:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Answers:
    """Turns requests into replies, and remembers them."""

    def __init__(self, behaviour: Behaviour, *, keep: bool = True) -> None:
        self.behaviour = behaviour
        self.seen: list[Seen] = []
        self.calls = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self.connections: set[asyncio.Transport] = set()
        self._keep = keep

    def hang_up(self) -> None:
        for transport in self.connections:
            transport.abort()

    def reply(self, path: str, headers: dict[str, str], data: bytes) -> Reply:
        if path.endswith("/models"):
            return 200, {}, {"object": "list", "data": [{"id": "stub-model", "object": "model"}]}
        body = orjson.loads(data)
        number = self.calls
        self.calls += 1
        if self._keep:
            self.seen.append(Seen(path, headers, body))
        what = self.behaviour
        scripted = what.script(body, number) if what.script is not None else None
        if scripted is not None:
            return scripted
        if what.status != 200 and (what.failing is None or number < what.failing):
            error = what.error or {"error": {"message": "the stub was told to fail"}}
            return what.status, what.headers, error
        if what.broken_body:
            return 200, {}, "<html>not an answer</html>"
        return 200, {}, self._completion(body, headers.get("idempotency-key", ""))

    def _completion(self, body: dict[str, Any], key: str) -> dict[str, Any]:
        message, stop = self._message(body["messages"], key)
        answer = {
            "id": "chatcmpl-stub",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": stop}],
        }
        if self.behaviour.usage is not None:
            answer["usage"] = self.behaviour.usage
        return answer

    def _message(self, messages: list[dict[str, Any]], key: str) -> tuple[dict[str, Any], str]:
        order = next((m for m in reversed(messages) if m["role"] == "user"), None)
        found = ORDER.search(str(order["content"])) if order else None
        if found is None or messages[-1]["role"] == "tool" or not self._passes(key):
            return {"role": "assistant", "content": "Done."}, "stop"
        arguments = json.dumps({"item_id": found.group(1), "status": found.group(2)})
        call = {"name": "update_item", "arguments": arguments}
        asked = {"id": "call_1", "type": "function", "function": call}
        return {"role": "assistant", "content": None, "tool_calls": [asked]}, "tool_calls"

    def _passes(self, key: str) -> bool:
        if self.behaviour.pass_rate >= 1:
            return True
        digest = hashlib.sha256(f"{self.behaviour.seed}:{key}".encode()).digest()
        return int.from_bytes(digest[:4], "big") < self.behaviour.pass_rate * 2**32


class Connection(asyncio.Protocol):
    """One kept-alive connection; requests are answered in order."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._answers.connections.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._answers.connections.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (request := self._next_request()) is not None:
            self._answer(*request)

    def _next_request(self) -> tuple[str, dict[str, str], bytes] | None:
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        length = int(headers.get("content-length", 0))
        if len(rest) < length:
            return None
        self._buffer = rest[length:]
        return first.split(" ")[1], headers, rest[:length]

    def _answer(self, path: str, headers: dict[str, str], data: bytes) -> None:
        answers = self._answers
        answers.in_flight += 1
        answers.most_in_flight = max(answers.most_in_flight, answers.in_flight)
        reply = answers.reply(path, headers, data)
        silent = answers.behaviour.hangs_on
        if answers.behaviour.hangs or (silent is not None and silent.encode() in data):
            return
        if answers.behaviour.latency_s:
            loop = asyncio.get_running_loop()
            loop.call_later(answers.behaviour.latency_s, self._send, *reply)
        else:
            self._send(*reply)

    def _send(self, status: int, headers: dict[str, str], body: Any) -> None:
        self._answers.in_flight -= 1
        data = body.encode() if isinstance(body, str) else orjson.dumps(body)
        extra = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = (
            f"HTTP/1.1 {status} {REASONS.get(status, 'Stub')}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(data)}\r\n{extra}\r\n"
        )
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(head.encode() + data)


class StubModel:
    """The stub in a thread of this process, for as long as the `with` block."""

    def __init__(self, behaviour: Behaviour | None = None, *, keep: bool = True) -> None:
        self.behaviour = behaviour or Behaviour()
        self.answers = Answers(self.behaviour, keep=keep)
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def calls(self) -> int:
        return self.answers.calls

    @property
    def seen(self) -> list[Seen]:
        return self.answers.seen

    def __enter__(self) -> "StubModel":
        self._thread.start()
        if not self._ready.wait(10):
            raise RuntimeError("the stub did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        server = await serve(self.answers)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        self.answers.hang_up()
        await server.wait_closed()
        await asyncio.sleep(0.01)


async def serve(answers: Answers, port: int = 0) -> Any:
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: Connection(answers), "127.0.0.1", port, backlog=256)


async def serve_for_ever(arguments: argparse.Namespace) -> None:
    behaviour = Behaviour(
        pass_rate=arguments.pass_rate,
        latency_s=arguments.latency,
        status=arguments.status,
        hangs=arguments.hangs,
        seed=arguments.seed,
    )
    server = await serve(Answers(behaviour, keep=False), arguments.port)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible model server.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--pass-rate", type=float, default=1.0)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--status", type=int, default=200)
    parser.add_argument("--hangs", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    asyncio.run(serve_for_ever(parser.parse_args()))


if __name__ == "__main__":
    main()
