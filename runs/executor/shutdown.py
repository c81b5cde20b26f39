"""How a process is asked to end: by a signal, once to finish what is running, twice at once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGINT)
EXIT_BASE = 128
GRACE_S = 30.0


class Shutdown:
    """Counts the requests to end; anybody may look, only signals and tests ask."""

    def __init__(self) -> None:
        self.asked = 0
        self.signal: int | None = None
        self._event = threading.Event()

    @property
    def requested(self) -> bool:
        """Whether the process is to end."""
        return self.asked > 0

    @property
    def at_once(self) -> bool:
        """Whether it was asked twice."""
        return self.asked > 1

    @property
    def grace_s(self) -> float:
        """How long what is running may go on after the process was asked to end."""
        return GRACE_S

    @property
    def exit_code(self) -> int:
        """143 after SIGTERM, 130 after SIGINT."""
        return EXIT_BASE + (self.signal or signal.SIGTERM)

    def ask(self, signum: int = signal.SIGTERM, frame: FrameType | None = None) -> None:
        """Ask the process to end."""
        self.signal = self.signal or signum
        self.asked += 1
        self._event.set()

    def wait(self, seconds: float) -> bool:
        """Sleep; whether the process was asked to end meanwhile."""
        return self._event.wait(seconds)

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Listen to SIGTERM and SIGINT in the body; only the main thread can."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.ask) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
