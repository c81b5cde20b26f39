"""Categories: one per tool surface, named for what its tools change."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.foundry.ids import category_id
from benchmarks.records.manifest import Category
from benchmarks.records.tool_policy import EffectSource
from benchmarks.records.vocabulary import Effect

EASY, MEDIUM = 0.8, 0.4
EASY_ENTRIES, MEDIUM_ENTRIES = 1, 3
NAME_CHARS = 160


@dataclass(frozen=True)
class Sorted:
    """A task as its category sees it."""

    task_id: str
    title: str
    surface: tuple[str, ...]
    effects: Mapping[str, EffectSource]
    required: int
    """Entries that its contract requires."""
    outcomes: tuple[bool, ...]
    """What became of its trials, where that is recorded."""
    captures: tuple[str, ...]


def categories_of(tasks: Iterable[Sorted]) -> list[Category]:
    """One category per tool surface, in the order of first appearance."""
    members: dict[str, list[Sorted]] = {}
    for task in tasks:
        members.setdefault(category_id(task.surface), []).append(task)
    return [_category(name, found) for name, found in members.items()]


def category_name(surface: Sequence[str], effects: Mapping[str, EffectSource]) -> str:
    """The write tools; without one the reads; without any tool, so it says."""
    writes = [tool for tool in sorted(surface) if _effect(tool, effects) is Effect.WRITE]
    if writes:
        return " + ".join(writes)[:NAME_CHARS]
    reads = [tool for tool in sorted(surface) if _is_look_up(tool, effects)]
    if reads:
        return ("look-up: " + " + ".join(reads))[:NAME_CHARS]
    if surface:
        return " + ".join(sorted(surface))[:NAME_CHARS]
    return "tool-free task"


def difficulty(tasks: Sequence[Sorted]) -> str:
    """From the share of trials that succeeded; without outcomes, from what is required."""
    outcomes = [outcome for task in tasks for outcome in task.outcomes]
    if outcomes:
        share = sum(outcomes) / len(outcomes)
        return _graded(share >= EASY, share >= MEDIUM)
    entries = sum(task.required for task in tasks) / len(tasks)
    return _graded(entries <= EASY_ENTRIES, entries <= MEDIUM_ENTRIES)


def _category(name: str, tasks: Sequence[Sorted]) -> Category:
    first = tasks[0]
    return Category(
        category_id=name,
        name=category_name(first.surface, first.effects),
        description=first.title,
        difficulty=difficulty(tasks),
        derived_from={
            "tool_signature": sorted(first.surface),
            "intent_summary": first.title,
            "source_trace_ids": [key for task in tasks for key in task.captures],
        },
    )


def _graded(easy: bool, medium: bool) -> str:
    if easy:
        return "easy"
    return "medium" if medium else "hard"


def _effect(tool: str, effects: Mapping[str, EffectSource]) -> Effect:
    return effects[tool].effect if tool in effects else Effect.UNKNOWN


def _is_look_up(tool: str, effects: Mapping[str, EffectSource]) -> bool:
    return _effect(tool, effects) is Effect.READ and effects[tool].role is None
