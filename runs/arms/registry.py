"""Every arm of this version, listed by hand."""

from collections.abc import Mapping

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


def markers(arms: Mapping[ArmKind, Arm]) -> dict[ArmKind, str]:
    """The subscore by which the rows of an arm of the lab's own are known."""
    return {kind: arm.markers[kind] for kind, arm in arms.items() if kind in arm.markers}
