"""Every file of a benchmark directory and of the home: who writes it and who reads it.

The names, kinds and records are those of `benchmarks/artifacts/`; a test compares.
"""

from dataclasses import dataclass
from typing import Any

from benchmarks.artifacts import home, layout
from benchmarks.artifacts.folder import AnyFile
from benchmarks.artifacts.layout import DocumentFile
from benchmarks.records.home import PriceTable, TrustPosture

RUN, ARM = "RUN", "ARM"


@dataclass(frozen=True, slots=True)
class Sidecar:
    """One file, or one family of files with the same record."""

    file: AnyFile[Any]
    writer: str
    readers: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A file or folder that holds no records."""

    name: str
    what: str


BUILT = (
    Sidecar(layout.BENCHMARK, "build, then promote", "every door; what stage the directory is in"),
    Sidecar(layout.MANIFEST, "build", "status, promote, rigor"),
    Sidecar(layout.TASKS, "build; people edit it", "everything"),
    Sidecar(layout.CAPTURES, "build, directions", "task pages, replay, agreement, regenerate-env"),
    Sidecar(layout.SOURCE_DAG, "build", "promote (quarantines), task pages (lineage)"),
    Sidecar(layout.EXECUTION_INDEX, "build", "people: the captures of each task, in order"),
    Sidecar(
        layout.CAPTURE_LEDGER,
        "build, directions",
        "people: which capture came in when, and from where",
    ),
    Sidecar(
        layout.INTAKE_REPORT,
        "build, directions",
        "people: what was read, redacted and dropped, and why",
    ),
    Sidecar(layout.TOOL_POLICY, "build; people edit it", "build, regenerate-env: what a tool does"),
    Sidecar(layout.DIRECTIONS, "traces directions", "build: which conversations become tasks"),
    Sidecar(layout.DEPENDENCIES, "traces directions", "build, regenerate-env: how worlds answer"),
    Sidecar(
        layout.PILOT_AUDIT,
        "reviews submit --pilot-audit; build --waive-pilot",
        "build: whether the rest may be written; promote, rigor, status",
    ),
    Sidecar(
        layout.VERSIONS, "build, regenerate-env, promote, regrade", "staleness of rows, status"
    ),
    Sidecar(layout.PROMOTION, "promote", "status, rigor"),
    Sidecar(layout.PROPOSAL, "promote", "people: the manifest as it was before promotion"),
)
MAKERS = "build, regenerate-env, promote"
ENVIRONMENT = (
    Sidecar(layout.ENV_TASKS, MAKERS, "arms: what a candidate is given"),
    Sidecar(layout.FIXTURES, MAKERS, "the world of a rollout"),
    Sidecar(layout.SCHEMAS, MAKERS, "the world of a rollout, models' tools"),
    Sidecar(layout.GUIDANCE, MAKERS, "the world of a rollout"),
    Sidecar(layout.GOLD, MAKERS, "the oracle, the scorer, reviewers; never a candidate"),
    Sidecar(layout.VALIDATION, MAKERS, "queueing, promote, rigor"),
    Sidecar(layout.VERIFIER_FIXTURES, "build, benchmarks verify; people", "benchmarks verify"),
    Sidecar(layout.VERIFIER_REPORT, "build, benchmarks verify", "rigor, attention, regrade"),
)
REVIEWED = (
    Sidecar(layout.REVIEWS, "reviews", "decisions: the newest line of a task counts"),
    Sidecar(layout.REVIEW_POLICY, "reviews policy", "decisions, accept-clean, attention"),
    Sidecar(layout.FEEDBACK, "reviews feedback, resolve, regenerate-env", "promote, task pages"),
    Sidecar(layout.FLAGS, "reviews flag, resolve", "leaderboard, rigor, task pages"),
    Sidecar(layout.HOLDOUT, "executor, regrade", "the notice over holdout figures"),
    Sidecar(layout.AUTHORING_EVENTS, "traces author-tasks", "itself, when it goes on"),
    Sidecar(layout.OVERVIEW, "traces author-tasks --overview", "shown as it is"),
    Sidecar(layout.RIGOR_REPORT, "benchmarks rigor", "status, promote"),
)
RAN = (
    Sidecar(layout.request(RUN), "runs queue; the executor that holds the claim", "executors"),
    Sidecar(layout.overrides(RUN), "runs queue", "executors: the prompts of a run, whole"),
    Sidecar(layout.EVENTS, "executor, regrade; runs cancel", "run pages, status"),
    Sidecar(layout.rows(RUN, ARM), "executor, regrade", "leaderboard, calibration, rigor, status"),
    Sidecar(layout.trajectories(RUN, ARM), "executor, regrade", "rollouts, diffs, regrade"),
    Sidecar(layout.live(RUN, ARM), "executor", "rollouts while they run"),
    Sidecar(layout.CALIBRATION, "executor, regrade", "status, rigor, attention, task pages"),
)
OLDER = (Sidecar(layout.EXPERIMENTS, "an older release", "shown as it is; nothing here writes it"),)
DIRECTORY: tuple[tuple[str, tuple[Sidecar, ...]], ...] = (
    ("What a build makes", BUILT),
    ("The environment", ENVIRONMENT),
    ("Reviews and judgement", REVIEWED),
    ("Runs", RAN),
    ("Of older releases", OLDER),
)
DIRECTORY_PLAIN = (
    Plain(layout.RIGOR_TEXT, "the rigor report for people, made from `rigor-report.json`"),
    Plain(f"{layout.BLOBS}/<sha256>", "texts over 64 KiB of a ledger line, by their content"),
    Plain(layout.CLAIM_LOCK, "its kernel lock is the claim: one executor, for the life of a run"),
    Plain(layout.WATCH_LOCK, "held by an executor that looks again and again; excludes nobody"),
    Plain(layout.GUARD_LOCK, "the short lock around every edit"),
)
HOME = (
    Sidecar(DocumentFile("trust.json", TrustPosture), "trust set", "the guard, at every door"),
    Sidecar(
        DocumentFile("prices.json", PriceTable), "people", "costs, laid over the built-in table"
    ),
    Sidecar(
        home.LIVE_ENDPOINTS,
        "traces directions, where a person approves live tools",
        "executors: a place that nobody approved on this machine is not called",
    ),
    Sidecar(home.job("JOB"), "doors, jobs", "run_status of a job"),
    Sidecar(home.AUDIT, "doors", "people: every write through a door, every refusal"),
    Sidecar(home.hub_card(1421), "hub serve, while it listens", "a second hub serve"),
)
HOME_PLAIN = (
    Plain("benchmarks/", "the default root"),
    Plain("captures/", "the default source of captures; only read"),
    Plain("credentials.json", "keys of providers; only read; 0600 or a warning"),
    Plain(
        "hub.sqlite3", "the mirror, which may be dropped; and users, sessions, tokens, which not"
    ),
    Plain(home.SECRET_KEY, "signs sessions and cursors; made at first need"),
    Plain("broker/", "the embedded broker's socket, messages and log"),
    Plain(
        "logs/",
        "errors that should not happen, with their traces, and what each background job said",
    ),
    Plain("guard.lock, migrate.lock", "the short lock of the home; the lock around migrations"),
)
