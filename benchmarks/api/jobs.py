"""Background jobs over REST: started by routes of long work, read and cancelled here."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall, is_seen
from benchmarks.api.documents import Document, JobAnswer, Written
from benchmarks.api.operations import operation
from benchmarks.api.queries import PagedQuery, Query
from benchmarks.doors.arguments import WaitSeconds
from benchmarks.doors.jobs import ENDED, Jobs, pending
from benchmarks.doors.paging import Pager
from benchmarks.doors.tool import Arguments
from benchmarks.errors import Finished, Forbidden, JobLost, UnderstudyError, UnknownJob
from benchmarks.records.base import JsonObject
from benchmarks.records.home import Job

V = TypeVar("V")

OTHERS = "operate_jobs"
SHOWN = (
    "job_id",
    "kind",
    "slug",
    "status",
    "progress",
    "started_at",
    "finished_at",
    "error",
    "actor",
    "door",
)


class JobItem(Document):
    """A background job, without its result."""

    job_id: str
    kind: str
    slug: str | None
    status: str = Field(description="queued, running, done, failed or cancelled.")
    progress: dict[str, Any]
    started_at: str | None
    finished_at: str | None
    error: dict[str, Any] | None
    actor: str | None
    door: str | None


class AnyDocument(Document):
    """The document of the job's own service."""


class JobCancelled(Written):
    """The job after it was cancelled."""

    job: JobItem


class JobsQuery(PagedQuery):
    """Which jobs are asked for."""

    status: list[str] = Field(default_factory=list)
    kind: Annotated[list[str], Field(description="Names of services.")] = Field(
        default_factory=list
    )
    slug: list[str] = Field(default_factory=list)


class JobQuery(Query):
    """How long to wait for the end."""

    wait_s: WaitSeconds = 0.0


class Nothing(Arguments):
    """A body that says nothing."""


class JobsView(LabView):
    """`/api/jobs`."""

    @operation("list_jobs", query=JobsQuery, gives=JobItem)
    def get(self, call: ApiCall) -> dict[str, Any]:
        """List the caller's jobs, newest first; with `operate`, everybody's."""
        asked: JobsQuery = call.query
        jobs = [
            job for job in Jobs(call.home).all() if is_visible(call, job) and is_asked(asked, job)
        ]
        pager = Pager(
            call.home.secret(),
            asked.limit,
            asked.cursor,
            [call.service, asked.asked(), call.identity.actor],
        )
        taken, page = pager.page(jobs)
        return {"results": [shown(job) for job in taken], "page": page}


class JobView(LabView):
    """`/api/jobs/{job_id}`."""

    @operation("read_job", query=JobQuery, gives=JobItem, refuses=(UnknownJob, JobLost, Forbidden))
    def get(self, call: ApiCall, job_id: str) -> dict[str, Any]:
        """Say how far a job has come; with `wait_s`, at its end."""
        _read(call, job_id)
        return shown(Jobs(call.home).wait(job_id, wait_s=call.query.wait_s))


class JobResultView(LabView):
    """`/api/jobs/{job_id}/result`."""

    @operation(
        "read_job_result",
        query=JobQuery,
        gives=AnyDocument,
        also={202: JobAnswer},
        refuses=(UnknownJob, JobLost, Forbidden),
    )
    def get(self, call: ApiCall, job_id: str) -> Answer:
        """Read what a job came to: its document, or the error that it failed with."""
        _read(call, job_id)
        return _outcome(call, job_id, call.query.wait_s)


class CancelJobView(LabView):
    """`/api/jobs/{job_id}/cancel`."""

    @operation(
        "cancel_job",
        body=Nothing,
        gives=JobCancelled,
        writes=True,
        refuses=(UnknownJob, Finished, Forbidden),
    )
    def post(self, call: ApiCall, job_id: str) -> dict[str, Any]:
        """End a job that waits or runs."""
        _read(call, job_id)
        job = Jobs(call.home).cancel(job_id)
        return {**call.written(), "job": shown(job)}


def job_operation(
    service: str,
    *,
    body: type[Arguments],
    gives: type[BaseModel],
    refuses: Sequence[type[UnderstudyError]],
) -> Callable[[Callable[..., V]], Callable[..., V]]:
    """Make a method the door of long work: 202 with its job, 200 with what it came to in time."""
    return operation(
        service,
        body=body,
        gives=JobAnswer,
        status=202,
        also={200: gives},
        writes=True,
        refuses=(*refuses, JobLost),
    )


def started(call: ApiCall, kind: str, arguments: JsonObject, *, wait_s: float) -> Answer:
    """Start a job of the caller; its result when it ends within `wait_s`, else where it stands."""
    jobs = Jobs(call.home)
    job = jobs.start(kind=kind, arguments=arguments, roots=(), caller=call.caller, now=call.now)
    if wait_s <= 0:
        return _standing(job)
    return _outcome(call, job.job_id, wait_s)


def _outcome(call: ApiCall, job_id: str, wait_s: float) -> Answer:
    jobs = Jobs(call.home)
    jobs.wait(job_id, wait_s=wait_s)
    document = jobs.outcome(job_id, wait_s=0)
    job = jobs.read(job_id)
    return Answer(document) if job.status == "done" else _standing(job)


def _standing(job: Job) -> Answer:
    document = {**pending(job), "pending": job.status not in ENDED}
    return Answer(document, status=202, headers={"Location": f"/api/jobs/{job.job_id}"})


def shown(job: Job) -> JsonObject:
    """The job as lists show it."""
    document = job.dump()
    return {key: document.get(key) for key in SHOWN}


def _read(call: ApiCall, job_id: str) -> Job:
    """The job, when it is the caller's or the caller may see others'.

    Raises:
        UnknownJob: there is none, or it is about a benchmark that the caller does not see.
        Forbidden: it is another's.
    """
    job = Jobs(call.home).read(job_id)
    if not is_seen(call.identity, job.slug):
        raise UnknownJob(f"there is no job {job_id!r}", hint="GET /api/jobs lists them")
    if job.actor != call.identity.actor:
        call.need(OTHERS)
    return job


def is_visible(call: ApiCall, job: Job) -> bool:
    """Whether the caller may see the job."""
    is_own = job.actor == call.identity.actor
    return is_seen(call.identity, job.slug) and (is_own or call.may(OTHERS))


def is_asked(asked: JobsQuery, job: Job) -> bool:
    """Whether the job is one of those that are asked for."""
    return (
        (not asked.status or job.status in asked.status)
        and (not asked.kind or job.kind in asked.kind)
        and (not asked.slug or job.slug in asked.slug)
    )
