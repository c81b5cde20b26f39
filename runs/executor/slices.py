"""A worker's turn at a directory: it ends in time, whatever the run still owes."""

import math
import time
from collections.abc import Callable

from runs.executor.board import BOARD, Board
from runs.executor.shutdown import Shutdown

SLICE_S = 3600.0
"""No task outlives the time after which a broker gives its message to another worker."""
GRACE_S = 25.0
"""Less than the 30 s after which a worker that is to end cuts its processes off."""
MARGIN_S = 60.0
"""Before the soft limit: time to give back what is running and to write it down."""


class Slice(Shutdown):
    """Asks an executor to end: at the end of its slice, with its worker, or by a signal.

    At the end of a slice running cells may end as they would; with the worker they have seconds.
    """

    def __init__(
        self,
        *,
        seconds: float = SLICE_S,
        limit_s: float = math.inf,
        board: Board = BOARD,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin now; `limit_s` is when the process is interrupted by force."""
        super().__init__()
        began = clock()
        self._ends_at, self._cut_at = began + seconds, began + limit_s - MARGIN_S
        self._board, self._clock = board, clock

    @property
    def is_leaving(self) -> bool:
        """Whether the worker is to end, and not only this slice."""
        return self.asked > 0 or self._board.asked_at is not None

    @property
    def requested(self) -> bool:
        """Whether nothing more is to begin."""
        return self.is_leaving or self._clock() >= self._ends_at

    @property
    def at_once(self) -> bool:
        """Whether what is running must be given back now."""
        return self.asked > 1 or self._clock() >= self._cut_at

    @property
    def grace_s(self) -> float:
        """How long what is running may go on."""
        return GRACE_S if self.is_leaving else math.inf
