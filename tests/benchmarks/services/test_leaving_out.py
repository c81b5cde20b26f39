"""Each success of a task, judged by the contract of the others."""

from benchmarks.records.conversation import Conversation, Outcome
from benchmarks.services.leaving_out import left_out
from tests.benchmarks.contract.making import POLICY, TOOLS, Talk, tool

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]


def trial(*tickets: str, success: bool | None = True) -> Conversation:
    talk = Talk(*OFFERED).user("Close my ticket.")
    for ticket in tickets:
        talk.calls("close-ticket", {"ticket_id": ticket})
    outcome = None if success is None else Outcome(success=success, source="success")
    return talk.says("Closed.").ends().with_(outcome=outcome)


def test_trials_are_counted_that_are_known_to_have_succeeded() -> None:
    trials = {"t": [trial("T-1"), trial("T-9", success=False), trial("T-1"), trial("T-1", "T-2")]}
    found = left_out(trials, POLICY)["t"]
    assert (found.of, round(found.share, 4)) == (3, 0.6667)
    assert found.refused == {"trial 4": {"unexpected_writes": "call 2 to close-ticket"}}


def test_a_task_with_one_success_or_none_known_is_left_out() -> None:
    one = [trial("T-1"), trial("T-1", success=False)]
    unknown = [trial("T-1", success=None), trial("T-1", success=None)]
    assert left_out({"one": one, "unknown": unknown}, POLICY) == {}
