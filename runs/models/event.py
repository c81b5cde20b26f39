"""What happened in runs, line by line."""

from django.db import models

from benchmarks.models.dated import DatedEntry
from benchmarks.models.line import LineEntry


class EventEntry(LineEntry, DatedEntry):
    """One line of `runs/events.jsonl`."""

    run_id = models.CharField(max_length=128)
    seq = models.BigIntegerField(null=True)
    type = models.CharField(max_length=64)
    arm = models.CharField(max_length=255, blank=True)
    task_id = models.CharField(max_length=255, blank=True)
    rollout = models.BigIntegerField(null=True)
    status = models.CharField(max_length=32, blank=True)
    anomaly = models.CharField(max_length=64, blank=True)

    class Meta(LineEntry.Meta):
        indexes = (
            models.Index(fields=("moment", "id"), name="events_newest"),
            models.Index(fields=("benchmark", "moment", "id"), name="events_of_benchmark"),
            models.Index(fields=("run_id", "moment", "id"), name="events_of_run"),
        )
