"""What the incumbents made of each task."""

from django.db import models

from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.dated import DatedEntry


class TaskCalibrationEntry(DatedEntry):
    """One entry of `calibration.json`, dated by its measurement."""

    benchmark = models.ForeignKey(
        BenchmarkEntry, on_delete=models.CASCADE, related_name="calibrations", db_index=False
    )
    task_id = models.CharField(max_length=255)
    run_id = models.CharField(max_length=128, blank=True)
    score = models.FloatField(null=True)
    passed = models.BooleanField(null=True)
    """Null is unmeasured, not failed."""
    flaky = models.BooleanField(null=True)
    rollouts = models.BigIntegerField(default=0)
    body = models.JSONField()
    """The entry, whole."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("benchmark", "task_id"), name="one_calibration_a_task"),
        )
        indexes = (
            models.Index(fields=("moment", "id"), name="calibrations_newest"),
            models.Index(fields=("benchmark", "moment", "id"), name="calibrations_of_bench"),
        )

    def __str__(self) -> str:
        return self.task_id
