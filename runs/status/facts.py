"""What the next command depends on: plain values, so that each rule is tested by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.audit.pilot import Pilot
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import RunStatus, Split, Stage


@dataclass(frozen=True, slots=True)
class Gate:
    """What the gate said when it ran last, by the report or by the promotion."""

    status: str = "not_run"
    """`not_run`, `pass`, `fail`, `unknown` or `stale`."""
    verdict: str = "not_run"
    """The same, whatever its age."""
    failures: Sequence[str] = ()
    unknowns: Sequence[str] = ()
    at: str | None = None
    remedy: str = ""
    """The first failing check's own, with `TASK` filled where the check names one."""
    source: str | None = None
    """`report`, or `promotion` where that ran the gate last."""


@dataclass(frozen=True, slots=True)
class Stale:
    """Rows that a changed task has made worthless, as arms and tasks to run again."""

    models: Sequence[str] = ()
    trivial_arms: Sequence[str] = ()
    reference_arms: Sequence[str] = ()
    task_ids: Sequence[str] = ()
    verifier_only: Sequence[str] = ()
    """Those of them of which only the verifier changed."""
    regradable: Sequence[str] = ()
    """The tasks with rows of which enough was kept: judging that again is all they need."""
    rollouts: int = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """One benchmark as the rules see it."""

    slug: str
    stage: Stage
    dir: str = ""
    has_lost_tasks: bool = False
    """Whether the file of the tasks is empty, and tasks are listed."""
    claim_live: bool = False
    watched: bool = False
    """Whether an executor looks here again and again, also while it holds no claim."""
    runs: Sequence[RunRequest] = ()
    """Oldest first."""
    unsupported: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Queued runs that the executors seen since have left, with what they lacked."""
    lacking_here: frozenset[str] = frozenset()
    """Those of them that this version cannot run either."""
    has_captures: bool = False
    cards: Sequence[str] = ()
    """The ids of the proposed cards."""
    picked: str | None = None
    unapproved: Mapping[str, str] = field(default_factory=dict)
    """The dependencies that nobody approved a posture of, with what is suggested."""
    pilot: Pilot | None = None
    """Where the pilot stands; None where neither directions nor a pilot were recorded."""
    pilot_shown: str | None = None
    """When the pilot was last run, as it is today; None when it was not."""
    pilot_rollout: tuple[str, str] | None = None
    """The run and the arm that show it so."""
    owns_environment: bool = False
    """Whether the directory has a task file and an environment of its own."""
    regenerate_because: str | None = None
    unknown_tools: Sequence[str] = ()
    untested: Sequence[str] = ()
    """Tasks whose verifier has no report of today."""
    beyond_testing: Mapping[str, str] = field(default_factory=dict)
    """Those of them that were tested in vain: another test would say the same, and what."""
    weak: Sequence[str] = ()
    """Tasks whose verifier its test found weak, and that nobody decided."""
    judging_little: Mapping[str, str] = field(default_factory=dict)
    """Other undecided tasks whose contract can judge little: `none`, `weak` or `partial`."""
    flagged: Sequence[str] = ()
    """Tasks with any attention flag that nobody decided."""
    clean_pending: Sequence[str] = ()
    open_feedback: Sequence[str] = ()
    """The tasks of today that open feedback is about."""
    lineage_faults: Sequence[str] = ()
    """What a promotion has to be told to overlook."""
    gate: Gate = field(default_factory=Gate)
    stale: Stale = field(default_factory=Stale)
    exceeded: Sequence[str] = ()
    """The arms whose floor is exceeded, and was not overridden at promotion."""
    calibration: str = "not_run"
    calibration_missing: Sequence[str] = ()
    """What a run could still measure, in words."""
    has_measurable: bool = True
    """Whether any task is under no open flag."""
    suspects: Sequence[str] = ()
    incumbent: str | None = None
    """The manifest's incumbent where a key for it is found, else None."""
    has_candidate_rows: bool = False
    report_is_current: bool = False
    splits: Mapping[Split, int] = field(default_factory=dict)
    """How many tasks each split holds."""

    def of_status(self, status: RunStatus) -> list[RunRequest]:
        """The runs of one status, oldest first."""
        return [run for run in self.runs if run.status == status]
