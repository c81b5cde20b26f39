"""Mirrored tables; only `mirror` writes them, and all of them may be dropped."""

from reviews.models.note import FeedbackEntry, FlagEntry
from reviews.models.review import ReviewEntry
from reviews.models.standing import BenchmarkStandingEntry, TaskStandingEntry

__all__ = [
    "BenchmarkStandingEntry",
    "FeedbackEntry",
    "FlagEntry",
    "ReviewEntry",
    "TaskStandingEntry",
]
