"""The blocks that several records share (spec/files.md 4.3 and 5)."""

from typing import Any

from pydantic import model_validator

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.vocabulary import Blame


class Usage(Record):
    """Tokens of model calls, counted at the leaf. Input holds the cached, output the reasoning."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cache_write_1h_tokens: int | None = None
    reasoning_tokens: int | None = None
    reported_cost_usd: float | None = None
    calls: int | None = None
    unreported_calls: int | None = None
    extra: JsonObject | None = None


class Pricing(Record):
    """Where a cost came from: reported, table, free or unknown."""

    basis: str
    price_table_sha256: str | None = None
    price_table_version: str | None = None
    reported_usd: float | None = None
    computed_usd: float | None = None
    unpriced: list[str] | None = None
    partial: bool | None = None


class Fidelity(Record):
    """Where the world's answers came from; the six kinds sum to `calls`."""

    calls: int
    served: int
    not_recorded: int
    echoed: int
    simulated: int
    live: int
    rejected: int
    share: float | None = nullable()
    """served / (served + not_recorded); None when nothing needed the recording."""


class MissingReason(Record):
    """Why a row has no score."""

    code: str
    blame: Blame
    detail: str
    """At most 500 characters."""


class Score(Record):
    """What the one scorer says; every number is None when the contract is not judgeable."""

    judgeable: bool
    strict: int | None = nullable()
    score: float | None = nullable()
    recall: float | None = nullable()
    precision: float | None = nullable()
    policy: float | None = nullable()
    met: list[str]
    unmet: list[str]
    violated: list[str]
    unexpected_writes: int

    @model_validator(mode="before")
    @classmethod
    def _older_forms(cls, value: Any) -> Any:
        return _older_score(value) if isinstance(value, dict) else value


def _older_score(value: JsonObject) -> JsonObject:
    """A score of an older writer: only a number, or entries by their position."""
    read = {"judgeable": value.get("score") is not None, "unexpected_writes": 0, **value}
    for key in ("met", "unmet", "violated"):
        ids = read.setdefault(key, [])
        if isinstance(ids, list):
            read[key] = [str(item) if type(item) is int else item for item in ids]
    return read


class Estimate(Record):
    """A figure with its 95 % interval, over tasks."""

    value: float
    low: float
    high: float
    level: float
    method: str
    n: int
    """Tasks."""
    rollouts: int | None = None
    seed: int | None = None
    iterations: int | None = None
    few_tasks: bool | None = None


class Insufficient(Record):
    """Too little data for an interval: an answer of its own."""

    insufficient: bool = True
    have: int
    need: int
    method: str


class Counts(Record):
    """Every row of an arm in exactly one place (spec/files.md 5.5)."""

    planned: int | None = None
    rows: int
    excluded: dict[str, int]
    attempted: int
    scored: int
    anomalous: int
    missing: dict[str, int]
    bounds: list[float] | None = None


class Notice(Record):
    """One line that must be seen before the payload."""

    kind: str
    text: str
    level: str | None = None
    arms: list[str] | None = None
    rollouts: int | None = None
    cost_usd: float | None = None


class Hashes(Record):
    """The three digests of a task, by what a change of them costs."""

    env_sha256: str
    verifier_sha256: str
    meta_sha256: str


JsonValue = Any
"""A parsed JSON value of a source; nothing is assumed about it."""
