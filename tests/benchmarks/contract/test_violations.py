"""What must not happen: forbidden calls and values, and entities to leave alone."""

from typing import Any

import pytest

from benchmarks.contract.observed import Observed, ObservedCall
from tests.benchmarks.contract.making import (
    call,
    contract,
    effect,
    exact,
    judged,
    rejected,
    response,
    rollout,
)

CLOSE = effect("close-ticket", ticket_id=exact("T-1"))
CLOSED = call("close-ticket", ticket_id="T-1")


@pytest.mark.parametrize(
    ("preserved", "made", "violated"),
    [
        ({"entity": {"type": "ticket", "id": "T-1"}}, CLOSED, True),
        ({"entity": {"type": "ticket", "id": "T-2"}}, CLOSED, False),
        ({"entity": {"type": "order", "id": "T-1"}}, CLOSED, False),
        ({"entity": {"id": "T-1"}}, CLOSED, True),
        ({"entity": {"type": "ticket", "id": "T-1"}, "tools": ["set-status"]}, CLOSED, False),
        ({"entity": {"type": "ticket", "id": "T-1"}}, call("get_order", ticket_id="T-1"), False),
        ({"entity": {"type": "ticket", "id": "T-1"}}, call("send-email", ticket_id="T-1"), True),
        ({"entity": {"type": "ticket", "id": "T-1"}}, call("send-email", ticket="T-1"), True),
        ({"entity": {"type": "ticket", "id": "T-1"}}, call("send-email", to="T-1"), False),
        ({"entity": {"type": "item", "id": 3}}, call("send-email", item_ids=[1, "3"]), True),
        ({"tool": "close-ticket", "reason": "not yet"}, CLOSED, True),
        ({"tool": "cancel_order", "reason": "not yet"}, CLOSED, False),
    ],
)
def test_what_must_be_left_alone(
    preserved: dict[str, Any], made: ObservedCall, violated: bool
) -> None:
    demand = contract(CLOSE, writes="allow", preserved=[{"id": "p1", **preserved}])
    result = judged(demand, rollout(made)).score
    assert (result.violated == ["p1"]) is violated
    assert result.policy == int(not violated)


@pytest.mark.parametrize(
    ("forbidden", "observed", "violated"),
    [
        ({"tool": "cancel_order"}, rollout(call("cancel_order", order_id="A")), True),
        ({"tool": "cancel_order"}, rollout(rejected("cancel_order", order_id="A")), False),
        (
            {"type": "forbidden", "tool": "cancel_order", "arguments": {"order_id": exact("B")}},
            rollout(call("cancel_order", order_id="A")),
            False,
        ),
        ({"type": "forbidden_value", "value": "S-1"}, rollout(said=["S-1", "bye"]), True),
        (
            {"type": "forbidden_value", "value": "S-1", "where": "final_response"},
            rollout(said=["S-1", "bye"]),
            False,
        ),
        (
            {"type": "forbidden_value", "value": "S-1", "where": "tool_args"},
            rollout(call("send-email", to=["x", {"body": "S-1"}])),
            True,
        ),
        (
            {"type": "forbidden_value", "value": 7},
            rollout(call("send-email", body="7 days")),
            False,
        ),
        ({"type": "forbidden_value", "value": 7}, rollout(said="in 7 days"), True),
    ],
)
def test_what_must_not_happen(
    forbidden: dict[str, Any], observed: Observed, violated: bool
) -> None:
    demand = contract(response("answered"), writes="allow", forbidden=[{"id": "x1", **forbidden}])
    assert judged(demand, observed).score.violated == (["x1"] if violated else [])
