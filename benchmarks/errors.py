"""Every error a caller may handle, in one tree; no door invents a code.

Exit 2: what was asked is wrong; 1: it is refused; 3: evidence is missing; 5: try again later.
The table of codes, HTTP statuses and exit codes is spec/surface.md 1.4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from benchmarks.complaints import Action as Action
from benchmarks.complaints import Complaint as Complaint


@dataclass(eq=False)
class UnderstudyError(Exception):
    """Something a person can act on: `message` names the value, `hint` the remedy."""

    message: str
    hint: str = field(default="", kw_only=True)
    details: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    errors: Sequence[Complaint] = field(default=(), kw_only=True)
    next_actions: Sequence[Action] = field(default=(), kw_only=True)

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        return self.message

    def document(self) -> dict[str, Any]:
        """The error document of spec/surface.md 1.4."""
        document = {"code": self.code, "message": self.message, "hint": self.hint}
        errors = [complaint.document() for complaint in self.errors]
        actions = [action.document() for action in self.next_actions]
        more = {"details": dict(self.details), "errors": errors, "next_actions": actions}
        return {"error": {**document, **more}}


class InvalidArguments(UnderstudyError):
    """A value, a key or a combination is wrong."""

    code, status, exit_code = "invalid_arguments", 400, 2


class UnknownTool(UnderstudyError):
    """A tool, noun or verb that does not exist."""

    code, status, exit_code = "unknown_tool", 400, 2


class UnknownName(UnderstudyError):
    """A name that is well formed and not there."""

    code, status, exit_code = "unknown_benchmark", 404, 2


class UnknownBenchmark(UnknownName):
    """No such benchmark."""


class UnknownTask(UnknownName):
    """No such task in the benchmark."""

    code = "unknown_task"


class UnknownRun(UnknownName):
    """No such run."""

    code = "unknown_run"


class UnknownArm(UnknownName):
    """No such arm in the run."""

    code = "unknown_arm"


class UnknownRollout(UnknownName):
    """No such rollout of that run, task and arm."""

    code = "unknown_rollout"


class UnknownExperiment(UnknownName):
    """No such experiment."""

    code = "unknown_experiment"


class UnknownNote(UnknownName):
    """No such flag or feedback."""

    code = "unknown_note"


class UnknownCapture(UnknownName):
    """No such capture."""

    code = "unknown_capture"


class UnknownModel(UnknownName):
    """No such model."""

    code = "unknown_model"


class UnknownJob(UnknownName):
    """No such job."""

    code = "unknown_job"


class Ambiguous(UnderstudyError):
    """A bare name that fits several things; all are listed."""

    code, status, exit_code = "ambiguous", 409, 2


class SourceNotFound(UnderstudyError):
    """A capture, table or manifest path that does not exist."""

    code, status, exit_code = "source_not_found", 404, 2


class Unreadable(UnderstudyError):
    """A path that exists and holds nothing that reads as what was asked."""

    code, status = "unreadable", 422


class OutsideRoot(UnderstudyError):
    """A path outside the roots that this door may touch."""

    code, status, exit_code = "outside_root", 403, 2


class InvalidBenchmark(UnderstudyError):
    """The directory's documents do not validate."""

    code, status = "invalid_benchmark", 422


class ReadOnly(UnderstudyError):
    """A write to a read-only benchmark."""

    code, status = "read_only", 403


class WrongStage(UnderstudyError):
    """The verb needs another stage."""

    code, status = "wrong_stage", 400


class NothingSelected(UnderstudyError):
    """Split, tasks and filters leave nothing."""

    code, status, exit_code = "nothing_selected", 400, 2


class TooLarge(UnderstudyError):
    """A text over its limit."""

    code, status, exit_code = "too_large", 413, 2


class UnsupportedMediaType(UnderstudyError):
    """A write whose content type is not application/json."""

    code, status, exit_code = "unsupported_media_type", 415, 2


class Unauthenticated(UnderstudyError):
    """No valid identity: no token, no session, or one that has ended."""

    code, status = "unauthenticated", 401


class BadOrigin(UnderstudyError):
    """A host, an origin or a fetch site from which nothing is taken."""

    code, status = "bad_origin", 403


class RateLimited(UnderstudyError):
    """More requests in a minute than one identity may make."""

    code, status, exit_code = "rate_limited", 429, 5


class Forbidden(UnderstudyError):
    """A permission is missing; it is named."""

    code, status = "forbidden", 403


class PostureTooLow(UnderstudyError):
    """A spend-adjacent shape below the trust posture it needs."""

    code, status = "posture_too_low", 403


class ApprovalRequired(UnderstudyError):
    """Something a person must own, without their word."""

    code, status = "approval_required", 403


class PilotRequired(UnderstudyError):
    """Batch building before the pilot's audit passed or was waived."""

    code, status = "pilot_required", 409


class TaskEdited(UnderstudyError):
    """A task was edited by hand and its stamps are old."""

    code, status = "task_edited", 409


class ReviewRequired(UnderstudyError):
    """A proposal made from a table, without a person's explicit review."""

    code, status = "review_required", 403


class VerifierUntested(UnderstudyError):
    """A figure by a verifier that was never seen to reject a wrong answer, as it is today."""

    code, status = "verifier_untested", 403


class TaskNotAccepted(UnderstudyError):
    """A run on a task whose effective decision is neither accept nor restrict."""

    code, status = "task_not_accepted", 403


class EnvironmentMissing(UnderstudyError):
    """The benchmark has no environment of its own."""

    code, status = "environment_missing", 503


class EnvironmentLegacy(EnvironmentMissing):
    """The environment's prompt holds the incumbent's own turns."""

    code = "environment_legacy"


class EnvironmentNotReady(EnvironmentMissing):
    """No current offline validation, or an oracle below 1, for a selected task."""

    code = "environment_not_ready"


class GateFailed(UnderstudyError):
    """A promotion refused; the failing checks are listed."""

    code, status = "gate_failed", 409


class LossAboveBar(UnderstudyError):
    """Intake lost more than the bar allows."""

    code, status = "loss_above_bar", 422


class NotMeasured(UnderstudyError):
    """The evidence asked for does not exist yet."""

    code, status, exit_code = "not_measured", 409, 3


class JournalAmbiguous(NotMeasured):
    """A journal that cannot be told apart by task."""

    code = "journal_ambiguous"


class MissingBlob(NotMeasured):
    """A blob that is missing or does not match its digest."""

    code = "missing_blob"


class AlreadyExists(UnderstudyError):
    """An id or a directory that is taken."""

    code, status = "already_exists", 409


class Finished(UnderstudyError):
    """Something that has already ended."""

    code, status = "finished", 409


class IdempotencyConflict(UnderstudyError):
    """The same key with other arguments."""

    code, status = "idempotency_conflict", 409


class StalePrecondition(UnderstudyError):
    """A document that has changed since the caller read it."""

    code, status = "stale_precondition", 412


class CursorInvalid(UnderstudyError):
    """A cursor from another query, filter or secret."""

    code, status, exit_code = "cursor_invalid", 400, 2


class Claimed(UnderstudyError):
    """A live executor holds the directory."""

    code, status, exit_code = "claimed", 409, 5


class ClaimLost(Claimed):
    """A claim that another executor has taken over: its old holder writes nothing more."""


class DirectoryBusy(UnderstudyError):
    """The directory's short lock was not free for ten seconds."""

    code, status, exit_code = "directory_busy", 503, 5


class Busy(UnderstudyError):
    """The database was not free for twenty seconds."""

    code, status, exit_code = "busy", 503, 5


class LocksUnsupported(UnderstudyError):
    """A file system that refuses locks."""

    code, status = "locks_unsupported", 409


class NewerSchema(UnderstudyError):
    """A document that a newer understudy wrote."""

    code, status = "newer_schema", 409


class LedgerRewritten(UnderstudyError):
    """A mirrored ledger whose beginning is not what was read."""

    code, status = "ledger_rewritten", 409


class DiskFull(UnderstudyError):
    """An append that was cut back for want of space."""

    code, status = "disk_full", 507


class GatewayFailed(UnderstudyError):
    """A model or a hosted service did not answer."""

    code, status, exit_code = "gateway_failed", 502, 5


class CredentialsMissing(UnderstudyError):
    """No source of the credential chain yields a key."""

    code, status = "credentials_missing", 503


class Unsupported(UnderstudyError):
    """A capability or backend that is absent here."""

    code, status = "unsupported", 501


class JobLost(UnderstudyError):
    """A job whose process died without a result."""

    code = "job_lost"


class Internal(UnderstudyError):
    """Anything else; details.error_id is also in the log."""
