"""Mirrored tables of a directory. Only `mirror` writes them; all of them may be dropped."""

from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.capture import CaptureEntry, ExecutionEntry, IngestedEntry
from benchmarks.models.cursor import LedgerCursor
from benchmarks.models.dated import DatedEntry
from benchmarks.models.document import DocumentEntry
from benchmarks.models.line import LineEntry
from benchmarks.models.task import TaskEntry
from benchmarks.models.version import HoldoutLookEntry, VersionEntry

__all__ = [
    "BenchmarkEntry",
    "CaptureEntry",
    "DatedEntry",
    "DocumentEntry",
    "ExecutionEntry",
    "HoldoutLookEntry",
    "IngestedEntry",
    "LedgerCursor",
    "LineEntry",
    "TaskEntry",
    "VersionEntry",
]
