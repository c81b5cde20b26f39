"""What is required of the words: values said, and the shape and content of the answer.

Each check returns None when its entry is met, else why it is not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.contract_words import reach_of
from benchmarks.contract.entries import Demand
from benchmarks.contract.json_shape import shape_problem
from benchmarks.contract.json_text import extract_json, pointed
from benchmarks.contract.labels import answers, is_label
from benchmarks.contract.matching import Matcher, mismatch, no_results
from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.contract.observed import Observed
from benchmarks.contract.plain_text import has_word
from benchmarks.contract.said import in_arguments, is_said, said_kind, token_f1
from benchmarks.contract.text_numbers import numbers_in
from benchmarks.contract.values import shown
from benchmarks.records.contract import Entry

F1_THRESHOLD = 0.8


@dataclass(frozen=True, slots=True)
class Words:
    """What a rollout said and did, as far as the answer is judged."""

    observed: Observed
    policy: Policy
    final: str

    @classmethod
    def of(cls, observed: Observed, policy: Policy) -> "Words":
        """The words of a rollout, its final text found once."""
        return cls(observed, policy, observed.final_text(policy))


def unsaid(demand: Demand, words: Words) -> str | None:
    """Why a value_propagation is not met."""
    entry = demand.entry
    kind = said_kind(entry.value, entry.as_)
    reach = reach_of(entry)
    if reach == "tool_args":
        met = in_calls(entry, kind, words)
    elif reach == "response":
        texts = [*words.observed.texts, words.final]
        met = any(is_said(text, entry.value, kind) for text in texts)
    else:
        met = is_said(words.final, entry.value, kind)
    where = {"tool_args": "in no argument", "response": "in no text"}.get(
        reach, "in the final text"
    )
    negation = "does not stand" if reach == "final_response" else "stands"
    return None if met else f"{shown(entry.value)} {negation} {where}"


def in_calls(entry: Entry, kind: str, words: Words) -> bool:
    """Whether an accepted call, of the named tool and field, has the value as an argument."""
    reach = entry.must_reach or {}
    tool, field = reach.get("tool"), reach.get("field")
    for call in words.observed.calls:
        if not call.accepted or (tool and call.tool != tool):
            continue
        arguments = call.arguments or {}
        if field:
            arguments = {field: arguments.get(field)}
        if in_arguments(arguments, entry.value, kind):
            return True
    return False


def unanswered(demand: Demand, words: Words) -> str | None:
    """Why a response_obligation is not met."""
    return CHECKS[demand.entry.kind or ""](demand.entry, words)


def not_closed(entry: Entry, words: Words) -> str | None:
    """`answered`: the rollout is closed and said something, or handed over or finished."""
    if not words.observed.finished:
        return f"the rollout did not finish ({words.observed.termination})"
    accepted = [call for call in words.observed.calls if call.accepted]
    if accepted and is_closing(words.policy.get(accepted[-1].tool)):
        return None
    return None if has_word(words.final) else "there is no final text"


def not_consulted(entry: Entry, words: Words) -> str | None:
    """`consulted`: at least one accepted call of any class."""
    accepted = any(call.accepted for call in words.observed.calls)
    return None if accepted else "no call was accepted"


def not_json(entry: Entry, words: Words) -> str | None:
    """`json_parses`: the answer holds a JSON object or array."""
    return None if extract_json(words.final) is not None else "the answer holds no JSON"


def not_shaped(entry: Entry, words: Words) -> str | None:
    """`schema_valid`: the answer is an object with the expected keys and the schema's shape."""
    value = extract_json(words.final)
    if value is None:
        return "the answer holds no JSON"
    if entry.expected_keys and not isinstance(value, dict):
        return "the answer is no object"
    missing = [key for key in entry.expected_keys or [] if key not in value]
    if missing:
        return f"the answer lacks {', '.join(missing)}"
    return shape_problem(value, entry.schema_)


def not_categorised(entry: Entry, words: Words) -> str | None:
    """`contains_category`: the parsed label is the expected one; without labels a said value."""
    if entry.labels is not None or provenance_kind(entry) == "dataset_gold":
        met = is_label(words.final, entry.expected, entry.labels)
    else:
        met = is_said(words.final, entry.expected, said_kind(entry.expected, None))
    return None if met else f"the answer is not {shown(entry.expected)}"


def provenance_kind(entry: Entry) -> str:
    """Where an entry comes from; a bare string is its kind."""
    provenance = entry.provenance
    kind = provenance.get("kind") if isinstance(provenance, Mapping) else provenance
    return kind if isinstance(kind, str) else ""


def not_valued(entry: Entry, words: Words) -> str | None:
    """`value`: what stands at a place of the answer matches."""
    matcher: Matcher = entry.matcher or {}
    if entry.at == "text":
        miss = mismatch(matcher, bool(words.final.strip()), words.final, no_results)
        return None if miss is None else f"the text {miss}"
    if entry.at == "answer":
        return not_the_answer(matcher, words.final)
    value = extract_json(words.final)
    present, found = pointed(value, entry.at or "") if value is not None else (False, None)
    if value is None:
        return "the answer holds no JSON"
    miss = mismatch(matcher, present, found, no_results)
    return None if miss is None else f"{entry.at or 'the answer'} {miss}"


def not_the_answer(matcher: Matcher, text: str) -> str | None:
    """Why no reading of the answer matches."""
    readings = answers(text)
    if matcher.get("match") == "number":
        readings = [*readings, *lone_numbers([*readings, *text.strip().splitlines()[-1:]])]
    misses = [mismatch(matcher, True, reading, no_results) for reading in readings]
    if None in misses:
        return None
    return f"the answer {misses[0]}" if misses else "there is no answer"


def lone_numbers(readings: list[Any]) -> list[str]:
    """The number that a reading holds, where it holds only one."""
    found = [numbers_in(text) for text in readings if isinstance(text, str)]
    return [str(value) for numbers in found if len(numbers) == 1 for value in numbers[0].readings]


def not_alike(entry: Entry, words: Words) -> str | None:
    """`token_f1`: the answer shares enough words with the expected text."""
    readings = [str(answer) for answer in answers(words.final) if isinstance(answer, str)]
    best = max((token_f1(str(entry.expected), reading) for reading in readings), default=0.0)
    bar = F1_THRESHOLD if entry.threshold is None else entry.threshold
    return None if best >= bar else f"F1 {best:.2f} is below {bar:g}"


Check = Callable[[Entry, Words], str | None]
CHECKS: Mapping[str, Check] = {
    "answered": not_closed,
    "consulted": not_consulted,
    "json_parses": not_json,
    "schema_valid": not_shaped,
    "contains_category": not_categorised,
    "value": not_valued,
    "token_f1": not_alike,
}
