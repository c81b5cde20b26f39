"""The verbs of this app, as a static table: `understudy --help` reads it and imports nothing."""

from benchmarks.verbs import VerbEntry

VERBS: tuple[VerbEntry, ...] = (
    VerbEntry(
        "benchmarks",
        "leaderboard",
        "Read the result: means over tasks, intervals, ties, and what is left out.",
        "runs.verbs.benchmarks_leaderboard:Leaderboard",
    ),
    VerbEntry(
        "benchmarks",
        "status",
        "Say how a benchmark stands, and the one next command.",
        "runs.verbs.benchmarks_status:Status",
    ),
    VerbEntry(
        "runs",
        "cancel",
        "Cancel a run that waits or runs; what has rows keeps them.",
        "runs.verbs.runs_cancel:Cancel",
    ),
    VerbEntry(
        "runs",
        "diff",
        "Say where two rollouts of one task part.",
        "runs.verbs.runs_diff:Diff",
    ),
    VerbEntry(
        "runs",
        "execute",
        "Run what is queued: models, and arms that cost nothing.",
        "runs.verbs.runs_execute:Execute",
    ),
    VerbEntry("runs", "list", "List the runs, newest first.", "runs.verbs.runs_list:List"),
    VerbEntry(
        "runs",
        "queue",
        "Queue a run of models or other arms; an executor runs it.",
        "runs.verbs.runs_queue:Queue",
    ),
    VerbEntry(
        "runs",
        "regrade",
        "Judge kept rollouts by today's verifiers; nothing is run, nothing is spent.",
        "runs.verbs.runs_regrade:Regrade",
    ),
    VerbEntry(
        "runs",
        "rollout",
        "Read one rollout step by step, with what each step met.",
        "runs.verbs.runs_rollout:Rollout",
    ),
    VerbEntry("runs", "status", "Say how far a run has come.", "runs.verbs.runs_status:Status"),
    VerbEntry(
        "runs",
        "sweep",
        "Hand waiting and interrupted runs to the broker; name what is stuck.",
        "runs.verbs.runs_sweep:Sweep",
    ),
    VerbEntry(
        "traces",
        "author-tasks",
        "Let a model describe tasks; only what the recording bears out is merged.",
        "runs.verbs.traces_author_tasks:AuthorTasks",
    ),
    VerbEntry(
        "trust",
        "set",
        "Set what may be done here without asking.",
        "runs.verbs.trust_set:Set",
    ),
    VerbEntry(
        "trust",
        "show",
        "Say what may be done here without asking.",
        "runs.verbs.trust_show:Show",
    ),
)
