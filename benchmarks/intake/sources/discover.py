"""Which files a build reads, in which order, and what it leaves out by name (spec/build.md 1.1)."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchmarks.errors import SourceNotFound
from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources.bytestreams import GZIP_MAGIC
from benchmarks.intake.sources.containers import read_records
from benchmarks.intake.sources.found import Found, SourceFile
from benchmarks.intake.sources.parsing import Parser

SUFFIXES = frozenset({
    ".json", ".jsonl", ".ndjson", ".txt", ".log", ".traj", ".har", ".yaml", ".yml", ".eval",
    ".pb", ".bin", ".otlp", "",
})  # fmt: skip
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", ".venv", "dist", "build"})
HASH_CHUNK = 2**20
ARCHIVE_MAGICS = (
    b"PK\x03\x04",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!",
    b"BZh",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
)
TAR_MAGIC_AT, TAR_MAGIC = 257, b"ustar"
PROTOBUF_SUFFIXES = frozenset({".pb", ".bin", ".otlp"})
YAML_SUFFIXES = frozenset({".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A path that was met: to be read, or left out for `skipped`."""

    path: Path
    local_path: str
    skipped: Reason | None = None


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
    found: dict[Path, Candidate] = {}
    for source in sources:
        prefix = PurePosixPath(source.resolve().name) if several else PurePosixPath()
        for candidate in _under(source, prefix):
            found.setdefault(candidate.path.absolute(), candidate)
    return sorted(found.values(), key=_order)


def _order(candidate: Candidate) -> tuple[bytes, bytes]:
    return candidate.local_path.encode(), os.fsencode(candidate.path.absolute())


def _under(source: Path, prefix: PurePosixPath) -> Iterator[Candidate]:
    if not source.is_dir():
        yield Candidate(source, _readable(source.name))
        return
    for folder, folders, names in os.walk(source):
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


def _is_link(folder: Path, name: str) -> bool:
    return (folder / name).is_symlink()


def _skipped_link(path: Path, source: Path, prefix: PurePosixPath) -> Candidate:
    return Candidate(path, _local(path, source, prefix), Reason.SYMLINK_SKIPPED)


def _file(path: Path, source: Path, prefix: PurePosixPath) -> Candidate:
    if path.is_symlink():
        return _skipped_link(path, source, prefix)
    skipped = None if _suffix(path) in SUFFIXES else Reason.IGNORED_EXTENSION
    return Candidate(path, _local(path, source, prefix), skipped)


def _local(path: Path, source: Path, prefix: PurePosixPath) -> str:
    return _readable((prefix / path.relative_to(source).as_posix()).as_posix())


def _readable(name: str) -> str:
    """A file name as text: bytes that are no UTF-8 become U+FFFD."""
    return os.fsencode(name).decode("utf-8", "replace")


def _suffix(path: Path) -> str:
    """The extension, the one below `.gz` for a compressed file."""
    name = path.name.removesuffix(".gz") if path.name.endswith(".gz") else path.name
    return Path(name).suffix.lower()


def read_candidate(
    candidate: Candidate, file: SourceFile, parser: Parser
) -> Iterator[Found | Dropped]:
    """Every record of one candidate; what is recognised and not read is named."""
    reason = candidate.skipped
    if reason is not None:
        yield _whole(file, reason, _suffix(candidate.path) or "link")
        return
    refusal = _refusal_by_bytes(candidate.path, file)
    if refusal is not None:
        yield refusal
        return
    yield from read_records(candidate.path, file, parser)


def describe(candidate: Candidate) -> SourceFile:
    """Size and digest of the bytes on disk; of a file that is not read, only its name."""
    if candidate.skipped is not None:
        return SourceFile(candidate.local_path, "", 0)
    digest = hashlib.sha256()
    size = 0
    try:
        with candidate.path.open("rb") as stream:
            while chunk := stream.read(HASH_CHUNK):
                digest.update(chunk)
                size += len(chunk)
    except OSError:
        return SourceFile(candidate.local_path, "", 0)
    return SourceFile(candidate.local_path, digest.hexdigest(), size)


def _refusal_by_bytes(path: Path, file: SourceFile) -> Dropped | None:
    try:
        with path.open("rb") as stream:
            head = stream.read(TAR_MAGIC_AT + len(TAR_MAGIC))
    except OSError as error:
        return _whole(file, Reason.UNREADABLE_FILE, error.strerror or type(error).__name__)
    suffix = _suffix(path)
    if head.startswith(b"PK\x03\x04") and suffix == ".eval":
        return _whole(file, Reason.UNSUPPORTED_DIALECT, "inspect (zip)")
    if head.startswith(ARCHIVE_MAGICS) or head[TAR_MAGIC_AT:] == TAR_MAGIC:
        return _whole(file, Reason.ARCHIVE_NOT_OPENED, suffix or "archive")
    if head.startswith(GZIP_MAGIC):
        return None
    if suffix in YAML_SUFFIXES:
        return _yaml(path, file)
    if b"\x00" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        named = "otlp (protobuf)" if suffix in PROTOBUF_SUFFIXES else ""
        reason = Reason.UNSUPPORTED_DIALECT if named else Reason.NOT_A_CAPTURE
        return _whole(file, reason, named or "binary data")
    return None


def _yaml(path: Path, file: SourceFile) -> Dropped:
    """Every YAML file is refused: a cassette by its name, others as no capture."""
    with path.open("rb") as stream:
        lines = (line for line in stream if not line.startswith((b"#", b"---")))
        keys = {line.partition(b":")[0] for line in lines if line[:1].isalpha()}
    if b"interactions" in keys:
        return _whole(file, Reason.UNSUPPORTED_DIALECT, "cassette (YAML)")
    return _whole(file, Reason.NOT_A_CAPTURE, "YAML")


def _whole(file: SourceFile, reason: Reason, detail: str) -> Dropped:
    return Dropped(reason, file.local_path, detail, file.local_path, file.content_sha256)
