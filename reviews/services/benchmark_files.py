"""What the files of a benchmark directory hold: each is read when first asked for, and once."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeVar

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir, RequestList
from benchmarks.artifacts.kept import KEPT, signatures
from benchmarks.artifacts.layout import DocumentFile
from benchmarks.artifacts.reading import Read, joined
from benchmarks.artifacts.stage import StageReport, stage
from benchmarks.errors import InvalidBenchmark, NewerSchema, Unreadable
from benchmarks.records.base import Record
from benchmarks.records.build import BuildManifest
from benchmarks.records.calibration import Calibration
from benchmarks.records.dag import SourceDag
from benchmarks.records.direction import Dependencies, Directions
from benchmarks.records.environment import OfflineValidation
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.manifest import BenchmarkManifest, ManifestTask
from benchmarks.records.note import Feedback, Flag
from benchmarks.records.pilot import PilotAudit
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.verifier import VerifierReport
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Stage
from benchmarks.versioning.bump import FIRST_VERSION
from benchmarks.versioning.history import ledger_version
from reviews.services.holdout import counted_looks

R = TypeVar("R", bound=Record)
T = TypeVar("T")

JUDGED = (
    layout.BENCHMARK.path,
    layout.MANIFEST.path,
    layout.TASKS.path,
    layout.SOURCE_DAG.path,
    layout.TOOL_POLICY.path,
    layout.DEPENDENCIES.path,
    layout.PILOT_AUDIT.path,
    layout.VALIDATION.path,
    layout.VERIFIER_REPORT.path,
    layout.VERSIONS.path,
    layout.REVIEWS.path,
    layout.REVIEW_POLICY.path,
    layout.FLAGS.path,
    layout.HOLDOUT.path,
    layout.CALIBRATION.path,
)
"""What verdicts rest on, beside the rows."""


BUILT = (
    *JUDGED[: JUDGED.index(layout.VERSIONS.path)],
    layout.PROMOTION.path,
    layout.PROPOSAL.path,
    layout.INTAKE_REPORT.path,
    layout.DIRECTIONS.path,
)
"""What a build or a promotion writes: the tasks and the stage are told from these alone."""


FILES = tuple(
    dict.fromkeys([*JUDGED, *BUILT, layout.FEEDBACK.path, layout.OLD_REVIEWS, layout.QUEUE])
)
"""Everything that is read here, beside rows and requests."""


DOCUMENTS = (
    "manifest", "build", "promotion", "policy", "calibration", "tools", "validations",
    "verifier_report", "pilot_audit",
)  # fmt: skip
"""The documents that figures rest on, by the name under which they are asked for."""


class BenchmarkFiles:
    """The records of one directory. What cannot be read is missing, and said in `complaints`."""

    def __init__(self, directory: BenchmarkDir, *, slug: str | None = None) -> None:
        """Read nothing yet."""
        self.directory = directory
        self.slug = slug or str(directory.path)
        self._refusals: dict[str, str] = {}
        """Why documents cannot be read, by file, as far as they were asked for."""
        self._build_stood = signatures(directory, BUILT)

    # Documents

    @cached_property
    def stage_report(self) -> StageReport:
        """The stage and what is wrong with the documents."""
        return stage(self.directory)

    @property
    def stage(self) -> Stage:
        """What the directory is ready for; a directory that is no benchmark is invalid."""
        return self.stage_report.stage or Stage.INVALID

    @cached_property
    def manifest(self) -> BenchmarkManifest | None:
        """benchmark.json; None when it is missing or cannot be read."""
        return self._document(layout.BENCHMARK)

    @cached_property
    def build(self) -> BuildManifest | None:
        """manifest.json."""
        return self._document(layout.MANIFEST)

    @cached_property
    def promotion(self) -> PromotionRecord | None:
        """promotion-record.json."""
        return self._document(layout.PROMOTION)

    @cached_property
    def source_dag(self) -> SourceDag | None:
        """source-dag.json."""
        return self._document(layout.SOURCE_DAG)

    @cached_property
    def directions(self) -> Directions | None:
        """directions.json."""
        return self._document(layout.DIRECTIONS)

    @cached_property
    def dependencies(self) -> Dependencies | None:
        """dependencies.json."""
        return self._document(layout.DEPENDENCIES)

    @cached_property
    def pilot_audit(self) -> PilotAudit | None:
        """pilot-audit.json."""
        return self._document(layout.PILOT_AUDIT)

    @cached_property
    def policy(self) -> ReviewPolicy:
        """review-policy.json; the defaults without one."""
        return self._document(layout.REVIEW_POLICY) or ReviewPolicy()

    @cached_property
    def calibration(self) -> Calibration | None:
        """calibration.json."""
        return self._document(layout.CALIBRATION)

    @cached_property
    def tools(self) -> Mapping[str, ToolEntry]:
        """The class of every tool, as the policy says today."""
        policy = self._document(layout.TOOL_POLICY)
        return policy.tools if policy is not None else {}

    @cached_property
    def validations(self) -> OfflineValidation | None:
        """environment/offline-validation.json, with rows of any age."""
        return self._document(layout.VALIDATION)

    @cached_property
    def verifier_report(self) -> VerifierReport | None:
        """verifier-report.json, with rows of any age."""
        return self._document(layout.VERIFIER_REPORT)

    # Ledgers and tables

    @cached_property
    def read_tasks(self) -> Read[Task]:
        """tasks.jsonl, with its problems."""
        if not self.directory.exists(layout.TASKS):
            return self.directory.read_tasks()
        return KEPT.read(self.directory, layout.TASKS)

    @cached_property
    def reviews(self) -> Read[Review]:
        """Every explicit review, oldest first."""
        return self.directory.reviews()

    @cached_property
    def flags(self) -> Read[Flag]:
        """flags.jsonl."""
        return KEPT.read(self.directory, layout.FLAGS)

    @cached_property
    def feedback(self) -> Read[Feedback]:
        """feedback.jsonl."""
        return KEPT.read(self.directory, layout.FEEDBACK)

    @cached_property
    def versions(self) -> Read[VersionLine]:
        """versions.jsonl."""
        return KEPT.read(self.directory, layout.VERSIONS)

    @cached_property
    def looks(self) -> Read[HoldoutLook]:
        """holdout-ledger.jsonl."""
        return KEPT.read(self.directory, layout.HOLDOUT)

    @cached_property
    def counted_looks(self) -> list[HoldoutLook]:
        """The looks at the holdout that judged."""
        return counted_looks(self.directory, self.looks.records)

    @cached_property
    def rows(self) -> Read[Row]:
        """The rows of every run, without what only shows one rollout."""
        files = self.directory.row_files(omit=layout.ROW_DETAILS)
        return joined(KEPT.read(self.directory, file) for file in files)

    @cached_property
    def requests(self) -> RequestList:
        """The run requests, oldest first."""
        return self.directory.requests()

    @cached_property
    def lines(self) -> dict[str, Task]:
        """The task lines, by id, in the order of the table."""
        return {task.task_id: task for task in self.read_tasks.records}

    @cached_property
    def listed(self) -> dict[str, ManifestTask]:
        """The tasks of benchmark.json, by id."""
        return {task.task_id: task for task in self.manifest.tasks} if self.manifest else {}

    # Over all of them

    @property
    def version(self) -> str:
        """The version of today: the ledger's last one, else the manifest's, else 1.0.0."""
        listed = self.manifest.version if self.manifest else None
        return ledger_version(self.versions.records) or listed or FIRST_VERSION

    def inputs(self) -> dict[str, str]:
        """The digest of every file that verdicts rest on, by name."""
        found = {name: self.directory.digest(name) for name in sorted([*JUDGED, *self.rows.files])}
        return {name: digest for name, digest in found.items() if digest is not None}

    def malformed(self) -> dict[str, int]:
        """The lines of each file that could not be read."""
        reads = (self.read_tasks, self.reviews, self.flags, self.feedback, self.versions)
        return {
            name: counts.malformed
            for read in (*reads, self.looks, self.rows)
            for name, counts in read.files.items()
            if counts.malformed
        }

    @property
    def complaints(self) -> list[str]:
        """Why documents that figures rest on cannot be read, in the order of their names.

        All of them are asked for here, so that nobody hears more or less than another.
        """
        for name in DOCUMENTS:
            getattr(self, name)
        return [self._refusals[name] for name in sorted(self._refusals)]

    def warnings(self) -> list[str]:
        """What was met on the way, one line each."""
        problems = [
            f"{problem.file} line {problem.line}: {problem.complaint.message}"
            for problem in self.read_tasks.problems
        ]
        lost = [f"{name}: {count} malformed" for name, count in self.malformed().items()]
        return [*self.complaints, *problems, *lost]

    def of_build(self, name: str, work: Callable[[], T]) -> T:
        """What is worked out of the tasks and their build alone, once while those stand."""
        if not self.directory.exists(layout.TASKS):
            return work()
        return KEPT.worked_out(self.directory, name, self._build_stood, work)

    def _document(self, file: DocumentFile[R]) -> R | None:
        try:
            return KEPT.load(self.directory, file)
        except (InvalidBenchmark, Unreadable, NewerSchema) as error:
            self._refusals[file.path] = error.message
            return None
