"""Where whole rollouts and live journals stand in their files; their texts stay there."""

from django.db import models

from benchmarks.models.dated import DatedEntry
from benchmarks.models.line import LineEntry


class TrajectoryEntry(LineEntry, DatedEntry):
    """One line of a trajectories file: a whole rollout, dated by its end."""

    run_id = models.CharField(max_length=128)
    task_id = models.CharField(max_length=255)
    arm = models.CharField(max_length=255)
    arm_kind = models.CharField(max_length=32)
    rollout = models.BigIntegerField(null=True)
    attempt = models.BigIntegerField(null=True)
    fence = models.BigIntegerField(null=True)
    termination = models.CharField(max_length=32, blank=True)
    turns = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)

    class Meta(LineEntry.Meta):
        indexes = (models.Index(fields=("run_id", "task_id", "arm"), name="trajectories_of_cell"),)


class JournalEntry(LineEntry):
    """One line of a live journal; its file is that of one run and arm."""

    at = models.FloatField(null=True)
    """Seconds since 1970."""
    seq = models.BigIntegerField(null=True)
    task_id = models.CharField(max_length=255, blank=True)
    rollout = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=32)

    class Meta(LineEntry.Meta):
        indexes = (
            models.Index(
                fields=("benchmark", "file", "task_id", "rollout"), name="journal_of_cell"
            ),
        )
