"""The same judgement, step by step: when each entry was met, and how the score grew."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.contract.contract_words import STATE_EFFECT, reach_of
from benchmarks.contract.entries import Demand, Demands, demands_of
from benchmarks.contract.matching import match_arguments, no_results
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed
from benchmarks.contract.said import in_arguments, is_said, said_kind
from benchmarks.contract.score import Known, Scored, judge
from benchmarks.records.blocks import Score
from benchmarks.records.contract import Contract
from benchmarks.records.row import ObligationMark


def marks(
    contract: Contract, observed: Observed, policy: Policy, scored: Scored | None = None
) -> list[ObligationMark]:
    """Each required entry with whether and when it was met, as a row keeps it.

    `met_at` is the index of the call that met it; for words, and for what only the end decides,
    the number of calls made by then; None while it is unmet. `scored` saves judging twice.
    """
    demands = demands_of(contract, policy)
    return marks_of(demands, observed, scored or judge(demands, observed, policy))


def marks_of(demands: Demands, observed: Observed, scored: Scored) -> list[ObligationMark]:
    """The same of a contract made ready and judged already."""
    met = set(scored.score.met)
    return [
        ObligationMark(
            id=demand.id,
            met=demand.id in met,
            met_at=met_at(demand, observed, scored) if demand.id in met else None,
        )
        for demand in demands.required
        if not demand.is_optional
    ]


def met_at(demand: Demand, observed: Observed, scored: Scored) -> int:
    """When a met entry was met."""
    if demand.id in scored.matched:
        return scored.matched[demand.id]
    if demand.type == "value_propagation":
        return value_met_at(demand, observed)
    if demand.type == "read_obligation":
        return first_call(demand, observed)
    if demand.entry.kind == "consulted":
        return next(index for index, call in enumerate(observed.calls) if call.accepted)
    return len(observed.calls)


def first_call(demand: Demand, observed: Observed) -> int:
    """The first accepted call that a read_obligation asks for; the end where a `ref` decides."""
    fitting = (
        index
        for index, call in enumerate(observed.calls)
        if call.accepted
        and call.tool == demand.tool
        and not match_arguments(demand.matchers, call.arguments, no_results)
    )
    return next(fitting, len(observed.calls))


def value_met_at(demand: Demand, observed: Observed) -> int:
    """When a value was said: the calls made before the text, or the call that carried it."""
    entry = demand.entry
    kind = said_kind(entry.value, entry.as_)
    if reach_of(entry) == "tool_args":
        carrying = (
            index
            for index, call in enumerate(observed.calls)
            if call.accepted and in_arguments(call.arguments, entry.value, kind)
        )
        return next(carrying, len(observed.calls))
    if reach_of(entry) == "response":
        for place, text in enumerate(observed.texts):
            if is_said(text, entry.value, kind):
                return calls_before(observed, place)
    return len(observed.calls)


def calls_before(observed: Observed, text: int) -> int:
    """How many calls stood before a text; all of them where turns are not known."""
    if text >= len(observed.text_turns):
        return len(observed.calls)
    turn = observed.text_turns[text]
    return sum(call.turn is not None and call.turn < turn for call in observed.calls)


@dataclass(frozen=True, slots=True)
class Step:
    """The rollout up to and with one call or one text, judged without `answered`."""

    call: int | None
    text: int | None
    turn: int | None
    score: Score


def steps(contract: Contract, observed: Observed, policy: Policy) -> tuple[Step, ...]:
    """Every prefix of a rollout judged; the end adds only whether it was closed."""
    demands = without_answered(demands_of(contract, policy))
    order = events(observed)
    known: Known = {}
    return tuple(
        Step(
            call=event.call,
            text=event.text,
            turn=event.turn,
            score=judge(demands, prefix(observed, order[:count]), policy, known).score,
        )
        for count, event in enumerate(order, 1)
    )


@dataclass(frozen=True, slots=True)
class Event:
    """One call or one text, where it stood."""

    turn: int | None
    call: int | None = None
    text: int | None = None


def events(observed: Observed) -> list[Event]:
    """Calls and texts in the order of their turns, the words of a turn before its calls.

    Where a turn is not known the calls come first, then the texts.
    """
    calls = [Event(call.turn, call=index) for index, call in enumerate(observed.calls)]
    turns = observed.text_turns or (None,) * len(observed.texts)
    texts = [Event(turn, text=index) for index, turn in enumerate(turns)]
    if any(event.turn is None for event in [*calls, *texts]):
        return [*calls, *texts]
    return sorted([*texts, *calls], key=lambda event: event.turn or 0)


def prefix(observed: Observed, order: Sequence[Event]) -> Observed:
    """The rollout as it stood after these events."""
    texts = tuple(observed.texts[event.text] for event in order if event.text is not None)
    return replace(
        observed,
        calls=tuple(observed.calls[event.call] for event in order if event.call is not None),
        texts=texts,
        final_response=texts[-1] if texts else None,
        text_turns=(),
    )


def without_answered(demands: Demands) -> Demands:
    """The demands that can be judged before the end; none of them when there is no other."""
    kept = tuple(demand for demand in demands.required if demand.entry.kind != "answered")
    empty = not any(demand.type == STATE_EFFECT or not demand.is_optional for demand in kept)
    return replace(
        demands, required=kept, problem=demands.problem or ("empty_contract" if empty else None)
    )
