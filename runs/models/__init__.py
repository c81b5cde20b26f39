"""Mirrored tables; only `mirror` writes them, and all of them may be dropped."""

from runs.models.calibration import TaskCalibrationEntry
from runs.models.event import EventEntry
from runs.models.request import RequestEntry
from runs.models.rollout import JournalEntry, TrajectoryEntry
from runs.models.row import CurrencyCursor, RowEntry
from runs.models.standing import BenchmarkStatusEntry

__all__ = [
    "BenchmarkStatusEntry",
    "CurrencyCursor",
    "EventEntry",
    "JournalEntry",
    "RequestEntry",
    "RowEntry",
    "TaskCalibrationEntry",
    "TrajectoryEntry",
]
