"""What the rigor checks look at, and what one of them answers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from benchmarks.audit.pilot import Pilot
from benchmarks.records.base import JsonObject
from benchmarks.records.build import BuildManifest
from benchmarks.records.calibration import CalibrationEntry, Floor
from benchmarks.records.environment import TaskValidation
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.verifier import TaskVerification
from benchmarks.records.vocabulary import SPENDING_ARMS, ArmKind, Mark
from benchmarks.versioning.staleness import Currency
from reviews.rigor.evidence import Evidence, Place, Placed


@dataclass(frozen=True)
class Subject:
    """A benchmark as it stands, with every figure that the checks share, measured once."""

    manifest: BenchmarkManifest | None
    evidence: Evidence
    tasks: Mapping[str, Task]
    """T: the effective tasks, in manifest order."""
    name: str = "B"
    """How commands name the benchmark."""
    manifest_errors: Sequence[str] = ()
    build: BuildManifest | None = None
    policy: ReviewPolicy = field(default_factory=ReviewPolicy)
    threshold: float = 1.0
    threshold_run: str | None = None
    """The run that set the threshold; None while it is the default."""
    floors: Mapping[str, Floor] = field(default_factory=dict)
    """Every lane, also those not measured."""
    saying_no: Collection[str] = ()
    """Tasks whose contract is met by doing nothing and saying so: known without a run."""
    calibration: Mapping[str, CalibrationEntry] = field(default_factory=dict)
    """Entries that are still about their task."""
    incumbents: Sequence[str] = ()
    """The incumbents that calibration measured."""
    validation: Mapping[str, TaskValidation] = field(default_factory=dict)
    """Rows of the offline validation under today's verifiers."""
    verifiers: Mapping[str, TaskVerification] = field(default_factory=dict)
    """Rows of the verifier report about today's verifiers."""
    pilot: Pilot = field(default_factory=Pilot)
    """Where the pilot stands."""
    tools: Mapping[str, ToolEntry] = field(default_factory=dict)
    owed: Mapping[str, int] = field(default_factory=dict)
    """Cells that runs still owe, by run."""
    looks: Sequence[HoldoutLook] = ()
    split_changed_at: datetime | None = None
    ledger_contamination: str | None = None
    """What the newest version line says of contamination."""
    margins: Sequence[float] = ()
    """Non-inferiority margins that were declared."""

    @cached_property
    def used(self) -> list[Placed]:
        """The rows in use on effective tasks."""
        return [item for item in self.evidence.used if item.row.task_id in self.tasks]

    @cached_property
    def attempted(self) -> list[Placed]:
        """The attempted rows on effective tasks."""
        return [item for item in self.used if item.attempted]

    @cached_property
    def spending(self) -> dict[str, list[Placed]]:
        """The attempted rows of every arm that can spend, by label, labels sorted."""
        arms: dict[str, list[Placed]] = {}
        for item in self.attempted:
            if item.row.arm_kind in SPENDING_ARMS:
                arms.setdefault(item.row.model, []).append(item)
        return dict(sorted(arms.items()))

    @cached_property
    def regradable_kinds(self) -> frozenset[str]:
        """The arm kinds of whose rows only the verifier is another than it was."""
        stale = [item for item in self.used if item.currency is Currency.STALE_REGRADE]
        return frozenset(item.row.arm_kind for item in stale)

    def of_kind(self, kind: str) -> list[Placed]:
        """The rows in use of one arm kind, on effective tasks."""
        return [item for item in self.used if item.row.arm_kind == kind]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one check found."""

    mark: Mark
    detail: str
    task_ids: Sequence[str] = ()
    evidence: Sequence[JsonObject] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One question about a benchmark; `judge` gives None where it does not apply."""

    id: str
    title: str
    judge: Callable[[Subject], Verdict | None]
    fix: str = ""
    """What to do about a FLAG; `{b}` stands for the benchmark."""
    measure: str = ""
    """What would turn an UNKNOWN into an answer."""
    hard: bool = False
    """Whether a FLAG fails the gate."""
    rows_of: frozenset[ArmKind] = frozenset()
    """The arms whose rows it rests on, and that are run where those are missing."""


def passed(detail: str, *evidence: JsonObject) -> Verdict:
    """The check holds."""
    return Verdict(Mark.PASS, detail, evidence=evidence)


def flagged(detail: str, task_ids: Sequence[str] = (), *evidence: JsonObject) -> Verdict:
    """The check does not hold; the tasks are named."""
    return Verdict(Mark.FLAG, detail, task_ids, evidence)


def unknown(detail: str, task_ids: Sequence[str] = (), *evidence: JsonObject) -> Verdict:
    """The evidence is not there: never a pass."""
    return Verdict(Mark.UNKNOWN, detail, task_ids, evidence)


def cites(file: str, ref: str) -> JsonObject:
    """Where the evidence stands."""
    return {"file": file, "ref": ref}


def scored(items: Sequence[Placed]) -> list[Placed]:
    """The scored rows among these."""
    return [item for item in items if item.place is Place.SCORED]


def percent(share: float) -> str:
    """A share as people read it: `9.1 %`."""
    return f"{share * 100:.1f}".removesuffix(".0") + " %"


def some(names: Sequence[str], limit: int = 8) -> str:
    """The first names of a list, and how many more there are."""
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"
