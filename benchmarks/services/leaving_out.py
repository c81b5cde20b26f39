"""Whether each success of a task would pass the contract of the others (spec/build.md 4.9)."""

from collections.abc import Mapping, Sequence

from benchmarks.contract.compiling import SourceContext, recorded_structures
from benchmarks.contract.learning.learn import read_success
from benchmarks.contract.learning.leaving_out import LeftOut, leave_one_out
from benchmarks.contract.mutating import Policy
from benchmarks.foundry.trials import succeeded
from benchmarks.records.conversation import Conversation

Trials = Mapping[str, Sequence[Conversation]]
"""The trials of each task, the source of its contract first."""


def left_out(trials: Trials, policy: Policy) -> dict[str, LeftOut]:
    """What leaving one out says of each task that has several successes."""
    calls: dict[str, list[Mapping[str, object]]] = {}
    for tried in trials.values():
        for call in (call for trial in tried for turn in trial.turns for call in turn.calls()):
            calls.setdefault(call.name, []).append(call.arguments or {})
    context = SourceContext(structured=recorded_structures(calls))
    found: dict[str, LeftOut] = {}
    for task_id, tried in trials.items():
        successes = [
            read_success(f"trial {place}", trial, policy, context)
            for place, trial in enumerate(tried, start=1)
            if succeeded(trial.outcome)
        ]
        left = leave_one_out(successes, policy)
        if left is not None:
            found[task_id] = left
    return found
