from typing import Any

import pytest

from benchmarks.contract.observed import (
    Observed,
    end_under,
    observed_calls,
    observed_from_conversation,
    observed_from_trajectory,
    termination_of,
)
from benchmarks.records.conversation import (
    Conversation,
    End,
    JsonPart,
    Reasoning,
    Refusal,
    Stop,
    Text,
    ToolCall,
    Turn,
)
from benchmarks.records.trajectory import Trajectory
from tests.benchmarks.contract.making import POLICY, Talk, call


def test_calls_texts_and_the_end_of_a_conversation() -> None:
    talk = Talk().system("Be kind.").user("Close T-1.").says("Looking.")
    talk.calls("close-ticket", {"ticket_id": "T-1"}, "closed").says("Closed.").user("Bye.")
    observed = observed_from_conversation(talk.ends("user_stop"), POLICY)
    assert [(one.tool, one.status, one.result, one.turn) for one in observed.calls] == [
        ("close-ticket", "ok", "closed", 3)
    ]
    assert observed.texts == ("Looking.", "Closed.")
    assert observed.text_turns == (2, 5)
    assert (observed.final_response, observed.termination) == ("Closed.", "finished")


def test_a_result_that_was_never_captured_leaves_the_call_accepted_and_unconfirmed() -> None:
    talk = Talk().user("x").calls("close-ticket", {"ticket_id": "T-1"}, None)
    (only,) = observed_calls(talk.ends("open"), POLICY)
    assert (only.accepted, only.confirmed, only.result) == (True, False, None)


def test_a_structured_result_stays_a_value() -> None:
    talk = Talk().user("x").calls("get_order", {}, "x")
    result = talk.turns[-1].results()[0].with_(parts=[JsonPart(value={"id": 7})])
    talk.turns[-1] = talk.turns[-1].with_(parts=[result])
    assert observed_calls(talk.ends(), POLICY)[0].result == {"id": 7}


@pytest.mark.parametrize(
    ("name", "status"), [("close-ticket", "error"), ("get_order", "ok"), ("bookings", "ok")]
)
def test_the_status_of_a_result_object_counts_for_writes_only(name: str, status: str) -> None:
    talk = Talk().user("x").calls(name, {}, '{"status": "Failed"}')
    assert observed_calls(talk.ends(), POLICY)[0].status == status


@pytest.mark.parametrize(
    ("reason", "termination"),
    [
        ("user_stop", "finished"),
        ("handoff", "finished"),
        ("finish", "finished"),
        ("reply", "finished"),
        ("limit", "max_turns"),
        ("open", "max_turns"),
        ("unknown", "max_turns"),
        ("error", "error"),
    ],
)
def test_how_an_end_reads_as_a_termination(reason: Any, termination: str) -> None:
    assert termination_of(End(reason=reason)) == termination


def test_no_end_is_no_finish() -> None:
    assert termination_of(None) == "max_turns"


@pytest.mark.parametrize(
    ("name", "status", "was", "becomes"),
    [
        ("transfer_to_human_agents", "ok", "limit", "handoff"),
        ("transfer_to_human_agents", "ok", "user_stop", "user_stop"),
        ("transfer_to_human_agents", "error", "limit", "limit"),
        ("finish", "ok", "open", "finish"),
        ("get_order", "ok", "handoff", "open"),
        ("get_order", "ok", "reply", "reply"),
    ],
)
def test_the_end_once_the_roles_are_known(name: str, status: str, was: str, becomes: str) -> None:
    conversation = Talk().user("x").calls(name, {}, "OK", status).ends(was)
    assert end_under(conversation, POLICY).reason == becomes


def turn(index: int, *parts: Any, role: Any = "assistant", origin: Any = "response") -> Turn:
    return Turn(index=index, role=role, origin=origin, parts=list(parts))


def test_hidden_thought_is_not_said_and_a_refusal_is() -> None:
    conversation = Conversation(
        dialect="messages",
        granularity="session",
        turns=[
            turn(0, Reasoning(text="secret"), Text(text="I think")),
            turn(1, Refusal(text="I will not.")),
            turn(2, Reasoning(text="only thought")),
            turn(3, JsonPart(value={"b": 1, "a": 2})),
        ],
        tools=[],
        stop=Stop(reason="end"),
    )
    observed = observed_from_conversation(conversation, POLICY)
    assert observed.texts == ("I think", "I will not.", '{"a":2,"b":1}')


def trajectory(**changes: Any) -> Trajectory:
    return Trajectory.read({
        "run_id": "r", "benchmark_id": "b", "task_id": "t", "model": "m", "arm_kind": "candidate",
        "rollout": 0, "attempt": 1, "fence": 1, "seed": 1, "started_at": "x", "finished_at": "x",
        "termination": "finished", "turns": [], "calls": [], **changes,
    })  # fmt: skip


def test_a_kept_rollout_reads_as_its_conversation_would() -> None:
    kept = trajectory(
        turns=[
            turn(0, Text(text="Welcome!"), origin="request"),
            turn(1, Text(text="Hi"), role="user", origin="request"),
            turn(2, Text(text="Done.")),
        ],
        calls=[
            {"index": 0, "call_id": "c", "turn": 2, "tool": "close-ticket",
             "arguments": {"ticket_id": "T-1"}, "status": "ok", "content": "closed"},
            {"index": 1, "call_id": "d", "turn": 2, "tool": "get_order",
             "arguments": {}, "status": "not_recorded", "content": None},
        ],
        final_response="Done.",
    )  # fmt: skip
    observed = observed_from_trajectory(kept)
    assert observed.texts == ("Done.",)
    assert [one.accepted for one in observed.calls] == [True, False]
    assert observed.calls[0].result == "closed"


@pytest.mark.parametrize(
    ("observed", "final"),
    [
        (Observed(texts=("a", "b"), final_response="c"), "c"),
        (Observed(texts=("a", "b"), final_response=None), "b"),
        (Observed(texts=("a", " "), final_response=""), "a"),
        (Observed(calls=(call("finish", answer="x", text="y"),)), "x"),
        (Observed(calls=(call("finish", other="x"),)), ""),
        (Observed(calls=(call("get_order", answer="x"),)), ""),
        (Observed(), ""),
    ],
)
def test_the_final_text(observed: Observed, final: str) -> None:
    assert observed.final_text(POLICY) == final


def test_a_call_part_of_another_origin_is_still_a_call() -> None:
    part = ToolCall(call_id="c", name="get_order", arguments={})
    conversation = Conversation(
        dialect="messages", granularity="call", turns=[turn(0, part, origin="request")],
        tools=[], stop=Stop(reason="end"),
    )  # fmt: skip
    assert len(observed_calls(conversation, POLICY)) == 1
