"""Shown turns become chat messages, parts as captured and hidden thought left out."""

from benchmarks.environment.messages import chat_messages
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Part,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    Turn,
)


def turn(role: str, *parts: Part) -> Turn:
    return Turn.read({"index": 0, "role": role, "origin": "request", "parts": list(parts)})


def test_texts_are_one_text() -> None:
    shown = chat_messages([turn("user", Text(text="Hello."), Text(text="Help!"))])
    assert shown == [{"role": "user", "content": "Hello.\nHelp!"}]


def test_hidden_thought_is_not_shown() -> None:
    shown = chat_messages([turn("assistant", Reasoning(text="hm"), Text(text="Welcome."))])
    assert shown == [{"role": "assistant", "content": "Welcome."}]


def test_turn_of_thought_alone_is_nothing() -> None:
    assert chat_messages([turn("assistant", Reasoning(text="hm"))]) == []


def test_picture_stands_beside_its_words() -> None:
    picture = Media(media="image", mime="image/png", uri="https://x.example/a.png")
    (message,) = chat_messages([turn("user", Text(text="This."), picture)])
    assert message["content"] == [
        {"type": "text", "text": "This."},
        {"type": "image_url", "image_url": {"url": "https://x.example/a.png"}},
    ]


def test_bytes_are_kept_as_they_were() -> None:
    sound = Media(media="audio", mime="audio/wav", content={"$blob": "5d1e"})
    (message,) = chat_messages([turn("user", sound)])
    assert message["content"] == [sound.dump()]


def test_demonstration_keeps_its_calls_and_results() -> None:
    call = ToolCall(call_id="c1", name="get_room", arguments={"floor": "Süd"})
    result = ToolResult(
        call_id="c1", name="get_room", status="ok", parts=[JsonPart(value={"n": 1})]
    )
    assert chat_messages([turn("assistant", call), turn("tool", result)]) == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "get_room", "arguments": '{"floor": "Süd"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '{"n":1}'},
    ]


def test_raw_arguments_stay_raw() -> None:
    call = ToolCall(call_id="c1", name="get_room", arguments_raw='{"floor": ')
    (message,) = chat_messages([turn("assistant", call)])
    assert message["tool_calls"][0]["function"]["arguments"] == '{"floor": '
