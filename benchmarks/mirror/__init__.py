"""Files to tables, one way."""

from benchmarks.mirror.base import Mirror
from benchmarks.mirror.benchmark import BENCHMARK
from benchmarks.mirror.ledgers import LEDGERS

MIRRORS: tuple[Mirror, ...] = (*LEDGERS, *BENCHMARK)
