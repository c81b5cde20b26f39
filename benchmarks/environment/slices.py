"""What of a package one task can meet, as one digest: editing one task never bumps another."""

from collections.abc import Sequence

from benchmarks.environment.scene import Scene
from benchmarks.environment.shared import SharedIndex
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import bytes_digest
from benchmarks.records.environment import EnvironmentTask, FixtureRow
from benchmarks.versioning.hashing import environment_sha256


def slice_digest(task: EnvironmentTask, own: Sequence[FixtureRow], scene: Scene) -> str:
    """The digest of what one task's candidate can meet.

    The shared rows of its tools stand in it as one digest, those left out that its own rows hide.
    """
    known = scene.known
    rows: list[JsonObject] = [row.dump() for row in own]
    shared = shared_digest(scene)
    if shared is not None:
        rows.append({"shared_rows": shared})
    told = known.guidance.tools
    return environment_sha256(
        task.dump(),
        rows,
        {name: known.schemas[name].dump() for name in scene.tools if name in known.schemas},
        {name: told[name] for name in scene.tools if name in told},
    )


def shared_digest(scene: Scene) -> str | None:
    """The digest of the shared rows that a task can reach; None where there are none."""
    shared = scene.known.shared
    if not isinstance(shared, SharedIndex):
        return None
    digests = [
        digest
        for tool in scene.tools.values()
        for key, digest in shared.of(tool).digests.items()
        if key not in scene.own
    ]
    return bytes_digest("".join(sorted(digests)).encode()) if digests else None
