"""The run requests of a directory."""

from django.db import models

from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.dated import DatedEntry
from benchmarks.models.document import DocumentEntry

BETWEEN = "\x1f"
"""What stands around each label in `arm_words`: no label holds it."""


class RequestEntry(DatedEntry):
    """One `runs/queue/<run>.json`: what was asked, and how far it has come."""

    benchmark = models.ForeignKey(
        BenchmarkEntry, on_delete=models.CASCADE, related_name="requests", db_index=False
    )
    document = models.OneToOneField(DocumentEntry, on_delete=models.CASCADE, related_name="request")
    """Its own text: `document.body`."""
    run_id = models.CharField(max_length=128)
    status = models.CharField(max_length=64)
    kind = models.CharField(max_length=64)
    """`run`, or `authoring`."""
    arms = models.JSONField(default=list)
    """The labels, in plan order."""
    arm_words = models.TextField(blank=True)
    """The same between unit separators: what a filter looks in."""
    split = models.CharField(max_length=64, blank=True)
    task_count = models.PositiveIntegerField(null=True)
    """How many tasks were named; null for all of the split."""
    rollouts_per_task = models.PositiveIntegerField(default=1)
    completed = models.PositiveBigIntegerField(null=True)
    """As the request says; while it runs its rows know better."""
    total = models.PositiveBigIntegerField(null=True)
    progress = models.JSONField(default=dict)
    started_at = models.CharField(max_length=64, blank=True)
    finished_at = models.CharField(max_length=64, blank=True)
    actor = models.CharField(max_length=255, blank=True)
    door = models.CharField(max_length=32, blank=True)
    experiment_id = models.CharField(max_length=255, blank=True)
    retry_of = models.CharField(max_length=128, blank=True)
    recorded_usd = models.FloatField(null=True)
    spend = models.JSONField(null=True)
    executor_version = models.CharField(max_length=64, blank=True)
    host = models.CharField(max_length=255, blank=True)
    """Where the executor runs that claimed it last."""
    lacks = models.JSONField(default=list)
    """What the executors that left it lacked."""
    failure = models.JSONField(null=True)
    """`error` of the request."""
    stop_reason = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("benchmark", "run_id"), name="one_entry_a_run"),
        )
        indexes = (
            models.Index(fields=("moment", "id"), name="requests_newest"),
            models.Index(fields=("benchmark", "moment", "id"), name="requests_of_benchmark"),
            models.Index(fields=("status", "moment", "id"), name="requests_of_status"),
            models.Index(fields=("run_id",), name="requests_by_run"),
        )

    def __str__(self) -> str:
        return self.run_id
