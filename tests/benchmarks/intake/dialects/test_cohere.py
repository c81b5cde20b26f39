import json
from typing import Any

import pytest

from benchmarks.intake.dialects.cohere import Cohere
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.recognising import read_call
from benchmarks.intake.sources.parsing import Parser

URL = "https://api.cohere.com"
GET = {"name": "get", "parameters": {"id": "7"}}
META = {"tokens": {"input_tokens": 9, "output_tokens": 3}}


def result(version: int, request: Any, response: Any, **more: Any) -> Reading | Refused:
    record = {"url": f"{URL}/v{version}/chat", "request": request, "response": response, **more}
    found = read_call(record, Parser(), None)
    assert found.dialect == "cohere"
    return found.result


def first(request: Any, response: Any = None, **more: Any) -> Reading:
    found = result(1, request, response or {"text": "Yo", "finish_reason": "COMPLETE"}, **more)
    assert isinstance(found, Reading)
    return found


def second(messages: Any, message: Any = None, **about: Any) -> Reading:
    answer = {"id": "m-1", "message": message or {"role": "assistant", "content": "Yo"}, **about}
    found = result(2, {"model": "m", "messages": messages}, answer)
    assert isinstance(found, Reading)
    return found


def shape(found: Reading) -> list[tuple[str, str, str]]:
    return [(turn.role, turn.origin, turn.text()) for turn in found.conversation.turns]


def test_the_newest_message_of_version_1_follows_its_history() -> None:
    history = [{"role": "SYSTEM", "message": "S"}, {"role": "User", "message": "A"},
               {"role": "Chatbot", "message": "B", "tool_calls": None},
               {"role": "USER", "message": "C"}, {"role": "CHATBOT", "message": "D"}]  # fmt: skip
    request = {"preamble": "P", "chat_history": history, "message": "E", "model": "m"}
    found = first(request, {"text": "F", "generation_id": "g", "meta": META})
    assert shape(found) == [
        ("system", "request", "P"), ("system", "request", "S"), ("user", "request", "A"),
        ("assistant", "request", "B"), ("user", "request", "C"), ("assistant", "request", "D"),
        ("user", "request", "E"), ("assistant", "response", "F"),
    ]  # fmt: skip
    assert found.response_id == "g"
    assert found.conversation.usage.dump() == {"input_tokens": 9, "output_tokens": 3, "calls": 1}
    assert found.request.settings == {"model": "m"}
    assert found.request.messages[0] == {"role": "user", "content": "A"}


def test_calls_of_version_1_are_answered_by_name_and_order() -> None:
    history = [{"role": "USER", "message": "A"},
               {"role": "CHATBOT", "message": "I look.", "tool_calls": [GET, GET]},
               {"role": "TOOL", "tool_results": [
                   {"call": GET, "outputs": [{"v": 1}]}, {"call": GET, "outputs": [{"v": 2}]}]},
               ]  # fmt: skip
    found = first({"chat_history": history, "message": ""}, {"text": "", "tool_calls": [GET]})
    turns = found.conversation.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool", "assistant"]
    assert [(r.call.part, r.parts[0].value) for r in turns[2].results()] == [
        (1, {"v": 1}), (2, {"v": 2}),
    ]  # fmt: skip
    assert turns[3].calls()[0].arguments == {"id": "7"}
    assert found.conversation.stop.reason == "tool_use"
    assert found.conversation.end.reason == "open"


def test_results_beside_the_newest_message_answer_the_calls_before_them() -> None:
    history = [{"role": "USER", "message": "A"}, {"role": "CHATBOT", "tool_calls": [GET]}]
    results = [{"call": GET, "outputs": ["seven"]}]
    found = first({"chat_history": history, "message": "", "tool_results": results})
    assert [turn.role for turn in found.conversation.turns] == [
        "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert found.conversation.issues[0].code == "missing_usage"


def test_results_tell_of_calls_that_no_history_holds() -> None:
    results = [{"call": GET, "outputs": [{"v": 1}, {"w": 2}]}]
    found = first({"message": "A", "tool_results": results}).conversation
    assert [turn.role for turn in found.turns] == ["user", "assistant", "tool", "assistant"]
    (answer,) = found.turns[2].results()
    assert (answer.call.turn, [part.value for part in answer.parts]) == (1, [{"v": 1}, {"w": 2}])
    assert [issue.code for issue in found.issues] == ["call_inferred", "missing_usage"]


def test_version_2_is_chat_with_a_plan_before_its_calls() -> None:
    called = {"id": "a", "type": "function", "function": {"name": "get", "arguments": "{}"}}
    document = {"type": "document", "document": {"id": "1", "data": {"v": 1}}}
    found = second(
        [{"role": "system", "content": "S"}, {"role": "user", "content": "A"},
         {"role": "assistant", "tool_plan": "I look.", "tool_calls": [called]},
         {"role": "tool", "tool_call_id": "a",
          "content": [document, {"type": "text", "text": "seven"}]}],
        {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yo"}]},
        finish_reason="COMPLETE", usage=META,
    )  # fmt: skip
    turns = found.conversation.turns
    assert [[part.type for part in turn.parts] for turn in turns] == [
        ["text"], ["text"], ["reasoning", "tool_call"], ["tool_result"], ["reasoning", "text"],
    ]  # fmt: skip
    assert [part.text for part in (turns[2].parts[0], turns[4].parts[0])] == ["I look.", "hm"]
    (answer,) = turns[3].results()
    assert [part.dump() for part in answer.parts] == [
        {"type": "json", "value": {"v": 1}}, {"type": "text", "text": "seven"},
    ]  # fmt: skip
    assert (answer.name, found.conversation.issues) == ("get", [])
    assert found.conversation.stop.dump() == {"reason": "end", "raw": "COMPLETE"}


@pytest.mark.parametrize(
    ("raw", "reason"),
    [("MAX_TOKENS", "length"), ("ERROR_TOXIC", "content_filter"), ("STOP_SEQUENCE", "end"),
     ("ODD", "unknown"), (None, "unknown")],
)  # fmt: skip
def test_why_the_model_stopped(raw: str | None, reason: str) -> None:
    assert second(
        [{"role": "user", "content": "A"}], finish_reason=raw
    ).conversation.stop.reason == (reason)


def test_a_streamed_answer_reads_like_an_unstreamed_one() -> None:
    whole = {"text": "Yo", "generation_id": "g", "finish_reason": "COMPLETE", "meta": META}
    lines = [
        {"event_type": "text-generation", "text": "Y"},
        {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": whole},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    streamed = result(1, {"message": "A"}, None, response_raw={"text": text})
    assert isinstance(streamed, Reading)
    assert streamed.conversation == first({"message": "A"}, whole).conversation


def test_a_failed_call_has_no_output_turn() -> None:
    found = first({"message": "A"}, {"id": "x", "message": "model was removed"}, status=404)
    assert shape(found) == [("user", "request", "A")]
    assert found.conversation.end.detail == "status 404: model was removed"


def test_a_conversation_kept_by_the_provider_is_the_identity() -> None:
    found = first({"message": "A", "conversation_id": "c-1"})
    assert found.frame.identity.conversation_id == "c-1"


def test_what_gives_no_conversation() -> None:
    assert result(1, {"message": "A"}, {}) == Refused("no_response", "a request without an answer")
    assert result(2, {}, {}) == Refused("no_messages", "neither a message nor an answer")


@pytest.mark.parametrize(
    ("request_body", "response", "is_call"),
    [
        ({"message": "A", "chat_history": []}, {}, True),
        ({"message": "A"}, {"generation_id": "g", "text": ""}, True),
        ({"messages": []}, {"message": {}, "finish_reason": "COMPLETE"}, True),
        ({}, {"event_type": "stream-start"}, True),
        ({}, {"type": "message-start"}, True),
        ({"messages": []}, {"message": {}, "done": True}, False),
        ({"message": "A"}, {"text": "B"}, False),
        ({"message": {}, "chat_history": []}, {"type": {}}, False),
    ],
)
def test_what_is_a_call_of_this_wire(request_body: Any, response: Any, is_call: bool) -> None:
    assert Cohere().is_call(request_body, response) is is_call


@pytest.mark.parametrize(
    ("version", "request_body", "response"),
    [(1, {"message": 3, "chat_history": 3, "preamble": 3, "tool_results": 3, "tools": 3},
      {"text": 3, "tool_calls": 3, "meta": 3}),
     (1, {"chat_history": [3, {"role": 3}, {"role": "TOOL", "tool_results": [3, {"call": 3}]}],
          "tool_results": [{"call": {"name": 3}, "outputs": 3}]}, {"text": None}),
     (2, {"messages": [{"role": "tool", "content": 3}, {"role": 3, "content": {}}]},
      {"message": {"content": 3, "tool_calls": 3, "tool_plan": 3}, "usage": 3})],
)  # fmt: skip
def test_nothing_in_a_body_has_to_be_what_it_should_be(
    version: int, request_body: Any, response: Any
) -> None:
    found = result(version, request_body, response)
    assert isinstance(found, Reading)
    assert found.conversation.turns[-1].origin == "response"
