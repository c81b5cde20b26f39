"""Reviews, line by line."""

from django.db import models

from benchmarks.models.dated import DatedEntry
from benchmarks.models.line import LineEntry

IN_ORDER = ("file", "line")


class ReviewEntry(LineEntry, DatedEntry):
    """One line of `reviews.jsonl`, or of the older `review-decisions.jsonl`.

    Of a task the last line counts, those of the older file before all others. `IN_ORDER` is that
    order: the older file's name is the smaller one, in every collation.
    """

    task_id = models.CharField(max_length=255)
    decision = models.CharField(max_length=16)
    source = models.CharField(max_length=16)
    """`human`, `agent` or `auto`; a line that says none is a person's."""
    actor = models.CharField(max_length=255, blank=True)
    door = models.CharField(max_length=32, blank=True)
    note = models.TextField(blank=True)
    task_hash = models.CharField(max_length=64, blank=True)

    class Meta(LineEntry.Meta):
        indexes = (
            models.Index(fields=("moment", "id"), name="reviews_newest"),
            models.Index(fields=("benchmark", "moment", "id"), name="reviews_of_benchmark"),
            models.Index(fields=("task_id", "moment", "id"), name="reviews_of_task"),
        )
