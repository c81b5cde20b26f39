"""A contract in plain words: one line per entry, for people and for labels."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.contract.contract_words import reach_of
from benchmarks.contract.entries import matchers_of
from benchmarks.contract.matching import Matcher, item_matchers, wanted
from benchmarks.contract.said import said_kind
from benchmarks.contract.values import shown
from benchmarks.records.contract import Contract, Entry

LABEL_ARGUMENTS = 4
COMPARED = {
    "exact": ("exactly ", ""),
    "number": ("", " by value"),
    "date": ("", " as a date"),
    "text": ("", " in these words"),
}
"""What stands before and behind a value in a sentence: how it is compared."""


def contract_in_words(contract: Contract) -> list[str]:
    """What a contract demands, one line per entry, then the rule for extra writes."""
    lines = [entry_in_words(entry) for entry in contract.required]
    lines.extend(f"must leave alone: {preserved_in_words(entry)}" for entry in contract.preserved)
    lines.extend(f"must not happen: {forbidden_in_words(entry)}" for entry in contract.forbidden)
    return [*lines, extra_writes_in_words(contract)] if lines else ["nothing: cannot be judged"]


def entry_in_words(entry: Entry) -> str:
    """What one required entry demands."""
    say = SAYINGS.get(entry.type or "state_effect")
    words = say(entry) if say else f"unknown entry type {entry.type!r}: cannot be judged"
    if entry.any_of:
        words = f"{words} (or another of {entry.any_of})"
    return f"{words} (may, need not)" if entry.optional is True else words


def sentence(entry: Entry) -> str:
    """What one required entry demands, with how each value is compared."""
    if entry.type not in {None, "state_effect", "read_obligation"}:
        return entry_in_words(entry)
    said = [compared_in_words(name, matcher) for name, matcher in matchers_of(entry).items()]
    words = f"calls {entry.tool} " + (
        f"with {', '.join(said)}" if said else "whatever its arguments"
    )
    if entry.any_of:
        words = f"{words} (or another of {entry.any_of})"
    return f"{words} (may, need not)" if entry.optional is True else words


def compared_in_words(name: str, matcher: Matcher) -> str:
    """One argument of a sentence: `order_id exactly 8841`, `amount 25 by value`."""
    how = COMPARED.get(str(matcher.get("match")))
    if how is None:
        return argument_in_words(name, matcher)
    before, behind = how
    words = f"{name} {before}{bare(matcher.get('value'))}{behind}"
    if tolerance := matcher.get("tolerance"):
        words = f"{words} (within {shown(tolerance)})"
    return f"{words} or left out" if matcher.get("optional") is True else words


def extra_writes_in_words(contract: Contract) -> str:
    """What an accepted write that no obligation accounts for means."""
    return "any other accepted write " + ("fails" if contract.writes == "forbid" else "is allowed")


def entry_label(entry: Entry) -> str:
    """A short name of an entry: its tool and the values it compares, or its words."""
    if not entry.tool:
        return entry_in_words(entry)
    values = [
        f"{name}={bare(matcher.get('value'))}"
        for name, matcher in matchers_of(entry).items()
        if matcher.get("match") in {"exact", "number", "text", "date"}
        and matcher.get("optional") is not True
    ]
    return " ".join([entry.tool, *values[:LABEL_ARGUMENTS]])


def call_in_words(entry: Entry) -> str:
    """A call with its arguments."""
    said = [argument_in_words(name, matcher) for name, matcher in matchers_of(entry).items()]
    return (
        f"{entry.tool} with {', '.join(said)}" if said else f"{entry.tool}, whatever its arguments"
    )


def argument_in_words(name: str, matcher: Matcher) -> str:
    """One argument and how it is compared."""
    kind = matcher.get("match")
    words = ARGUMENTS[kind](name, matcher) if kind in ARGUMENTS else f"{name} by unknown {kind!r}"
    return f"{words} or left out" if matcher.get("optional") is True else words


def bare(value: Any) -> str:
    """A value without quotes."""
    return shown(value)[1:-1] if isinstance(value, str) else shown(value)


def equals(name: str, matcher: Matcher) -> str:
    """An argument with one value."""
    tolerance = matcher.get("tolerance")
    within = f" (within {shown(tolerance)})" if tolerance else ""
    return f"{name} = {bare(matcher.get('value'))}{within}"


def holds(name: str, matcher: Matcher) -> str:
    """An argument that is a list."""
    items = [
        bare(item["value"]) if "value" in item else wanted(item) for item in item_matchers(matcher)
    ]
    order = "in this order" if matcher.get("match") == "list" else "in any order"
    among = "among others" if matcher.get("contains") is True else ""
    how = ", ".join(part for part in (order if len(items) > 1 else "", among) if part)
    return f"{name} = [{', '.join(items)}]" + (f" ({how})" if how else "")


def has_fields(name: str, matcher: Matcher) -> str:
    """An argument that is an object."""
    fields = matcher.get("fields") or {}
    said = [argument_in_words(field, inner) for field, inner in fields.items()]
    return f"{name} holding {', '.join(said)}" if said else f"{name} present (not compared)"


ARGUMENTS: Mapping[Any, Callable[[str, Matcher], str]] = {
    "exact": equals,
    "number": equals,
    "text": equals,
    "date": equals,
    "set": holds,
    "list": holds,
    "object": has_fields,
    "prose": lambda name, _: f"{name} present (not compared)",
    "one_of": lambda name, matcher: f"{name} = {wanted(matcher)}",
    "ref": lambda name, matcher: f"{name} = {wanted(matcher)}",
    "any": lambda name, _: f"{name} anything",
    "absent": lambda name, _: f"{name} left out",
}


def value_in_words(entry: Entry) -> str:
    """A value that must be said."""
    reach = entry.must_reach or {}
    places = {
        "final_response": "in the final text",
        "response": "in some text",
        "tool_args": f"in an argument of {reach.get('tool') or 'a call'}",
    }
    kind = said_kind(entry.value, entry.as_)
    return f"says {bare(entry.value)} ({kind}) {places.get(reach_of(entry), reach_of(entry))}"


def no_change_in_words(entry: Entry) -> str:
    """Nothing may change."""
    return f"no accepted write to {', '.join(entry.tools)}" if entry.tools else "no accepted write"


def response_in_words(entry: Entry) -> str:
    """What is asked of the answer."""
    say = RESPONSES.get(entry.kind or "")
    return say(entry) if say else f"unknown response kind {entry.kind!r}: cannot be judged"


def place_in_words(entry: Entry) -> str:
    """A place of the answer and what must stand there."""
    places = {"answer": "the answer", "text": "the text", "": "the JSON answer"}
    return argument_in_words(places.get(entry.at or "", entry.at or ""), entry.matcher or {})


RESPONSES: Mapping[str, Callable[[Entry], str]] = {
    "answered": lambda _: "comes to its own end with an answer",
    "consulted": lambda _: "at least one accepted call",
    "json_parses": lambda _: "answers in JSON",
    "schema_valid": lambda entry: (
        f"answers with the keys {', '.join(entry.expected_keys)}"
        if entry.expected_keys
        else "answers in the expected shape"
    ),
    "contains_category": lambda entry: f"the label is {bare(entry.expected)}",
    "value": place_in_words,
    "token_f1": lambda entry: f"answers in words like {shown(entry.expected)}",
}
SAYINGS: Mapping[str, Callable[[Entry], str]] = {
    "state_effect": call_in_words,
    "read_obligation": call_in_words,
    "value_propagation": value_in_words,
    "response_obligation": response_in_words,
    "no_state_change": no_change_in_words,
}


def preserved_in_words(entry: Entry) -> str:
    """What has to be left alone, and why."""
    entity = entry.entity or {}
    names = [str(entity[key]) for key in ("type", "id") if entity.get(key) is not None]
    tools = entry.tools or ([entry.tool] if entry.tool else [])
    by = [f"by {', '.join(tools)}"] if tools and names else tools
    return because(" ".join([*names, *by]), entry.reason)


def forbidden_in_words(entry: Entry) -> str:
    """What must not be done or said, and why."""
    if entry.type == "forbidden_value":
        where = {"final_response": " in the final text", "tool_args": " in an argument"}
        return because(f"{shown(entry.value)}{where.get(entry.where or '', '')}", entry.reason)
    return because(call_in_words(entry) if entry.arguments else f"any {entry.tool}", entry.reason)


def because(words: str, reason: str | None) -> str:
    """Words with their reason."""
    return f"{words} ({reason})" if reason else words
