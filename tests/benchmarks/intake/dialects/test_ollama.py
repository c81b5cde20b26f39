import base64
import json
from typing import Any

import pytest

from benchmarks.intake.dialects.ollama import Ollama
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.recognising import read_call
from benchmarks.intake.sources.parsing import Parser

USER = {"role": "user", "content": "Hi"}
DONE = {"done": True, "done_reason": "stop", "prompt_eval_count": 8, "eval_count": 3}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"function": {"index": 0, "name": name, "arguments": arguments}}


def result(messages: Any, response: Any, **more: Any) -> Reading | Refused:
    request = {"model": "m", "messages": messages, **more.pop("request", {})}
    url = "http://localhost:11434/api/chat"
    found = read_call(
        {"url": url, "request": request, "response": response, **more}, Parser(), None
    )
    assert found.dialect == "ollama"
    return found.result


def reading(messages: Any, message: Any, **more: Any) -> Reading:
    found = result(messages, {"model": "m-1", "message": message, **DONE}, **more)
    assert isinstance(found, Reading)
    return found


def test_a_request_and_its_answer_are_one_conversation() -> None:
    found = reading([USER], {"role": "assistant", "content": "Yo", "thinking": "hm"})
    turns = found.conversation.turns
    assert [(turn.role, turn.origin, turn.text()) for turn in turns] == [
        ("user", "request", "Hi"), ("assistant", "response", "Yo"),
    ]  # fmt: skip
    assert turns[1].parts[0].dump() == {"type": "reasoning", "text": "hm"}
    assert turns[1].model == "m-1"
    assert found.conversation.usage.dump() == {"input_tokens": 8, "output_tokens": 3, "calls": 1}
    assert found.conversation.stop.dump() == {"reason": "end", "raw": "stop"}
    assert found.request.settings == {"model": "m"}


def test_calls_without_ids_are_answered_by_name_and_order() -> None:
    asked = {
        "role": "assistant",
        "content": "",
        "tool_calls": [call("read", path="a"), call("read", path="b"), call("now")],
    }
    found = reading(
        [USER, asked, {"role": "tool", "tool_name": "now", "content": "noon"},
         {"role": "tool", "name": "read", "content": "A"},
         {"role": "tool", "name": "read", "content": "B"}],
        {"tool_calls": [call("write", path="c")]},
    )  # fmt: skip
    turns = found.conversation.turns
    assert [turn.results()[0].call.part for turn in turns[2:5]] == [2, 0, 1]
    assert [one.arguments for one in turns[1].calls()] == [{"path": "a"}, {"path": "b"}, {}]
    assert len({one.call_id for one in turns[1].calls()}) == 3
    assert found.conversation.stop.reason == "tool_use"


def test_images_are_kept_as_bytes_beside_the_text() -> None:
    image = base64.b64encode(b"image").decode()
    found = reading([{**USER, "images": [image, 3]}], {"content": "A cat."})
    assert [part.type for part in found.conversation.turns[0].parts] == ["text", "media"]
    assert list(found.blobs.values()) == [b"image"]


def test_offered_tools_are_kept() -> None:
    tools = [{"type": "function", "function": {"name": "read", "description": "Read."}}]
    found = reading([USER], {"content": "Yo"}, request={"tools": tools})
    assert [(tool.name, tool.description) for tool in found.conversation.tools] == [
        ("read", "Read.")
    ]


def test_a_streamed_answer_keeps_every_call() -> None:
    lines = [
        {"message": {"content": "", "tool_calls": [call("read", path=at)]}, "done": False}
        for at in "ab"
    ]
    text = "\n".join(json.dumps(line) for line in [*lines, {"message": {}, **DONE}])
    found = result([USER], None, response_raw={"text": text}, content_type="application/x-ndjson")
    assert isinstance(found, Reading)
    assert [one.arguments for one in found.conversation.turns[1].calls()] == [
        {"path": "a"}, {"path": "b"},
    ]  # fmt: skip
    assert found.conversation.issues == []


def test_a_failed_call_has_no_output_turn() -> None:
    found = result([USER], {"error": "model not found"}, status=404)
    assert isinstance(found, Reading)
    assert found.conversation.end.detail == "status 404: model not found"


def test_what_gives_no_conversation() -> None:
    assert result([USER], {"done": True}) == Refused("no_response", "a request without an answer")
    assert result([], {}) == Refused("no_messages", "neither a message nor an answer")


@pytest.mark.parametrize(
    ("response", "is_call"),
    [({"prompt_eval_count": 1}, True), ({"done": False, "message": {}}, True),
     ({"done": True}, False), ({"choices": []}, False)],
)  # fmt: skip
def test_what_is_a_call_of_this_wire(response: Any, is_call: bool) -> None:
    assert Ollama().is_call({}, response) is is_call


@pytest.mark.parametrize(
    "message",
    [{}, {"content": 3, "images": 3, "thinking": 3, "tool_calls": 3, "tool_name": 3},
     {"role": 3, "tool_calls": [3, {}, {"function": 3}, {"function": {"arguments": 3}}]}],
)  # fmt: skip
def test_nothing_in_a_message_has_to_be_what_it_should_be(message: Any) -> None:
    found = reading([message, 3], message).conversation
    assert found.turns[-1].origin == "response"
