"""What several successes say about the arguments of one act (spec/build.md 4.9, rule 2)."""

from dataclasses import dataclass

from benchmarks.contract.learning.aligning import Act, Column, accepts
from benchmarks.records.base import JsonObject

MAX_OPTIONS = 3
MIN_SUCCESSES = 4
FREE_KINDS = frozenset({"prose", "text"})


@dataclass(frozen=True, slots=True)
class Learned:
    """The matchers of an act, and the arguments that were freed."""

    matchers: dict[str, JsonObject]
    varying: tuple[str, ...]


def learned_arguments(column: Column, successes: int) -> Learned:
    """The matchers that every success of a column meets."""
    names = dict.fromkeys(name for act in column.acts for name in (*act.matchers, *act.values))
    matchers: dict[str, JsonObject] = {}
    varying: list[str] = []
    for name in names:
        found = common(column, name) or alternatives(column, name, successes)
        if found is not None:
            matchers[name] = found
        else:
            varying.append(name)
    return Learned(matchers, tuple(varying))


def common(column: Column, name: str) -> JsonObject | None:
    """The matcher of one success that every other success meets too."""
    judges = (act for act in column.acts if name in act.matchers)
    shared = (
        judge for judge in judges if all(accepts(judge, other, name) for other in column.acts)
    )
    judge = next(shared, None)
    return dict(judge.matchers[name]) if judge is not None else None


def alternatives(column: Column, name: str, successes: int) -> JsonObject | None:
    """One of the seen values: two that were each seen twice, or a few of many successes."""
    if any(name not in act.matchers for act in column.acts):
        return None
    classes = classes_of(column, name)
    options = [dict(acts[0].matchers[name]) for acts in classes]
    twice = len(classes) == 2 and all(len(acts) > 1 for acts in classes)
    comparable = FREE_KINDS.isdisjoint(str(option.get("match")) for option in options)
    few = comparable and len(classes) <= MAX_OPTIONS and successes >= MIN_SUCCESSES
    return {"match": "one_of", "options": options} if twice or few else None


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
