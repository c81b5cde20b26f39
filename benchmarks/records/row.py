"""rows-<run>-<arm>.jsonl (spec/files.md 10.5)."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.blocks import Fidelity, MissingReason, Pricing, Usage
from benchmarks.records.vocabulary import AnySplit, ArmKind, Blame, Route, RowStatus, Split

UNKNOWN_ARM = "unknown"


STATUSES = {status.value: status for status in RowStatus}
ROUTES = {route.value: route for route in Route}


def _status(word: object) -> RowStatus:
    return STATUSES.get(word, RowStatus.ERROR) if isinstance(word, str) else RowStatus.ERROR


def _route(word: object) -> Route:
    """A route by content, as older writers spelled it."""
    if not isinstance(word, str):
        return Route.UNKNOWN
    return ROUTES.get(word) or _older_route(word.casefold())


def _older_route(text: str) -> Route:
    for route, marks in (
        (Route.LOCAL, ("local",)),
        (Route.GATEWAY, ("gateway",)),
        (Route.BYO, ("byo", "direct", "passthrough")),
        (Route.OFFLINE, ("offline",)),
    ):
        if any(mark in text for mark in marks):
            return route
    return Route.UNKNOWN


def _rollout(value: object) -> object:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class Anomaly(Record):
    """Why a row does not belong in a headline."""

    kind: str
    detail: str = ""


class ObligationMark(Record):
    """Whether and when an entry was met: the call's index, or the number of calls for a text."""

    id: str
    met: bool
    met_at: int | None = nullable()


class Row(Record):
    """One cell of a run: one task, one arm, one rollout. A score exactly when the status is ok."""

    schema_version: Literal["understudy.eval_result.v1"] = "understudy.eval_result.v1"
    run_id: str
    benchmark_id: str | None = None
    task_id: str
    category_id: str | None = nullable()
    split: AnySplit = Split.NONE
    model: str
    """The arm's label."""
    arm_kind: str = ArmKind.CANDIDATE.value
    rollout: Annotated[int | None, BeforeValidator(_rollout)] = None
    """From 0; absent on older rows, which are numbered by order."""
    route: Annotated[Route, BeforeValidator(_route)] = Route.UNKNOWN
    called_model: str | None = nullable()
    score: float | None = nullable()
    """None unless status is ok. An error is never a zero."""
    status: Annotated[RowStatus, BeforeValidator(_status)]
    subscores: JsonObject | None = nullable()
    missing_reason: MissingReason | None = None
    error: str | None = None
    error_boundary: str | None = None
    obligations: list[ObligationMark] | None = nullable()
    violations: JsonObject | None = nullable()
    termination: str | None = nullable()
    turns: int | None = nullable()
    anomaly: Anomaly | None = None
    anomalies: list[Anomaly] | None = None
    latency_ms: float | None = nullable()
    cost: float | None = nullable()
    """US dollars; None is unknown, never zero."""
    pricing: Pricing | None = nullable()
    usage: Usage | None = nullable()
    created_at: str | None = nullable()
    executor_version: str | None = nullable()
    fence: int | None = None
    seed: int | None = None
    writes: list[JsonObject] = Field(default_factory=list)
    tool_call_count: int | None = nullable()
    final_response_chars: int | None = nullable()
    final_response_excerpt: str | None = nullable()
    fidelity: Fidelity | None = nullable()
    posture: Literal["live"] | None = None
    """Said where calls went to something real: such a row is compared with no other posture."""
    retries: JsonObject | None = None
    notes: list[str] | None = None
    trajectory_ref: JsonObject | None = nullable()
    provenance: JsonObject | None = nullable()
    prompt_override: JsonObject | None = None
    local_artifact: JsonObject | None = None
    fallback_reason: str | None = None
    tokens_per_sec: float | None = None
    peak_memory_bytes: int | None = None
    oracle: JsonObject | None = None
    trace_ref: JsonObject | None = None

    @model_validator(mode="before")
    @classmethod
    def _older_forms(cls, value: Any) -> Any:
        return read_older(value) if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _score_exactly_when_ok(self) -> Self:
        if (self.score is not None) != (self.status is RowStatus.OK):
            raise ValueError(f"score {self.score} does not go with status {self.status}")
        return self

    @property
    def kind(self) -> str:
        """The arm kind, the runner's marker over what is written."""
        return self.arm_kind


def read_older(value: JsonObject) -> JsonObject:
    """The line in today's form: markers, costs, scores and reasons of older writers."""
    line = dict(value)
    subscores = line.get("subscores")
    if isinstance(subscores, dict) and subscores.get("runner_oracle") == 1:
        line["arm_kind"] = ArmKind.ORACLE.value
    line["arm_kind"] = line.get("arm_kind") or ArmKind.CANDIDATE.value
    cost = line.get("cost")
    if isinstance(cost, dict):
        line["cost"] = cost.get("usd")
        line.setdefault("pricing", {"basis": str(cost.get("basis", "unknown"))})
    _settle_score(line)
    if line.get("status") != RowStatus.OK and "missing_reason" not in line:
        line["missing_reason"] = _older_reason(line)
    return line


def _settle_score(line: JsonObject) -> None:
    score = line.get("score")
    number = (
        float(score) if isinstance(score, int | float) and not isinstance(score, bool) else None
    )
    line["status"] = _status(line.get("status")).value
    if line["status"] == RowStatus.OK and number is None:
        line["status"], line["score"] = RowStatus.UNSCORED.value, None
        line["missing_reason"] = {
            "code": "non_finite_score",
            "blame": Blame.VERIFIER.value,
            "detail": "the row says ok and has no finite score",
        }
    elif line["status"] != RowStatus.OK:
        line["score"] = None
    elif number is not None and not 0 <= number <= 1:
        line["subscores"] = {**(line.get("subscores") or {}), "raw_reward": score}
        line["score"] = min(1.0, max(0.0, number))


def _older_reason(line: JsonObject) -> JsonObject:
    error = str(line.get("error") or "")
    if error.startswith("rollout_timeout"):
        code, blame = "rollout_timeout", Blame.AGENT
    elif line.get("status") == RowStatus.UNSCORED:
        code, blame = "not_judgeable", Blame.VERIFIER
    else:
        code, blame = "unknown", Blame.INFRA
    return {"code": code, "blame": blame.value, "detail": error[:500]}
