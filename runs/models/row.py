"""The rows of runs: one per cell, wide enough for lists and figures, narrow enough for millions."""

from django.db import models
from django.db.models import Q

from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.dated import DatedEntry
from benchmarks.models.line import LineEntry


class RowEntry(LineEntry, DatedEntry):
    """One line of a rows file. Its text stays in the file: `expand` reads it by its place.

    Every filter of the list has an index that ends in the list's order, so that a page costs the
    same whatever the table holds.
    """

    run_id = models.CharField(max_length=128)
    benchmark_key = models.CharField(max_length=255, blank=True)
    """`benchmark_id` of the row: another benchmark's row is foreign."""
    task_id = models.CharField(max_length=255)
    category_id = models.CharField(max_length=255, blank=True)
    split = models.CharField(max_length=16)
    arm = models.CharField(max_length=255)
    """`model` of the row: the label."""
    arm_kind = models.CharField(max_length=32)
    rollout = models.BigIntegerField(null=True)
    """Null on older rows, which are numbered by order within run, arm and task."""
    route = models.CharField(max_length=16)
    called_model = models.CharField(max_length=255, blank=True)
    status = models.CharField(max_length=16)
    score = models.FloatField(null=True)
    subscores = models.JSONField(null=True)
    missing_code = models.CharField(max_length=64, blank=True)
    blame = models.CharField(max_length=16, blank=True)
    error = models.CharField(max_length=600, blank=True)
    error_boundary = models.CharField(max_length=16, blank=True)
    anomaly = models.CharField(max_length=64, null=True)  # noqa: DJ001 - left out of its index
    """The kind of the first one, what every count goes by; null without one."""
    anomalies = models.JSONField(null=True)
    """All of them, when there are any."""
    termination = models.CharField(max_length=32, blank=True)
    turns = models.BigIntegerField(null=True)
    tool_calls = models.BigIntegerField(null=True)
    latency_ms = models.FloatField(null=True)
    cost = models.FloatField(null=True)
    priced_in_part = models.BooleanField(default=False)
    price_basis = models.CharField(max_length=32, blank=True)
    input_tokens = models.BigIntegerField(null=True)
    output_tokens = models.BigIntegerField(null=True)
    fidelity_share = models.FloatField(null=True)
    tokens_per_sec = models.FloatField(null=True)
    peak_memory_bytes = models.BigIntegerField(null=True)
    fence = models.BigIntegerField(null=True)
    seed = models.BigIntegerField(null=True)
    executor_version = models.CharField(max_length=64, blank=True)
    attempt = models.BigIntegerField(null=True)
    task_version = models.CharField(max_length=64, blank=True)
    env_sha256 = models.CharField(max_length=64, blank=True)
    verifier_sha256 = models.CharField(max_length=64, blank=True)
    wire_sha256 = models.CharField(max_length=64, blank=True)
    regrade_of = models.CharField(max_length=128, blank=True)
    """The run whose row this one grades anew."""
    retry_of = models.CharField(max_length=128, blank=True)
    """The run whose row this one stands in for."""
    retry_rollout = models.BigIntegerField(null=True)
    fallback_reason = models.CharField(max_length=255, blank=True)
    treatment = models.CharField(max_length=64, blank=True)
    """Digest of the prompt override's suffix."""
    stale = models.CharField(max_length=16, null=True)  # noqa: DJ001 - left out of its index
    """`stale_rerun`, `stale_regrade` or `orphan` once that is known (spec/run.md 9.5); null while
    the row is about its task."""

    class Meta(LineEntry.Meta):
        indexes = (
            models.Index(fields=("moment", "id"), name="rows_newest"),
            models.Index(fields=("benchmark", "moment", "id"), name="rows_of_benchmark"),
            models.Index(fields=("run_id", "moment", "id"), name="rows_of_run"),
            models.Index(fields=("task_id", "moment", "id"), name="rows_of_task"),
            models.Index(fields=("arm", "moment", "id"), name="rows_of_arm"),
            models.Index(fields=("benchmark", "arm", "moment", "id"), name="rows_of_arm_in"),
            models.Index(fields=("benchmark", "split", "moment", "id"), name="rows_of_split_in"),
            models.Index(fields=("benchmark", "status", "moment", "id"), name="rows_of_status_in"),
            models.Index(fields=("status", "moment", "id"), name="rows_of_status"),
            models.Index(
                fields=("anomaly", "moment", "id"),
                name="rows_with_anomaly",
                condition=Q(anomaly__isnull=False),
            ),
            models.Index(
                fields=("benchmark", "stale", "moment", "id"),
                name="rows_stale_in",
                condition=Q(stale__isnull=False),
            ),
        )


class CurrencyCursor(models.Model):
    """How far the rows of a benchmark have been asked whether they are stale, and by what."""

    benchmark = models.OneToOneField(
        BenchmarkEntry, on_delete=models.CASCADE, related_name="currency_cursor"
    )
    judged_to = models.PositiveBigIntegerField(default=0)
    """The id of the last row that was asked."""
    basis = models.CharField(max_length=64, blank=True)
    """The digest of the tasks' stamps and of the breaking lines that they were asked against."""

    def __str__(self) -> str:
        return f"rows to {self.judged_to}"
