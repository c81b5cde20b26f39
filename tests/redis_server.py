"""A Redis of a test's own: the host's redis-server, else the Valkey of the `embedded` extra."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from runs.broker.embedded import binary

READY_S = 10.0
TICK_S = 0.01


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def program() -> str:
    """A server to start; without one outside CI the test is skipped."""
    found = shutil.which("redis-server") or binary()
    if found is None:
        reason = "no redis-server on PATH and no embedded extra"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return str(found)


@dataclass
class RedisServer:
    """A server that can be killed and started again where it was."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        words = ("--bind", "127.0.0.1", "--port", str(self.port), "--save", "")
        self.process = subprocess.Popen(
            [program(), *words, "--dir", str(self.folder), "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + READY_S
        while not self._answers():
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(TICK_S)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as line:
                line.sendall(b"*1\r\n$4\r\nPING\r\n")
                return line.recv(16).startswith(b"+PONG")
        except OSError:
            return False


@contextmanager
def running_redis(folder: Path) -> Iterator[RedisServer]:
    """A server, gone afterwards."""
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
