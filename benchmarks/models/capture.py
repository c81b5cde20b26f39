"""Captures and how they came in. A capture's text stays in its file."""

from django.db import models

from benchmarks.models.dated import DatedEntry
from benchmarks.models.line import LineEntry


class CaptureEntry(LineEntry, DatedEntry):
    """One line of `normalized-captures.jsonl`. Of one key the last line counts."""

    capture_key = models.CharField(max_length=255)
    capture_id = models.CharField(max_length=255)
    group = models.CharField(max_length=255, blank=True)
    """The fingerprint by which captures are grouped."""
    trace_id = models.CharField(max_length=255, blank=True)
    session_id = models.CharField(max_length=255, blank=True)
    workload = models.CharField(max_length=255, blank=True)
    provider = models.CharField(max_length=255, blank=True)
    model = models.CharField(max_length=255, blank=True)
    """The model that was asked for."""
    source_pointer = models.TextField(blank=True)
    helper_of = models.CharField(max_length=255, blank=True)

    class Meta(LineEntry.Meta):
        indexes = (
            models.Index(fields=("benchmark", "moment", "id"), name="captures_newest"),
            models.Index(fields=("benchmark", "capture_key"), name="capture_by_key"),
            models.Index(fields=("benchmark", "capture_id"), name="capture_by_id"),
        )


class IngestedEntry(LineEntry, DatedEntry):
    """One line of `capture-ledger.jsonl`: a record that is not ingested again."""

    capture_key = models.CharField(max_length=255)
    source_pointer = models.TextField(blank=True)
    source_sha256 = models.CharField(max_length=64)
    record_sha256 = models.CharField(max_length=64, blank=True)

    class Meta(LineEntry.Meta):
        indexes = (
            models.Index(fields=("benchmark", "capture_key"), name="ingested_by_key"),
            models.Index(fields=("benchmark", "moment", "id"), name="ingested_newest"),
        )


class ExecutionEntry(LineEntry):
    """One line of `execution-index.jsonl`: what became of a group or of a dropped record."""

    execution_group = models.CharField(max_length=255, blank=True)
    task_id = models.CharField(max_length=255, blank=True)
    """Empty where no task came of it; `reasons` says why."""
    lineage_status = models.CharField(max_length=64, blank=True)
    grouping_label = models.CharField(max_length=64, blank=True)
    trace_id = models.CharField(max_length=255, blank=True)
    captures = models.BigIntegerField(null=True)
    reasons = models.JSONField(default=list)

    class Meta(LineEntry.Meta):
        indexes = (models.Index(fields=("benchmark", "task_id"), name="execution_of_task"),)
