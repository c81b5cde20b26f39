"""What several successes say about the arguments of one act (spec/build.md 4.9, rule 2)."""

from dataclasses import dataclass

from benchmarks.contract.learning.aligning import Act, Column, accepts
from benchmarks.contract.matching import Matcher
from benchmarks.contract.said import is_said
from benchmarks.records.base import JsonObject

MAX_OPTIONS = 3
SURE = 4
"""As many successes take a value that they all made up for the right one."""
DAY_CHARS = 10
FREE_KINDS = frozenset({"prose", "text"})
NEVER_HELD = FREE_KINDS | {"any", "absent", "ref", "None"}
"""Kinds that hold no value of their own, or words that anybody may choose otherwise."""


@dataclass(frozen=True, slots=True)
class Told:
    """What could be known before an act."""

    given: str
    """What the users and the system said."""
    results: str
    """What the accepted calls of a success returned."""

    def is_made_up(self, matcher: Matcher) -> bool:
        """Whether a date, or a text of several words, stands in nothing that was told."""
        kind, value = matcher.get("match"), matcher.get("value")
        if not isinstance(value, str) or kind not in {"text", "date"}:
            return False
        if kind == "text" and len(value.split()) < 2:
            return False
        words = value[:DAY_CHARS] if kind == "date" else value
        return not any(is_said(text, words, kind) for text in (self.given, self.results))


@dataclass(frozen=True, slots=True)
class Learned:
    """The matchers of an act, and the arguments that were freed."""

    matchers: dict[str, JsonObject]
    varying: tuple[str, ...]


def learned_arguments(column: Column, successes: int, told: Told) -> Learned:
    """The matchers that every success of a column meets.

    A text that every success copies letter by letter from what the user said has to be copied;
    what only a few successes made up alike has to be there. What some success left empty is free.
    """
    names = dict.fromkeys(name for act in column.acts for name in (*act.matchers, *act.values))
    matchers: dict[str, JsonObject] = {}
    varying: list[str] = []
    for name in names:
        if any(act.left_empty(name) for act in column.acts):
            continue
        found = common(column, name, told) or alternatives(column, name, successes)
        if found is not None:
            matchers[name] = found
        else:
            varying.append(name)
    return Learned(matchers, tuple(varying))


def common(column: Column, name: str, told: Told) -> JsonObject | None:
    """The matcher of one success that every other success meets too."""
    judges = (act for act in column.acts if name in act.matchers)
    shared = (
        act.matchers[name]
        for act in judges
        if all(accepts(act, other, name) for other in column.acts)
    )
    matcher = next(shared, None)
    if matcher is None:
        return None
    copied = copied_text(column, name, told.given)
    if copied is not None and matcher.get("match") in FREE_KINDS:
        return {"match": "exact", "value": copied}
    if len(column.acts) < SURE and told.is_made_up(matcher):
        return {"match": "prose", "value": matcher["value"]}
    return dict(matcher)


def copied_text(column: Column, name: str, given: str) -> str | None:
    """The words that all successes give an argument, letter by letter as they were told."""
    first, *rest = [act.values.get(name) for act in column.acts]
    if not rest or not isinstance(first, str) or len(first.split()) < 2:
        return None
    return first if first in given and all(value == first for value in rest) else None


def alternatives(column: Column, name: str, successes: int) -> JsonObject | None:
    """One of the seen values, where each was seen twice: two of any, a few of many successes.

    A value that was seen once says that others are to come.
    """
    if any(name not in act.matchers for act in column.acts):
        return None
    classes = classes_of(column, name)
    if any(len(acts) == 1 for acts in classes):
        return None
    options = [dict(acts[0].matchers[name]) for acts in classes]
    comparable = FREE_KINDS.isdisjoint(str(option.get("match")) for option in options)
    few = comparable and len(classes) <= MAX_OPTIONS and successes >= SURE
    return {"match": "one_of", "options": options} if len(classes) == 2 or few else None


def seen_values(column: Column, name: str) -> JsonObject:
    """An argument held to the values that the successes gave it, each compared by its kind."""
    options = [dict(acts[0].matchers[name]) for acts in classes_of(column, name)]
    return options[0] if len(options) == 1 else {"match": "one_of", "options": options}


def is_comparable(column: Column, name: str) -> bool:
    """Whether every success would compare the value of an argument, and not only want words."""
    kinds = {str(act.matchers.get(name, {}).get("match")) for act in column.acts}
    return kinds.isdisjoint(NEVER_HELD)


def classes_of(column: Column, name: str) -> list[list[Act]]:
    """The acts by the value they give an argument."""
    classes: list[list[Act]] = []
    for act in column.acts:
        home = next((known for known in classes if accepts(known[0], act, name)), None)
        if home is None:
            classes.append([act])
        else:
            home.append(act)
    return classes
