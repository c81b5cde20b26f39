from benchmarks.contract.mutating import effective_policy
from benchmarks.environment.coverage import Coverage, coverage_by_tool
from benchmarks.records.conversation import Conversation, Tool
from tests.benchmarks.foundry.factories import call, conversation, result

TOOLS = [Tool(name="get_order"), Tool(name="cancel_order")]
POLICY = effective_policy(None, TOOLS, {"cancel_order": [{"order_id": "A-1"}]})


def looked_up(order: str, said: str = "x", *, cancels: bool = False) -> Conversation:
    look = ("assistant", call("get_order", "c1", order_id=order))
    turns = [("user", "Hello."), look, ("tool", result(said, "get_order", "c1"))]
    if cancels:
        turns += [
            ("assistant", call("cancel_order", "c2", order_id=order)),
            ("tool", result("done", "cancel_order", "c2")),
            ("assistant", call("get_order", "c3", order_id=order)),
            ("tool", result("cancelled", "get_order", "c3")),
        ]
    return conversation(turns)


def test_look_ups_are_counted_by_who_could_answer_them() -> None:
    found = coverage_by_tool([looked_up("A-1"), looked_up("A-1"), looked_up("A-2")], TOOLS, POLICY)
    assert found == {"get_order": Coverage(calls=3, lookups=3, own=3, shared=2)}


def test_what_a_write_touched_is_no_row_of_its_own_and_a_write_no_look_up() -> None:
    found = coverage_by_tool([looked_up("A-1", cancels=True)], TOOLS, POLICY)
    assert found["get_order"] == Coverage(calls=2, lookups=2, own=1)
    assert found["cancel_order"] == Coverage(calls=1)


def test_answers_that_disagree_are_not_shared() -> None:
    found = coverage_by_tool([looked_up("A-1", "x"), looked_up("A-1", "y")], TOOLS, POLICY)
    assert found["get_order"].shared == 2
    three = [looked_up("A-1", said) for said in ("x", "y", "z")]
    assert coverage_by_tool(three, TOOLS, POLICY)["get_order"].shared == 0


def test_words() -> None:
    figures = Coverage(calls=10, lookups=8, own=8) + Coverage(shared=2)
    assert figures.words() == (
        "10 recorded calls; of 8 look-ups own rows answer 100%, shared rows alone 25%"
    )
    assert Coverage(calls=1).words() == "1 recorded call; none of them a look-up"
    assert Coverage().words() == "0 recorded calls; none of them a look-up"
