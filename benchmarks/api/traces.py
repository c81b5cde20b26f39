"""What a build would read, lose and redact of captures that this hub may read."""

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.jobs import job_operation, started
from benchmarks.api.sources import sources_of
from benchmarks.doors.arguments import MaxAgeDays, Share, Source, WaitSeconds
from benchmarks.doors.tool import Arguments
from benchmarks.errors import (
    NothingSelected,
    OutsideRoot,
    SourceNotFound,
)
from benchmarks.records.intake import IntakeReport

DOCTOR = "trace_doctor"


class Examine(Arguments):
    """Which captures are looked over, and how."""

    source: Source
    workload: str | None = None
    max_age_days: MaxAgeDays | None = None
    max_loss: Share | None = None
    wait_s: WaitSeconds = 10.0


class DoctorView(LabView):
    """`/api/traces/doctor`."""

    @job_operation(
        DOCTOR,
        body=Examine,
        gives=IntakeReport,
        refuses=(OutsideRoot, SourceNotFound, NothingSelected),
    )
    def post(self, call: ApiCall) -> Answer:
        """Say what a build would read, lose and redact of captured traces, as a job.

        Sources lie inside UNDERSTUDY_SOURCE_ROOTS. A job that ends within `wait_s` answers with
        the report, also where its verdict is fail. Nothing else is written.
        """
        asked: Examine = call.body
        arguments = {
            "source": sources_of(call, asked.source),
            "workload": asked.workload,
            "max_age_days": asked.max_age_days,
            "max_loss": asked.max_loss,
        }
        return started(call, DOCTOR, arguments, wait_s=asked.wait_s)
