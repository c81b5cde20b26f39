"""What the disk refuses is told by its name at every door, also where nobody foresaw it."""

import errno
import os
import signal
import socket
from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home, home
from benchmarks.artifacts.home import job as job_file
from benchmarks.artifacts.roots import roots
from benchmarks.doors.jobs import Jobs
from benchmarks.records.home import Job
from tests.driving import Shell
from understudy_site import jobs, shell
from understudy_site.mcp.lab import LoadedLab
from understudy_site.mcp.session import Session

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
HELD = PermissionError(errno.EACCES, os.strerror(errno.EACCES), "runs")
CASES = [(FULL, "disk_full"), (HELD, "read_only")]


@pytest.mark.parametrize(("error", "code"), CASES)
def test_in_the_shell(
    lab_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    error: OSError,
    code: str,
) -> None:
    def refuse(*words: object) -> int:
        raise error

    monkeypatch.setattr(shell, "_run", refuse)
    ran = Shell(capfd)("benchmarks", "list")
    assert (ran.code, ran.error["code"]) == (1, code)


@pytest.mark.parametrize(("error", "code"), CASES)
def test_over_mcp(
    lab_home: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, code: str
) -> None:
    def refuse(*words: object) -> None:
        raise error

    lab = LoadedLab(
        Session(roots=(), allowed=frozenset({"read"})), here=home(), within=roots(home())
    )
    monkeypatch.setattr(lab, "_call", refuse)
    told = lab.call("benchmark_status", {}, actor="mcp:a@b", report=lambda progress: None)
    assert (told.is_error, told.document["error"]["code"]) == (True, code)


@pytest.mark.parametrize(("error", "code"), CASES)
def test_in_a_job(
    lab_home: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, code: str
) -> None:
    def refuse(*words: object) -> None:
        raise error

    job = Job.read({
        "job_id": "job-0123456789abcdef",
        "kind": "build_benchmark",
        "status": "running",
        "started_at": "2026-11-29T12:00:00.000Z",
        "host": socket.gethostname(),
        "pid": os.getpid(),
    })
    Home(lab_home).replace(job_file(job.job_id), job)
    monkeypatch.setattr(jobs, "_run", refuse)
    monkeypatch.setattr(signal, "signal", lambda *words: None)
    assert jobs.main(job.job_id) == 1
    told = Jobs(Home(lab_home)).read(job.job_id)
    assert (told.status, (told.error or {})["code"]) == ("failed", code)
