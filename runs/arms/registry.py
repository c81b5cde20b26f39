"""Every arm of this version, listed by hand."""

from benchmarks.records.vocabulary import ArmKind
from runs.arms.base import Arm
from runs.arms.model import ModelArm
from runs.arms.null_agent import NullAgent
from runs.arms.oracle import Oracle
from runs.arms.replay import Replay
from runs.arms.spam_agent import SpamAgent


def make_arms() -> dict[ArmKind, Arm]:
    """A fresh arm of every kind; a model arm remembers what it showed, for one execution."""
    arms: tuple[Arm, ...] = (Oracle(), Replay(), NullAgent(), SpamAgent(), ModelArm())
    return {kind: arm for arm in arms for kind in arm.kinds}
