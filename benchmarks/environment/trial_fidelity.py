"""The fidelity that a task's own other trials would have had in its world.

Measured with the trial itself left out of the shared rows: what it recorded must not answer it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchmarks.environment.fixtures import SharedRows
from benchmarks.environment.prestate import JudgedCall, judge_calls
from benchmarks.environment.scene import Scene
from benchmarks.environment.shared import Recorded, SharedButFor, SharedIndex
from benchmarks.environment.world import World
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Fidelity
from benchmarks.records.conversation import Conversation


@dataclass(frozen=True, slots=True)
class TrialFidelity:
    """How much of what trials looked up a task's world has."""

    trials: int = 0
    own_lookups: int = 0
    own_served: int = 0
    """With the task's own rows alone."""
    lookups: int = 0
    """Calls that needed the recording."""
    served: int = 0
    """With the shared rows besides."""

    def __add__(self, other: "TrialFidelity") -> "TrialFidelity":
        return TrialFidelity(
            self.trials + other.trials,
            self.own_lookups + other.own_lookups,
            self.own_served + other.own_served,
            self.lookups + other.lookups,
            self.served + other.served,
        )

    def document(self) -> JsonObject:
        """The form kept in offline-validation.json."""
        return {
            "trials": self.trials,
            "lookups": self.lookups,
            "served": self.served,
            "share": self.served / self.lookups if self.lookups else None,
            "own_served": self.own_served,
            "own_share": self.own_served / self.own_lookups if self.own_lookups else None,
        }


def trial_fidelity(
    scene: Scene, shared: SharedRows, trials: Iterable[Conversation]
) -> TrialFidelity:
    """The fidelity of these trials in the world of their task, summed."""
    return sum((one_trial(scene, shared, trial) for trial in trials), TrialFidelity())


def one_trial(scene: Scene, shared: SharedRows, trial: Conversation) -> TrialFidelity:
    """The fidelity of one trial, its own records left out."""
    judged = judge_calls(trial, scene.known.policy)
    own = sent(with_shared(scene, SharedIndex((), scene.known.policy)), judged)
    both = sent(with_shared(scene, without(scene, shared, judged)), judged)
    return TrialFidelity(
        trials=1,
        own_lookups=own.served + own.not_recorded,
        own_served=own.served,
        lookups=both.served + both.not_recorded,
        served=both.served,
    )


def with_shared(scene: Scene, shared: SharedIndex | SharedButFor) -> Scene:
    """The scene with other shared rows."""
    return replace(scene, known=replace(scene.known, shared=shared))


def without(
    scene: Scene, shared: SharedRows, judged: Sequence[JudgedCall]
) -> SharedIndex | SharedButFor:
    """The shared rows of a scene had this trial not been recorded."""
    base = scene.known.shared
    if not isinstance(base, SharedIndex):
        return SharedIndex((), scene.known.policy)
    changed = {
        scene.keys.key(row.tool, row.arguments): Recorded(left.status, left.content, shared=True)
        if left is not None
        else None
        for row, left in shared.agreed_without(judged, scene.known.policy)
    }
    return SharedButFor(base, changed)


def sent(scene: Scene, judged: Sequence[JudgedCall]) -> Fidelity:
    """The fidelity of a trial's calls sent through a fresh world."""
    world = World.of(scene)
    for item in judged:
        if item.call.arguments is not None:
            world.call(item.call.tool, item.call.arguments)
    return world.fidelity()
