"""The process that keeps a home's broker: it runs the server while anybody uses it.

A program of its own, of the standard library alone: `python -I -S keeper.py SERVER FOLDER SOCKET`.
Users hold a shared lock on `users.lock`. When the exclusive one is to be had the last of them has
gone, however it went, and the server is stopped. `start.lock` keeps that moment apart from the one
in which somebody joins; the two locks must not be one.
"""

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

USERS_LOCK = "users.lock"
START_LOCK = "start.lock"
AGAIN_S = 1.0
STOP_S = 10.0


class Keeper:
    """One server, started again where it dies, stopped after its last user."""

    def __init__(self, server: str, folder: Path, socket: str) -> None:
        self._command = [
            server,
            *("--port", "0"),
            *("--unixsocket", socket),
            *("--unixsocketperm", "700"),
            *("--dir", str(folder)),
            # A message that was acknowledged is still there after a crash of at most a second ago.
            *("--appendonly", "yes"),
            *("--appendfsync", "everysec"),
            *("--save", ""),
        ]
        self._folder = folder
        self._over = threading.Event()
        self._server: subprocess.Popen[bytes] | None = None

    def keep(self) -> None:
        """Run the server until its last user has gone, or this process is asked to end."""
        threading.Thread(target=self._wait_for_users, daemon=True).start()
        while not self._over.is_set():
            self._server = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)
            self._server.wait()
            self._over.wait(AGAIN_S)

    def stop(self, *_: object) -> None:
        """End the server in order, and do not start it again."""
        self._over.set()
        if self._server is not None:
            self._server.terminate()

    def _wait_for_users(self) -> None:
        users = os.open(self._folder / USERS_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        start = os.open(self._folder / START_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        while True:
            fcntl.flock(users, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_UN)
            fcntl.flock(start, fcntl.LOCK_EX)
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fcntl.flock(start, fcntl.LOCK_UN)
                continue
            # Both locks are held until the server is gone: who joins now starts another.
            self.stop()
            time.sleep(STOP_S)
            os._exit(1)


def main() -> None:
    """Keep the server that the command line names, as nobody's child."""
    if os.fork():
        os._exit(0)
    os.setsid()
    keeper = Keeper(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
    signal.signal(signal.SIGTERM, keeper.stop)
    signal.signal(signal.SIGINT, keeper.stop)
    keeper.keep()


if __name__ == "__main__":
    main()
