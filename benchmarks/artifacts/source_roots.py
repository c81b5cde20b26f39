"""Where a door that serves others may read captures and tables (spec/surface.md 7.1)."""

import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks.artifacts.filesystem import real_path
from benchmarks.artifacts.home import Home
from benchmarks.errors import Complaint, InvalidArguments, OutsideRoot, SourceNotFound

VARIABLE = "UNDERSTUDY_SOURCE_ROOTS"
PATH_BYTES = 4095


def source_roots(home: Home) -> list[Path]:
    """The folders that may be read from: those of the environment, else the home's captures."""
    return [path.absolute() for path in home.settings.source_roots or (home.captures,)]


def sources_within(named: Sequence[str], home: Home) -> list[Path]:
    """The real paths of sources, each inside a source root; a relative one is looked for in each.

    What lies outside is refused before it is looked at: nobody learns here what is there.

    Raises:
        InvalidArguments: a name cannot be a path.
        OutsideRoot: a source lies outside every root, also where a link leads out.
        SourceNotFound: there is no such source.
    """
    roots = source_roots(home)
    return [_within(name, roots) for name in named]


def _within(name: str, roots: Sequence[Path]) -> Path:
    if not name.strip() or "\0" in name or len(os.fsencode(name)) > PATH_BYTES:
        raise InvalidArguments(
            f"source {name[:80]!r} is not a path",
            errors=[Complaint("source", name[:80], "the path of a file or a folder")],
        )
    real_roots = [real for root in roots if (real := real_path(root)) is not None]
    reached = [real_path(root / name) for root in roots]
    inside = [
        path for path in reached if path and any(path.is_relative_to(root) for root in real_roots)
    ]
    if not inside:
        raise OutsideRoot(
            f"{name!r} lies outside every source root",
            hint=f"{VARIABLE} names the folders that this door may read",
        )
    there = next((path for path in inside if path.exists()), None)
    if there is None:
        raise SourceNotFound(
            f"no such source: {name}",
            hint="name a capture file, or a folder that holds some, inside a source root",
        )
    return there
