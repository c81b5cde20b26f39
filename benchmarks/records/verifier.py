"""verifier-fixtures.jsonl and verifier-report.json (spec/files.md 7.7)."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.digest import json_digest

Expect = Literal["pass", "fail"]
Origin = Literal["captured", "oracle", "mutant", "authored"]
Verdict = Literal["tested", "weak", "untested"]
ID_HEX = 12


class FixtureCall(Record):
    """One call of a fixture. Accepted means status ok."""

    tool: str
    arguments: JsonObject | None = nullable()
    """None where the text of the arguments did not parse."""
    status: str = "ok"
    content: Any = None
    """The result, which `ref` reads."""
    arguments_raw: str | None = None


class Mutation(Record):
    """What was done to the source to make a mutant."""

    operator: str
    obligation_id: str | None = None


class VerifierFixture(Record):
    """One rollout that a verifier must pass or must fail."""

    schema_version: Literal["understudy.verifier_fixture.v1"] = "understudy.verifier_fixture.v1"
    fixture_id: str
    task_id: str
    expect: Expect
    origin: Origin
    calls: list[FixtureCall] = Field(default_factory=list)
    final_response: str | None = nullable()
    created_at: str
    actor: str | None = nullable()
    door: str | None = None
    idempotency_key: str | None = None
    arguments_sha256: str | None = None
    """The actor block of spec/files.md 5.2."""
    texts: list[str] | None = None
    """Everything that was said, in order; absent: the final response alone."""
    termination: str | None = None
    """Absent: `finished` where the final response has text, else `max_turns`."""
    mutation: Mutation | None = None
    harmless: bool | None = None
    """True: a variant that must still pass."""
    retired: bool | None = None
    """True: it no longer counts."""
    note: str | None = None


def fixture_id(*parts: str) -> str:
    """`fx-` and 12 hex of what names a fixture: its task, its origin, and what tells it apart."""
    return "fx-" + json_digest(list(parts))[:ID_HEX]


def standing_fixtures(lines: Iterable[VerifierFixture]) -> list[VerifierFixture]:
    """The newest line of each fixture, in the order of their first lines; retired ones left out."""
    newest = {line.fixture_id: line for line in lines}
    return [line for line in newest.values() if not line.retired]


class FixtureCounts(Record):
    """How the fixtures that are no mutants behaved."""

    pass_: int = Field(alias="pass")
    pass_accepted: int
    fail: int
    fail_rejected: int


class MutantCounts(Record):
    """How many faults were made, and what became of them."""

    made: int
    rejected: int
    equivalent: int
    """They do what the original does: not counted."""
    broken: int
    """No world could have let them happen: not counted."""


class HarmlessCounts(Record):
    """How many harmless variants were made and accepted."""

    made: int
    accepted: int


class Finding(Record):
    """One fixture that a reviewer should see, in words."""

    fixture_id: str
    operator: str
    """The operator of a mutant; else the origin: captured, oracle or authored."""
    obligation_id: str | None = nullable()
    say: str


class SetAside(Finding):
    """A mutant that was made and not counted."""

    why: Literal["equivalent", "broken"]


class ProbeCounts(Record):
    """How many counted faults were aimed at something, and how many were rejected."""

    made: int
    rejected: int


class ObligationProbes(ProbeCounts):
    """Faults aimed at one obligation."""

    killed: bool
    """Whether some rejected fault left the obligation unmet, wherever it was aimed."""


class TaskVerification(Record):
    """How far the verifier of one task can be trusted."""

    task_id: str
    verifier_sha256: str | None = nullable()
    valid_pass: bool
    wrong_fail: bool
    fixtures: FixtureCounts
    mutants: MutantCounts
    mutation_score: float | None = nullable()
    """rejected / (made - equivalent - broken); None when that divisor is 0."""
    harmless: HarmlessCounts
    loo_accept: float | None = None
    """The share of successes that the contract of the others accepts."""
    loo_refused: dict[str, dict[str, str]] | None = None
    """Each success that it refuses, with the unmet entries and why."""
    survivors: list[Finding] = Field(default_factory=list)
    """Wrong rollouts that the verifier passes; the captured ones first."""
    refused: list[Finding] | None = None
    """Right rollouts that the verifier fails."""
    set_aside: list[SetAside] | None = None
    """Faults that were not counted, and why."""
    by_obligation: dict[str, ObligationProbes] = Field(default_factory=dict)
    by_operator: dict[str, ProbeCounts] = Field(default_factory=dict)
    judgeability: str | None = nullable()
    verdict: Verdict
    why: list[str] | None = None
    """Why the verdict is not `tested`, in words."""


class VerifierReport(Record):
    """verifier-report.json: every verifier of a benchmark, tested."""

    schema_version: Literal["understudy.verifier_report.v1"] = "understudy.verifier_report.v1"
    generated_at: str
    seed: int
    tasks: list[TaskVerification] = Field(default_factory=list)
    totals: dict[str, int] = Field(default_factory=dict)
