from typing import Any

from benchmarks.contract.entries import demands_of
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.contract.replay import events, marks, prefix, steps, without_answered
from benchmarks.contract.score import judge
from benchmarks.records.contract import Contract
from tests.benchmarks.contract.making import (
    POLICY,
    call,
    contract,
    effect,
    exact,
    judged,
    response,
    rollout,
    said_value,
)


def at(turn: int, name: str, **arguments: Any) -> ObservedCall:
    return ObservedCall(name, arguments, result="OK", turn=turn)


DEMAND = contract(
    effect("close-ticket", "o1", ticket_id=exact("T-1")),
    said_value("T-1", "o2", must_reach={"kind": "response"}),
    response("answered", "o3"),
)
OBSERVED = Observed(
    calls=(at(1, "get_order", order_id="A"), at(3, "close-ticket", ticket_id="T-1")),
    texts=("Looking at T-1.", "All done."),
    final_response="All done.",
    text_turns=(2, 4),
)


def met(demand: Contract, observed: Observed) -> list[tuple[str, bool, int | None]]:
    return [(one.id, one.met, one.met_at) for one in marks(demand, observed, POLICY)]


def test_marks_say_when_each_entry_was_met() -> None:
    assert met(DEMAND, OBSERVED) == [("o1", True, 1), ("o2", True, 1), ("o3", True, 2)]


def test_an_unmet_entry_has_no_moment() -> None:
    assert met(DEMAND, rollout(said="Sorry.")) == [
        ("o1", False, None),
        ("o2", False, None),
        ("o3", True, 0),
    ]


def test_marks_of_reads_values_in_arguments_and_consultations() -> None:
    read = {"id": "o1", "type": "read_obligation", "tool": "get_order", "arguments": {}}
    carried = said_value("A-7", "o2", must_reach={"kind": "tool_args"})
    demand = contract(read, carried, response("consulted", "o3"), said_value("A-7", "o4"))
    observed = rollout(
        call("find_user", email="x"), call("get_order", order_id="A-7"), said="It is A-7."
    )
    assert met(demand, observed) == [
        ("o1", True, 1), ("o2", True, 1), ("o3", True, 0), ("o4", True, 2),
    ]  # fmt: skip


def test_marks_take_a_score_that_was_made_before() -> None:
    scored = judged(DEMAND, OBSERVED)
    assert marks(DEMAND, OBSERVED, POLICY, scored) == marks(DEMAND, OBSERVED, POLICY)


def test_every_prefix_is_judged_without_the_end() -> None:
    found = steps(DEMAND, OBSERVED, POLICY)
    assert [(step.call, step.text, step.turn) for step in found] == [
        (0, None, 1),
        (None, 0, 2),
        (1, None, 3),
        (None, 1, 4),
    ]
    assert [step.score.met for step in found] == [[], ["o2"], ["o1", "o2"], ["o1", "o2"]]
    assert found[-1].score.recall == 1


def test_words_stand_before_the_calls_of_their_turn() -> None:
    observed = Observed(
        calls=(at(1, "get_order", order_id="A"),), texts=("Looking.",), text_turns=(1,)
    )
    assert [step.call for step in steps(DEMAND, observed, POLICY)] == [None, 0]


def test_without_turns_the_calls_come_first() -> None:
    observed = rollout(call("get_order", order_id="A"), said="Looking.")
    assert [step.call for step in steps(DEMAND, observed, POLICY)] == [0, None]


def test_a_contract_of_the_end_alone_has_no_prefix_verdict() -> None:
    demand = contract(response("answered"))
    assert [step.score.judgeable for step in steps(demand, rollout(said="Hi."), POLICY)] == [False]


def test_a_step_is_what_its_prefix_alone_would_be_judged_as() -> None:
    made = {"match": "ref", "entry": "o1", "path": "/ticket_id"}
    demand = contract(
        effect("create-ticket", "o1", title=exact("broken")),
        effect("close-ticket", "o2", ticket_id=made),
        effect("close-ticket", "o3", ticket_id=exact("T-9")),
    )
    observed = Observed(
        calls=(
            at(1, "close-ticket", ticket_id="T-5"),
            at(2, "create-ticket", title="other"),
            ObservedCall("create-ticket", {"title": "broken"}, result={"ticket_id": "T-5"}, turn=3),
            at(4, "close-ticket", ticket_id="T-9"),
        ),
    )
    order = events(observed)
    demands = without_answered(demands_of(demand, POLICY))
    alone = [judge(demands, prefix(observed, order[:count]), POLICY).score for count in range(1, 5)]
    found = [step.score for step in steps(demand, observed, POLICY)]
    assert found == alone
    assert [score.met for score in found] == [[], [], ["o1", "o2"], ["o1", "o2", "o3"]]
