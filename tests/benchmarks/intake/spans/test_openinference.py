from benchmarks.intake.spans.openinference import chat_messages_of


def test_an_indexed_message_is_a_chat_message() -> None:
    found = chat_messages_of([
        {"message": {"role": "user", "contents": [
            {"message_content": {"type": "text", "text": "what is it?"}},
            {"message_content": {"type": "image", "image": {"image": {"url": "https://x/y"}}}},
        ]}},
        {"message": {"role": "assistant", "tool_calls": [
            {"tool_call": {"id": "c", "function": {"name": "find", "arguments": "{}"}}},
        ]}},
        {"message": {"role": "tool", "content": "7", "tool_call_id": "c", "name": "find"}},
    ])  # fmt: skip
    assert found == [
        {"role": "user", "content": [
            {"type": "text", "text": "what is it?"},
            {"type": "image_url", "image_url": {"url": "https://x/y"}},
        ]},
        {"role": "assistant", "tool_calls": [
            {"id": "c", "function": {"name": "find", "arguments": "{}"}},
        ]},
        {"role": "tool", "content": "7", "tool_call_id": "c", "name": "find"},
    ]  # fmt: skip


def test_a_text_beside_contents_is_kept() -> None:
    (found,) = chat_messages_of([{"message": {"role": "user", "content": "a", "contents": [
        {"message_content": {"type": "text", "text": "b"}}]}}])  # fmt: skip
    assert [part["text"] for part in found["content"]] == ["a", "b"]


def test_the_legacy_call_of_a_function() -> None:
    (found,) = chat_messages_of([{"message": {
        "function_call_name": "find", "function_call_arguments_json": "{}"}}])  # fmt: skip
    assert found == {"function_call": {"name": "find", "arguments": "{}"}}


def test_messages_without_words_and_odd_ones_are_none() -> None:
    assert chat_messages_of([{"message": {"role": "user"}}, {"message": 3}, 4, {}]) == []
