"""The JSON documents of a directory, whole."""

from django.db import models

from benchmarks.models.benchmark import BenchmarkEntry


class DocumentEntry(models.Model):
    """One document as it was last read."""

    benchmark = models.ForeignKey(
        BenchmarkEntry, on_delete=models.CASCADE, related_name="documents"
    )
    kind = models.CharField(max_length=64)
    """The name of the mirrored documents that it is one of."""
    file = models.CharField(max_length=512)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(default=0)
    mtime_ns = models.BigIntegerField(default=0)
    inode = models.PositiveBigIntegerField(default=0)
    schema = models.CharField(max_length=128, blank=True)
    body = models.TextField(blank=True)
    """The document's own text; empty where it is heavy or cannot be read."""
    problem = models.TextField(blank=True)
    """Why it cannot be read as what its name says."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("benchmark", "file"), name="one_entry_a_document"),
        )

    def __str__(self) -> str:
        return self.file
