"""Which benchmarks a working copy has changed, as git tells."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidArguments, NothingSelected

UPSTREAM = "origin/main"
BEFORE = "HEAD~1"
GIT_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Changes:
    """The benchmarks to look at; a note where git could not tell."""

    located: list[Located]
    note: str | None = None


def changed_benchmarks(*, located: Sequence[Located], base: str | None) -> Changes:
    """Those with a file that differs from the base, committed or not, or that git does not know.

    The base is the merge base with origin/main, else the commit before. Where git fails every
    benchmark is looked at, and that is said.

    Raises:
        InvalidArguments: the base looks like a flag.
        NothingSelected: none changed.
    """
    if base is not None and base.startswith("-"):
        raise InvalidArguments(f"--base {base!r} starts with a dash", hint="name a commit")
    try:
        changed = [each for each in located if _has_changes(each.directory.path, base)]
    except (OSError, subprocess.SubprocessError) as error:
        return Changes(list(located), f"git could not tell what changed, all are checked: {error}")
    if not changed:
        raise NothingSelected(
            f"none of {len(located)} benchmarks changed",
            hint="leave --changed-only out to check them all",
        )
    return Changes(changed)


def _has_changes(directory: Path, base: str | None) -> bool:
    real = directory.resolve()
    top = Path(_git(real, "rev-parse", "--show-toplevel").strip()).resolve()
    since = base or _default_base(top)
    inside = real.relative_to(top).as_posix()
    differing = _git(top, "diff", "--name-only", "-z", "--end-of-options", since, "--", inside)
    unknown = _git(top, "ls-files", "--others", "--exclude-standard", "-z", "--", inside)
    return bool(differing.strip("\0") or unknown.strip("\0"))


def _default_base(top: Path) -> str:
    try:
        return _git(top, "merge-base", "HEAD", UPSTREAM).strip()
    except subprocess.CalledProcessError:
        return BEFORE


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=GIT_SECONDS,
    )
    return done.stdout
