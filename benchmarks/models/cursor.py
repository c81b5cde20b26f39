"""How far each file of a directory has been read."""

from django.db import models

from benchmarks.models.benchmark import BenchmarkEntry


class LedgerCursor(models.Model):
    """The place in one file up to which its lines are mirrored, and what stood before it."""

    benchmark = models.ForeignKey(BenchmarkEntry, on_delete=models.CASCADE, related_name="cursors")
    ledger = models.CharField(max_length=64)
    """The name of the mirrored ledger: several files may belong to one."""
    file = models.CharField(max_length=512)
    offset = models.PositiveBigIntegerField(default=0)
    """Bytes from the start whose lines are mirrored, always the end of a line."""
    line = models.PositiveBigIntegerField(default=0)
    """The number of lines before `offset`, blank and malformed ones counted."""
    fence = models.TextField(default="0")
    """The highest fence so far, in digits: lines below it came late and are left out."""
    segments = models.JSONField(default=list)
    """The SHA-256 of each whole segment before `offset`, then of the part of the last one."""
    size = models.PositiveBigIntegerField(default=0)
    mtime_ns = models.BigIntegerField(default=0)
    inode = models.PositiveBigIntegerField(default=0)
    """The file as it was when last read: while all three stand, nothing is read again."""
    complete = models.BooleanField(default=False)
    """Whether it was read to the end of its last whole line."""
    refused = models.TextField(blank=True)
    """Why it is followed no further: its beginning is not what was read, or it is gone."""
    counts = models.JSONField(default=dict)
    """`ReadCounts` of the lines before `offset`: what was met and is no entry is in it."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("benchmark", "file"), name="one_cursor_a_file"),
        )

    def __str__(self) -> str:
        return f"{self.file} to {self.offset}"
