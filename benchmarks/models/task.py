"""Tasks, with a column for every filter and order of a list."""

from django.db import models

from benchmarks.models.line import LineEntry


class TaskEntry(LineEntry):
    """One line of `tasks.jsonl`, or of an import's side tables."""

    task_id = models.CharField(max_length=255)
    position = models.PositiveIntegerField()
    """From 0, in the order of the table."""
    title = models.TextField(blank=True)
    name = models.TextField(blank=True)
    """What people see first: the authored summary, else the title."""
    status = models.CharField(max_length=64, blank=True)
    split = models.CharField(max_length=16)
    category_id = models.CharField(max_length=255, blank=True)
    confidence = models.CharField(max_length=64, blank=True)
    """The machine's own, as the line says it."""
    close_call = models.BooleanField(default=False)
    version = models.CharField(max_length=64, blank=True)
    task_hash = models.CharField(max_length=64, blank=True)
    cluster_id = models.CharField(max_length=255, blank=True)
    incumbent = models.CharField(max_length=255, blank=True)
    """The model that did the task when it was captured."""
    tools = models.PositiveIntegerField(default=0)
    """How many tools the incumbent called."""
    user_turns = models.BigIntegerField(default=0)
    self_check_ok = models.BooleanField(null=True)

    class Meta(LineEntry.Meta):
        indexes = (
            models.Index(fields=("benchmark", "position"), name="tasks_in_order"),
            models.Index(fields=("benchmark", "task_id"), name="task_of_benchmark"),
            models.Index(fields=("benchmark", "split", "position"), name="tasks_of_split"),
            models.Index(fields=("benchmark", "category_id", "position"), name="tasks_of_category"),
            models.Index(fields=("benchmark", "status", "position"), name="tasks_of_status"),
        )
