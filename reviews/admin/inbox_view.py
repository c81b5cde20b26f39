"""The inbox as its page shows it: rows, and chips that narrow it."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.doors.redacting import redacted
from benchmarks.errors import InvalidArguments
from benchmarks.records.vocabulary import Attention, Stage
from reviews.admin.addresses import inbox_path, task_path
from reviews.admin.inbox_filter import (
    ANY,
    DECISIONS,
    NOBODY,
    SOURCES,
    SPLITS,
    VERIFIERS,
    YES,
    InboxFilter,
)
from reviews.models import TaskStandingEntry

MOST_CHIPS = 12
"""Categories and benchmarks beyond these are reached by search."""
WORDS = {ANY: "any flag", NOBODY: "nobody", "human": "a person", "agent": "an agent"}


@dataclass(frozen=True, slots=True)
class Picked:
    """One task in a form: which it is, and its digest as it was drawn."""

    slug: str
    task_id: str
    digest: str

    def value(self) -> str:
        """As the form carries it."""
        return json.dumps([self.slug, self.task_id, self.digest], ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and whose it is."""

    value: float | None
    of: str


@dataclass(frozen=True, slots=True)
class Flagged:
    """One attention flag and why."""

    word: str
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """One task of the inbox."""

    pick: Picked
    name: str
    path: str
    benchmark: str
    split: str
    category: str
    flags: tuple[Flagged, ...]
    trivial: str
    """The arms that pass it by doing nothing."""
    confidence: str
    verifier: str
    incumbent: Mean
    candidate: Mean
    decision: str
    explicit: bool
    source: str
    actor: str
    decided_at: str
    changed: bool
    """Whether it changed since it was decided."""
    just_changed: bool
    """Whether a call has just left it out, because it changed since the page was drawn."""
    open_feedback: int
    can_decide: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """One answer to one question of the filter."""

    word: str
    path: str
    current: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Chips:
    """One question of the filter."""

    title: str
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A value of the filter and its name for people."""

    value: str
    name: str


def rows_of(
    entries: Iterable[TaskStandingEntry],
    asked: InboxFilter,
    *,
    categories: Mapping[tuple[str, str], str],
    just_changed: frozenset[tuple[str, str]] = frozenset(),
) -> tuple[Row, ...]:
    """The rows of one page, secrets out of their names; `categories` by benchmark and id."""
    found = list(entries)
    names = redacted({"names": [entry.name for entry in found]})["names"]
    return tuple(
        replace(_row(entry, asked, categories, just_changed), name=name)
        for entry, name in zip(found, names, strict=True)
    )


def _row(
    entry: TaskStandingEntry,
    asked: InboxFilter,
    categories: Mapping[tuple[str, str], str],
    just_changed: frozenset[tuple[str, str]],
) -> Row:
    slug, task_id = entry.benchmark.slug, entry.task_id
    reasons = entry.reasons
    return Row(
        pick=Picked(slug, task_id, entry.digest),
        name=entry.name,
        path=task_path(slug, task_id, asked.query()),
        benchmark=entry.benchmark.name,
        split=entry.split,
        category=categories.get((slug, entry.category_id)) or entry.category_id,
        flags=tuple(
            Flagged(word, str(reasons.get(word, "")))
            for word in entry.flags
            if word != Attention.TRIVIAL_PASS.value
        ),
        trivial=", ".join(entry.trivial_arms),
        confidence=entry.confidence,
        verifier=entry.verifier,
        incumbent=Mean(entry.incumbent_mean, "incumbent"),
        candidate=Mean(entry.candidate_mean, entry.candidate),
        decision=entry.decision,
        explicit=entry.explicit,
        source=entry.source,
        actor=entry.actor,
        decided_at=entry.decided_at,
        changed=entry.changed,
        just_changed=(slug, task_id) in just_changed,
        open_feedback=entry.open_feedback,
        can_decide=entry.benchmark.stage == Stage.PROPOSED.value and not entry.benchmark.read_only,
    )


def chips_of(
    asked: InboxFilter,
    *,
    flag_counts: Mapping[str, int],
    categories: Sequence[Named],
    benchmarks: Sequence[Named],
) -> tuple[Chips, ...]:
    """Every question with its answers; each is a link that sets or takes back one."""
    flags = [ANY, *(flag.value for flag in Attention if flag_counts.get(flag.value))]
    if asked.flag and asked.flag not in flags:
        flags.append(asked.flag)
    groups = [
        _closed(asked, "Flag", "flag", flags, flag_counts),
        _closed(asked, "Decision", "decision", DECISIONS),
        _closed(asked, "Decided by", "source", SOURCES),
        _closed(asked, "Split", "split", SPLITS),
        _closed(asked, "Verifier", "verifier", VERIFIERS),
        Chips("Since then", (_chip(asked, "changed", YES, "changed since decided"),)),
        _open(asked, "Category", "category", categories),
        _open(asked, "Benchmark", "slug", benchmarks),
    ]
    return tuple(group for group in groups if group.chips)


def _closed(
    asked: InboxFilter,
    title: str,
    name: str,
    words: Sequence[str],
    counts: Mapping[str, int] | None = None,
) -> Chips:
    return Chips(
        title,
        tuple(
            _chip(asked, name, word, WORDS.get(word, word), (counts or {}).get(word))
            for word in words
        ),
    )


def _open(asked: InboxFilter, title: str, name: str, values: Sequence[Named]) -> Chips:
    """The chosen one always, of the others the first few."""
    chosen = getattr(asked, name)
    shown = [each for each in values if each.value == chosen]
    shown += [each for each in values if each.value != chosen][: MOST_CHIPS - len(shown)]
    return Chips(title, tuple(_chip(asked, name, each.value, each.name) for each in shown))


def _chip(asked: InboxFilter, name: str, value: str, word: str, count: int | None = None) -> Chip:
    path = inbox_path(asked.without_result().toggled(name, value).query())
    return Chip(word, path, getattr(asked, name) == value, count)


def told_apart(names: Mapping[str, str]) -> list[Named]:
    """Values with their names, by name; where several share one, the id stands behind it."""
    shared = Counter(names.values())
    found = [
        Named(key, name if shared[name] == 1 else f"{name} ({key})") for key, name in names.items()
    ]
    return sorted(found, key=lambda each: (each.name, each.value))


def picked_from(value: str) -> Picked:
    """What a form carries of one task.

    Raises:
        InvalidArguments: it is not what the page drew.
    """
    try:
        said = json.loads(value)
    except ValueError:
        said = None
    if not isinstance(said, list) or len(said) != 3 or not all(isinstance(x, str) for x in said):
        raise InvalidArguments(f"{value[:80]!r} names no task", hint="choose from the page again")
    return Picked(*said)
