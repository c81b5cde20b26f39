"""The words that a contract may use (spec/files.md 7.2, 7.3), and every place that uses another.

People edit contracts by hand, so a word that no rule knows is told with its place, its value and
the words that are known; a contract that holds one is not judgeable.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.contract.iso_dates import PRECISIONS
from benchmarks.contract.matching import KINDS, SIMPLE_KINDS
from benchmarks.records.contract import Contract, Entry

STATE_EFFECT = "state_effect"
ABOUT_CALLS = frozenset({STATE_EFFECT, "read_obligation"})
REQUIRED_TYPES = ABOUT_CALLS | {"value_propagation", "response_obligation", "no_state_change"}
PRESERVED_TYPES = frozenset({"preserved"})
FORBIDDEN_TYPES = frozenset({"forbidden", "forbidden_value"})
RESPONSE_KINDS = frozenset({
    "answered", "consulted", "json_parses", "schema_valid", "contains_category", "value",
    "token_f1",
})  # fmt: skip
SAID_KINDS = frozenset({"exact", "number", "text", "date"})
REACHES = frozenset({"final_response", "response", "tool_args"})
PLACES = frozenset({"any", "final_response", "tool_args"})
EXTRA_WRITES = frozenset({"forbid", "allow"})
ANSWER_PLACES = ("answer", "text", "a JSON Pointer")


@dataclass(frozen=True, slots=True)
class WrongWord:
    """One place of a contract that no rule can read."""

    path: str
    """Within the contract: `required[0].arguments.amount.match`."""
    say: str
    value: Any = None
    known: tuple[str, ...] = ()
    """The words that may stand there; empty where it is not a word that is wrong."""
    entry: str | None = None
    """The id of the entry that holds it."""

    @property
    def message(self) -> str:
        """What is wrong, and which words are known."""
        return f"{self.say}; known: {', '.join(self.known)}" if self.known else self.say

    def under(self, path: str, entry: str | None = None) -> "WrongWord":
        """The same place, seen from further out."""
        inner = f"{path}.{self.path}" if self.path else path
        return replace(self, path=inner, entry=entry or self.entry)

    def __str__(self) -> str:
        place = f"{self.entry} ({self.path})" if self.entry else self.path
        return f"{place}: {self.message}"


def unknown(path: str, what: str, value: Any, known: Iterable[str]) -> WrongWord:
    """A word that stands where others are known."""
    return WrongWord(path, f"unknown {what} {value!r}", value, tuple(sorted(known)))


def wrong_words(contract: Contract) -> Iterator[WrongWord]:
    """Every place of a contract that no rule can read, in the order of the contract."""
    if contract.writes is not None and contract.writes not in EXTRA_WRITES:
        yield unknown("writes", "word", contract.writes, EXTRA_WRITES)
    for section, letter, wrong_in in SECTIONS:
        entries: Sequence[Entry] = getattr(contract, section)
        for place, entry in enumerate(entries):
            for word in wrong_in(entry):
                yield word.under(f"{section}[{place}]", entry.id or f"{letter}{place + 1}")
    yield from wrong_references(contract)


def wrong_in_required(entry: Entry) -> Iterator[WrongWord]:
    """What no rule can read in a required entry; one without a type is an effect."""
    kind = entry.type or STATE_EFFECT
    if kind not in REQUIRED_TYPES:
        yield unknown("type", "type", kind, REQUIRED_TYPES)
    elif kind in ABOUT_CALLS:
        yield from wrong_in_call(entry)
    elif kind == "value_propagation":
        yield from wrong_in_value(entry)
    elif kind == "response_obligation":
        yield from wrong_in_response(entry)


def wrong_in_call(entry: Entry) -> Iterator[WrongWord]:
    """What is wrong with an entry about a call."""
    if not entry.tool:
        yield WrongWord("tool", "names no tool")
    for name, matcher in (entry.arguments or {}).items():
        for word in wrong_in_matcher(matcher):
            yield word.under(f"arguments.{name}")


def wrong_in_value(entry: Entry) -> Iterator[WrongWord]:
    """What is wrong with an entry about a value that must be said."""
    yield from wrong_in_reading(entry)
    if reach_of(entry) not in REACHES:
        yield unknown("must_reach.kind", "must_reach", reach_of(entry), REACHES)
    if entry.value is None:
        yield WrongWord("value", "has no value")


def wrong_in_reading(entry: Entry) -> Iterator[WrongWord]:
    """A way to read a value that no rule knows."""
    if entry.as_ is not None and entry.as_ not in SAID_KINDS:
        yield unknown("as", "`as`", entry.as_, SAID_KINDS)


def wrong_in_response(entry: Entry) -> Iterator[WrongWord]:
    """What is wrong with an entry about the answer."""
    if entry.kind not in RESPONSE_KINDS:
        yield unknown("kind", "kind", entry.kind, RESPONSE_KINDS)
    elif entry.kind == "value":
        for word in wrong_in_matcher(entry.matcher):
            yield word.under("matcher")
        if not is_place(entry.at):
            yield unknown("at", "place", entry.at, ANSWER_PLACES)
    elif entry.kind == "contains_category" and entry.expected is None:
        yield WrongWord("expected", "has no expected label")
    elif entry.kind == "token_f1" and not isinstance(entry.expected, str):
        yield WrongWord("expected", "has no expected text", entry.expected)


def is_place(at: str | None) -> bool:
    """Whether a word names a place in an answer."""
    return at in {"answer", "text"} or (at is not None and (at == "" or at.startswith("/")))


def wrong_in_preserved(entry: Entry) -> Iterator[WrongWord]:
    """What is wrong with an entry about something to leave alone."""
    kind = entry.type or "preserved"
    if kind not in PRESERVED_TYPES:
        yield unknown("type", "type", kind, PRESERVED_TYPES)
    elif not entry.tool and (entry.entity or {}).get("id") is None:
        yield WrongWord("entity", "names neither an entity nor a tool", entry.entity)


def wrong_in_forbidden(entry: Entry) -> Iterator[WrongWord]:
    """What is wrong with an entry about something that must not happen."""
    kind = entry.type or "forbidden"
    if kind not in FORBIDDEN_TYPES:
        yield unknown("type", "type", kind, FORBIDDEN_TYPES)
    elif kind == "forbidden":
        yield from wrong_in_call(entry)
    else:
        yield from wrong_in_reading(entry)
        if (entry.where or "any") not in PLACES:
            yield unknown("where", "place", entry.where, PLACES)


SECTIONS = (
    ("required", "o", wrong_in_required),
    ("preserved", "p", wrong_in_preserved),
    ("forbidden", "x", wrong_in_forbidden),
)
"""The parts of a contract, the letter of an entry without id, and what reads an entry of it."""


def reach_of(entry: Entry) -> str:
    """Where a value must be said."""
    return str((entry.must_reach or {}).get("kind") or "final_response")


def wrong_in_matcher(matcher: Any) -> Iterator[WrongWord]:
    """Every word of a matcher that no rule knows, at any depth."""
    if not isinstance(matcher, Mapping):
        yield WrongWord("", "is no matcher: an object is wanted", matcher)
        return
    kind = matcher.get("match")
    if not isinstance(kind, str) or kind not in KINDS:
        yield unknown("match", "matcher", kind, KINDS)
        return
    if kind in {"set", "list"} and not isinstance(matcher.get("items"), list):
        yield from wrong_in_elements(matcher)
    if kind == "date" and matcher.get("precision") not in {None, *PRECISIONS}:
        yield unknown("precision", "precision", matcher["precision"], PRECISIONS)
    for path, inner in inner_matchers(matcher):
        for word in wrong_in_matcher(inner):
            yield word.under(path)


def wrong_in_elements(matcher: Mapping[str, Any]) -> Iterator[WrongWord]:
    """What is wrong with a set or a list that names its values and the kind of all of them."""
    kind = matcher.get("of", "exact")
    if not isinstance(kind, str) or kind not in SIMPLE_KINDS:
        yield unknown("of", "matcher", kind, SIMPLE_KINDS)
    if not isinstance(matcher.get("value", []), list):
        yield WrongWord("value", f"{matcher['match']} without a list", matcher["value"])


def inner_matchers(matcher: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The matchers inside a matcher, each with its place."""
    kind = matcher.get("match")
    if kind == "object":
        fields = matcher.get("fields") or {}
        if not isinstance(fields, Mapping):
            return [("fields", fields)]
        return [(f"fields.{name}", inner) for name, inner in fields.items()]
    key = {"set": "items", "list": "items", "one_of": "options"}.get(str(kind))
    inside = matcher.get(key) or [] if key is not None else []
    if not isinstance(inside, list):
        return [(str(key), inside)] if key == "options" else []
    return [(f"{key}[{place}]", inner) for place, inner in enumerate(inside)]


def wrong_references(contract: Contract) -> Iterator[WrongWord]:
    """References to entries that are not there."""
    known = {entry.id or f"o{place}" for place, entry in enumerate(contract.required, 1)}
    for place, entry in enumerate(contract.required):
        for target in references((entry.arguments or {}).values()):
            if target not in known:
                yield WrongWord(
                    f"required[{place}].arguments",
                    f"refers to {target!r}, which is no entry",
                    target,
                    tuple(sorted(known)),
                    entry.id or f"o{place + 1}",
                )


def references(value: Any) -> Iterator[str]:
    """The entries that matchers refer to, at any depth."""
    if isinstance(value, Mapping):
        if value.get("match") == "ref":
            yield str(value.get("entry"))
        value = value.values()
    elif isinstance(value, str) or not isinstance(value, Iterable):
        return
    for inner in value:
        yield from references(inner)
