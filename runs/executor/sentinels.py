"""Why a finished rollout does not belong in a headline (spec/run.md 6.1).

`app_replay_unobserved` comes with the arm that can raise it.
"""

from dataclasses import dataclass

from benchmarks.contract.contract_words import STATE_EFFECT
from benchmarks.records.contract import Contract
from benchmarks.records.row import Anomaly
from runs.arms.oracle import CALLING_TYPES, SAYING_TYPES

SHORT_BOUNDARY = 32
LONG_BOUNDARY = 400
LEAST_SHARE_SENT = 0.1
NO_CALLS = "made_no_calls"
SAID_NOTHING = "said_nothing"
WRITING_TYPES = frozenset({None, STATE_EFFECT})


@dataclass(frozen=True, slots=True)
class Finished:
    """What the sentinels look at."""

    costs_nothing: bool
    """A trivial or reference arm: only a timeout can make it anomalous."""
    scored: bool
    score: float | None
    timed_out: bool = False
    has_delivery: bool = False
    """Whether what reached the model is known."""
    delivery_differs: bool = False
    delivery_proven: bool = False
    sent: str = ""
    """The user text that was sent first."""
    boundary: str = ""
    """The user text of the task's boundary."""
    title: str = ""
    fidelity: float | None = None
    min_fidelity: float = 0.8
    truncated_by_provider: bool = False
    journal_lines: int = 0
    """Lines of this attempt after its start line."""
    calls: int = 0
    final_text: str | None = None
    wants_calls: bool = False
    """The contract asks for calls."""
    wants_writes: bool = False
    """A state effect is required."""
    wants_response: bool = False
    """The response is judged."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kinds of acts a contract asks for: the sentinels look for their absence."""

    calls: bool
    writes: bool
    response: bool


def wanted_by(contract: Contract) -> Wanted:
    """What a contract asks for."""
    types = {entry.type for entry in contract.required}
    return Wanted(
        calls=bool(types & CALLING_TYPES),
        writes=bool(types & WRITING_TYPES),
        response=bool(types & SAYING_TYPES),
    )


def anomalies(finished: Finished) -> list[Anomaly]:
    """Every anomaly that holds, in order; the first is the row's."""
    found = []
    if finished.timed_out:
        found.append(Anomaly(kind="rollout_timeout", detail="the rollout's time ran out"))
    if finished.costs_nothing:
        return found
    for kind, detail in (
        ("treatment_undelivered", _undelivered(finished)),
        ("empty_prompt", _empty_prompt(finished)),
        ("low_fidelity", _low_fidelity(finished)),
        ("truncated_output", _truncated(finished)),
        ("no_journal_events", _no_journal(finished)),
        ("no_tool_calls", _no_calls(finished)),
        ("empty_final_response", _said_nothing(finished)),
        ("zero_score_zero_calls", _zero_without_calls(finished)),
    ):
        if detail is not None:
            found.append(Anomaly(kind=kind, detail=detail))
    return found


def notes(finished: Finished) -> list[str]:
    """What an agent that was reached did not do: its zero is honest."""
    if finished.costs_nothing or not finished.scored or not finished.delivery_proven:
        return []
    found = []
    if finished.wants_writes and not finished.calls:
        found.append(NO_CALLS)
    if finished.wants_response and not finished.final_text:
        found.append(SAID_NOTHING)
    return found


def _undelivered(finished: Finished) -> str | None:
    if finished.has_delivery and finished.delivery_differs:
        return "what reached the model is not what the task and the arm promise"
    return None


def _empty_prompt(finished: Finished) -> str | None:
    sent, boundary = finished.sent.strip(), finished.boundary.strip()
    if not sent:
        return "the user text sent is blank"
    if sent == finished.title.strip() != boundary and len(boundary) >= SHORT_BOUNDARY:
        return "the title was sent in place of the task's text"
    if len(boundary) >= LONG_BOUNDARY and len(sent) < LEAST_SHARE_SENT * len(boundary):
        return f"{len(sent)} of {len(boundary)} characters of the task's text were sent"
    return None


def _low_fidelity(finished: Finished) -> str | None:
    share = finished.fidelity
    if share is None or share >= finished.min_fidelity:
        return None
    return f"{share:.4g} of the answers came from the recording, at least {finished.min_fidelity:g}"


def _truncated(finished: Finished) -> str | None:
    return "the provider cut the output" if finished.truncated_by_provider else None


def _no_journal(finished: Finished) -> str | None:
    if finished.scored and finished.wants_calls and not finished.journal_lines:
        return "the attempt left no journal line but its start"
    return None


def _no_calls(finished: Finished) -> str | None:
    if not finished.scored or finished.delivery_proven:
        return None
    if finished.wants_writes and not finished.calls:
        return "a write is required and no call was made"
    return None


def _said_nothing(finished: Finished) -> str | None:
    if not finished.scored or finished.delivery_proven:
        return None
    return None if finished.final_text or not finished.wants_response else "no final text"


def _zero_without_calls(finished: Finished) -> str | None:
    if not finished.scored or finished.delivery_proven or finished.score != 0:
        return None
    return "score 0 and no call" if finished.wants_calls and not finished.calls else None
