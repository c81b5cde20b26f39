"""Directories that stand as they were mirrored whole: nothing is asked of them again.

Every read of a list looks at every directory. One that nobody has touched costs the names and
times of its files, and no query of its own: what was seen is kept by this process, and holds only
while the entry in the database has not been moved by another.
"""

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.kept import UNSETTLED_S
from benchmarks.models.benchmark import BenchmarkEntry

FOLDERS = (*layout.WRITTEN_FOLDERS, layout.LIVE, layout.TRAJECTORIES, "rows")
NOT_MIRRORED = frozenset({layout.BLOBS})


@dataclass(frozen=True, slots=True)
class Seen:
    """A directory and its entry, both at rest."""

    state: str
    changes: int
    revision: int


_SEEN: dict[tuple[int, str], Seen] = {}
"""By the entry's key and the directory's path."""


def state_of(directory: Path) -> str | None:
    """A digest of the names, sizes, times and inodes of all that may be mirrored.

    None where a file changed so lately that its times may not tell the next change.
    """
    digest = hashlib.sha256()
    newest = 0
    for folder in FOLDERS:
        if folder in NOT_MIRRORED:
            continue
        digest.update(f"\0{folder}\0".encode())
        for name, state in _files(directory / folder):
            changed = max(state.st_mtime_ns, state.st_ctime_ns)
            newest = max(newest, changed)
            said = (state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
            digest.update(os.fsencode(name) + repr(said).encode())
    return None if time.time() - newest / 1e9 < UNSETTLED_S else digest.hexdigest()


def _files(folder: Path) -> list[tuple[str, os.stat_result]]:
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                if not entry.is_dir():
                    found.append((entry.name, entry.stat()))
    return sorted(found, key=lambda each: each[0])


def remember(entry: BenchmarkEntry, state: str | None) -> None:
    """Keep that a directory in this state is mirrored whole, and all derived of it worked out."""
    if state is not None:
        _SEEN[entry.pk, entry.path] = Seen(state, entry.changes, entry.revision)


def stands(entry: BenchmarkEntry, state: str | None) -> bool:
    """Whether the tables are what a directory in this state is."""
    seen = _SEEN.get((entry.pk, entry.path))
    return (
        state is not None
        and seen == Seen(state, entry.changes, entry.revision)
        and not (entry.dirty or entry.waiting or entry.problem or entry.behind_bytes)
    )
