from typing import Any

from benchmarks.intake.dialects.openclaw import OpenClaw
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.session_lines import conversation, pieces, shape

CLAW = OpenClaw()
MAIN = "agent:a:main"
HELPER = "agent:a:subagent:7f"
Event = dict[str, Any]


def start(prompt: str, key: str = MAIN, **more: Any) -> Event:
    return {"type": "agent.start", "sessionKey": key, "agentId": "a", "prompt": prompt, **more}


def called(tool: str, key: str = MAIN, **params: Any) -> Event:
    return {"type": "tool.start", "toolName": tool, "params": params, "sessionKey": key,
            "agentId": "a"}  # fmt: skip


def ended(tool: str, key: str = MAIN, **more: Any) -> Event:
    return {"type": "tool.end", "toolName": tool, "success": True, "sessionKey": key,
            "agentId": "a", **more}  # fmt: skip


def sent(text: str, kind: str = "message.out", **more: Any) -> Event:
    return {"type": kind, "channel": "chat", "to": "x", "content": text, **more}


def received(text: str) -> Event:
    return {"type": "message.in", "channel": "chat", "from": "x", "content": text}


ASKED = {"role": "user", "content": "is it raining?", "timestamp": 1_790_000_000_000}
LOOKED = {
    "role": "assistant",
    "content": [{"type": "toolCall", "id": "t1", "name": "look", "arguments": {"at": "sky"}}],
    "model": "m-1", "provider": "p", "usage": {"input": 7, "output": 3},
}  # fmt: skip
SEEN = {"role": "toolResult", "toolCallId": "t1", "toolName": "look",
        "content": [{"type": "text", "text": "clouds"}], "isError": False}  # fmt: skip
SAID = {"role": "assistant", "content": [{"type": "text", "text": "not yet"}]}
HISTORY = [ASKED, LOOKED, SEEN, SAID]


def test_what_happened_is_told_by_events_alone_until_a_history_tells_it() -> None:
    events = [
        received("is it raining?"),
        start("is it raining?"), start("is it raining?", messages=[]),
        called("look", at="sky"), ended("look"),
        sent("not yet", "message.sending"), sent("not yet", success=True),
    ]  # fmt: skip
    assert shape(conversation(CLAW, events)) == [
        "user is it raining?", "assistant !look", "assistant not yet",
    ]  # fmt: skip
    later = conversation(CLAW, [*events, start("and now?", messages=HISTORY)])
    assert shape(later) == [
        "user is it raining?", "assistant !look", "tool ?look:ok", "assistant not yet",
        "user and now?",
    ]  # fmt: skip
    assert [turn.model for turn in later.turns] == [None, "m-1", None, None, None]
    assert later.turns[0].at == "2026-09-21T14:13:20.000Z"
    assert later.usage is not None
    assert (later.usage.input_tokens, later.usage.output_tokens) == (7, 3)


def test_a_history_that_did_not_grow_leaves_what_happened_since() -> None:
    found = conversation(CLAW, [
        start("and now?", messages=HISTORY), sent("now it is"),
        start("thanks", messages=HISTORY),
    ])  # fmt: skip
    assert shape(found)[4:] == ["user and now?", "assistant now it is", "user thanks"]


def test_a_history_may_be_told_by_what_is_new_in_it_and_at_the_end_of_a_run() -> None:
    found = conversation(CLAW, [
        start("is it raining?", newMessages=[]),
        {"type": "agent.end", "sessionKey": MAIN, "success": True, "newMessages": HISTORY},
        sent("not yet"),
        start("and now?", newMessages=[]),
    ])  # fmt: skip
    assert shape(found)[3:] == ["assistant not yet", "user and now?"]


def test_another_history_under_the_same_key_is_another_conversation() -> None:
    first, second = pieces(CLAW, [
        start("and now?", messages=HISTORY), sent("now it is"),
        start("hello"), start("hello", messages=[]), sent("hi"),
    ])  # fmt: skip
    assert isinstance(first.result, Reading)
    assert isinstance(second.result, Reading)
    assert shape(first.result.conversation)[4:] == ["user and now?", "assistant now it is"]
    assert shape(second.result.conversation) == ["user hello", "assistant hi"]
    assert [one.result.frame.capture_id for one in (first, second)] == [MAIN, f"{MAIN} 2"]


def test_calls_that_were_started_together_are_one_turn_and_others_are_not() -> None:
    found = conversation(CLAW, [
        start("look"), called("look"), called("hear"), ended("hear"), ended("look"),
        called("look"), ended("look", success=False, error="no eyes"),
    ])  # fmt: skip
    assert shape(found) == [
        "user look", "assistant !look !hear", "assistant !look", "tool ?look:error",
    ]  # fmt: skip
    (result,) = found.turns[3].results()
    assert result.call is not None
    assert result.call.turn == 1


def test_ids_of_calls_join_what_went_wrong_to_its_call() -> None:
    found = conversation(CLAW, [
        start("look"),
        {**called("look"), "toolCallId": "one"}, {**called("look"), "toolCallId": "two"},
        {**ended("look", success=False, error="no"), "toolCallId": "two"},
    ])  # fmt: skip
    (result,) = found.turns[2].results()
    assert (result.call_id, result.status) == ("two", "error")


def test_a_tool_may_name_the_channel_of_the_session_that_its_agent_started() -> None:
    found = conversation(CLAW, [start("look"), called("look", "agent:a:chat:direct:x")])
    assert shape(found) == ["user look", "assistant !look"]


def test_a_helper_hangs_on_the_call_whose_result_names_its_session() -> None:
    spawned = {**SEEN, "content": [{"type": "text", "text": f'{{"child": "{HELPER}"}}'}]}
    main, helper = pieces(CLAW, [
        start("look"), start("see", HELPER), called("hear", HELPER), sent("on it"),
        start("well?", messages=[ASKED, LOOKED, spawned, SAID]),
    ])  # fmt: skip
    assert isinstance(main.result, Reading)
    assert isinstance(helper.result, Reading)
    assert shape(main.result.conversation)[-1] == "user well?"
    assert shape(helper.result.conversation) == ["user see", "assistant !hear"]
    assert (helper.parent, helper.call_id, helper.at) == (0, "t1", 1)
    assert {turn.agent for turn in helper.result.conversation.turns} == {HELPER}


def test_what_the_agent_is_told_first_is_the_system_text() -> None:
    prompt = {"type": "system.prompt", "sessionKey": MAIN, "text": "Be brief."}
    found = conversation(CLAW, [start("hi"), prompt, sent("yes?")])
    assert shape(found) == ["system Be brief.", "user hi", "assistant yes?"]


def test_an_agent_that_failed_ends_in_an_error() -> None:
    end = {"type": "agent.end", "sessionKey": MAIN, "success": False, "error": "overloaded"}
    found = conversation(CLAW, [start("hi"), called("look"), ended("look"), end])
    assert found.end is not None
    assert (found.end.reason, found.end.detail) == ("error", "overloaded")


def test_a_message_that_no_agent_started_on_is_the_users_last_word() -> None:
    found = conversation(CLAW, [start("hi"), sent("yes?"), received("never mind")])
    assert shape(found) == ["user hi", "assistant yes?", "user never mind"]


def test_a_session_that_nobody_answers_in_has_no_response() -> None:
    (piece,) = pieces(CLAW, [start("hi"), start("hi", messages=[])])
    assert piece.result == Refused(Reason.NO_RESPONSE, f"session {MAIN}: no answer")
    (quiet,) = pieces(CLAW, [{"type": "llm.usage", "sessionKey": MAIN, "inputTokens": 3}])
    assert quiet.result == Refused(Reason.NO_MESSAGES, f"session {MAIN}: no answer")


def test_other_events_are_not_taken_for_telemetry() -> None:
    others: list[Any] = [
        None, [], {}, {"type": 3}, {"type": "agent.start"}, {"type": "tool.start", "tool": "look"},
        {"type": "message.in", "text": "hi"}, {"type": "agent.message", "sessionKey": MAIN},
    ]  # fmt: skip
    assert not any(CLAW.detect(one) for one in others)


def test_fields_of_any_type_are_read() -> None:
    odd: list[Any] = [None, 7, True, [], [1], {}, {"a": []}, "x"]
    for value in odd:
        events: list[Event] = [
            start(value, messages=value), start("hi", value, newMessages=value),
            {"type": "agent.end", "sessionKey": value, "messages": value, "success": value},
            {"type": "tool.start", "toolName": value, "sessionKey": value, "params": value},
            {"type": "tool.end", "toolName": value, "agentId": value, "error": value,
             "success": value, "result": value},
            sent(value), received(value),
            {"type": "system.prompt", "sessionKey": value, "text": value},
        ]  # fmt: skip
        assert pieces(CLAW, events)


def test_thousands_of_events_are_read_quickly() -> None:
    events = [
        event
        for number in range(4_000)
        for event in (received(f"m{number}"), start(f"n{number}"), called("look"), ended("look"),
                      sent(f"s{number}"))
    ]  # fmt: skip
    assert len(conversation(CLAW, events).turns) == 16_000
