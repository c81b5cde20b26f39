"""Every file of a benchmark directory: its name, its kind and the record it holds.

The only place that knows file names (spec/files.md 1 and 2.5). Names made from ids are sanitised
and checked for collisions here.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from benchmarks.errors import InvalidArguments
from benchmarks.records.authoring import AuthoringEvent
from benchmarks.records.base import JsonObject, Record
from benchmarks.records.build import DATASET_FOUNDRY, TRACE_FOUNDRY, BuildManifest
from benchmarks.records.calibration import Calibration
from benchmarks.records.capture import Capture, LedgerEntry
from benchmarks.records.dag import IndexRow, SourceDag
from benchmarks.records.direction import Dependencies, Directions
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    Gold,
    Guidance,
    OfflineValidation,
    ToolSchema,
)
from benchmarks.records.event import RunEvent
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.intake import IntakeReport
from benchmarks.records.manifest import PROMOTED as BENCHMARK_ID
from benchmarks.records.manifest import PROPOSAL as PROPOSAL_ID
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.note import Feedback, Flag
from benchmarks.records.pilot import PilotAudit
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.request import Overrides, RunRequest
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.rigor import RigorReport
from benchmarks.records.row import Row
from benchmarks.records.sharing import Sharing
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolPolicy
from benchmarks.records.trajectory import JournalLine, Trajectory
from benchmarks.records.verifier import VerifierFixture, VerifierReport
from benchmarks.records.version import VersionLine

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class LedgerFile(Generic[R]):
    """Append-only JSON lines."""

    path: str
    record: type[R]
    needs: tuple[str, ...] = ()
    """The keys that make a line without schema id one of this file's (default: all required)."""
    fenced: bool = False
    """Whether lines of a holder that had lost the directory are left out."""
    omit: frozenset[str] = frozenset()
    """Keys that this reader has no use for; they are dropped before records are made."""
    blobs: bool = False
    """Whether long texts stand beside the file, by their digest."""
    sharing: Callable[[], Callable[[JsonObject], JsonObject]] | None = None
    """Makes, for one read of the file, what keeps equal parts of its lines once."""


@dataclass(frozen=True, slots=True)
class TableFile(Generic[R]):
    """JSON lines replaced whole. People edit them."""

    path: str
    record: type[R]
    key: str | None = None
    """The field that is unique in the table."""


@dataclass(frozen=True, slots=True)
class DocumentFile(Generic[R]):
    """One JSON object, replaced whole."""

    path: str
    record: type[R]
    accepts: tuple[str, ...] = ()
    """The schema ids, where the record leaves them open."""
    lenient: bool = False
    """Whether a document of another schema counts as missing."""


@dataclass(frozen=True, slots=True)
class ListFile(Generic[R]):
    """One JSON array of records, replaced whole."""

    path: str
    record: type[R]


@dataclass(frozen=True, slots=True)
class MapFile(Generic[R]):
    """One JSON object of records by name, replaced whole."""

    path: str
    record: type[R]


BENCHMARK = DocumentFile("benchmark.json", BenchmarkManifest, (PROPOSAL_ID, BENCHMARK_ID))
MANIFEST = DocumentFile("manifest.json", BuildManifest, (TRACE_FOUNDRY, DATASET_FOUNDRY))
TASKS = TableFile("tasks.jsonl", Task, key="task_id")
CAPTURES = LedgerFile("normalized-captures.jsonl", Capture, blobs=True, sharing=Sharing)
SOURCE_DAG = DocumentFile("source-dag.json", SourceDag)
EXECUTION_INDEX = TableFile("execution-index.jsonl", IndexRow)
CAPTURE_LEDGER = LedgerFile("capture-ledger.jsonl", LedgerEntry)
INTAKE_REPORT = DocumentFile("intake-report.json", IntakeReport)
TOOL_POLICY = DocumentFile("tool-policy.json", ToolPolicy)
DIRECTIONS = DocumentFile("directions.json", Directions)
DEPENDENCIES = DocumentFile("dependencies.json", Dependencies)
PILOT_AUDIT = DocumentFile("pilot-audit.json", PilotAudit)

ENVIRONMENT = "environment"
ENV_TASKS = ListFile("environment/understudy_trace_env/tasks.json", EnvironmentTask)
FIXTURES = ListFile("environment/understudy_trace_env/servers/fixtures.json", FixtureRow)
SCHEMAS = MapFile("environment/understudy_trace_env/servers/schemas.json", ToolSchema)
GUIDANCE = DocumentFile("environment/understudy_trace_env/servers/guidance.json", Guidance)
GOLD = DocumentFile("environment/gold.json", Gold)
VALIDATION = DocumentFile("environment/offline-validation.json", OfflineValidation)
VERIFIER_FIXTURES = LedgerFile("verifier-fixtures.jsonl", VerifierFixture, blobs=True)
VERIFIER_REPORT = DocumentFile("verifier-report.json", VerifierReport)

VERSIONS = LedgerFile("versions.jsonl", VersionLine, needs=("created_at",))
PROMOTION = DocumentFile("promotion-record.json", PromotionRecord)
PROPOSAL = DocumentFile("benchmark-proposal.json", BenchmarkManifest, (PROPOSAL_ID, BENCHMARK_ID))

REVIEWS = LedgerFile("reviews.jsonl", Review)
OLD_REVIEWS = "review-decisions.jsonl"
REVIEW_POLICY = DocumentFile("review-policy.json", ReviewPolicy, lenient=True)
FEEDBACK = LedgerFile("feedback.jsonl", Feedback)
FLAGS = LedgerFile("flags.jsonl", Flag)
HOLDOUT = LedgerFile("holdout-ledger.jsonl", HoldoutLook)

AUTHORING_EVENTS = LedgerFile("authoring-events.jsonl", AuthoringEvent)
OVERVIEW = DocumentFile("benchmark-overview.json", Record)
"""Shown as it was written, also by older releases."""
EXPERIMENTS = LedgerFile("experiments.jsonl", Record, needs=("experiment_id", "data_selection"))
"""Shown as older releases wrote them; nothing here writes them."""

CALIBRATION = DocumentFile("calibration.json", Calibration)
RIGOR_REPORT = DocumentFile("rigor-report.json", RigorReport)
RIGOR_TEXT = "rigor-report.md"

QUEUE = "runs/queue"
EVENTS = LedgerFile("runs/events.jsonl", RunEvent)
LIVE = "runs/live"
TRAJECTORIES = "runs/trajectories"
WORK = "runs/work"
"""Where the reference kept what its runner left behind; never written."""
BLOBS = "runs/blobs"
CLAIM_LOCK = "runs/claim.lock"
WATCH_LOCK = "runs/watch.lock"
GUARD_LOCK = "runs/guard.lock"

ROW_DETAILS = frozenset({
    "final_response_excerpt",
    "notes",
    "obligations",
    "retries",
    "trace_ref",
    "trajectory_ref",
    "usage",
    "violations",
    "writes",
})
"""What a row tells of its one rollout: no figure, check or count reads it."""
ROWS_PATTERNS = ("rows-*.jsonl", "rows/*.jsonl")
TASK_SIDECARS = "tasks*.jsonl"

CLAIMED_FILES = ((".", "rows-*.jsonl"), (TRAJECTORIES, "*.jsonl"), (LIVE, "*.jsonl"))
"""What only the holder of the claim writes: folder and pattern."""

WRITTEN_FOLDERS = (
    ".",
    "environment",
    "environment/understudy_trace_env",
    "environment/understudy_trace_env/servers",
    "runs",
    QUEUE,
    BLOBS,
)
"""Where documents, tables and blobs are written."""


def request(run_id: str) -> DocumentFile[RunRequest]:
    """What was asked of a run."""
    return DocumentFile(f"{QUEUE}/{checked_run_id(run_id)}.json", RunRequest)


def overrides(run_id: str) -> DocumentFile[Overrides]:
    """The prompt overrides of a run, whole."""
    return DocumentFile(f"runs/{checked_run_id(run_id)}-overrides.json", Overrides)


def rows(run_id: str, arm_name: str) -> LedgerFile[Row]:
    """The rows of one arm."""
    return LedgerFile(f"rows-{arm_stem(run_id, arm_name)}.jsonl", Row, fenced=True)


def trajectories(run_id: str, arm_name: str) -> LedgerFile[Trajectory]:
    """The whole rollouts of one arm."""
    name = f"{TRAJECTORIES}/{arm_stem(run_id, arm_name)}.jsonl"
    return LedgerFile(name, Trajectory, fenced=True, blobs=True)


def live(run_id: str, arm_name: str) -> LedgerFile[JournalLine]:
    """The live journal of one arm."""
    name = f"{LIVE}/{arm_stem(run_id, arm_name)}.jsonl"
    return LedgerFile(name, JournalLine, needs=("at", "kind"), fenced=True)


def arm_stem(run_id: str, arm_name: str) -> str:
    """`<run>-<arm>`, both parts checked to be one name."""
    if not ARM_NAME.fullmatch(arm_name) or not arm_name.strip("."):
        raise InvalidArguments(f"arm name {arm_name!r} is not a file name")
    return f"{checked_run_id(run_id)}-{arm_name}"


UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
ARM_NAME = re.compile(r"[A-Za-z0-9._~-]{1,100}")
RUN_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")
NAME_CHARS = 80
REGRADE = "regrade-"
SHA256 = re.compile(r"[0-9a-f]{64}")


def checked_run_id(run_id: str) -> str:
    """The id, if it is one that every door accepts (spec/files.md 3.2).

    Raises:
        InvalidArguments: it is not 1 to 128 of `A-Z a-z 0-9 _ . -`, or is `.` or `..`.
    """
    if RUN_ID.fullmatch(run_id) and run_id not in {".", ".."}:
        return run_id
    raise InvalidArguments(
        f"run id {run_id!r} is not 1 to 128 characters of A-Z a-z 0-9 _ . -",
        hint="run ids are listed by: understudy runs list",
    )


def safe(text: str) -> str:
    """The text as part of a file name: other characters one `_`, at most 80, never only dots."""
    name = UNSAFE.sub("_", text)[:NAME_CHARS]
    return name if name.strip(".") else "_"


def suffixed(label: str) -> str:
    """The safe name that no other label has: `~` and the first 8 hex of the label's SHA-256."""
    return f"{safe(label)}~{hashlib.sha256(label.encode()).hexdigest()[:8]}"


def arm_names(labels: Iterable[str]) -> dict[str, str]:
    """The file name of each arm of a run, in plan order; no two differ only by case."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for label in labels:
        name = safe(label)
        folded = name.casefold()
        collides = folded in taken or folded.startswith(REGRADE)
        names[label] = suffixed(label) if collides else name
        taken.add(folded)
    return names
