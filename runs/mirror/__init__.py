"""Files to tables, one way."""

from benchmarks.mirror.base import Mirror
from runs.mirror.ledgers import EVENTS, JOURNALS, ROWS, TRAJECTORIES
from runs.mirror.requests import REQUESTS

MIRRORS: tuple[Mirror, ...] = (REQUESTS, ROWS, EVENTS, TRAJECTORIES, JOURNALS)
"""The heaviest last: what a short catch-up leaves is what lists need least."""
