"""Long work as detached jobs: one record each, and a child process that outlives the door."""

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psutil

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.home import job as job_file
from benchmarks.errors import (
    Action,
    Busy,
    Complaint,
    Finished,
    JobLost,
    UnderstudyError,
    UnknownJob,
)
from benchmarks.records.caller import Caller
from benchmarks.records.digest import json_digest
from benchmarks.records.home import Job
from benchmarks.records.times import read_time, stamp

POLL_S = 0.05
START_GRACE_S = 30.0
KEPT_DAYS, KEPT_JOBS = 7, 200
MOST_LIVE = 4
ENDED = frozenset({"done", "failed", "cancelled"})
CHILDREN: list[subprocess.Popen[bytes]] = []
"""The processes that this door started: reaped at the next start, so that none stays a zombie."""


@dataclass(frozen=True)
class Jobs:
    """The jobs of one home."""

    home: Home

    def start(
        self,
        *,
        kind: str,
        arguments: Mapping[str, Any],
        roots: Sequence[str],
        caller: Caller,
        now: datetime,
    ) -> Job:
        """Write the record of a job and start its process.

        An equal job of the same caller that waits or runs is joined: it is the one that is given.

        Raises:
            Busy: as many jobs as may run at once on this machine do so.
        """
        slug = arguments.get("slug")
        asked = Job.read({
            "job_id": "job-" + secrets.token_hex(8),
            "kind": kind,
            "slug": slug if isinstance(slug, str) else None,
            "status": "queued",
            "started_at": stamp(now),
            "host": socket.gethostname(),
            "arguments": dict(arguments),
            "roots": list(roots),
            **caller.block(dict(arguments)),
        })
        with self.home.guard():
            self._forget_old(now)
            live = self._live()
            equal = next((job for job in live if _sameness(job) == _sameness(asked)), None)
            if equal is not None:
                return equal
            if len(live) >= MOST_LIVE:
                raise Busy(
                    f"{len(live)} jobs run on this machine already",
                    hint="ask again when one has ended",
                    details={"jobs": [job.job_id for job in live]},
                )
            self._write(asked)
        self._spawn(asked)
        return asked

    def _live(self) -> list[Job]:
        """The jobs of this machine that wait or run."""
        found = []
        for path in self._all():
            with suppress(UnderstudyError):
                found.append(self._load(path.stem))
        here = [job for job in found if job.host == socket.gethostname()]
        return [job for job in here if job.status not in ENDED and not self._lost(job)]

    def _spawn(self, job: Job) -> None:
        log = self.home.path / "logs" / f"{job.job_id}.log"
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        CHILDREN[:] = [child for child in CHILDREN if child.poll() is None]
        with log.open("ab") as stream:
            child = subprocess.Popen(
                [sys.executable, "-m", "understudy_site.jobs", job.job_id],
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
                env={**os.environ, "UNDERSTUDY_HOME": str(self.home.path)},
            )
        CHILDREN.append(child)

    def read(self, job_id: str) -> Job:
        """The job as it stands; one whose process is gone without a result is failed.

        Raises:
            UnknownJob: there is no such job.
        """
        job = self._load(job_id)
        if job.status in ENDED or not self._lost(job):
            return job
        with self.home.guard():
            job = self._load(job_id)
            if job.status not in ENDED:
                job = self._failed(job)
                self._write(job)
        return job

    def _load(self, job_id: str) -> Job:
        if not job_id.startswith("job-") or not job_id[4:].isalnum():
            raise UnknownJob(f"{job_id!r} is not a job id", hint="job- and 16 hex digits")
        job = self.home.load(job_file(job_id))
        if job is None:
            raise UnknownJob(
                f"there is no job {job_id!r}", hint=f"{len(self._all())} jobs are kept for 7 days"
            )
        return job

    def _failed(self, job: Job) -> Job:
        error = JobLost(
            f"the process of job {job.job_id} is gone and left no result",
            hint=f"running {job.kind} again is safe",
            next_actions=[self._again(job)],
        )
        return job.with_(status="failed", error=error.document()["error"])

    def all(self) -> list[Job]:
        """Every job that is kept, newest first; one that cannot be read is left out."""
        found = []
        for path in self._all():
            with suppress(UnderstudyError):
                found.append(self.read(path.stem))
        return sorted(found, key=lambda job: (job.started_at or "", job.job_id), reverse=True)

    def update(self, job_id: str, **changes: Any) -> Job:
        """The job with some fields replaced; one that has ended stays as it ended."""
        with self.home.guard():
            job = self._load(job_id)
            if job.status in ENDED:
                return job
            changed = job.with_(**changes)
            self._write(changed)
            return changed

    def wait(self, job_id: str, *, wait_s: float) -> Job:
        """The job once it has ended, or as it stands after `wait_s` seconds."""
        deadline = time.monotonic() + wait_s
        job = self.read(job_id)
        while job.status not in ENDED and time.monotonic() < deadline:
            time.sleep(POLL_S)
            job = self.read(job_id)
        return job

    def outcome(self, job_id: str, *, wait_s: float) -> dict[str, Any]:
        """The result of the job, or where it stands after waiting.

        Raises:
            UnderstudyError: the job failed; the error is the job's own.
        """
        job = self.wait(job_id, wait_s=wait_s)
        if job.status == "done" and isinstance(job.result, dict):
            return job.result
        if job.status == "failed":
            raise failure(job)
        return pending(job)

    def cancel(self, job_id: str) -> Job:
        """End the job's process.

        Raises:
            Finished: it has ended already.
        """
        job = self.read(job_id)
        if job.status in ENDED:
            raise Finished(f"job {job_id} is {job.status}", hint="there is nothing to cancel")
        if job.pid is not None and job.host == socket.gethostname():
            with suppress(psutil.NoSuchProcess):
                psutil.Process(job.pid).terminate()
        return self.update(job_id, status="cancelled")

    def _lost(self, job: Job) -> bool:
        if job.host != socket.gethostname():
            return False
        if job.pid is not None:
            return not _is_alive(job.pid)
        started = read_time(job.started_at)
        return started is None or time.time() - started.timestamp() > START_GRACE_S

    def _again(self, job: Job) -> Action:
        arguments = (job.model_extra or {}).get("arguments", {})
        return Action("run it again", f"# {job.kind}", tool=job.kind, arguments=arguments)

    def _write(self, job: Job) -> None:
        self.home.replace(job_file(job.job_id), job)

    def _all(self) -> list[Path]:
        folder = self.home.jobs
        return sorted(folder.glob("job-*.json")) if folder.is_dir() else []

    def _forget_old(self, now: datetime) -> None:
        """Keep the jobs of seven days or the last 200, whichever is more."""
        kept = sorted(self._all(), key=lambda path: path.stat().st_mtime, reverse=True)
        oldest = (now - timedelta(days=KEPT_DAYS)).timestamp()
        for path in kept[KEPT_JOBS:]:
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)


def _sameness(job: Job) -> tuple[Any, ...]:
    """What two jobs have in common when one of them would do."""
    more = job.model_extra or {}
    said = (more.get("arguments"), more.get("roots"))
    return (job.kind, job.actor, job.door, job.idempotency_key, json_digest(said))


def _is_alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def pending(job: Job) -> dict[str, Any]:
    """The answer of a door that did not wait for the end."""
    again = Action(
        "ask again",
        f"# run_status {job.job_id}",
        tool="run_status",
        arguments={"run_id": job.job_id, "wait_s": 20},
    )
    shown = ("job_id", "kind", "status", "progress", "started_at", "finished_at", "error")
    return {
        "ok": True,
        "pending": True,
        "job": {key: value for key, value in job.dump().items() if key in shown},
        "next_actions": [again.document()],
    }


def failure(job: Job) -> UnderstudyError:
    """The job's error, raised as what it was."""
    error = job.error or {}
    code = str(error.get("code", "internal"))
    kinds = {kind.code: kind for kind in reversed(_kinds(UnderstudyError))}
    kind = kinds.get(code, UnderstudyError)
    return kind(
        str(error.get("message", f"job {job.job_id} failed")),
        hint=str(error.get("hint", "")),
        details=error.get("details") or {},
        errors=[
            Complaint(item["path"], item["value"], item["message"])
            for item in error.get("errors") or []
        ],
        next_actions=[Action(**item) for item in error.get("next_actions") or []],
    )


def _kinds(kind: type[UnderstudyError]) -> list[type[UnderstudyError]]:
    return [kind, *(found for sub in kind.__subclasses__() for found in _kinds(sub))]
