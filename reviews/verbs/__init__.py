"""The verbs of this app, as a static table: `understudy --help` reads it and imports nothing."""

from benchmarks.verbs import VerbEntry

VERBS: tuple[VerbEntry, ...] = (
    VerbEntry(
        "traces",
        "promote",
        "Promote the accepted tasks of a proposal, behind every gate.",
        "reviews.verbs.traces_promote:Promote",
    ),
    VerbEntry(
        "traces",
        "import-reviews",
        "Import decisions from a file; lines that do not fit are rejected, the others kept.",
        "reviews.verbs.traces_import_reviews:ImportReviews",
    ),
    VerbEntry(
        "benchmarks",
        "list",
        "List the benchmarks under the roots.",
        "reviews.verbs.benchmarks_list:ListBenchmarks",
    ),
    VerbEntry(
        "benchmarks",
        "show",
        "Show a benchmark: tasks, splits, calibration, decisions, warnings.",
        "reviews.verbs.benchmarks_show:ShowBenchmark",
    ),
    VerbEntry(
        "benchmarks",
        "tasks",
        "List the tasks of a benchmark with decisions, flags and scores, or read one.",
        "reviews.verbs.benchmarks_tasks:Tasks",
    ),
    VerbEntry(
        "benchmarks",
        "rigor",
        "Check the soundness of benchmarks: a report, or with --ci a gate.",
        "reviews.verbs.benchmarks_rigor:Rigor",
    ),
    VerbEntry(
        "reviews",
        "submit",
        "Decide on tasks: accept, restrict, needs_more or reject.",
        "reviews.verbs.reviews_submit:Submit",
    ),
    VerbEntry(
        "reviews",
        "list",
        "List the decision in force for each task.",
        "reviews.verbs.reviews_list:ListReviews",
    ),
    VerbEntry(
        "reviews",
        "accept-clean",
        "Accept every undecided task that nothing stands against.",
        "reviews.verbs.reviews_accept_clean:AcceptClean",
    ),
    VerbEntry(
        "reviews",
        "feedback",
        "Say what is wrong with a task; prints the hand-off for a coding agent.",
        "reviews.verbs.reviews_feedback:FeedbackVerb",
    ),
    VerbEntry(
        "reviews",
        "flag",
        "Publish a doubt: the rows of the task leave the headlines.",
        "reviews.verbs.reviews_flag:FlagVerb",
    ),
    VerbEntry(
        "reviews",
        "resolve",
        "Close a flag or feedback by its id.",
        "reviews.verbs.reviews_resolve:Resolve",
    ),
    VerbEntry(
        "reviews",
        "policy",
        "Show the review policy, or set some of its fields.",
        "reviews.verbs.reviews_policy:Policy",
    ),
)
