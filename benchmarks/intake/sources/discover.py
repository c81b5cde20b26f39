"""Which files a build reads, in which order, and what it leaves out by name (spec/build.md 1.1)."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchmarks.errors import SourceNotFound
from benchmarks.intake.reasons import Reason

SUFFIXES = frozenset({
    ".json", ".jsonl", ".ndjson", ".txt", ".log", ".traj", ".har", ".yaml", ".yml", ".eval",
    ".pb", ".bin", ".otlp", "",
})  # fmt: skip
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", ".venv", "dist", "build"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A path that was met: to be read, or left out for `skipped`."""

    place: str
    """The path as a text: there may be very many."""
    local_path: str
    skipped: Reason | None = None

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self.place)


def find_candidates(sources: Sequence[Path]) -> list[Candidate]:
    """Every file under the sources, in bytewise order of the name it is reported under.

    Raises:
        SourceNotFound: a source does not exist; the message names it.
    """
    missing = [str(source) for source in sources if not source.exists()]
    if missing:
        raise SourceNotFound(
            f"no such source: {', '.join(missing)}",
            hint="name a capture file, or a folder that holds some",
        )
    several = len(set(sources)) > 1
    found: dict[str, Candidate] = {}
    for source in sources:
        prefix = PurePosixPath(source.resolve().name) if several else PurePosixPath()
        for candidate in _under(source, prefix):
            found.setdefault(str(candidate.path.absolute()), candidate)
    return sorted(found.values(), key=_order)


def _order(candidate: Candidate) -> tuple[bytes, bytes]:
    return candidate.local_path.encode(), os.fsencode(candidate.path.absolute())


def _under(source: Path, prefix: PurePosixPath) -> Iterator[Candidate]:
    if not source.is_dir():
        yield Candidate(str(source), _readable(source.name))
        return
    closed: list[OSError] = []
    for folder, folders, names in os.walk(source, onerror=closed.append):
        here = Path(folder)
        yield from (
            _skipped_link(here / name, source, prefix) for name in folders if _is_link(here, name)
        )
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and name not in SKIPPED_FOLDERS and not _is_link(here, name)
        ]
        for name in names:
            yield _file(here / name, source, prefix)
    for error in closed:
        path = Path(error.filename)
        yield Candidate(str(path), _local(path, source, prefix), Reason.UNREADABLE_FILE)


def _is_link(folder: Path, name: str) -> bool:
    return (folder / name).is_symlink()


def _skipped_link(path: Path, source: Path, prefix: PurePosixPath) -> Candidate:
    return Candidate(str(path), _local(path, source, prefix), Reason.SYMLINK_SKIPPED)


def _file(path: Path, source: Path, prefix: PurePosixPath) -> Candidate:
    if path.is_symlink():
        return _skipped_link(path, source, prefix)
    skipped = None if suffix_of(path) in SUFFIXES else Reason.IGNORED_EXTENSION
    return Candidate(str(path), _local(path, source, prefix), skipped)


def _local(path: Path, source: Path, prefix: PurePosixPath) -> str:
    return _readable((prefix / path.relative_to(source).as_posix()).as_posix())


def _readable(name: str) -> str:
    """A file name as text: bytes that are no UTF-8 become U+FFFD."""
    return os.fsencode(name).decode("utf-8", "replace")


def suffix_of(path: Path) -> str:
    """The extension, the one below `.gz` for a compressed file."""
    name = path.name.removesuffix(".gz") if path.name.endswith(".gz") else path.name
    return Path(name).suffix.lower()
