from typing import Any

import pytest

from benchmarks.intake.dialects.tau_bench import TauBench, read
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.records.conversation import Conversation

SYSTEM = {"role": "system", "content": "Policy."}
HI = {"role": "user", "content": "Hi"}
BYE = {"role": "user", "content": "Thank you! ###STOP###"}
REPLY = {"role": "assistant", "content": "Hello"}


def call(name: str, arguments: str = "{}", raw_id: str | None = "a") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    found = {"type": "function", "function": function, **({"id": raw_id} if raw_id else {})}
    return {"role": "assistant", "content": None, "tool_calls": [found]}


def answer(content: Any, raw_id: str | None = "a", name: str | None = None) -> dict[str, Any]:
    message = {"role": "tool", "content": content}
    if raw_id:
        message["tool_call_id"] = raw_id
    return {**message, **({"name": name} if name else {})}


def record(*traj: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"task_id": 7, "trial": 1, "reward": 1.0, "info": {}, "traj": list(traj), **more}


def conversation(*traj: dict[str, Any], **more: Any) -> Conversation:
    reading = read(record(*traj, **more))
    assert isinstance(reading, Reading)
    return reading.conversation


def test_a_trajectory_is_one_conversation() -> None:
    reading = read(record(SYSTEM, HI, REPLY, BYE))
    assert isinstance(reading, Reading)
    found = reading.conversation
    assert [(turn.role, turn.text()) for turn in found.turns] == [
        ("system", "Policy."), ("user", "Hi"), ("assistant", "Hello"), ("user", "Thank you!"),
    ]  # fmt: skip
    assert (found.dialect, found.granularity, found.tools) == ("tau_bench", "session", [])
    assert (found.end.reason, found.outcome.reward) == ("user_stop", 1.0)
    identity = reading.frame.identity
    assert (identity.task_id, identity.trial) == ("7", "1")


def test_the_chat_form_holds_all_before_the_last_answer() -> None:
    reading = read(record(SYSTEM, HI, call("look"), answer("4"), REPLY, BYE))
    assert isinstance(reading, Reading)
    assert reading.request.system == "Policy."
    assert reading.request.messages == [HI, call("look"), answer("4")]
    assert reading.response.body == {"choices": [{"index": 0, "message": REPLY}]}


def test_results_are_joined_in_order_though_ids_repeat() -> None:
    found = conversation(
        HI, call("look", '{"n": 1}'), answer("one"), call("look", '{"n": 2}'), answer("two"), BYE
    )
    joined = [
        (found.turns[r.call.turn].calls()[0].arguments["n"], r.parts[0].text)
        for turn in found.turns
        for r in turn.results()
    ]
    assert joined == [(1, "one"), (2, "two")]
    assert [issue.code for issue in found.issues] == ["duplicate_call_id"]


def test_calls_without_ids_are_joined_in_order() -> None:
    found = conversation(
        HI,
        call("look", "{'first_name': 'Mei'}", None),
        answer("4", None, "look"),
        call("book", "{}", None),
        answer('# var_4 = "Error: no seat"', None),
    )
    results = [result for turn in found.turns for result in turn.results()]
    assert [(r.name, r.call.turn, r.status) for r in results] == [
        ("look", 1, "ok"), ("book", 3, "error"),
    ]  # fmt: skip
    assert found.turns[1].calls()[0].arguments == {"first_name": "Mei"}
    assert [issue.code for issue in found.issues] == ["arguments_literal"]


@pytest.mark.parametrize(
    ("traj", "end"),
    [
        ([HI, call("look"), answer("4")], "limit"),
        ([HI, call("look"), answer("Error: no")], "limit"),
        ([HI, call("transfer_to_human_agents"), answer("done")], "handoff"),
        ([HI, call("transfer_to_human_agents"), answer("Error: no")], "limit"),
        ([HI, REPLY], "reply"),
        ([HI, call("look")], "open"),
        ([HI, REPLY, HI], "open"),
        ([HI, call("transfer_to_human_agents"), answer("done"), BYE], "user_stop"),
        ([HI, REPLY, {"role": "user", "content": "###STOP###"}], "user_stop"),
    ],
)
def test_ends(traj: list[dict[str, Any]], end: str) -> None:
    assert conversation(*traj).end.reason == end


def test_a_user_who_only_stops_says_nothing() -> None:
    found = conversation(HI, REPLY, {"role": "user", "content": " ###STOP### "})
    assert [turn.role for turn in found.turns] == ["user", "assistant"]


def test_a_marker_in_the_assistant_s_words_ends_nothing() -> None:
    found = conversation(HI, {"role": "assistant", "content": "say ###STOP###"})
    assert found.end.reason == "reply"
    assert found.turns[1].text() == "say ###STOP###"


def test_a_crashed_rollout_is_named_and_is_no_loss() -> None:
    refused = read(record(info={"error": "Timeout: 30 s\nTraceback"}, reward=0.0))
    assert isinstance(refused, Refused)
    assert (refused.reason.value, refused.reason.kind.value) == ("failed_call", "noise")
    assert refused.detail == ("task 7: the rollout crashed before its first message: Timeout: 30 s")


@pytest.mark.parametrize("info", [{}, None, {"error": ""}, {"error": None}, []])
def test_an_empty_trajectory_without_an_error_is_a_loss(info: Any) -> None:
    refused = read(record(info=info))
    assert isinstance(refused, Refused)
    assert (refused.reason.value, refused.reason.kind.value) == ("no_messages", "loss")


@pytest.mark.parametrize(
    ("reward", "outcome"),
    [
        (0.5, {"reward": 0.5}),
        (0, {"reward": 0}),
        (True, {"success": True}),
        (None, None),
        ("1", None),
    ],
)
def test_the_reward_is_the_outcome(reward: Any, outcome: dict[str, Any] | None) -> None:
    found = conversation(HI, REPLY, reward=reward).outcome
    assert (found.dump() if found else None) == (
        {**outcome, "source": "reward"} if outcome else None
    )


def test_the_gold_in_info_goes_nowhere() -> None:
    reading = read(record(HI, REPLY, info={"task": {"actions": [{"name": "GOLD"}]}}))
    assert isinstance(reading, Reading)
    assert "GOLD" not in repr(reading)


@pytest.mark.parametrize(
    "other",
    [
        {"task_id": 1},
        {"traj": []},
        {"task_id": 1, "traj": None},
        {"task_id": 1, "traj": {"0": HI}},
        {"task_id": 1, "trajectory": []},
        {"task_id": 1, "messages": [HI]},
    ],
)
def test_other_records_are_none_of_its_own(other: dict[str, Any]) -> None:
    assert not TauBench().detect(other)


def test_its_own_records_are_detected() -> None:
    assert TauBench().detect(record())
    assert TauBench().detect({"task_id": "x", "traj": [HI]})


FLAT = (
    "user: Hi, what is left?\nassistant: None\ntool: Error: gone\nassistant: Nothing.\n\nSorry.\n"
    "user: Thanks ###STOP###"
)


def flattened(text: str) -> Conversation:
    reading = read({"messages_display": text})
    assert isinstance(reading, Reading)
    return reading.conversation


def test_a_flattened_line_is_a_conversation_whose_results_are_orphans() -> None:
    assert TauBench().detect({"messages_display": FLAT})
    found = flattened(FLAT)
    assert [(turn.role, turn.text()) for turn in found.turns] == [
        ("user", "Hi, what is left?"),
        ("assistant", ""),
        ("tool", ""),
        ("assistant", "Nothing.\n\nSorry."),
        ("user", "Thanks"),
    ]
    result = found.turns[2].results()[0]
    assert (result.orphan, result.status, result.parts[0].text) == (True, "error", "Error: gone")
    assert [issue.code for issue in found.issues] == ["orphan_result"]
    assert found.end.reason == "user_stop"


def test_words_that_only_hold_a_role_begin_no_message() -> None:
    found = flattened("user: the tool: it broke\nassistant: which user: you?")
    assert [turn.text() for turn in found.turns] == ["the tool: it broke", "which user: you?"]


@pytest.mark.parametrize("text", ["", "hello", "robot: hi", " user: hi", None, ["user: hi"]])
def test_other_texts_are_no_flattened_line(text: Any) -> None:
    assert not TauBench().detect({"messages_display": text})


def test_a_long_flattened_line_is_read_once() -> None:
    assert len(flattened("user: a\nassistant: b\n" * 9_000).turns) == 18_000
