"""The ledgers of verdicts: which files they are, and what their lines give the columns."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import NumberedLine
from benchmarks.artifacts.layout import LedgerFile
from benchmarks.artifacts.reading import ledger_records, old_review_records
from benchmarks.mirror.base import Columns, MirroredLedger
from benchmarks.mirror.columns import dated, text, word
from benchmarks.records.note import Feedback, Flag
from benchmarks.records.review import Review
from reviews.decisions import PERSON
from reviews.models.note import FeedbackEntry, FlagEntry
from reviews.models.review import ReviewEntry

OLD_REVIEWS = LedgerFile(layout.OLD_REVIEWS, Review)


def review_files(directory: BenchmarkDir) -> Sequence[LedgerFile[Any]]:
    """The reference's older ledger, and ours."""
    return (OLD_REVIEWS, layout.REVIEWS)


def review_records(
    source: Any, file: LedgerFile[Review], *rest: Any
) -> Iterator[tuple[NumberedLine, Review]]:
    """The reviews of either file, each read as `BenchmarkDir.reviews` reads it."""
    read = old_review_records if file.path == layout.OLD_REVIEWS else ledger_records
    return read(source, file, *rest)


def review_columns(review: Review) -> Columns:
    """The columns of a `ReviewEntry`."""
    return {
        **dated(review.created_at),
        "task_id": word(review.task_id),
        "decision": review.decision.value,
        "source": word(review.source or PERSON, 16),
        "actor": word(review.actor),
        "door": word(review.door, 32),
        "note": text(review.note),
        "task_hash": word(review.task_hash, 64),
    }


def feedback_columns(line: Feedback) -> Columns:
    """The columns of a `FeedbackEntry`; where its id stands is worked out afterwards."""
    return {
        **_note_columns(line),
        "source": word(line.source, 64),
        "feedback": text(line.feedback),
        "addressed_by": word(line.addressed_by),
    }


def flag_columns(line: Flag) -> Columns:
    """The columns of a `FlagEntry`; where its id stands is worked out afterwards."""
    return {
        **_note_columns(line),
        "reason": word(line.reason, 64),
        "note": text(line.note),
        "resolution": text(line.resolution),
    }


def _note_columns(line: Feedback | Flag) -> Columns:
    return {
        **dated(line.created_at),
        "ref": word(line.ref),
        "task_id": word(line.task_id),
        "status": line.status,
        "actor": word(line.actor),
        "door": word(line.door, 32),
    }


LEDGERS = (
    MirroredLedger("reviews", ReviewEntry, review_files, review_columns, records=review_records),
    MirroredLedger("feedback", FeedbackEntry, lambda _: (layout.FEEDBACK,), feedback_columns),
    MirroredLedger("flags", FlagEntry, lambda _: (layout.FLAGS,), flag_columns),
)
