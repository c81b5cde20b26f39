"""Conversations -> cases: the trials of one task, and the one that its contract is made from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.foundry.grouping import Thread
from benchmarks.foundry.lineage import pointer_order
from benchmarks.foundry.turns import system_text
from benchmarks.foundry.wording import normal
from benchmarks.records.conversation import Outcome
from benchmarks.records.digest import json_digest

NO_SUCCESSFUL_TRAJECTORY = "no_successful_trajectory"
REPEAT_TRIAL = "repeat_trial"


@dataclass(frozen=True)
class Case:
    """All trials of one task, in the order of trial index, then record digest."""

    trials: tuple[Thread, ...]
    external_id: str | None

    @property
    def source(self) -> Thread | None:
        """The earliest trial known to have succeeded, or the earliest of trials without outcome.

        None when outcomes are recorded and none is a success.
        """
        outcomes = [succeeded(trial.conversation.outcome) for trial in self.trials]
        if all(outcome is None for outcome in outcomes):
            return self.trials[0]
        good = (trial for trial, outcome in zip(self.trials, outcomes, strict=True) if outcome)
        return next(good, None)

    @property
    def successes(self) -> list[Thread]:
        """The trials that are known to have succeeded, in order."""
        return [one for one in self.trials if succeeded(one.conversation.outcome)]

    @property
    def failures(self) -> list[Thread]:
        """The trials that are known to have failed, in order."""
        return [one for one in self.trials if succeeded(one.conversation.outcome) is False]

    @property
    def outcomes(self) -> tuple[bool, ...]:
        """The recorded outcomes, unknown ones left out."""
        known = (succeeded(trial.conversation.outcome) for trial in self.trials)
        return tuple(outcome for outcome in known if outcome is not None)


def succeeded(outcome: Outcome | None) -> bool | None:
    """What a source says about itself: a success flag, else a reward of 1 or more."""
    if outcome is None:
        return None
    if outcome.success is not None:
        return outcome.success
    return None if outcome.reward is None else outcome.reward >= 1


def cases_of(threads: Iterable[Thread]) -> list[Case]:
    """The threads by task: trials share dialect, system text and external task id."""
    gathered: dict[str, list[Thread]] = {}
    for thread in threads:
        gathered.setdefault(_task_key(thread), []).append(thread)
    return [
        Case(tuple(sorted(found, key=trial_order)), external_id(found))
        for found in gathered.values()
    ]


def external_id(trials: Sequence[Thread]) -> str | None:
    """The id by which the source names the task."""
    return trials[0].main_line[0].source.identity.task_id


def _task_key(thread: Thread) -> str:
    named = external_id([thread])
    if named is None:
        return thread.execution_group
    conversation = thread.conversation
    system = normal(system_text(conversation.turns))
    return json_digest([conversation.dialect, system, named])


def trial_order(thread: Thread) -> tuple[object, ...]:
    """Where a trial stands among the trials of its task: by trial index, then record digest."""
    source = thread.main_line[0].source
    trial = source.identity.trial
    return (trial is None, pointer_order(trial or ""), source.record_sha256 or source.sha256)


def trial_name(trial: Thread) -> str:
    """How a trial is named among those of its task: by its index, else by where it stands."""
    source = trial.main_line[0].source
    return source.identity.trial or source.pointer
