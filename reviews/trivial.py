"""Whether a task is passed by doing nothing at all: a matter of its contract, not of a run."""

from collections.abc import Mapping

from benchmarks.contract.observed import Observed
from benchmarks.contract.score import score
from benchmarks.records.contract import Entry
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolEntry

NULL_TEXT = "I am unable to complete this request."
"""What the null agent says to every task."""
DOING_NOTHING = Observed(texts=(NULL_TEXT,), final_response=NULL_TEXT)


CALLS = frozenset({None, "state_effect", "read_obligation"})
"""The entries that only a call can meet; a missing type is a state_effect."""


def passes_by_saying_no(task: Task, tools: Mapping[str, ToolEntry]) -> bool:
    """Whether the one scorer passes an agent that calls nothing and says it cannot help."""
    if any(_demands_a_call(entry) for entry in task.outcome_contract.required):
        return False
    return score(task.outcome_contract, DOING_NOTHING, tools).score.strict == 1


def _demands_a_call(entry: Entry) -> bool:
    return entry.type in CALLS and not entry.optional and not entry.any_of
