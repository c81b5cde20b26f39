"""Why a record is not a capture: the closed list of spec/build.md 1.9, record level."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a reason means for the source: only a loss counts as one."""

    LOSS = "loss"
    FILTER = "filter"
    NOISE = "noise"


class Reason(StrEnum):
    """Why one record gave no capture."""

    MALFORMED_LINE = "malformed_line"
    UNREADABLE_FILE = "unreadable_file"
    TOO_LONG = "too_long"
    UNSUPPORTED_VERSION = "unsupported_version"
    NO_MESSAGES = "no_messages"
    MISSING_IDS = "missing_ids"
    CONTENT_MASKED = "content_masked"
    MISSING_HISTORY = "missing_history"
    NO_RESPONSE = "no_response"
    NEEDS_EXTRA = "needs_extra"
    STALE = "stale"
    MALFORMED_TIMESTAMP = "malformed_timestamp"
    MISSING_TIMESTAMP = "missing_timestamp"
    WORKLOAD_MISMATCH = "workload_mismatch"
    MISSING_WORKLOAD_SCOPE = "missing_workload_scope"
    NOT_A_CAPTURE = "not_a_capture"
    UNSUPPORTED_DIALECT = "unsupported_dialect"
    FAILED_CALL = "failed_call"
    IGNORED_EXTENSION = "ignored_extension"
    ARCHIVE_NOT_OPENED = "archive_not_opened"
    SYMLINK_SKIPPED = "symlink_skipped"

    @property
    def kind(self) -> Kind:
        """Whether the reason is a loss, a filter or noise."""
        if self in FILTERS:
            return Kind.FILTER
        return Kind.NOISE if self in NOISE else Kind.LOSS


FILTERS = frozenset({
    Reason.STALE,
    Reason.MALFORMED_TIMESTAMP,
    Reason.MISSING_TIMESTAMP,
    Reason.WORKLOAD_MISMATCH,
    Reason.MISSING_WORKLOAD_SCOPE,
})
NOISE = frozenset({
    Reason.NOT_A_CAPTURE,
    Reason.UNSUPPORTED_DIALECT,
    Reason.FAILED_CALL,
    Reason.IGNORED_EXTENSION,
    Reason.ARCHIVE_NOT_OPENED,
    Reason.SYMLINK_SKIPPED,
})


@dataclass(frozen=True, slots=True)
class Dropped:
    """One record that gave no capture: why, where it stands, and what was seen there."""

    reason: Reason
    pointer: str
    detail: str = ""
    local_path: str = ""
    content_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A dialect's answer for a record that it recognises and gets no conversation from."""

    reason: Reason
    detail: str = ""
