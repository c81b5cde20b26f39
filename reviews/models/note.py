"""Feedback and flags, line by line; a later line of an id closes the first."""

from django.db import models

from benchmarks.models.dated import DatedEntry
from benchmarks.models.line import LineEntry


class NoteEntry(LineEntry, DatedEntry):
    """One line about a task, or about the whole benchmark."""

    ref = models.CharField(max_length=255)
    """Its id, derived for lines that have none."""
    task_id = models.CharField(max_length=255, blank=True)
    """Empty for the whole benchmark."""
    status = models.CharField(max_length=16)
    """What this line says."""
    standing = models.CharField(max_length=16, blank=True)
    """Where the id stands today, on the one line that stands for it; empty on every other line."""
    actor = models.CharField(max_length=255, blank=True)
    door = models.CharField(max_length=32, blank=True)

    class Meta(LineEntry.Meta):
        abstract = True
        indexes = (
            models.Index(fields=("moment", "id"), name="%(class)s_newest"),
            models.Index(fields=("benchmark", "moment", "id"), name="%(class)s_of_bench"),
            models.Index(fields=("task_id", "moment", "id"), name="%(class)s_of_task"),
            models.Index(fields=("standing", "moment", "id"), name="%(class)s_standing"),
        )


class FeedbackEntry(NoteEntry):
    """One line of `feedback.jsonl`."""

    source = models.CharField(max_length=64, blank=True)
    feedback = models.TextField(blank=True)
    addressed_by = models.CharField(max_length=255, blank=True)


class FlagEntry(NoteEntry):
    """One line of `flags.jsonl`."""

    reason = models.CharField(max_length=64)
    note = models.TextField(blank=True)
    resolution = models.TextField(blank=True)
