from typing import Any

import pytest

from benchmarks.intake.dialect import Piece
from benchmarks.intake.dialects.tau2 import Tau2
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.records.conversation import Conversation

HELLO = {"role": "assistant", "content": "How can I help?"}
ASK = {"role": "user", "content": "My phone is dead."}
REPLY = {"role": "assistant", "content": "Fixed."}
BYE = {"role": "user", "content": "Thanks! ###STOP###"}


def call(
    name: str, raw_id: str = "c1", role: str = "assistant", **arguments: Any
) -> dict[str, Any]:
    found = {"id": raw_id, "name": name, "arguments": arguments, "requestor": role}
    return {"role": role, "content": None, "tool_calls": [found]}


def result(content: Any, raw_id: str = "c1", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "id": raw_id, "content": content, "requestor": "assistant", **more}


def simulation(*messages: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": "sim-1",
        "task_id": "7",
        "trial": 0,
        "start_time": "2026-01-02T03:04:05",
        "termination_reason": "user_stop",
        "reward_info": {"reward": 1.0},
        "messages": list(messages),
        **more,
    }


def run(*simulations: Any, **info: Any) -> dict[str, Any]:
    return {"simulations": list(simulations), "tasks": [{"id": "7"}], "info": info}


def pieces(record: Any) -> list[Piece]:
    assert Tau2().detect(record)
    return list(Tau2().read(record))


def reading(record: Any) -> Reading:
    (piece,) = pieces(record)
    assert isinstance(piece.result, Reading)
    return piece.result


def conversation(*messages: Any, **more: Any) -> Conversation:
    return reading(simulation(*messages, **more)).conversation


def refused(record: Any) -> Refused:
    (piece,) = pieces(record)
    assert isinstance(piece.result, Refused)
    return piece.result


def said(found: Conversation) -> list[tuple[str, str]]:
    return [(turn.role, turn.text()) for turn in found.turns]


def test_a_simulation_is_one_conversation() -> None:
    one = reading(simulation(HELLO, ASK, call("look", n=1), result("4"), REPLY, BYE))
    assert said(one.conversation) == [
        ("assistant", "How can I help?"), ("user", "My phone is dead."), ("assistant", ""),
        ("tool", ""), ("assistant", "Fixed."), ("user", "Thanks!"),
    ]  # fmt: skip
    answer = one.conversation.turns[3].results()[0]
    assert (answer.name, answer.call.turn, answer.parts[0].text) == ("look", 2, "4")
    assert (one.conversation.dialect, one.conversation.end.reason) == ("tau2", "user_stop")
    assert one.conversation.outcome.dump() == {"reward": 1.0, "source": "reward_info"}
    identity = one.frame.identity
    assert (identity.task_id, identity.trial, identity.session_id) == ("7", "0", "sim-1")


def test_a_run_holds_many() -> None:
    found = pieces(run(simulation(HELLO, ASK), simulation(HELLO, BYE, trial=1)))
    assert [piece.within for piece in found] == ["/simulations/0", "/simulations/1"]


def test_what_the_run_says_of_the_agent_counts_for_all() -> None:
    info = {
        "agent_info": {"llm": "gpt-x"},
        "environment_info": {
            "domain_name": "phones",
            "policy": "Be kind.",
            "tool_defs": {"look": {"doc": "Looks.", "params": {"required": ["n"]}}},
        },
    }
    one = reading(run(simulation(HELLO, ASK), **info))
    assert said(one.conversation)[0] == ("system", "Be kind.")
    assert one.frame.identity.task_id == "phones/7"
    assert one.frame.routing.requested_model == "gpt-x"
    (tool,) = one.conversation.tools
    assert (tool.name, tool.description, tool.required) == ("look", "Looks.", ["n"])


def test_a_policy_is_not_told_twice() -> None:
    system = {"role": "system", "content": "Mine."}
    one = reading(run(simulation(system, ASK), environment_info={"policy": "Be kind."}))
    assert said(one.conversation)[0] == ("system", "Mine.")
    assert len(one.conversation.turns) == 2


def test_the_user_s_own_calls_are_no_calls_of_the_agent_s() -> None:
    own = call("toggle", "u1", "user", on=True)
    found = conversation(
        HELLO, ASK, own, result("on", "u1", requestor="user"), call("look"), result("4"), BYE
    )
    assert [one.name for turn in found.turns for one in turn.calls()] == ["look"]
    assert [one.name for turn in found.turns for one in turn.results()] == ["look"]
    kept = [(turn.name, turn.parts[0].source_type) for turn in found.turns if turn.name == "user"]
    assert kept == [("user", "user_tool_call"), ("user", "user_tool_result")]
    assert found.turns[2].parts[0].value == own["tool_calls"][0]
    assert [turn.role for turn in found.turns].count("user") == 2


def test_several_results_of_one_message_are_one_turn() -> None:
    two = {
        "role": "assistant",
        "tool_calls": [
            {"id": "a", "name": "x", "arguments": {}}, {"id": "b", "name": "y", "arguments": {}},
        ],
    }  # fmt: skip
    both = {
        "role": "tool",
        "tool_messages": [result("1", "a"), result("u", "q", requestor="user"), result("2", "b")],
    }
    found = conversation(ASK, two, both, REPLY)
    assert [one.name for one in found.turns[3].results()] == ["x", "y"]
    assert found.turns[2].parts[0].source_type == "user_tool_result"


def test_an_error_is_what_the_environment_says_is_one() -> None:
    found = conversation(ASK, call("look"), result("no such line", error=True), REPLY)
    assert found.turns[2].results()[0].status == "error"


@pytest.mark.parametrize(
    ("why", "messages", "end", "detail"),
    [
        ("user_stop", [ASK, REPLY], "user_stop", ""),
        ("agent_stop", [ASK, REPLY], "reply", ""),
        ("max_steps", [ASK, REPLY], "limit", "max_steps"),
        ("too_many_errors", [ASK, call("look"), result("x")], "limit", "too_many_errors"),
        ("agent_error", [ASK], "error", "agent_error"),
        ("max_steps", [ASK, call("transfer_to_human_agents"), result("ok")], "handoff", None),
        (None, [ASK, REPLY, BYE], "user_stop", ""),
        (None, [ASK], "open", None),
    ],
)
def test_ends(why: str | None, messages: list[Any], end: str, detail: str | None) -> None:
    found = conversation(*messages, termination_reason=why).end
    assert found.reason == end
    assert detail is None or found.detail == detail


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Bye. ###STOP###", "Bye."),
        ("###TRANSFER### now", None),
        ("###OUT-OF-SCOPE###", None),
        ("## a heading ##", "## a heading ##"),
    ],
)
def test_markers_of_the_user_s_side_are_cut(content: str, text: str | None) -> None:
    found = conversation(REPLY, {"role": "user", "content": content})
    assert [turn.text() for turn in found.turns[1:]] == ([text] if text else [])


def test_usage_is_that_of_the_agent_s_own_calls() -> None:
    spent = {"usage": {"prompt_tokens": 10, "completion_tokens": 2}, "cost": 0.5}
    found = conversation({**ASK, **spent}, {**REPLY, **spent, "timestamp": "2026-01-01T00:00:00Z"})
    assert (found.usage.input_tokens, found.usage.calls) == (10, 1)
    assert found.usage.reported_cost_usd == 0.5
    assert found.turns[1].at == "2026-01-01T00:00:00.000Z"


def test_spoken_messages_are_kept_as_bytes() -> None:
    one = reading(simulation(ASK, {"role": "assistant", "content": "cGNt", "is_audio": True}))
    assert one.conversation.turns[1].parts[0].media == "audio"
    assert list(one.blobs.values()) == [b"pcm"]


@pytest.mark.parametrize(
    ("record", "reason", "detail"),
    [
        (
            simulation(messages=None, ticks=[{"t": 1}]),
            "not_a_capture",
            "a simulation by voice: ticks, no messages",
        ),
        (run(), "not_a_capture", "results without a simulation"),
        (
            {"tasks": [], "info": {"environment_info": {}}},
            "not_a_capture",
            "results without a simulation",
        ),
        (
            simulation(termination_reason="infrastructure_error"),
            "failed_call",
            "task 7: ended by infrastructure_error before its first message",
        ),
        (simulation(), "no_messages", "task 7: a simulation without messages"),
    ],
)
def test_what_holds_no_conversation_says_so(record: Any, reason: str, detail: str) -> None:
    found = refused(record)
    assert (found.reason.value, found.detail) == (reason, detail)


@pytest.mark.parametrize(
    "other",
    [
        {"tasks": []},
        {"id": "0", "user_scenario": {}, "evaluation_criteria": {}},
        {"simulations": []},
        {"simulations": {}, "tasks": [], "info": {}},
        {"messages": [ASK]},
        {"termination_reason": "user_stop"},
        [],
        None,
    ],
)
def test_other_records_are_none_of_its_own(other: Any) -> None:
    assert not Tau2().detect(other)


@pytest.mark.parametrize("junk", [None, 1, "x", [], {}, [[]], [{}], {"a": []}, True])
def test_whatever_stands_in_a_field_it_never_raises(junk: Any) -> None:
    whole = [HELLO, ASK, call("look"), result("4"), BYE]
    for key in simulation():
        record = simulation(*whole, **{key: junk})
        if Tau2().detect(record):
            list(Tau2().read(record))
    keys = ("role", "content", "tool_calls", "requestor", "usage", "timestamp", "is_audio",
            "tool_messages", "error", "id")  # fmt: skip
    for key in keys:
        for message in whole:
            list(Tau2().read(simulation({**message, key: junk}, call("a", role="user"))))
    for key in ("info", "simulations", "tasks"):
        record = {**run(simulation(*whole)), key: junk}
        if Tau2().detect(record):
            list(Tau2().read(record))
    for key in ("agent_info", "environment_info"):
        list(Tau2().read(run(simulation(*whole), **{key: junk})))
    for key in ("policy", "tool_defs", "domain_name"):
        list(Tau2().read(run(simulation(*whole), environment_info={key: junk})))
