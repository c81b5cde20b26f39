"""Answers of real tools, as the world counts them."""

import pytest

from benchmarks.environment.live import LiveReply, server_name
from benchmarks.foundry.posture import is_simulated
from benchmarks.records.blocks import Fidelity
from tests.benchmarks.environment.bookings import GET_A, TOOLS, policy_of, said, world


@pytest.mark.parametrize(
    ("tool", "there"),
    [
        ("mcp__desk__get_order", "get_order"),
        ("mcp__a_b__c__d", "c__d"),
        ("get_order", "get_order"),
        ("functions.get_order", "functions.get_order"),
    ],
)
def test_a_server_knows_its_tools_without_the_prefix(tool: str, there: str) -> None:
    assert server_name(tool) == there


def test_a_real_answer_is_counted_as_live_and_leaves_no_share() -> None:
    here = world(GET_A)
    here.call("get_booking", {"booking_id": "A-7"})
    assert here.fidelity().share == 1
    found = here.lived("pay", {"method": "cash"}, LiveReply("ok", "paid"))
    assert (said(found), found.write) == (("ok", "paid", "live", "live"), True)
    assert here.fidelity() == Fidelity(
        calls=2, served=1, not_recorded=0, echoed=0, simulated=0, live=1, rejected=0, share=None
    )


def test_a_real_error_is_the_tools_own() -> None:
    here = world()
    found = here.lived("get_booking", {}, LiveReply("error", {"error": "gone"}))
    assert (found.status, found.content, found.write) == ("error", {"error": "gone"}, False)


def test_only_a_tool_that_is_offered_and_ends_nothing_is_real() -> None:
    here = world()
    assert here.is_real("get_booking")
    assert not here.is_real("finish")
    assert not here.is_real("get_weather")


def test_beside_live_tools_the_recorded_world_plays_as_its_tools_suggest() -> None:
    policy = policy_of(TOOLS)
    reads = [tool for tool in TOOLS if tool.name == "get_booking"]
    assert [is_simulated(posture, TOOLS, policy) for posture in ("live", None)] == [True, True]
    assert [is_simulated(posture, reads, policy) for posture in ("live", None)] == [False, False]
    assert is_simulated("simulated", reads, policy)
    assert not is_simulated("frozen", TOOLS, policy)
