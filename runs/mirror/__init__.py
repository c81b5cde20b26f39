"""Files to tables, one way."""

from benchmarks.mirror.base import Mirror

MIRRORS: tuple[Mirror, ...] = ()
