"""What changed in a benchmark, and who has looked at its holdout."""

from django.db import models

from benchmarks.models.dated import DatedEntry
from benchmarks.models.line import LineEntry


class VersionEntry(LineEntry, DatedEntry):
    """One line of `versions.jsonl`."""

    version = models.CharField(max_length=64, blank=True)
    cause = models.CharField(max_length=64, blank=True)
    note = models.TextField(blank=True)
    bumps = models.PositiveIntegerField(default=0)
    """How many tasks it bumps."""
    bump = models.CharField(max_length=16, blank=True)
    """The gravest of them: `major`, `minor` or `patch`; empty where it bumps none."""
    contamination = models.CharField(max_length=32, blank=True)
    """Whether tasks moved between splits, as the line says it."""
    actor = models.CharField(max_length=255, blank=True)
    door = models.CharField(max_length=32, blank=True)

    class Meta(LineEntry.Meta):
        indexes = (models.Index(fields=("benchmark", "moment", "id"), name="versions_newest"),)


class HoldoutLookEntry(LineEntry, DatedEntry):
    """One line of `holdout-ledger.jsonl`."""

    kind = models.CharField(max_length=32)
    run_id = models.CharField(max_length=128, blank=True)
    arms = models.JSONField(default=list)
    tasks = models.PositiveIntegerField(default=0)
    """How many tasks were looked at."""
    actor = models.CharField(max_length=255, blank=True)
    door = models.CharField(max_length=32, blank=True)
    note = models.TextField(blank=True)

    class Meta(LineEntry.Meta):
        indexes = (
            models.Index(fields=("moment", "id"), name="looks_newest"),
            models.Index(fields=("benchmark", "moment", "id"), name="looks_of_benchmark"),
            models.Index(fields=("run_id", "moment", "id"), name="looks_of_run"),
        )
