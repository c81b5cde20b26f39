"""Long work behind a button: a job that is waited for a while, and what is said when it goes on."""

from collections.abc import Callable

from benchmarks.admin.acting import Done
from benchmarks.admin.base import LabPage
from benchmarks.doors.jobs import Jobs
from benchmarks.records.base import JsonObject

WAIT_S = 10.0
PENDING = "It goes on in the background as {job}."


def run_job(page: LabPage, kind: str, arguments: JsonObject) -> JsonObject:
    """Run long work as a job and wait for it a while; one that goes on says so in its document."""
    jobs = Jobs(page.home)
    job = jobs.start(
        kind=kind, arguments=arguments, roots=[], caller=page.call.caller, now=page.now
    )
    return jobs.outcome(job.job_id, wait_s=WAIT_S)


def job_done(
    document: JsonObject,
    *,
    say: Callable[[], str],
    to: str,
    slug: str,
    ref: str | None = None,
) -> Done:
    """What the person is told of a job: what it came to, or that it goes on."""
    if document.get("pending"):
        job = str(document["job"]["job_id"])
        return Done(document, say=PENDING.format(job=job), to=to, slug=slug, ref=job)
    return Done(document, say=say(), to=to, slug=slug, ref=ref)
