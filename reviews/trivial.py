"""Whether a task is passed by doing nothing at all: a matter of its contract, not of a run."""

from collections.abc import Mapping

from benchmarks.contract.observed import Observed
from benchmarks.contract.score import score
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolEntry

NULL_TEXT = "I am unable to complete this request."
"""What the null agent says to every task."""
DOING_NOTHING = Observed(texts=(NULL_TEXT,), final_response=NULL_TEXT)


def passes_by_saying_no(task: Task, tools: Mapping[str, ToolEntry]) -> bool:
    """Whether the one scorer passes an agent that calls nothing and says it cannot help."""
    return score(task.outcome_contract, DOING_NOTHING, tools).score.strict == 1
