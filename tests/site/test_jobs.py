import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.home import job as job_file
from benchmarks.doors.jobs import Jobs, failure, pending
from benchmarks.errors import Busy, Finished, JobLost, UnknownJob
from benchmarks.records.caller import Caller
from benchmarks.records.home import Job
from understudy_site.jobs import main

CALLER = Caller("mcp:agent@me", "mcp")
CAPTURES = Path(__file__).resolve().parents[2] / "understudy_site" / "demo_data"
BUILD = {"source": str(CAPTURES), "name": "desk", "waive_pilot": "test", "confirm": True}


@pytest.fixture(autouse=True)
def forked_jobs() -> None:
    """Jobs start their processes themselves here."""


@pytest.fixture
def jobs(lab_home: Path) -> Jobs:
    return Jobs(Home(lab_home))


def started(jobs: Jobs) -> Job:
    return jobs.start(
        kind="build_benchmark", arguments=BUILD, roots=[], caller=CALLER, now=datetime.now(UTC)
    )


def written(jobs: Jobs, **changes: object) -> Job:
    job = Job.read(
        {
            "job_id": "job-0123456789abcdef", "kind": "build_benchmark", "status": "running",
            "started_at": "2026-11-29T12:00:00.000Z", "host": socket.gethostname(),
            "pid": os.getpid(), "arguments": BUILD, **changes,
        }
    )  # fmt: skip
    jobs.home.replace(job_file(job.job_id), job)
    return job


def test_a_job_outlives_its_door_and_leaves_its_result(jobs: Jobs) -> None:
    job = started(jobs)
    document = jobs.outcome(job.job_id, wait_s=60)
    assert (document["ok"], document["counts"]["tasks"]) == (True, 10)
    assert jobs.read(job.job_id).status == "done"


def test_a_door_that_does_not_wait_gets_the_way_to_ask_again(jobs: Jobs) -> None:
    job = written(jobs)
    document = jobs.outcome(job.job_id, wait_s=0)
    assert (document["pending"], document["job"]["status"]) == (True, "running")
    assert document["next_actions"][0]["arguments"] == {"run_id": job.job_id, "wait_s": 20}
    assert pending(job)["job"]["kind"] == "build_benchmark"


def test_a_killed_job_is_lost_and_running_it_again_is_offered(jobs: Jobs) -> None:
    job = started(jobs)
    deadline = time.monotonic() + 30
    while jobs.read(job.job_id).pid is None and time.monotonic() < deadline:
        time.sleep(0.01)
    pid = jobs.read(job.job_id).pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    lost = jobs.wait(job.job_id, wait_s=10)
    assert lost.status == "failed"
    error = failure(lost)
    assert isinstance(error, JobLost)
    assert error.next_actions[0].tool == "build_benchmark"
    again = started(jobs)
    assert jobs.outcome(again.job_id, wait_s=60)["counts"]["tasks"] == 10


def test_a_job_cancelled_while_it_waits_never_starts(jobs: Jobs, lab_home: Path) -> None:
    job = written(jobs, status="queued", pid=None, started_at=datetime.now(UTC).isoformat())
    assert jobs.cancel(job.job_id).status == "cancelled"
    assert main(job.job_id) == 1
    assert jobs.read(job.job_id).status == "cancelled"
    assert not (lab_home / "benchmarks" / "desk").exists()


def test_what_has_ended_stays_as_it_ended(jobs: Jobs) -> None:
    job = written(jobs, status="done", result={"ok": True})
    assert jobs.update(job.job_id, status="running").status == "done"
    with pytest.raises(Finished, match="is done"):
        jobs.cancel(job.job_id)


def test_a_job_that_never_got_a_process_is_lost_after_a_while(jobs: Jobs) -> None:
    old = datetime.now(UTC) - timedelta(minutes=5)
    job = written(jobs, status="queued", pid=None, started_at=old.isoformat())
    assert jobs.read(job.job_id).status == "failed"


def test_a_job_of_another_host_is_not_judged_from_here(jobs: Jobs) -> None:
    job = written(jobs, host="elsewhere", pid=2**22)
    assert jobs.read(job.job_id).status == "running"


@pytest.mark.parametrize("job_id", ["job-nothere", "job-../x", "run-1"])
def test_a_job_that_is_not_there_is_unknown(jobs: Jobs, job_id: str) -> None:
    with pytest.raises(UnknownJob):
        jobs.read(job_id)


LIVE = 4


def asked(jobs: Jobs, *, caller: Caller = CALLER, **changes: object) -> Job:
    return jobs.start(
        kind="build_benchmark",
        arguments={**BUILD, **changes},
        roots=[],
        caller=caller,
        now=datetime.now(UTC),
    )


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The jobs whose process would have been started."""
    found: list[str] = []
    monkeypatch.setattr(Jobs, "_spawn", lambda jobs, job: found.append(job.job_id))
    return found


def test_equal_jobs_asked_for_at_once_are_one(jobs: Jobs, spawned: list[str]) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: asked(jobs).job_id, range(30)))
    assert spawned == [found[0]]
    assert set(found) == {found[0]}


def test_a_job_that_has_ended_is_not_joined(jobs: Jobs, spawned: list[str]) -> None:
    first = asked(jobs)
    jobs.update(first.job_id, status="done", result={"ok": True})
    assert asked(jobs).job_id != first.job_id


@pytest.mark.parametrize("key", [None, "k1"])
def test_a_job_of_another_caller_or_key_is_not_joined(
    jobs: Jobs, spawned: list[str], key: str | None
) -> None:
    first = asked(jobs)
    other = Caller("token:other" if key is None else CALLER.actor, CALLER.door, key)
    assert asked(jobs, caller=other).job_id != first.job_id


def test_more_jobs_than_may_run_at_once_are_busy(jobs: Jobs, spawned: list[str]) -> None:
    running = [asked(jobs, name=f"desk-{each}").job_id for each in range(LIVE)]
    with pytest.raises(Busy) as caught:
        asked(jobs, name="desk-more")
    assert caught.value.details == {"jobs": sorted(running)}
    assert asked(jobs, name="desk-0").job_id == running[0]
    jobs.update(running[0], status="done", result={"ok": True})
    assert asked(jobs, name="desk-more").job_id not in running
    assert len(spawned) == LIVE + 1
