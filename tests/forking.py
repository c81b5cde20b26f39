"""Processes forked from one that has imported the product: each starts a second of CPU earlier.

They are processes like any other, with a pid, an environment, streams and signals of their own;
for tests in which the start of the interpreter is not what is tested.
"""

import importlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir
from multiprocessing import forkserver
from pathlib import Path

from benchmarks.doors.jobs import Jobs
from benchmarks.records.home import Job

REPOSITORY = Path(__file__).resolve().parent.parent
CLI, JOBS = "understudy_site.cli", "understudy_site.jobs"
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([
    CLI,
    JOBS,
    "understudy_site.shell",
    "runs.verbs.runs_execute",
    "tests.forking",
    "pytest",
])


class Forked:
    """`python -m MODULE WORDS` as a forked process, with the face of a `subprocess.Popen`."""

    def __init__(
        self,
        module: str,
        words: Sequence[str],
        environ: Mapping[str, str],
        *,
        out: Path,
        err: Path,
        new_session: bool = False,
    ) -> None:
        """Start it in the repository; both streams are appended to files."""
        self.out, self.err = out, err
        ran = (module, list(words), dict(environ), str(out), str(err), new_session)
        self._process = CONTEXT.Process(target=_run, args=ran)
        with chdir(REPOSITORY):
            forkserver.ensure_running()
            self._process.start()

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """How it ended: the exit code, or the signal as a negative number; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The same as `returncode`."""
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end; what it wrote to both streams."""
        self._process.join(timeout)
        if self.returncode is None:
            raise TimeoutError(f"process {self.pid} runs after {timeout} s")
        return self.out.read_text("utf-8"), self.err.read_text("utf-8")


def _run(
    module: str, words: list[str], environ: dict[str, str], out: str, err: str, new_session: bool
) -> None:
    if new_session:
        os.setsid()
    for stream, path in ((1, out), (2, err)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, stream)
        os.close(file)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = [module, *words]
    main = importlib.import_module(module).main
    sys.exit(main(words) if module == CLI else main(*words))


def start_job(jobs: Jobs, job: Job) -> None:
    """What `Jobs` does to start the process of a job, but forked."""
    log = jobs.home.path / "logs" / f"{job.job_id}.log"
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    environ = {**os.environ, "UNDERSTUDY_HOME": str(jobs.home.path)}
    Forked(JOBS, [job.job_id], environ, out=log, err=log, new_session=True)
