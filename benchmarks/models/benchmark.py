"""A benchmark directory, as the mirror last saw it."""

from django.db import models


class BenchmarkEntry(models.Model):
    """One directory under a root. Everything mirrored hangs on it."""

    slug = models.CharField(max_length=300, unique=True)
    name = models.CharField(max_length=255)
    root = models.CharField(max_length=32)
    """The prefix of its root: `local`, `data`, ..."""
    path = models.TextField()
    """Where the directory is on this machine."""
    read_only = models.BooleanField(default=False)
    present = models.BooleanField(default=True)
    """Whether the last look at the roots found it."""
    stage = models.CharField(max_length=16, blank=True)
    """Empty: not a benchmark any more."""
    origin = models.CharField(max_length=32, blank=True)
    benchmark_id = models.CharField(max_length=255, blank=True)
    version = models.CharField(max_length=64, blank=True)
    executable = models.BooleanField(null=True)
    created_at = models.DateTimeField(null=True)
    counts = models.JSONField(default=dict)
    """Lines mirrored, by ledger: what `page.total` is filled from, so that no list scans."""
    changes = models.PositiveBigIntegerField(default=0)
    """Grows with every transaction that mirrored anything."""
    dirty = models.JSONField(default=list)
    """Names of what was mirrored since the derived columns were last worked out."""
    waiting = models.JSONField(default=list)
    """Names of what is derived and has not been worked out again yet: it takes long."""
    costs = models.JSONField(default=dict)
    """By name of what is derived: how long it took last, and when that was."""
    revision = models.PositiveBigIntegerField(default=0)
    """Grows with every sync that changed something."""
    read_at = models.DateTimeField(null=True)
    behind_bytes = models.BigIntegerField(default=0)
    """What the last catch-up saw on disk and left for the next one."""
    problem = models.JSONField(null=True)
    """The error document of the last sync, when it was refused (`ledger_rewritten`)."""

    class Meta:
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug
