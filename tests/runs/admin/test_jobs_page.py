"""The tab of background jobs: one's own, or everybody's for operators."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.home import Home, job
from benchmarks.doors.jobs import Jobs
from benchmarks.records.home import Job
from tests.reviews.admin.pages import get, post
from tests.runs.admin.conftest import SignIn

pytestmark = pytest.mark.django_db
JOBS = "/admin/runs/jobs/"


def keep(home: Path, number: int, **changes: Any) -> str:
    """A job of a reviewer that waits on another host, where nobody can look."""
    job_id = f"job-{number:016x}"
    record = {
        "job_id": job_id,
        "kind": "regenerate_env",
        "slug": "local--items",
        "status": "queued",
        "started_at": "2026-11-04T08:00:00.000Z",
        "host": "elsewhere",
        "actor": "user:reviewer",
        "door": "admin",
        **changes,
    }
    Home(home).replace(job(job_id), Job.read(record))
    return job_id


def test_reviewer_sees_their_own_jobs_only(root: Path, lab_home: Path, sign_in: SignIn) -> None:
    own, other = keep(lab_home, 1), keep(lab_home, 2, actor="token:ci", door="rest")
    mine = get(sign_in("reviewer"), JOBS).text
    assert f"{own} regenerate env local--items ● queued" in mine
    assert other not in mine
    assert other in get(sign_in("operator"), JOBS).text


def test_failed_job_says_why(root: Path, lab_home: Path, sign_in: SignIn) -> None:
    error = {"code": "task_edited", "message": "t1 was edited by hand"}
    keep(lab_home, 1, status="failed", error=error, progress={"completed": 3, "total": 9})
    page = get(sign_in("reviewer"), JOBS)
    assert "✕ failed t1 was edited by hand 3 of 9" in page.text
    assert page.values("action") == []


def test_job_is_cancelled_by_whoever_started_it(
    root: Path, lab_home: Path, sign_in: SignIn
) -> None:
    job_id = keep(lab_home, 1)
    page = post(sign_in("reviewer"), JOBS, action="cancel", job_id=f'"{job_id}"')
    assert f"Done {job_id} is cancelled." in page.text
    assert Jobs(Home(lab_home)).read(job_id).status == "cancelled"


def test_job_of_another_is_unknown_to_a_reviewer(
    root: Path, lab_home: Path, sign_in: SignIn
) -> None:
    job_id = keep(lab_home, 1, actor="token:ci")
    page = post(sign_in("reviewer"), JOBS, action="cancel", job_id=job_id)
    assert f"there is no job '{job_id}'" in page.text
    assert Jobs(Home(lab_home)).read(job_id).status == "queued"


def test_no_job_says_what_would_be_here(root: Path, sign_in: SignIn) -> None:
    page = get(sign_in("operator"), JOBS)
    assert "will be listed here while they go on" in page.text
    assert page.every("a", href="/admin/runs/")
