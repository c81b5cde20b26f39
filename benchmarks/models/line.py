"""What every mirrored line of a ledger or table has."""

from django.db import models

from benchmarks.models.benchmark import BenchmarkEntry


class LineEntry(models.Model):
    """One line of a JSONL file: where it stands, its digest and, unless heavy, its text."""

    benchmark = models.ForeignKey(
        BenchmarkEntry, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    """Without an index of its own: the constraint below begins with it."""
    file = models.CharField(max_length=512)
    line = models.PositiveBigIntegerField()
    """From 1, blank and malformed lines counted."""
    offset = models.PositiveBigIntegerField()
    length = models.PositiveIntegerField()
    """Bytes of the line without its end."""
    sha256 = models.CharField(max_length=64)
    raw = models.TextField(blank=True)
    """The line as it stands in the file; empty where the ledger is heavy and read from disk."""

    class Meta:
        abstract = True
        constraints = (
            models.UniqueConstraint(
                fields=("benchmark", "file", "line"), name="%(class)s_one_entry_a_line"
            ),
        )

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"
