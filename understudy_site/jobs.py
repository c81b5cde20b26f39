"""The child process of a background job: runs one tool and leaves its result in the record."""

import os
import signal
import sys
import time
import uuid
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.artifacts.disk import refused
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.call import Call
from benchmarks.doors.jobs import Jobs
from benchmarks.doors.progress import Progress
from benchmarks.errors import Internal, UnderstudyError
from benchmarks.records.base import plain
from benchmarks.records.caller import Caller
from benchmarks.records.home import Job
from benchmarks.records.times import stamp
from understudy_site.tools import TOOLS

WRITE_EVERY_S = 0.5


class Cancelled(BaseException):
    """SIGTERM: somebody cancelled the job."""


class JobProgress(Progress):
    """Progress that is kept in the job's record."""

    def __init__(self, jobs: Jobs, job: Job) -> None:
        """Keep the progress of `job`."""
        super().__init__()
        self._jobs, self._job, self._written = jobs, job, 0.0

    def start(self, what: str, total: int | None = None, unit: str = "") -> None:
        """Begin one piece of work."""
        super().start(what, total, unit)
        self._keep(force=True)

    def advance(self, count: int = 1) -> None:
        """Count units as done; the record is rewritten at most twice a second."""
        super().advance(count)
        self._keep(force=False)

    def _keep(self, *, force: bool) -> None:
        if not force and time.monotonic() - self._written < WRITE_EVERY_S:
            return
        self._written = time.monotonic()
        state = {"completed": self._done, "total": self._total, "unit": self._unit}
        self._jobs.update(self._job.job_id, progress=state)


def main(job_id: str) -> int:
    """Run the job; its record says `done` or `failed` afterwards."""
    signal.signal(signal.SIGTERM, _cancelled)
    here = home()
    jobs = Jobs(here)
    job = jobs.update(job_id, status="running", pid=os.getpid())
    if job.status != "running":
        return 1
    try:
        result = _run(jobs, job)
        changes: dict[str, Any] = {"status": "done", "result": plain(result, "result")}
    except UnderstudyError as error:
        changes = {"status": "failed", "error": plain(error.document()["error"], "error")}
    except Cancelled:
        changes = {"status": "cancelled"}
    except Exception as error:  # noqa: BLE001 - the last resort of a door: logged, never shown
        error_id = uuid.uuid4().hex[:12]
        here.log(f"error {error_id} in job {job_id}", error)
        wrong = refused(error) or Internal(
            f"something went wrong that should not have (error {error_id})",
            details={"error_id": error_id},
        )
        changes = {"status": "failed", "error": wrong.document()["error"]}
    finished = stamp(_context(jobs, job).now)
    jobs.update(job_id, **changes, finished_at=finished)
    return 0 if changes["status"] == "done" else 1


def _run(jobs: Jobs, job: Job) -> Any:
    entry = next(entry for entry in TOOLS if entry.name == job.kind)
    arguments = (job.model_extra or {}).get("arguments", {})
    return entry.function(_context(jobs, job), **arguments)


def _context(jobs: Jobs, job: Job) -> Call:
    further = [Path(root) for root in (job.model_extra or {}).get("roots", [])]
    return Call(
        caller=Caller(job.actor or "unknown", job.door or "mcp", job.idempotency_key),
        home=jobs.home,
        roots=roots(jobs.home, further),
        cwd=Path.cwd(),
        progress=JobProgress(jobs, job),
    )


def _cancelled(number: int, frame: FrameType | None) -> None:
    raise Cancelled


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
