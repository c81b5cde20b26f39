from benchmarks.contract.learning.learn import Success, learn_contract, read_success
from benchmarks.contract.learning.leaving_out import leave_one_out
from tests.benchmarks.contract.making import POLICY, TOOLS, Talk, tool

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]


def closing(*tickets: str) -> Success:
    talk = Talk(*OFFERED).user("Close my ticket.")
    for ticket in tickets:
        talk.calls("close-ticket", {"ticket_id": ticket})
    return read_success(" and ".join(tickets), talk.says("Closed.").ends(), POLICY)


def test_one_success_cannot_be_held_against_others() -> None:
    assert leave_one_out([closing("T-1")], POLICY) is None


def test_a_success_that_did_otherwise_is_refused_with_the_entry() -> None:
    found = leave_one_out([closing("T-1"), closing("T-1"), closing("T-1", "T-2")], POLICY)
    assert found is not None
    assert (found.of, round(found.share, 4)) == (3, 0.6667)
    assert found.refused == {"T-1 and T-2": {"unexpected_writes": "call 2 to close-ticket"}}


def test_what_only_some_did_is_allowed_and_not_asked() -> None:
    contract = learn_contract([closing("T-1"), closing("T-1", "T-2")], POLICY).contract
    acts = [entry for entry in contract.required if entry.type == "state_effect"]
    assert [(entry.optional, entry.support) for entry in acts] == [
        (None, {"seen": 2, "of": 2}),
        (True, {"seen": 1, "of": 2}),
    ]
