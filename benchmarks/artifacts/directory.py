"""A benchmark directory: what is asked of its files as a whole."""

from collections.abc import Collection
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from pydantic import ValidationError

from benchmarks.artifacts import claim, document, layout, queue
from benchmarks.artifacts.folder import Folder
from benchmarks.artifacts.layout import DocumentFile, LedgerFile, R, TableFile
from benchmarks.artifacts.presence import Presence
from benchmarks.artifacts.reading import Read, joined, read_old_reviews
from benchmarks.errors import InvalidBenchmark, MissingBlob, NewerSchema, UnknownRun, Unreadable
from benchmarks.records.base import JsonObject
from benchmarks.records.blobs import with_blobs, without_long_texts
from benchmarks.records.capture import Capture
from benchmarks.records.digest import bytes_digest
from benchmarks.records.request import RunRequest
from benchmarks.records.review import Review
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.trajectory import JournalLine, Trajectory
from benchmarks.records.verifier import VerifierFixture, standing_fixtures


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file in the queue that is no request, and why."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class RequestList:
    """The requests of a directory, oldest first."""

    requests: list[RunRequest] = field(default_factory=list)
    unreadable: list[UnreadableFile] = field(default_factory=list)


class BenchmarkDir(Folder):
    """One benchmark on disk."""

    written_folders: ClassVar[tuple[str, ...]] = layout.WRITTEN_FOLDERS

    def tasks(self) -> dict[str, Task]:
        """The tasks by id, in the order of the table."""
        return {task.task_id: task for task in self.read_tasks().records}

    def read_tasks(self) -> Read[Task]:
        """The tasks, with the problems of the table; without one, of an import's side tables."""
        path = self._inside(layout.TASKS.path)
        if path is not None and path.exists():
            return self.read(layout.TASKS)
        tables = [
            self.read(TableFile(path.name, Task, key="task_id"))
            for path in self._files(layout.TASK_SIDECARS)
        ]
        merged = joined(tables)
        first: dict[str, Task] = {}
        for task in merged.records:
            first.setdefault(task.task_id, task)
        return Read(list(first.values()), merged.counts, merged.problems, merged.files)

    def reviews(self) -> Read[Review]:
        """Every explicit review in file order, the reference's older ledger first."""
        older = read_old_reviews(self._inside(layout.OLD_REVIEWS), layout.OLD_REVIEWS)
        return joined((older, self.read(layout.REVIEWS)))

    def rows(self, *, omit: frozenset[str] = frozenset()) -> Read[Row]:
        """The rows of every rows file, in the order of file names. Duplicates are not judged.

        `omit` names keys to read past, such as `layout.ROW_DETAILS`; such rows are for figures
        only, never to be written back.
        """
        return joined(map(self.read, self.row_files(omit=omit)))

    def row_files(self, *, omit: frozenset[str] = frozenset()) -> list[LedgerFile[Row]]:
        """Every rows file, in the order of names."""
        names = sorted(name for pattern in layout.ROWS_PATTERNS for name in self._names(pattern))
        return [LedgerFile(name, Row, fenced=True, omit=omit) for name in names]

    def run_rows(self, run_id: str) -> list[LedgerFile[Row]]:
        """The files that may hold rows of a run; their lines say whether they do."""
        names = self._names(f"rows-{layout.checked_run_id(run_id)}-*.jsonl")
        return [LedgerFile(name, Row, fenced=True) for name in names]

    def run_journals(self, run_id: str) -> list[LedgerFile[JournalLine]]:
        """The files that may hold live journals of a run."""
        names = self._names(f"{layout.LIVE}/{layout.checked_run_id(run_id)}-*.jsonl")
        return [LedgerFile(name, JournalLine, ("at", "kind"), fenced=True) for name in names]

    def _names(self, pattern: str) -> list[str]:
        return [path.relative_to(self.path).as_posix() for path in self._files(pattern)]

    def request_names(self) -> list[str]:
        """The files of the queue that are named as requests."""
        return self._names(f"{layout.QUEUE}/*.json")

    def requests(self) -> RequestList:
        """Every request of the queue by `created_at`, then `run_id`; the rest is named."""
        found = RequestList()
        folder = self.path / layout.QUEUE
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name.startswith("."):
                continue
            try:
                found.requests.append(self._request_in(path))
            except (Unreadable, InvalidBenchmark, NewerSchema) as error:
                found.unreadable.append(UnreadableFile(path.name, error.message))
        found.requests.sort(key=lambda request: (request.created_at, request.run_id))
        return found

    def request(self, run_id: str) -> RunRequest:
        """The request of a run.

        Raises:
            UnknownRun: the queue has none of that id.
        """
        found = self.load(layout.request(run_id))
        if found is None:
            count = len(self.requests().requests)
            raise UnknownRun(
                f"{self.name} has no run {run_id!r}",
                hint=f"it has {count} runs: understudy runs list {self.name}",
            )
        return found

    def _request_in(self, path: Path) -> RunRequest:
        if path.suffix != ".json":
            raise Unreadable(f"{path.name} is not a .json file")
        found = self.load(DocumentFile(f"{layout.QUEUE}/{path.name}", RunRequest))
        if found is None:
            raise Unreadable(f"{path.name} leads out of the directory")
        refusal = queue.refusal(path.name, found)
        if refusal is not None:
            raise Unreadable(refusal)
        return found

    def captures(self, keys: Collection[str]) -> dict[str, Capture]:
        """The captures of these keys, without the cost of reading any other.

        Of several lines with one key the newest counts; one that cannot be read is missing.
        """
        wanted = frozenset(keys)
        found: dict[str, JsonObject] = {}

        def take(line: JsonObject) -> None:
            if line.get("capture_key") in wanted:
                found[line["capture_key"]] = line

        plain = all(key.isascii() and key.isalnum() for key in wanted)
        if wanted:
            holding = [key.encode() for key in wanted] if plain else ()
            self.scan(layout.CAPTURES, take, holding=holding)
        captures: dict[str, Capture] = {}
        for key, line in found.items():
            with suppress(ValidationError, MissingBlob):
                captures[key] = Capture.read(self._whole(line))
        return captures

    def trajectories(self, run_id: str) -> Read[Trajectory]:
        """Every whole rollout of a run, whatever the files are called."""
        pattern = f"{layout.TRAJECTORIES}/{layout.checked_run_id(run_id)}-*.jsonl"
        names = [path.relative_to(self.path).as_posix() for path in self._files(pattern)]
        read = joined(
            self.read(LedgerFile(name, Trajectory, fenced=True, blobs=True)) for name in names
        )
        own = [found for found in read.records if found.run_id == run_id]
        return Read(own, read.counts, read.problems, read.files)

    def verifier_fixtures(self) -> Read[VerifierFixture]:
        """The newest line of each verifier fixture that is not retired."""
        read = self.read(layout.VERIFIER_FIXTURES)
        return Read(standing_fixtures(read.records), read.counts, read.problems, read.files)

    def journal(self, run_id: str, arm_name: str) -> Read[JournalLine]:
        """The live journal of an arm; its rollouts interleave, so filter by task and rollout."""
        return self.read(layout.live(run_id, arm_name))

    def claim(
        self, owner: claim.ClaimOwner, locking: claim.Locking | None = None
    ) -> AbstractContextManager[claim.Claim]:
        """Hold the directory for the life of the work (`claim.claim`)."""
        self._check_writable()
        self._target(layout.CLAIM_LOCK)
        return claim.claim(self.path, owner=owner, locking=locking)

    def holder(self) -> dict[str, object] | None:
        """What the live holder wrote of itself; None when nobody holds the directory."""
        return claim.holder(self.path)

    def show(self, presence: Presence) -> None:
        """Let a watcher be seen here, also while it holds no claim."""
        self._check_writable()
        self._target(layout.WATCH_LOCK)
        presence.show(self.path)

    def watcher(self) -> dict[str, object] | None:
        """What a live watcher wrote of itself; None when nobody watches the directory."""
        return claim.holder(self.path, layout.WATCH_LOCK)

    def _stored(self, file: LedgerFile[R], record: R) -> JsonObject:
        line: JsonObject = record.dump()
        if file.blobs:
            line = without_long_texts(line, self.write_blob)
        return line

    def _whole(self, value: JsonObject) -> JsonObject:
        whole: JsonObject = with_blobs(value, self.read_blob)
        return whole

    def write_blob(self, data: bytes) -> str:
        """Keep bytes by their digest, once; returns the digest."""
        digest = bytes_digest(data)
        name = f"{layout.BLOBS}/{digest}"
        if self.digest(name) != digest:
            self.write_bytes(name, data)
        return digest

    def read_blob(self, digest: str) -> bytes:
        """The bytes of a digest.

        Raises:
            MissingBlob: they are not there, or are others.
        """
        name = f"{layout.BLOBS}/{digest}"
        path = self._inside(name) if layout.SHA256.fullmatch(digest) else None
        data = document.read_bytes(path) if path is not None else None
        if data is None:
            raise MissingBlob(f"blob {digest!r} of {self.name} is missing", details={"blob": name})
        if bytes_digest(data) != digest:
            raise MissingBlob(f"blob {digest} of {self.name} is damaged", details={"blob": name})
        return data
