"""The captures that `understudy demo` ships: invented conversations of a bicycle hire.

| file | form | records | conversations |
|---|---|---|---|
| gateway.jsonl | OpenAI chat completions in gateway envelopes, some bodies as text; one call failed and was sent again; line 10 is cut in the middle | 23 | 4 |
| chat-pairs.jsonl | bare request and response pairs; the last has no answer | 10 | 3 |
| messages.jsonl | Anthropic messages | 8 | 2 |
| trials.json | tau-bench trajectories: two tasks in two trials, one task that never succeeded | 5 | 5 |

Nothing in them was said by anybody; the one token in gateway.jsonl opens nothing.
"""  # noqa: E501

from collections.abc import Mapping
from pathlib import Path

from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry
from benchmarks.records.task import Task

FOLDER = Path(__file__).parent / "demo_data"
FILES = ("gateway.jsonl", "chat-pairs.jsonl", "messages.jsonl", "trials.json")
RECORDS = 46
BROKEN = {"malformed_line": 1, "no_response": 1}
"""Records that are broken on purpose, by the reason that intake gives."""
SECRETS = {"connection_string": 1}
CONVERSATIONS = 14
TASKS = 10
WITHOUT_TASK = {"repeat_trial": 2, "no_successful_trajectory": 1, "no_user_turn": 1}
"""Conversations that make no task, by reason."""

CARDS = 1
"""What the captures could measure: their requests are too unlike for more cards."""
WEAK, RIGHT_BIKE, WRONG_BIKE = "HB-3011", "BK-16", "BK-17"
"""A hire whose bicycle is exchanged, the one that it gets, and one that was free too."""
FEEDBACK = (
    "The bicycle is exchanged, and the verifier does not ask which one the customer is told of:"
    " somebody who says the wrong one passes."
)


def weak_task(tasks: Mapping[str, Task]) -> str:
    """The task whose contract leaves open what the customer is told."""
    return next(
        task_id
        for task_id, task in tasks.items()
        if any(WEAK in str(entry.arguments) for entry in task.outcome_contract.required)
    )


def wrong_rollout(task_id: str) -> JsonObject:
    """A rollout that does the right thing and says another: a person's word that it must fail."""
    arguments = {"hire_id": WEAK, "bike_id": RIGHT_BIKE}
    return {
        "task_id": task_id,
        "expect": "fail",
        "calls": [{"tool": "exchange_bike", "arguments": arguments}],
        "final_response": f"Your hire {WEAK} is now for {WRONG_BIKE}, size M.",
        "note": "the customer stands before the wrong bicycle",
    }


def corrected(task: Task) -> Task:
    """The task line as a person corrects it: the right bicycle must be named."""
    contract = task.outcome_contract
    told = Entry.read({
        "id": "told",
        "type": "value_propagation",
        "value": RIGHT_BIKE,
        "as": "exact",
        "source": {"kind": "tool_result"},
        "must_reach": {"kind": "response"},
        "provenance": "operator",
    })
    return task.with_(outcome_contract=contract.with_(required=[*contract.required, told]))
