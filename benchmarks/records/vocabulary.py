"""The closed word lists of spec/files.md 4, and how older words are read."""

from enum import StrEnum
from typing import Annotated, TypeVar

from pydantic import BeforeValidator

W = TypeVar("W", bound=StrEnum)


def known(words: type[W], value: object) -> W | None:
    """The member spelled `value`, or None."""
    try:
        return words(value) if isinstance(value, str) else None
    except ValueError:
        return None


class Split(StrEnum):
    """Where a task stands in the division of a benchmark."""

    TRAIN = "train"
    DEV = "dev"
    HOLDOUT = "holdout"
    NONE = "none"


OLD_SPLITS = {"construction": Split.TRAIN, "fit": Split.DEV, "heldout": Split.HOLDOUT}


def read_split(word: object) -> Split:
    """A split name of any writer; absent, null and unknown words are `none`."""
    if isinstance(word, str) and word in OLD_SPLITS:
        return OLD_SPLITS[word]
    return known(Split, word) or Split.NONE


AnySplit = Annotated[Split, BeforeValidator(read_split)]


class Stage(StrEnum):
    """What a directory is ready for."""

    INTAKE = "intake"
    PROPOSED = "proposed"
    PROMOTED = "promoted"
    INVALID = "invalid"


class RowStatus(StrEnum):
    """Whether a cell has a score. Only `ok` has one."""

    OK = "ok"
    ERROR = "error"
    UNSCORED = "unscored"
    SKIPPED = "skipped"


class RunStatus(StrEnum):
    """Where a request stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({RunStatus.DONE, RunStatus.STOPPED, RunStatus.FAILED, RunStatus.CANCELLED})


class ArmKind(StrEnum):
    """What is measured."""

    INCUMBENT = "incumbent"
    CANDIDATE = "candidate"
    NULL_AGENT = "null_agent"
    SPAM_AGENT = "spam_agent"
    MAJORITY_CLASS = "majority_class"
    ORACLE = "oracle"
    REPLAY = "replay"
    APP_REPLAY = "app_replay"


TRIVIAL_ARMS = (ArmKind.NULL_AGENT, ArmKind.SPAM_AGENT, ArmKind.MAJORITY_CLASS)
REFERENCE_ARMS = (ArmKind.ORACLE, ArmKind.REPLAY)
ZERO_COST_ARMS = frozenset(TRIVIAL_ARMS + REFERENCE_ARMS)
SPENDING_ARMS = frozenset(ArmKind) - ZERO_COST_ARMS
"""Arms of a kind that nobody knows are in neither."""


class Route(StrEnum):
    """How an arm was reached."""

    GATEWAY = "gateway"
    LOCAL = "local"
    BYO = "byo"
    OFFLINE = "offline"
    UNKNOWN = "unknown"


class Decision(StrEnum):
    """A reviewer's word on a task."""

    ACCEPT = "accept"
    RESTRICT = "restrict"
    NEEDS_MORE = "needs_more"
    REJECT = "reject"


class Effect(StrEnum):
    """What a tool does to the world."""

    READ = "read"
    WRITE = "write"
    UNKNOWN = "unknown"


class Role(StrEnum):
    """What a tool is for, where that matters more than its effect."""

    HANDOFF = "handoff"
    FINISH = "finish"
    DELEGATE = "delegate"
    CARRIER = "carrier"
    SCRATCH = "scratch"


class Bump(StrEnum):
    """How far a change reaches: rerun, regrade, reuse."""

    MAJOR = "major"
    MINOR = "minor"
    PATCH = "patch"


class Contamination(StrEnum):
    """Whether near-duplicates cross the splits; measured, not asserted."""

    CLEAN = "clean"
    CONTAMINATED = "contaminated"
    UNKNOWN = "unknown"


class LeakTier(StrEnum):
    """How surely a finding of the leakage audit is a leak."""

    VERBATIM = "verbatim"
    FUZZY = "fuzzy"
    SEMANTIC = "semantic"


class AuditStatus(StrEnum):
    """What a leakage audit came to: only findings fail it."""

    CLEAN = "clean"
    ADVISORY = "advisory"
    FINDINGS = "findings"


class Termination(StrEnum):
    """How a rollout ended, whatever its score."""

    FINISHED = "finished"
    MAX_TURNS = "max_turns"
    TIMEOUT = "timeout"
    LENGTH = "length"
    REFUSED = "refused"
    ERROR = "error"
    CANCELLED = "cancelled"


class TrustLevel(StrEnum):
    """What may be done without asking, in rising order."""

    LOCAL_SANDBOX = "local_sandbox"
    BOUNDED_EXPERIMENTS = "bounded_experiments"
    HOSTED_OPS = "hosted_ops"


class Attention(StrEnum):
    """Why a person should look at a task; derived, never stored."""

    LOW_CONFIDENCE = "low_confidence"
    SELF_CHECK_FAILED = "self_check_failed"
    INCUMBENT_FAILED = "incumbent_failed"
    SCHEMA_CONFLICT = "schema_conflict"
    ANOMALY = "anomaly"
    UNCLASSIFIED_TOOL = "unclassified_tool"
    TRIVIAL_PASS = "trivial_pass"
    WEAK_VERIFIER = "weak_verifier"
    FLAKY = "flaky"
    LOW_FIDELITY = "low_fidelity"


class Blame(StrEnum):
    """Whose fault a missing score is."""

    AGENT = "agent"
    PROVIDER = "provider"
    ENVIRONMENT = "environment"
    VERIFIER = "verifier"
    INFRA = "infra"
    BUDGET = "budget"
    CANCELLED = "cancelled"


class Mark(StrEnum):
    """The outcome of a rigor check; UNKNOWN is never a pass."""

    PASS = "PASS"
    FLAG = "FLAG"
    UNKNOWN = "UNKNOWN"
