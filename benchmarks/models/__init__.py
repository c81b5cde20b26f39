"""Mirrored tables of a directory. Only `mirror` writes them; all of them may be dropped."""

from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.cursor import LedgerCursor
from benchmarks.models.document import DocumentEntry
from benchmarks.models.line import LineEntry

__all__ = ["BenchmarkEntry", "DocumentEntry", "LedgerCursor", "LineEntry"]
