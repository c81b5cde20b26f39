"""How far the verifiers of a benchmark can be trusted: read, and put to the test again."""

from typing import Any

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.documents import Document, Written
from benchmarks.api.jobs import job_operation, started
from benchmarks.api.operations import operation
from benchmarks.doors.arguments import Fixtures, Seed, TaskIds, WaitSeconds
from benchmarks.doors.tool import Arguments
from benchmarks.errors import (
    DirectoryBusy,
    EnvironmentMissing,
    NotMeasured,
    TaskEdited,
    WrongStage,
)
from benchmarks.records.verifier import TaskVerification
from benchmarks.services.verifying import read_verification

VERIFY = "verify_tasks"


class VerificationDocument(Document):
    """`verifier-report.json`, as far as doors show it."""

    slug: str
    schema_version: str
    generated_at: str
    seed: int
    tasks: list[TaskVerification]
    totals: dict[str, int] = Field(description="How many are tested, weak and untested.")


class VerificationRead(VerificationDocument):
    """The report as it stands."""

    untested: list[str] = Field(description="Tasks without a row about today's verifier.")


class VerificationWritten(Written, VerificationDocument):
    """The rows of the tasks that were tested, weak ones first."""

    of_benchmark: dict[str, int]
    promotion_blockers: list[str]


class Verify(Arguments):
    """Which verifiers are tested, and with what besides."""

    tasks: TaskIds | None = None
    fixtures: Fixtures | None = None
    seed: Seed | None = None
    wait_s: WaitSeconds = 10.0


class VerificationView(LabView):
    """`/api/benchmarks/{slug}/verification`."""

    @operation("read_verification", gives=VerificationRead, refuses=(NotMeasured,))
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Read what the last test of each verifier found."""
        return read_verification(located=call.locate(slug))

    @job_operation(
        VERIFY,
        body=Verify,
        gives=VerificationWritten,
        refuses=(WrongStage, TaskEdited, EnvironmentMissing, DirectoryBusy),
    )
    def post(self, call: ApiCall, slug: str) -> Answer:
        """Put verifiers to the test, as a job; fixtures and report are kept beside the benchmark.

        A job that ends within `wait_s` answers with the report on the tested tasks.
        """
        asked: Verify = call.body
        located = call.locate_writable(slug)
        given = asked.model_dump(exclude={"wait_s"}, exclude_none=True)
        return started(call, VERIFY, {"slug": located.slug, **given}, wait_s=asked.wait_s)
