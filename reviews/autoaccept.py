"""Which undecided tasks a policy would accept by itself, and which need a person."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.records.vocabulary import Attention
from reviews.attention import Doubt
from reviews.decisions import Decisions

NOTE = "auto-accepted: undecided, and nothing stands against it"


@dataclass(frozen=True, slots=True)
class AutoAccepts:
    """The undecided tasks, told apart."""

    acceptable: tuple[str, ...]
    exceptions: Mapping[str, tuple[Attention, ...]]
    """The undecided tasks with doubts, and which."""

    def by_flag(self) -> dict[str, int]:
        """How many exceptions carry each flag."""
        return {
            flag.value: count
            for flag in Attention
            if (count := sum(flag in flags for flags in self.exceptions.values()))
        }


def auto_accepts(
    task_ids: Iterable[str], decisions: Decisions, doubts: Mapping[str, Sequence[Doubt]]
) -> AutoAccepts:
    """Tell the undecided tasks apart; a task that somebody decided is never decided again."""
    undecided = [task for task in task_ids if decisions[task].decision is None]
    return AutoAccepts(
        acceptable=tuple(task for task in undecided if not doubts.get(task)),
        exceptions={
            task: tuple(doubt.flag for doubt in doubts[task])
            for task in undecided
            if doubts.get(task)
        },
    )


def undecided(
    task_ids: Iterable[str], decisions: Decisions, doubts: Mapping[str, Sequence[Doubt]]
) -> list[str]:
    """The tasks that wait for somebody: nobody decided, and they are flagged or pending."""
    return [
        task
        for task in task_ids
        if not decisions[task].explicit and (decisions[task].decision is None or doubts.get(task))
    ]
