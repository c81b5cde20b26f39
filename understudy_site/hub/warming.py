"""What a hub does beside its first requests: load its routes, and read what the mirror has missed.

A read waits 250 ms for the mirror at most; after a long pause, or on a new database, there is more
to read than that. It is read here, so that the first page shows all that there is.
"""

import logging
import threading
from collections.abc import Sequence

from django.db import close_old_connections, connections
from django.urls import get_resolver

from benchmarks.artifacts.roots import Root
from benchmarks.errors import UnderstudyError
from benchmarks.mirror.syncing import catch_up

TURN_S = 2.0
"""One catch-up; between two of them others may write."""
TURNS = 300

logger = logging.getLogger(__name__)


def warm(roots: Sequence[Root]) -> threading.Thread:
    """Start it; the thread ends by itself and keeps no process alive."""
    thread = threading.Thread(target=_warm, args=(roots,), name="warming", daemon=True)
    thread.start()
    return thread


def _warm(roots: Sequence[Root]) -> None:
    try:
        _ = get_resolver().url_patterns
        before = None
        for _turn in range(TURNS):
            close_old_connections()
            found = catch_up(None, budget_s=TURN_S, within=roots)
            now = (found["revision"], found["behind_bytes"])
            if found["complete"] or now == before:
                return
            before = now
    except UnderstudyError as error:
        logger.warning("the mirror was not read at the start: %s", error.message)
    finally:
        connections.close_all()
