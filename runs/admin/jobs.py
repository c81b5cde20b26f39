"""The second tab of the list of runs: long work that goes on in the background."""

from collections.abc import Mapping
from shlex import quote
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase

from benchmarks.admin.acting import Action, Done, exact
from benchmarks.admin.base import LabPage, May
from benchmarks.doors.jobs import ENDED, Jobs
from benchmarks.errors import UnknownJob
from benchmarks.models import BenchmarkEntry
from benchmarks.records.home import Job
from benchmarks.records.vocabulary import Stage

MOST = 200
OTHERS = "operate_jobs"


def cancel_job(page: "JobList") -> Done:
    """End the process of a job; what it has written stays."""
    job_id = exact(page.request.POST, "job_id")
    jobs = Jobs(page.home)
    if not page.is_visible(jobs.read(job_id)):
        raise UnknownJob(f"there is no job {job_id!r}", hint="the list shows yours")
    job = jobs.cancel(job_id)
    return Done({}, say=f"{job_id} is cancelled.", slug=job.slug, ref=job_id)


class JobList(LabPage):
    """The caller's jobs, newest first; with the permission to operate, everybody's."""

    path, name = "runs/jobs/", "jobs"
    service = "list_jobs"
    template = "runs/jobs.html"
    actions: ClassVar[Mapping[str, Action]] = {"cancel": Action("cancel_job", cancel_job)}

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """The list."""
        jobs = [job for job in Jobs(self.home).all() if self.is_visible(job)]
        return self.render({
            "jobs": [job_line(job) for job in jobs[:MOST]],
            "proposed": self.proposed() if not jobs else "",
            "everybody": May(self.identity)[OTHERS],
        })

    def proposed(self) -> str:
        """What promotes the first benchmark that waits for it; empty when none does."""
        found = BenchmarkEntry.objects.filter(present=True, stage=Stage.PROPOSED.value)
        slug = found.order_by("slug").values_list("slug", flat=True).first()
        return f"understudy traces promote --benchmark {quote(slug)}" if slug else ""

    def is_visible(self, job: Job) -> bool:
        """Whether the person may see the job."""
        return job.actor == self.identity.actor or May(self.identity)[OTHERS]


def job_line(job: Job) -> dict[str, Any]:
    """One job as the list shows it."""
    return {"job": job, "ended": job.status in ENDED, "error": job.error or {}}
