"""Long passes over sources: one that was killed goes on where it stopped.

What a pass comes to is kept in `intake/` of the home folder, one file for each directory that is
filled, and removed once its captures are written. A file that nobody came back for goes after a
week.
"""

import hashlib
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import home
from benchmarks.intake.ingest import Intake, IntakeOptions, Progress, ingest

NAME_CHARS = 16
KEPT_S = 7 * 24 * 3600


def take_in(
    sources: Sequence[Path],
    *,
    directory: BenchmarkDir,
    options: IntakeOptions,
    writes: bool = True,
    progress: Progress | None = None,
) -> Intake:
    """What the sources hold, for a directory that is to hold it; `forget` it once it is written.

    Raises:
        SourceNotFound: a source does not exist.
        NothingSelected: the workload or the age limit leaves nothing.
    """
    if not writes:
        return ingest(sources, options=options, progress=progress)
    _remove_old()
    kept = replace(options, partial=partial_of(directory))
    return ingest(sources, options=kept, progress=progress)


def partial_of(directory: BenchmarkDir) -> Path:
    """Where a pass for a directory keeps what it came to."""
    name = hashlib.sha256(str(directory.path.resolve()).encode("utf-8", "replace")).hexdigest()
    return home().passes / f"{name[:NAME_CHARS]}.part"


def _remove_old() -> None:
    """Remove what nobody came back for; a file in use is younger than that."""
    oldest = time.time() - KEPT_S
    with suppress(OSError):
        for path in home().passes.glob("*.part"):
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)
