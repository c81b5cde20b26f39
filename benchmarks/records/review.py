"""reviews.jsonl and review-policy.json (spec/files.md 9.1)."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from benchmarks.records.base import Record
from benchmarks.records.vocabulary import Decision


class Review(Record):
    """One explicit verdict on a task; the newest line of a task wins."""

    schema_version: Literal["understudy.benchmark_review.v1"] = "understudy.benchmark_review.v1"
    benchmark_id: str
    """The directory's name; not checked on read."""
    task_id: str
    decision: Decision
    note: str = ""
    created_at: str
    source: str | None = None
    """human, agent or auto; absent is human."""
    actor: str | None = None
    door: str | None = None
    idempotency_key: str | None = None
    arguments_sha256: str | None = None
    """The actor block of spec/files.md 5.2; absent on old lines."""
    task_hash: str | None = None


def _word(default: str, *words: str) -> BeforeValidator:
    return BeforeValidator(lambda value: value if value in words else default)


def _share(default: float) -> BeforeValidator:
    def read(value: Any) -> float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if number and 0 <= value <= 1 else default

    return BeforeValidator(read)


def _flag(default: bool) -> BeforeValidator:
    return BeforeValidator(lambda value: value if isinstance(value, bool) else default)


class ReviewPolicy(Record):
    """The operator's bars. A bad value means the default of that field: a typo never loosens."""

    schema_version: Literal["understudy.review_policy.v1"] = "understudy.review_policy.v1"
    min_confidence: Annotated[str, _word("high", "high", "medium", "low")] = "high"
    require_incumbent_pass: Annotated[bool, _flag(True)] = True
    default_decision: Annotated[str, _word("accept", "accept", "pending")] = "accept"
    min_fidelity: Annotated[float, _share(0.8)] = 0.8
    min_mutation_score: Annotated[float, _share(0.8)] = 0.8
