from typing import Any

from benchmarks.intake.drafting.draft import CallFound, ResultFound
from benchmarks.intake.spans.messages import (
    Memory,
    arguments_key,
    common_prefix,
    read_messages,
    size_of,
    system_text,
    without_system,
)
from benchmarks.records.conversation import Text


def read(*items: Any) -> list[Any]:
    return read_messages(items, Memory())


def test_a_message_of_results_and_words_is_two() -> None:
    tool, said = read({"role": "user", "parts": [
        {"type": "tool_call_response", "id": "c1", "response": "7"},
        {"type": "text", "content": "and now?"},
    ]})  # fmt: skip
    assert (tool.role, said.role) == ("tool", "user")
    assert tool.pieces == (ResultFound("c1", None, [Text(text="7")]),)
    assert said.text == "and now?"


def test_a_text_that_holds_the_parts_of_a_message_is_its_parts() -> None:
    (message,) = read({"role": "user", "content": '[{"type": "text", "text": "hi"}]'})
    assert message.pieces == (Text(text="hi"),)
    (plain,) = read({"role": "user", "content": '[{"a": 1}]'})
    assert plain.text == '[{"a": 1}]'


def test_a_role_that_names_an_open_call_is_the_role_of_its_result() -> None:
    asked, answered = read(
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "find"}}]},
        {"role": "find", "content": "here"},
    )
    assert asked.calls == [CallFound("c", "find", None)]
    assert answered.pieces == (ResultFound(None, "find", [Text(text="here")]),)


def test_messages_of_other_forms_are_passed_over_and_texts_are_the_users() -> None:
    assert [(one.role, one.text) for one in read(None, 3, "hi")] == [("user", "hi")]


def test_a_message_met_again_is_read_once() -> None:
    memory = Memory()
    item = {"role": "user", "content": "hi"}
    (first,) = read_messages([item], memory)
    (again,) = read_messages([dict(item)], memory)
    assert again is first


def test_messages_are_equal_when_they_say_the_same() -> None:
    first, second = read(
        {"role": "user", "content": "what  now?\n"},
        {"role": "user", "content": [{"type": "text", "text": "what now?"}]},
    )
    assert first.key == second.key


def test_calls_are_equal_whatever_text_stands_beside_them_and_whatever_their_ids() -> None:
    first, second, third = read(
        {"role": "assistant", "content": "Let me see.", "tool_calls": [
            {"id": "1", "function": {"name": "find", "arguments": '{"a": 1, "b": 2}'}}]},
        {"role": "assistant", "tool_calls": [{"name": "find", "args": {"b": 2, "a": 1}}]},
        {"role": "assistant", "tool_calls": [{"name": "find", "args": {"a": 1}}]},
    )  # fmt: skip
    assert first.key == second.key != third.key


def test_results_are_equal_by_what_came_back() -> None:
    first, second, third = read(
        {"role": "tool", "tool_call_id": "1", "content": "7"},
        {"role": "tool", "content": " 7 "},
        {"role": "tool", "content": "8"},
    )
    assert first.key == second.key != third.key


def test_roles_and_media_tell_messages_apart() -> None:
    user, assistant, picture = read(
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hi"},
        {"role": "user", "content": [{"type": "text", "text": "hi"},
                                     {"type": "image_url", "image_url": {"url": "https://x/y"}}]},
    )  # fmt: skip
    assert len({user.key, assistant.key, picture.key}) == 3


def test_absent_arguments_are_empty_ones() -> None:
    assert arguments_key(None) == arguments_key("") == arguments_key("{}") == "{}"
    assert arguments_key('{"b": 1, "a": [1.0]}') == '{"a":[1.0],"b":1}'


def test_the_system_is_told_apart() -> None:
    messages = read({"role": "system", "content": "Be kind."}, {"role": "user", "content": "hi"})
    assert system_text(messages) == "Be kind."
    assert [one.role for one in without_system(messages)] == ["user"]
    assert size_of(messages) == 2


def test_common_prefix_counts_what_histories_share() -> None:
    assert common_prefix(["a", "b"], ["a", "b", "c"]) == 2
    assert common_prefix(["a", "x"], ["a", "b"]) == 1
    assert common_prefix([], ["a"]) == 0
