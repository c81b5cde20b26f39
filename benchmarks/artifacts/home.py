"""`~/.understudy`: the files of one user on one machine (spec/files.md 11, spec/surface.md 7.2)."""

import os
import secrets
import traceback
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from benchmarks.artifacts import document
from benchmarks.artifacts.disk import FILE_MODE, make_folder
from benchmarks.artifacts.folder import Folder
from benchmarks.artifacts.layout import DocumentFile, LedgerFile
from benchmarks.artifacts.settings import Settings, read_settings
from benchmarks.errors import ReadOnly
from benchmarks.records.home import AuditLine, HubCard, Job, LiveEndpoint, LiveEndpoints
from benchmarks.records.times import stamp

AUDIT = LedgerFile("audit.jsonl", AuditLine)
LIVE_ENDPOINTS = DocumentFile("live-endpoints.json", LiveEndpoints)
SECRET_KEY = "secret_key"
SECRET_BYTES = 48
LOG = "logs/understudy.log"
LOG_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
HUBS = "hubs"


def job(job_id: str) -> DocumentFile[Job]:
    """The record of one background job."""
    return DocumentFile(f"jobs/{job_id}.json", Job)


def hub_card(port: int) -> DocumentFile[HubCard]:
    """The card of the hub that listens on a port of this machine."""
    return DocumentFile(f"{HUBS}/{port}.json", HubCard)


class Home(Folder):
    """The home folder, and where its moved files are."""

    guard_file: ClassVar[str] = "guard.lock"
    written_folders: ClassVar[tuple[str, ...]] = (".", "jobs", HUBS)

    def __init__(self, path: Path, settings: Settings | None = None) -> None:
        super().__init__(path)
        self.settings = settings or Settings(home=path)

    @property
    def trust_file(self) -> Path:
        """trust.json, or where UNDERSTUDY_TRUST_FILE moved it."""
        return self.settings.trust_file or self.path / "trust.json"

    @property
    def prices_file(self) -> Path:
        """prices.json, or where UNDERSTUDY_PRICES_FILE moved it."""
        return self.settings.prices_file or self.path / "prices.json"

    def live_endpoints(self) -> frozenset[str]:
        """The places of live tools that somebody approved on this machine."""
        found = self.load(LIVE_ENDPOINTS)
        return (
            frozenset(one.endpoint for one in found.endpoints) if found is not None else frozenset()
        )

    def approve_endpoints(self, *approved: LiveEndpoint) -> None:
        """Remember that somebody approved these places; what is there stays as it was."""
        with self.guard():
            found = self.load(LIVE_ENDPOINTS) or LiveEndpoints()
            known = {one.endpoint for one in found.endpoints}
            new = [one for one in approved if one.endpoint not in known]
            if new:
                self.replace(LIVE_ENDPOINTS, found.with_(endpoints=[*found.endpoints, *new]))

    @property
    def profile_file(self) -> Path:
        """profile.json, or where UNDERSTUDY_PROFILE_FILE moved it."""
        return self.settings.profile_file or self.path / "profile.json"

    @property
    def credentials_file(self) -> Path:
        """credentials.json; read only."""
        return self.path / "credentials.json"

    @property
    def passes(self) -> Path:
        """What long passes over sources have come to, for one that was killed."""
        return self.path / "intake"

    @property
    def benchmarks(self) -> Path:
        """The default root of benchmarks."""
        return self.path / "benchmarks"

    @property
    def captures(self) -> Path:
        """The default source of captures."""
        return self.path / "captures"

    @property
    def jobs(self) -> Path:
        """The records of background jobs."""
        return self.path / "jobs"

    @property
    def audit(self) -> Path:
        """The ledger of writes and refusals."""
        return self.path / AUDIT.path

    def ensure(self) -> None:
        """Make the home folder where it is missing, readable by its owner only.

        Raises:
            ReadOnly: this user may not make it, or something else stands there.
            DiskFull: there is no room for it.
        """
        try:
            make_folder(self.path)
        except (OSError, ReadOnly) as error:
            cause = error if isinstance(error, OSError) else error.__cause__
            raise ReadOnly(
                f"the home {self.path} cannot be made ({getattr(cause, 'strerror', None)})",
                hint="name a folder that this user may write: UNDERSTUDY_HOME or --home",
                details={"path": str(self.path)},
            ) from error

    def append_audit(self, line: AuditLine) -> None:
        """Add one line to the audit ledger."""
        self.append(AUDIT, line)

    def secret(self) -> bytes:
        """The secret of this home, made at first need. It never leaves the machine."""
        path = self.path / SECRET_KEY
        found = _stripped(path)
        if not found:
            with self.guard():
                found = _stripped(path)
                if not found:
                    found = secrets.token_urlsafe(SECRET_BYTES).encode()
                    document.replace_bytes(path, found + b"\n")
        return found

    def log(self, message: str, error: BaseException) -> None:
        """Add an error with its trace to the log, for the operator of this machine.

        Nothing is raised: a log that cannot be written hides no error from whoever met it.
        """
        with suppress(Exception):
            self._write_log(message, error)

    def _write_log(self, message: str, error: BaseException) -> None:
        path = self.path / LOG
        make_folder(path.parent)
        trace = "".join(traceback.format_exception(error))
        text = f"{stamp(datetime.now(UTC))} {message}\n{trace}"
        descriptor = os.open(path, LOG_FLAGS, FILE_MODE)
        with os.fdopen(descriptor, "ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))


def home(environ: Mapping[str, str] | None = None, *, override: str | None = None) -> Home:
    """The home that `override`, else the environment names; nothing is made.

    Raises:
        InvalidArguments: variables do not parse; all are listed.
    """
    said = os.environ if environ is None else environ
    settings = read_settings(said if override is None else {**said, "UNDERSTUDY_HOME": override})
    return Home(settings.home, settings)


def _stripped(path: Path) -> bytes:
    return (document.read_bytes(path) or b"").strip()
