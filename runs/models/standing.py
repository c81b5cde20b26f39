"""How a benchmark stands with its runs: its status, as the service of every door gives it."""

from django.db import models

from benchmarks.models.benchmark import BenchmarkEntry


class BenchmarkStatusEntry(models.Model):
    """The status of one benchmark when something of it last changed."""

    benchmark = models.OneToOneField(
        BenchmarkEntry, on_delete=models.CASCADE, related_name="status_entry"
    )
    document = models.JSONField(default=dict)
    """`benchmarks status`, whole."""
    calibration = models.CharField(max_length=16)
    """The verdict: `not_run`, `partial`, `stale`, `fail`, `suspect` or `pass`."""
    floors_exceeded = models.JSONField(default=list)
    """Keys of the floors that are exceeded and were not overridden at promotion."""
    gate = models.CharField(max_length=16)
    """`not_run`, `pass`, `fail`, `unknown` or `stale`."""
    gate_verdict = models.CharField(max_length=16)
    """The same, whatever its age."""
    stale_in_report = models.PositiveIntegerField(default=0)
    """Stale rows that a written report counts."""
    newest_run = models.CharField(max_length=128, blank=True)
    newest_run_status = models.CharField(max_length=64, blank=True)
    newest_row = models.BigIntegerField(null=True)
    """The moment of the newest row."""
    runs = models.JSONField(default=dict)
    """Runs by status."""
    next_rule = models.CharField(max_length=64, blank=True)
    next_command = models.TextField(blank=True)
    next_why = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"status of {self.benchmark_id}"
