"""How tasks and benchmarks stand: worked out by the services that every door uses."""

from django.db import models

from benchmarks.models.benchmark import BenchmarkEntry


class TaskStandingEntry(models.Model):
    """One task as lists and the inbox show it."""

    benchmark = models.ForeignKey(
        BenchmarkEntry, on_delete=models.CASCADE, related_name="task_standings", db_index=False
    )
    task_id = models.CharField(max_length=255)
    position = models.PositiveIntegerField()
    """From 0, in the order of the manifest."""
    name = models.TextField()
    split = models.CharField(max_length=16)
    category_id = models.CharField(max_length=255, blank=True)
    status = models.CharField(max_length=64, blank=True)
    confidence = models.CharField(max_length=64, blank=True)
    """The machine's own, as the task line says it."""
    digest = models.CharField(max_length=64)
    """`task_digest`: moves when anything of the task is changed."""
    line_sha256 = models.CharField(max_length=64, blank=True)
    """The line of the task that the digest was worked out of."""
    decision = models.CharField(max_length=16)
    """The decision in force, or `pending`."""
    explicit = models.BooleanField()
    """Whether somebody decided; else it is what the policy says at birth."""
    source = models.CharField(max_length=16, blank=True)
    """Who decided: `human`, `agent` or `auto`; empty while nobody did."""
    actor = models.CharField(max_length=255, blank=True)
    door = models.CharField(max_length=32, blank=True)
    decided_at = models.CharField(max_length=64, blank=True)
    review = models.JSONField(null=True)
    """The line that decided."""
    changed = models.BooleanField(default=False)
    """Whether the task is not any more what was decided on."""
    edited = models.BooleanField(default=False)
    """Whether it was changed by hand since it was stamped."""
    flags = models.JSONField(default=list)
    """The attention flags, as words in the order of the vocabulary."""
    reasons = models.JSONField(default=dict)
    """Flag to reason, one clause each."""
    flag_words = models.CharField(max_length=255, blank=True)
    """The flags between spaces, ` anomaly flaky `: what a filter looks in."""
    flag_count = models.PositiveSmallIntegerField(default=0)
    waiting = models.BooleanField(default=False)
    """Whether it waits for somebody: nobody decided, and it is flagged or pending."""
    trivial_arms = models.JSONField(default=list)
    """The arms that pass it by doing nothing."""
    verifier = models.CharField(max_length=16)
    """`weak`, `flaky`, `untested` or `tested`."""
    open_feedback = models.PositiveIntegerField(default=0)
    open_flags = models.PositiveIntegerField(default=0)
    scores = models.JSONField(default=dict)
    """The scores block of the task, as `benchmarks tasks` gives it."""
    mean_score = models.FloatField(null=True)
    incumbent_mean = models.FloatField(null=True)
    candidate_mean = models.FloatField(null=True)
    """Of the candidate whose row is the newest."""
    candidate = models.CharField(max_length=255, blank=True)
    """Its label."""
    inbox_rank = models.BigIntegerField()
    """The order of the inbox as one number; ties by task id."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("benchmark", "task_id"), name="one_standing_a_task"),
        )
        indexes = (
            models.Index(fields=("inbox_rank", "task_id", "id"), name="inbox_order"),
            models.Index(
                fields=("benchmark", "inbox_rank", "task_id", "id"), name="inbox_of_benchmark"
            ),
            models.Index(fields=("benchmark", "position"), name="standings_in_order"),
        )

    def __str__(self) -> str:
        return self.task_id


class BenchmarkStandingEntry(models.Model):
    """One benchmark as lists and the dashboard show it."""

    benchmark = models.OneToOneField(
        BenchmarkEntry, on_delete=models.CASCADE, related_name="standing"
    )
    listing = models.JSONField(default=dict)
    """Its item of `benchmarks list`."""
    stage = models.CharField(max_length=16)
    version = models.CharField(max_length=64, blank=True)
    tasks = models.PositiveIntegerField(default=0)
    effective = models.PositiveIntegerField(default=0)
    """The tasks that figures are about."""
    attention = models.PositiveIntegerField(default=0)
    """Tasks with any attention flag, but for rejected ones."""
    attention_counts = models.JSONField(default=dict)
    review_summary = models.JSONField(default=dict)
    undecided = models.PositiveIntegerField(default=0)
    """Tasks on which nobody decided."""
    waiting = models.PositiveIntegerField(default=0)
    """Those of them that wait for somebody: flagged, or pending."""
    undecided_flagged = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    """Tasks that changed since they were decided."""
    candidate = models.CharField(max_length=255, blank=True)
    """The candidate whose row is the newest."""
    open_feedback = models.PositiveIntegerField(default=0)
    open_flags = models.PositiveIntegerField(default=0)
    floors = models.JSONField(default=dict)
    """Floors and ceilings by key, as `floors_of` of the services measures them, without scores."""
    floors_exceeded = models.JSONField(default=list)
    """The keys of those that are exceeded."""
    errors = models.JSONField(default=list)
    warnings = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"standing of {self.benchmark_id}"
