"""Whether a value is the one that was asked for, by typed matchers (spec/files.md 7.3).

No matcher looks for substrings. An unknown matcher is named, never satisfied.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.iso_dates import PRECISIONS, Moment, Precision, read_moment, same_moment
from benchmarks.contract.json_text import pointed
from benchmarks.contract.literals import parse_json, parse_literal
from benchmarks.contract.pairing import maximum_pairs
from benchmarks.contract.plain_text import folded, has_word
from benchmarks.contract.shapes import id_tokens
from benchmarks.contract.values import read_decimal, read_list, same_value, scalar_text, shown

Matcher = Mapping[str, Any]
Results = Callable[[str], Sequence[Any]]
"""The results of the accepted calls that satisfy the entry with an id."""

SIMPLE_KINDS = frozenset({"exact", "number", "text", "date", "prose", "any", "absent"})
KINDS = SIMPLE_KINDS | {"set", "list", "object", "one_of", "ref"}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first place where a value is not what was asked for."""

    path: str
    say: str

    def under(self, name: str) -> "Mismatch":
        """The same mismatch, seen from one level up."""
        return Mismatch(f"{name}.{self.path}" if self.path else name, self.say)

    def __str__(self) -> str:
        return f"{self.path} {self.say}" if self.path else self.say


def no_results(entry: str) -> Sequence[Any]:
    """No call has satisfied any entry."""
    return ()


def match_arguments(
    matchers: Mapping[str, Matcher], arguments: Mapping[str, Any] | None, results: Results
) -> list[Mismatch]:
    """Every named argument that does not match; arguments that are not named are free.

    Arguments that did not parse match only where nothing has to be there.
    """
    given = arguments or {}
    found: list[Mismatch] = []
    for name, matcher in matchers.items():
        miss = mismatch(matcher, name in given, given.get(name), results)
        if miss is not None:
            found.append(miss.under(name))
    return found


def matches(matcher: Matcher, present: bool, value: Any, results: Results = no_results) -> bool:
    """Whether a value, or its absence, is what the matcher asks for."""
    return mismatch(matcher, present, value, results) is None


def mismatch(matcher: Matcher, present: bool, value: Any, results: Results) -> Mismatch | None:
    """Where a value first differs from what the matcher asks for; None when it matches."""
    kind = matcher.get("match")
    missing = not present or value is None
    if kind == "any" or (missing and (kind == "absent" or matcher.get("optional") is True)):
        return None
    if kind == "absent":
        return Mismatch("", f"must be absent, is {shown(value)}")
    if missing and kind != "one_of":
        return Mismatch("", f"is missing, wanted {wanted(matcher)}")
    test = TESTS.get(kind) if isinstance(kind, str) else None
    if test is None:
        return Mismatch("", f"has the unknown matcher {kind!r}")
    return test(matcher, value, results)


def plain_test(accepts: Callable[[Matcher, Any], bool]) -> Callable[..., Mismatch | None]:
    """The test of a matcher that either takes a value or does not."""

    def test(matcher: Matcher, value: Any, results: Results) -> Mismatch | None:
        if accepts(matcher, value):
            return None
        return Mismatch("", f"is {shown(value)}, wanted {wanted(matcher)}")

    return test


def is_exact(matcher: Matcher, value: Any) -> bool:
    """The same JSON value; a number equals the text that is its shortest decimal form."""
    return same_value(matcher.get("value"), value)


def is_number(matcher: Matcher, value: Any) -> bool:
    """A number, or a text that is wholly one, equal as decimals within the tolerance."""
    wanted_number, number = read_decimal(matcher.get("value")), read_decimal(value)
    if wanted_number is None or number is None:
        return False
    return abs(wanted_number - number) <= (read_decimal(matcher.get("tolerance")) or 0)


def is_text(matcher: Matcher, value: Any) -> bool:
    """Equal after NFKC, casefold and blanks; a number is its shortest decimal text."""
    expected, text = matcher.get("value"), scalar_text(value)
    return text is not None and folded(text) == folded(scalar_text(expected) or "")


def is_date(matcher: Matcher, value: Any) -> bool:
    """The same day, minute or second."""
    expected, moment = read_moment(matcher.get("value")), read_moment(value)
    if expected is None or moment is None:
        return False
    return same_moment(expected, moment, precision_of(matcher, expected))


def is_prose(matcher: Matcher, value: Any) -> bool:
    """A text that says something."""
    return isinstance(value, str) and has_word(value)


def precision_of(matcher: Matcher, expected: Moment) -> Precision:
    """The precision that a date matcher names, else that of its value."""
    named = matcher.get("precision")
    return next((known for known in PRECISIONS if known == named), expected.precision)


def set_mismatch(matcher: Matcher, value: Any, results: Results) -> Mismatch | None:
    """The same elements the same number of times, matched one to one."""
    values = read_list(value)
    if values is None:
        return Mismatch("", f"is {shown(value)}, wanted a list")
    items = item_matchers(matcher)
    edges = [
        [place for place, item in enumerate(values) if matches(wanted_item, True, item, results)]
        for wanted_item in items
    ]
    pairs = maximum_pairs(edges)
    unmet = [items[place] for place in range(len(items)) if place not in pairs]
    if unmet:
        return Mismatch("", f"lacks {wanted(unmet[0])}")
    return surplus(matcher, values, set(pairs.values()))


def list_mismatch(matcher: Matcher, value: Any, results: Results) -> Mismatch | None:
    """The same elements in order."""
    values = read_list(value)
    if values is None:
        return Mismatch("", f"is {shown(value)}, wanted a list")
    at = 0
    used: set[int] = set()
    for place, item in enumerate(item_matchers(matcher)):
        if matcher.get("contains") is True:
            while at < len(values) and not matches(item, True, values[at], results):
                at += 1
        miss = (
            mismatch(item, True, values[at], results)
            if at < len(values)
            else Mismatch("", f"is missing, wanted {wanted(item)}")
        )
        if miss is not None:
            return miss.under(str(place))
        used.add(at)
        at += 1
    return surplus(matcher, values, used)


def surplus(matcher: Matcher, values: Sequence[Any], used: set[int]) -> Mismatch | None:
    """An element that nothing asked for, where none may be left over."""
    if matcher.get("contains") is True:
        return None
    spare = next((item for place, item in enumerate(values) if place not in used), NOTHING)
    return None if spare is NOTHING else Mismatch("", f"has {shown(spare)} besides")


def object_mismatch(matcher: Matcher, value: Any, results: Results) -> Mismatch | None:
    """Each named field matches; other keys are free."""
    mapping = parse_literal(value) if isinstance(value, str) else value
    if not isinstance(mapping, Mapping):
        return Mismatch("", f"is {shown(value)}, wanted an object")
    misses = match_arguments(matcher.get("fields") or {}, mapping, results)
    return misses[0] if misses else None


def one_of_mismatch(matcher: Matcher, value: Any, results: Results) -> Mismatch | None:
    """Any option does."""
    options = matcher.get("options") or []
    if any(matches(option, value is not None, value, results) for option in options):
        return None
    return Mismatch("", f"is {shown(value)}, wanted {wanted(matcher)}")


def ref_mismatch(matcher: Matcher, value: Any, results: Results) -> Mismatch | None:
    """Equal to what the rollout's own world answered."""
    path = matcher.get("path") or ""
    made = [
        known for result in results(str(matcher.get("entry"))) for known in made_by(result, path)
    ]
    if any(same_value(known, value) for known in made):
        return None
    if not made:
        return Mismatch("", f"is {shown(value)}, but no call has made it ({wanted(matcher)})")
    return Mismatch("", f"is {shown(value)}, wanted {', '.join(map(shown, made[:3]))}")


def made_by(result: Any, path: str) -> list[Any]:
    """What stands at a path of a result; each id-shaped token of a text at the empty path."""
    if isinstance(result, str):
        parsed = parse_json(result)
        if not isinstance(parsed, list | dict):
            return [result.strip(), *id_tokens(result)] if path == "" else []
        result = parsed
    found, value = pointed(result, path)
    return [value] if found and value is not None else []


Test = Callable[[Matcher, Any, Results], Mismatch | None]
NOTHING = object()
TESTS: Mapping[str, Test] = {
    "exact": plain_test(is_exact),
    "number": plain_test(is_number),
    "text": plain_test(is_text),
    "date": plain_test(is_date),
    "prose": plain_test(is_prose),
    "set": set_mismatch,
    "list": list_mismatch,
    "object": object_mismatch,
    "one_of": one_of_mismatch,
    "ref": ref_mismatch,
}


def item_matchers(matcher: Matcher) -> list[Matcher]:
    """The matchers of the elements of a set or a list."""
    items = matcher.get("items")
    if isinstance(items, list):
        return items
    kind = matcher.get("of", "exact")
    return [{"match": kind, "value": value} for value in matcher.get("value") or []]


def wanted(matcher: Matcher) -> str:
    """What a matcher asks for, in a few words."""
    kind = matcher.get("match")
    if kind == "prose":
        return "some words"
    if kind == "one_of":
        return " or ".join(wanted(option) for option in matcher.get("options") or [])
    if kind == "ref":
        return f"{matcher.get('path') or 'the id'} of the result of {matcher.get('entry')}"
    if kind == "object":
        return "an object with " + ", ".join(matcher.get("fields") or {})
    if kind in {"set", "list"} and "value" not in matcher:
        return "a list of " + ", ".join(map(wanted, item_matchers(matcher)))
    return shown(matcher.get("value"))
