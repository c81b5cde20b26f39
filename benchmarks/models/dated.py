"""What entries have that are listed newest first."""

from datetime import UTC, datetime, timedelta

from django.db import models

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNDATED = -(2**62)
"""The moment of a line that does not say when it was written: older than every other."""


class DatedEntry(models.Model):
    """An entry with a place in time, also where its line says none."""

    created_at = models.CharField(max_length=64, blank=True)
    """The time as the line has it."""
    moment = models.BigIntegerField()
    """The same in microseconds since 1970, or `UNDATED`: the first key of every such list."""

    class Meta:
        abstract = True

    @property
    def at(self) -> datetime | None:
        """The moment as a time; None where the line says none."""
        return None if self.moment == UNDATED else EPOCH + timedelta(microseconds=self.moment)


def moment_of(at: datetime | None) -> int:
    """The key of a time in lists."""
    return UNDATED if at is None else (at - EPOCH) // timedelta(microseconds=1)
