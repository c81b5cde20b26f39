"""What a benchmark is worth: rigor, calibration, promotion, and the policy of its reviews."""

from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.jobs import job_operation, started
from benchmarks.api.operations import operation
from benchmarks.doors.arguments import Reason, Share, WaitSeconds
from benchmarks.doors.redacting import redacted
from benchmarks.doors.tool import Arguments
from benchmarks.errors import (
    ApprovalRequired,
    Claimed,
    GateFailed,
    NotMeasured,
    WrongStage,
)
from benchmarks.records.rigor import RigorReport
from reviews.api.documents import (
    CalibrationDocument,
    PolicyDocument,
    PolicySet,
    Promoted,
    PromotionDocument,
    RigorMeasured,
)
from reviews.services.assessing import read_rigor_report, read_rigor_text
from reviews.services.policing import set_policy, show_policy
from reviews.services.verdicts import read_calibration, read_promotion

MARKDOWN = "text/markdown"


class RunRigor(Arguments):
    """How the assessment is run."""

    ci: Annotated[bool, Field(description="Give the gate, with its verdict.")] = False
    strict: Annotated[bool, Field(description="UNKNOWN checks refuse too.")] = False
    wait_s: WaitSeconds = 0.0


class Promote(Arguments):
    """How the proposal is promoted."""

    override_rigor: Reason | None = None
    waive_dag: Reason | None = None
    strict: Annotated[bool, Field(description="UNKNOWN checks refuse too.")] = False
    dry_run: Annotated[bool, Field(description="Say what would happen; write nothing.")] = False
    confirm: Annotated[bool, Field(description="A person owns the overrides.")] = False
    wait_s: WaitSeconds = 0.0


class SetPolicy(Arguments):
    """The fields of the policy that are set; the rest of the file stays."""

    default_decision: Literal["accept", "pending"] | None = None
    min_confidence: Literal["high", "medium", "low"] | None = None
    require_incumbent_pass: bool | None = None
    min_fidelity: Share | None = None
    min_mutation_score: Share | None = None


class RigorView(LabView):
    """`/api/benchmarks/{slug}/rigor`."""

    @operation("read_rigor_report", gives=RigorReport, media_type=MARKDOWN, refuses=(NotMeasured,))
    def get(self, call: ApiCall, slug: str) -> Answer | dict[str, Any]:
        """Read the last rigor report; with `Accept: text/markdown`, its text."""
        located = call.locate(slug)
        document = read_rigor_report(located=located, refresh=False, now=call.now)
        if MARKDOWN not in call.headers.get("Accept", ""):
            return document
        text: str = redacted({"text": read_rigor_text(located=located)})["text"]
        return Answer(document, text=text, media_type=MARKDOWN)

    @job_operation(
        "run_rigor",
        body=RunRigor,
        gives=RigorMeasured,
        refuses=(WrongStage,),
    )
    def post(self, call: ApiCall, slug: str) -> Answer:
        """Measure the rigor of a benchmark again, as a job; the report is kept beside it.

        A job that ends within `wait_s` answers with its document.
        """
        asked: RunRigor = call.body
        located = call.locate(slug)
        arguments = {"slug": located.slug, "ci": asked.ci, "strict": asked.strict}
        return started(call, "read_rigor_report", arguments, wait_s=asked.wait_s)


class CalibrationView(LabView):
    """`/api/benchmarks/{slug}/calibration`."""

    @operation("read_calibration", gives=CalibrationDocument, refuses=(NotMeasured,))
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Read what arms that must pass and arms that must fail made of the tasks."""
        return read_calibration(located=call.locate(slug))


class PromotionView(LabView):
    """`/api/benchmarks/{slug}/promotion`."""

    @operation("read_promotion", gives=PromotionDocument, refuses=(NotMeasured,))
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Read the record of the promotion: who, through which gate, over which waivers."""
        return read_promotion(located=call.locate(slug))

    @job_operation(
        "promote_benchmark",
        body=Promote,
        gives=Promoted,
        refuses=(WrongStage, GateFailed, Claimed, ApprovalRequired),
    )
    def post(self, call: ApiCall, slug: str) -> Answer:
        """Promote the accepted tasks of a proposal, as a job; overrides need an admin.

        A job that ends within `wait_s` answers with its document.
        """
        asked: Promote = call.body
        located = call.locate_writable(slug)
        if asked.override_rigor is not None or asked.waive_dag is not None:
            call.need("override_gate")
        given = asked.model_dump(exclude={"wait_s"}, exclude_none=True)
        arguments = {"slug": located.slug, **given}
        return started(call, "promote_benchmark", arguments, wait_s=asked.wait_s)


class PolicyView(LabView):
    """`/api/benchmarks/{slug}/policy`."""

    @operation("show_policy", gives=PolicyDocument)
    def get(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Read the review policy in force, and what it would let through."""
        return show_policy(located=call.locate(slug))

    @operation("set_policy", body=SetPolicy, gives=PolicySet, writes=True, matches=True)
    def put(self, call: ApiCall, slug: str) -> dict[str, Any]:
        """Set fields of the review policy; what is left out stays."""
        located = call.locate(slug)
        document = set_policy(
            located=located,
            **dict(call.body),
            if_digests=call.if_digests,
            caller=call.caller,
            now=call.now,
        )
        call.synced(located)
        return document
