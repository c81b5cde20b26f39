"""Which writes of several successes are the same act (spec/build.md 4.9, rule 1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.learning.weighing import heaviest_pairs
from benchmarks.contract.literals import parse_literal
from benchmarks.contract.matching import Matcher, matches
from benchmarks.records.contract import Entry

FREE: Matcher = {"match": "any"}


@dataclass(frozen=True, slots=True)
class Act:
    """One write of one success, as its own contract asks for it."""

    success: int
    place: int
    entry: Entry

    @property
    def tool(self) -> str:
        """The tool that was called."""
        return self.entry.tool or ""

    @property
    def matchers(self) -> Mapping[str, Matcher]:
        """How the success's own contract compares its arguments."""
        return self.entry.arguments or {}

    @property
    def values(self) -> Mapping[str, Any]:
        """The arguments as they were given; none where they did not parse."""
        given = self.entry.observed_arguments
        if isinstance(given, str):
            given = parse_literal(given)
        return given if isinstance(given, Mapping) else {}

    def left_empty(self, name: str) -> bool:
        """Whether an argument was named and given nothing."""
        return name in self.values and self.values[name] is None


@dataclass(slots=True)
class Column:
    """The same act in several successes, at most one of each."""

    acts: list[Act] = field(default_factory=list)

    @property
    def tool(self) -> str:
        """The tool that was called."""
        return self.acts[0].tool

    @property
    def first(self) -> tuple[int, int]:
        """Where the act stands first."""
        return min((act.success, act.place) for act in self.acts)

    def freed(self, matchers: Mapping[str, Matcher]) -> list[str]:
        """The arguments that every one of these gives and no matcher compares."""
        names = [name for name, value in self.acts[0].values.items() if value is not None]
        return [
            name
            for name in names
            if matchers.get(name, FREE).get("match") in {"any", "prose"}
            and all(act.values.get(name) is not None for act in self.acts)
        ]

    def likeness(self, act: Act) -> int:
        """The most arguments that an act shares with one of these."""
        return max(equal_arguments(one, act) for one in self.acts)


def aligned(successes: Sequence[Sequence[Act]]) -> list[Column]:
    """The writes of all successes in columns, in the order in which they were first done."""
    columns: list[Column] = []
    for acts in successes:
        for tool in dict.fromkeys(act.tool for act in acts):
            of_tool = [act for act in acts if act.tool == tool]
            standing = [column for column in columns if column.tool == tool]
            weights = [[column.likeness(act) for column in standing] for act in of_tool]
            pairs = heaviest_pairs(weights)
            for place, act in enumerate(of_tool):
                if place in pairs:
                    standing[pairs[place]].acts.append(act)
                else:
                    columns.append(Column([act]))
    return sorted(columns, key=lambda column: column.first)


def equal_arguments(one: Act, other: Act) -> int:
    """How many arguments of two calls are equal by the matchers of either."""
    names = [name for name in one.values if name in other.values]
    return sum(equal_values(one, other, name) for name in names)


def equal_values(one: Act, other: Act, name: str) -> bool:
    """Whether two calls give an argument the same value, as far as either would tell."""
    return accepts(one, other, name) and accepts(other, one, name)


def accepts(judge: Act, other: Act, name: str) -> bool:
    """Whether the contract of one success takes an argument of another."""
    matcher = judge.matchers.get(name)
    if matcher is None:
        return True
    if matcher.get("match") == "ref":
        theirs = other.matchers.get(name) or {}
        return theirs.get("match") == "ref" and theirs.get("path") == matcher.get("path")
    return matches(matcher, name in other.values, other.values.get(name))
