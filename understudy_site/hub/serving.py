"""The hub under uvicorn: one process, which ends within seconds of being told to."""

import os
import socket
import threading
import warnings
from collections.abc import Callable
from types import FrameType

import uvicorn

from understudy_site.asgi import application

DRAIN_S = 5
GRACE_S = 1.0


class Server(uvicorn.Server):
    """uvicorn, and a bound on how long a request that never ends may keep the process."""

    def __init__(
        self, config: uvicorn.Config, *, began: Callable[[], None], leave: Callable[[], None]
    ) -> None:
        """`began` is called when the first request may come, `leave` before a forced end."""
        super().__init__(config)
        self._began, self._leave = began, leave
        self.ended_by: int | None = None
        """The signal that ended it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections, and say so."""
        await super().startup(sockets)
        self._began()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop accepting, let requests finish for five seconds, then end whatever they do."""
        self.ended_by = sig
        if not self.should_exit:
            timer = threading.Timer(DRAIN_S + GRACE_S, self._end, (sig,))
            timer.daemon = True
            timer.start()
        super().handle_exit(sig, frame)

    def _end(self, sig: int) -> None:
        self._leave()
        os._exit(128 + sig)


def serve(listening: socket.socket, *, began: Callable[[], None], leave: Callable[[], None]) -> int:
    """Answer on a socket that listens, until a signal; the signal is raised again at the end.

    Where the process was started to ignore that signal the exit code for it is returned.

    `began` is called once requests are answered; `leave` when the process has to be ended over one
    that does not finish.
    """
    # Static files are small and come from memory's page cache: reading them in a thread is right.
    warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")
    config = uvicorn.Config(
        application,
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        # The peer is the peer: what a proxy says of the client is never taken for it.
        proxy_headers=False,
        timeout_graceful_shutdown=DRAIN_S,
    )
    server = Server(config, began=began, leave=leave)
    server.run(sockets=[listening])
    return 128 + server.ended_by if server.ended_by is not None else 0
