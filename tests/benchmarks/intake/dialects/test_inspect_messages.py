import base64
from typing import Any

import pytest

from benchmarks.intake.dialects.inspect_messages import (
    add_inspect_message,
    inspect_usage,
    resolved,
)
from benchmarks.intake.drafting.draft import Draft
from benchmarks.records.conversation import Turn


def turn(message: dict[str, Any], draft: Draft | None = None) -> Turn:
    return add_inspect_message(draft or Draft(), message, source_index=0)


def parts(content: Any) -> list[dict[str, Any]]:
    return [part.dump() for part in turn({"role": "assistant", "content": content}).parts]


def test_roles_in_brackets_are_the_same_roles() -> None:
    found = turn({"role": "[TOOL]", "content": "4", "tool_call_id": "c"})
    assert (found.role, found.results()[0].parts[0].text) == ("tool", "4")


def test_an_unknown_role_is_kept_whole() -> None:
    message = {"role": "narrator", "content": "Meanwhile"}
    assert turn(message).parts[0].dump() == {
        "type": "unknown", "source_type": "narrator", "value": message,
    }  # fmt: skip


@pytest.mark.parametrize(
    "error",
    [{"type": "timeout", "message": "30 s"}, {"type": "parsing", "message": ""}, "broken"],
)
def test_a_tool_message_with_an_error_is_one_whatever_it_says(error: Any) -> None:
    result = turn({"role": "tool", "content": "fine", "error": error}).results()[0]
    assert (result.status, result.parts[0].text) == ("error", "fine")


@pytest.mark.parametrize("error", [None, "", {}])
def test_a_tool_message_without_an_error_is_none(error: Any) -> None:
    assert turn({"role": "tool", "content": "fine", "error": error}).results()[0].status == "ok"


def test_an_error_is_the_words_of_a_result_without_any() -> None:
    message = {"role": "tool", "content": "", "error": {"type": "timeout", "message": "30 s"}}
    assert turn(message).results()[0].parts[0].text == "30 s"


def test_calls_keep_name_id_and_arguments() -> None:
    calls = [
        {"id": "c1", "function": "look", "arguments": {"q": 1}, "type": "function"},
        {"id": "c2", "function": {"name": "find", "arguments": '{"q": 2}'}},
    ]
    found = turn({"role": "assistant", "content": "", "tool_calls": calls}).calls()
    assert [(call.call_id, call.name, call.arguments) for call in found] == [
        ("c1", "look", {"q": 1}), ("c2", "find", {"q": 2}),
    ]  # fmt: skip


def test_a_call_that_did_not_parse_says_so() -> None:
    draft = Draft()
    call = {"id": "c", "function": "look", "arguments": {}, "parse_error": "no JSON"}
    turn({"role": "assistant", "content": "", "tool_calls": [call]}, draft)
    assert [(issue.code, issue.turn, issue.detail) for issue in draft.issues] == [
        ("arguments_unparsed", 0, "no JSON")
    ]


def test_thought_and_words_are_told_apart() -> None:
    content = [
        {"type": "reasoning", "reasoning": "hm"},
        {"type": "reasoning", "reasoning": "blob", "redacted": True, "summary": "short"},
        {"type": "reasoning", "reasoning": "blob", "redacted": True},
        {"type": "text", "text": "Yes"},
        {"type": "text", "text": ""},
        {"type": "text", "text": "No way", "refusal": True},
    ]
    assert parts(content) == [
        {"type": "reasoning", "text": "hm"},
        {"type": "reasoning", "text": "short", "encrypted": True},
        {"type": "reasoning", "encrypted": True},
        {"type": "text", "text": "Yes"},
        {"type": "refusal", "text": "No way"},
    ]


def test_media_are_kept_by_reference() -> None:
    data = base64.b64encode(b"pixels").decode()
    found = parts([
        {"type": "image", "image": f"data:image/png;base64,{data}"},
        {"type": "image", "image": "https://example.com/a.png"},
        {"type": "audio", "audio": data, "format": "wav"},
        {"type": "document", "document": data, "mime_type": "text/csv", "filename": "a.csv"},
    ])
    assert [(part["media"], part["mime"], part.get("uri"), part.get("name")) for part in found] == [
        ("image", "image/png", None, None),
        ("image", "application/octet-stream", "https://example.com/a.png", None),
        ("audio", "audio/wav", None, None),
        ("file", "text/csv", None, "a.csv"),
    ]
    assert found[2]["content"]["bytes"] == 6


def test_a_tool_of_the_provider_s_stands_in_one_turn_with_its_result() -> None:
    content = [
        {"type": "tool_use", "id": "s", "name": "web_search", "arguments": "{}", "result": "hit"},
        {"type": "tool_use", "id": "e", "tool_type": "code", "arguments": {}, "error": "boom"},
        {"type": "tool_use", "id": "n", "name": "web_search", "arguments": {}},
    ]
    found = turn({"role": "assistant", "content": content})
    assert [call.executed_by for call in found.calls()] == ["provider"] * 3
    assert [(result.name, result.status) for result in found.results()] == [
        ("web_search", "ok"), ("code", "error"),
    ]  # fmt: skip


def test_other_parts_are_kept_whole() -> None:
    assert parts([{"type": "hologram", "x": 1}, {"type": "data", "data": {"a": 1}}, 7]) == [
        {"type": "unknown", "source_type": "hologram", "value": {"type": "hologram", "x": 1}},
        {"type": "json", "value": {"a": 1}},
        {"type": "json", "value": 7},
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("4", [{"type": "text", "text": "4"}]),
        (4, [{"type": "json", "value": 4}]),
        ({"a": 1}, [{"type": "json", "value": {"a": 1}}]),
        ([{"type": "text", "text": "4"}], [{"type": "text", "text": "4"}]),
        ([1, 2], [{"type": "json", "value": [1, 2]}]),
        (None, []),
        ([], [{"type": "json", "value": []}]),
    ],
)
def test_a_result_is_text_parts_or_a_value(content: Any, expected: list[Any]) -> None:
    result = turn({"role": "tool", "content": content}).results()[0]
    assert [part.dump() for part in result.parts] == expected


def test_only_a_whole_text_stands_for_an_attachment() -> None:
    attachments = {"a": "long", "n": 5}
    value = {"x": ["attachment://a", "see attachment://a", "attachment://n"], "y": 1}
    assert resolved(value, attachments) == {
        "x": ["long", "see attachment://a", "attachment://n"], "y": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("found", "counts"),
    [
        ({"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}, (5, 2, None, None)),
        (
            {
                "input_tokens": 5, "output_tokens": 2, "total_tokens": 7,
                "input_tokens_cache_read": 4,
            },
            (5, 2, 4, None),
        ),
        (
            {
                "input_tokens": 5, "output_tokens": 2, "total_tokens": 20,
                "input_tokens_cache_read": 10, "input_tokens_cache_write": 3,
            },
            (18, 2, 10, 3),
        ),
        ({"input_tokens": 5, "output_tokens": 2}, (5, 2, None, None)),
    ],
)  # fmt: skip
def test_the_total_tells_whether_cached_tokens_are_inside(
    found: dict[str, int], counts: tuple[int | None, ...]
) -> None:
    usage = inspect_usage(found).usage
    assert (
        usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens,
    ) == counts  # fmt: skip


def test_usage_that_cannot_be_is_named() -> None:
    assert inspect_usage({"input_tokens": -1}).issue == "bad_usage"
    assert inspect_usage(None).issue == "missing_usage"
    assert inspect_usage({"input_tokens": 1, "output_tokens": 1, "total_tokens": 9}).issue == (
        "usage_unreconciled"
    )
