"""The conversations of some sources with the outcomes they carry, grouped by task."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.agreement import Trace, TraceGroup
from benchmarks.contract.compiling import Structured, recorded_structures
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import end_under
from benchmarks.contract.outcomes import (
    LABEL_KEYS,
    BadComparison,
    label_of,
    read_positive,
    usual_positive,
)
from benchmarks.contract.source_text import as_text, boundary_user_text
from benchmarks.errors import InvalidArguments
from benchmarks.foundry.clusters import Kin, clusters_of
from benchmarks.foundry.definitions import with_inferred_tools
from benchmarks.foundry.drafting import policy_in_force, recorded_calls
from benchmarks.foundry.grouping import Thread, threads_of
from benchmarks.foundry.lineage import pointer_order
from benchmarks.foundry.trials import Case, cases_of, trial_order
from benchmarks.foundry.turns import system_text
from benchmarks.foundry.wording import normal
from benchmarks.intake.ingest import Intake
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Outcome

USUAL = "true, 1 or more, or a word of success"
KEYS_SHOWN = 20


@dataclass(frozen=True)
class Labels:
    """Which conversations succeeded, by what they carry themselves."""

    key: str
    meaning: str
    """Which values mean success."""
    positive: Mapping[str, bool]
    """By the name of the trace."""
    undecided: int = 0
    """How many carry an outcome that says neither success nor failure."""


@dataclass(frozen=True)
class Study:
    """What the sources hold, read once."""

    threads: tuple[Thread, ...]
    records: Mapping[str, Any]
    """The record that each capture was read from, by capture key."""
    policy: Policy
    structured: Structured
    offered: Mapping[str, frozenset[str]]
    """The tools that each conversation was offered, by the name of its trace."""

    @classmethod
    def of(cls, intake: Intake, label: str | None = None) -> "Study":
        """The conversations of an intake, their tools classed and completed.

        A whole conversation with an outcome of its own is a trace of its own, however much another
        begins alike; so is one with something under `label`.
        """
        policy = policy_in_force(intake.captures, None)
        judged = [one for one in intake.captures if is_judged(one, intake.records, label)]
        alone = {one.capture_key for one in judged}
        rest = [one for one in intake.captures if one.capture_key not in alone]
        threads = [
            thread
            for captures in (rest, *([one] for one in judged))
            for thread in threads_of(captures, lambda one: end_under(one, policy).closed)
        ]
        whole = with_inferred_tools({name_of(thread): thread.conversation for thread in threads})
        return cls(
            threads=tuple(threads),
            records=intake.records,
            policy=policy,
            structured=recorded_structures(recorded_calls(intake.captures)),
            offered={
                name: frozenset(tool.name for tool in one.tools) for name, one in whole.items()
            },
        )

    def record(self, thread: Thread) -> Any:
        """The record of the last capture of a conversation."""
        return self.records.get(thread.leaf.capture_key)

    def labels(self, label: str | None, positive: str | None) -> Labels:
        """The label of every conversation that carries one.

        Raises:
            InvalidArguments: none does, or `positive` is not one comparison.
        """
        key, values = self.found_labels(label)
        undecided = [] if label or values else self.undecided()
        if not values and not undecided:
            keys = self.keys_seen()
            raise InvalidArguments(
                f"no record carries {label!r}" if label else "no record carries a label",
                hint=f"--label KEY names one; the keys seen are {', '.join(keys)}",
                details={"keys": keys},
            )
        try:
            test = read_positive(positive) if positive else usual_positive(values.values())
        except BadComparison as error:
            raise InvalidArguments(f"--positive: {error}", hint="--positive '>=0.8'") from error
        positives = {name: test(one) for name, one in values.items()}
        return Labels(key or undecided[0], positive or USUAL, positives, len(undecided))

    def found_labels(self, label: str | None) -> tuple[str, dict[str, Any]]:
        """The key that labels stand under, and the value of each conversation that has one."""
        if label is not None:
            return label, self.values_of(label)
        outcomes = [(name_of(one), one.conversation.outcome) for one in self.threads]
        known = [(name, outcome) for name, outcome in outcomes if outcome is not None]
        decided = {name: value for name, one in known if (value := outcome_value(one)) is not None}
        if decided:
            source = next(one.source for name, one in known if name in decided)
            return source, decided
        found = ((key, self.values_of(key)) for key in LABEL_KEYS)
        return next(((key, values) for key, values in found if values), ("", {}))

    def undecided(self) -> list[str]:
        """Where outcomes stand that say neither success nor failure, one per trace."""
        outcomes = (one.conversation.outcome for one in self.threads)
        return [one.source for one in outcomes if one is not None and outcome_value(one) is None]

    def values_of(self, key: str) -> dict[str, Any]:
        """What the records carry under a key, by the name of the trace."""
        values = {name_of(one): label_of(self.record(one), key) for one in self.threads}
        return {name: value for name, value in values.items() if value is not None}

    def keys_seen(self) -> list[str]:
        """The keys of the records as --label and --group take them, the most frequent first."""
        counts = Counter(key for thread in self.threads for key in keys_in(self.record(thread)))
        return [key for key, _ in counts.most_common(KEYS_SHOWN)]

    def groups(self, labels: Labels, keys: str | None) -> list[TraceGroup]:
        """The labelled conversations by task, in the order of their trials."""
        known = [thread for thread in self.threads if name_of(thread) in labels.positive]
        named = [key.strip() for key in keys.split(",")] if keys else []
        self.need_keys(known, named)
        found = self.grouped_by(known, named) if named else tasks_of(known)
        ordered = sorted(found.items(), key=lambda item: pointer_order(item[0]))
        return [self.group(name, members, labels) for name, members in ordered]

    def group(self, name: str, members: Sequence[Thread], labels: Labels) -> TraceGroup:
        """One group, its tools those that any of its conversations was offered."""
        names = [(name_of(one), one) for one in sorted(members, key=trial_order)]
        return TraceGroup(
            name=name,
            traces=tuple(Trace(own, one.conversation, labels.positive[own]) for own, one in names),
            offered=frozenset().union(*(self.offered[own] for own, _ in names)),
        )

    def need_keys(self, threads: Sequence[Thread], keys: Sequence[str]) -> None:
        """Refuse keys of groups that no labelled record carries.

        Raises:
            InvalidArguments: there are such keys; all are named.
        """
        records = [self.record(thread) for thread in threads]
        absent = [key for key in keys if all(label_of(record, key) is None for record in records)]
        if absent and threads:
            seen = self.keys_seen()
            raise InvalidArguments(
                f"--group: no labelled record carries {', '.join(map(repr, absent))}",
                hint=f"the keys seen are {', '.join(seen)}",
                details={"keys": seen},
            )

    def grouped_by(self, threads: Sequence[Thread], keys: Sequence[str]) -> dict[str, list[Thread]]:
        """Conversations whose records carry the same values under all of some keys.

        One that lacks a value stands alone.
        """
        found: dict[str, list[Thread]] = {}
        for thread in threads:
            values = [label_of(self.record(thread), key) for key in keys]
            whole = all(value is not None for value in values)
            name = ", ".join(map(as_text, values)) if whole else name_of(thread)
            found.setdefault(name, []).append(thread)
        return found


def is_judged(capture: Capture, records: Mapping[str, Any], label: str | None) -> bool:
    """Whether a capture is a whole conversation that carries its own outcome."""
    if capture.conversation.granularity != "session":
        return False
    if label is None:
        return capture.conversation.outcome is not None
    return label_of(records.get(capture.capture_key), label) is not None


def keys_in(record: Any) -> Iterator[str]:
    """The keys of a record: its own, and pointers to what its objects hold."""
    for key, value in record.items() if isinstance(record, Mapping) else ():
        if not isinstance(value, Mapping):
            yield str(key)
            continue
        yield from (f"/{key}/{inner}" for inner in value if "/" not in f"{key}{inner}")


def name_of(thread: Thread) -> str:
    """How a trace is named: where its last record stands."""
    return thread.leaf.source.pointer


def outcome_value(outcome: Outcome) -> Any:
    """What the dialect says about success: its flag, else its reward."""
    return outcome.reward if outcome.success is None else outcome.success


def tasks_of(threads: Sequence[Thread]) -> dict[str, list[Thread]]:
    """Conversations by task: the trials of one external id, else near duplicates."""
    cases = cases_of(threads)
    found: dict[str, list[Thread]] = {}
    for (external, _), members in families(cases).items():
        trials = [trial for case in members for trial in case.trials]
        name = external if external not in found else f"{external} ({name_of(trials[0])})"
        found[name] = trials
    return found | near_duplicates([case for case in cases if case.external_id is None])


def families(cases: Sequence[Case]) -> dict[tuple[str, str], list[Case]]:
    """The cases of each external id, dialect and system text.

    A conversation that recorded no system text joins the trials of its external id where these
    have one system text, in its own file or else in all: nothing that it holds sets it apart.
    """
    named = [(case, case.external_id) for case in cases if case.external_id is not None]
    texts: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for case, external in named:
        if text := system_of(case):
            texts[external, dialect_of(case)].add(text)
            for file in files_of(case):
                texts[external, dialect_of(case), file].add(text)
    found: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case, external in named:
        key = (external, dialect_of(case))
        own = [texts[*key, file] for file in files_of(case)]
        text = system_of(case) or next(
            (min(one) for one in [*own, texts[key]] if len(one) == 1), ""
        )
        found[external, f"{dialect_of(case)} {text}"].append(case)
    return found


def files_of(case: Case) -> list[str]:
    """The files that a case's trials stand in."""
    return sorted({trial.leaf.source.local_path for trial in case.trials})


def system_of(case: Case) -> str:
    """What the system says to the trials of a case."""
    return normal(system_text(case.trials[0].conversation.turns))


def dialect_of(case: Case) -> str:
    """The dialect of a case's trials."""
    return case.trials[0].conversation.dialect


def near_duplicates(cases: Sequence[Case]) -> dict[str, list[Thread]]:
    """Conversations without an external id, put together where their users asked alike."""
    threads = {name_of(trial): trial for case in cases for trial in case.trials}
    kin = [Kin(name, boundary_user_text(one.conversation)) for name, one in threads.items()]
    return {names[0]: [threads[name] for name in names] for names in clusters_of(kin)}
