import base64
from typing import Any

import pytest

from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.loose_parts import (
    call_in,
    calls_in_text,
    decoded,
    loose_pieces,
    result_in,
    result_parts,
)
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    Refusal,
    Text,
    UnknownPart,
)

CITY = {"city": "Oslo"}


@pytest.mark.parametrize(
    ("content", "pieces"),
    [
        (None, []),
        ("", []),
        ("hi", [Text(text="hi")]),
        (["hi", "there"], [Text(text="hi"), Text(text="there")]),
        ([{"type": "text", "text": "hi"}], [Text(text="hi")]),
        ([{"type": "input_text", "text": "hi"}], [Text(text="hi")]),
        ([{"type": "text", "content": "hi"}], [Text(text="hi")]),
        ([{"text": "hi"}], [Text(text="hi")]),
        ([{"type": "text", "text": ""}], []),
        ({"type": "text", "text": "hi"}, [Text(text="hi")]),
        ([{"type": "reasoning", "text": "hm"}], [Reasoning(text="hm")]),
        ([{"type": "thinking", "thinking": "hm", "signature": "s"}], [Reasoning(text="hm")]),
        ([{"type": "reasoning", "content": "hm"}], [Reasoning(text="hm")]),
        ([{"type": "redacted_thinking", "data": "x"}], [Reasoning(encrypted=True)]),
        (
            [{"type": "Kit.TextReasoningContent", "content": {"text": "", "protectedData": "x"}}],
            [Reasoning(encrypted=True)],
        ),
        ([{"type": "refusal", "refusal": "no"}], [Refusal(text="no")]),
        ([7], [JsonPart(value=7)]),
        (
            [{"type": "odd", "x": 1}],
            [UnknownPart(source_type="odd", value={"type": "odd", "x": 1})],
        ),
        ([{"x": 1}], [UnknownPart(source_type="unknown", value={"x": 1})]),
        (
            [{"type": "text", "x": 1}],
            [UnknownPart(source_type="text", value={"type": "text", "x": 1})],
        ),
    ],
)
def test_content_becomes_pieces(content: Any, pieces: list[Any]) -> None:
    assert loose_pieces(Draft(), content) == pieces


@pytest.mark.parametrize(
    "item",
    [
        {"type": "function", "id": "a", "function": {"name": "look", "arguments": CITY}},
        {"type": "tool_call", "id": "a", "name": "look", "arguments": CITY},
        {"type": "tool_use", "id": "a", "name": "look", "input": CITY},
        {"type": "tool-call", "toolCallId": "a", "toolName": "look", "args": CITY},
        {"type": "tool-call", "toolCallId": "a", "toolName": "look", "input": CITY},
        {"type": "function_call", "id": "fc", "call_id": "a", "name": "look", "arguments": CITY},
        {"functionCall": {"id": "a", "name": "look", "args": CITY}},
        {"toolUse": {"toolUseId": "a", "name": "look", "input": CITY}},
    ],
)
def test_a_call_is_a_call_in_whatever_words(item: dict[str, Any]) -> None:
    assert loose_pieces(Draft(), [item]) == [CallFound("a", "look", CITY)]


def test_a_call_of_the_provider_is_its_own() -> None:
    item = {"type": "mcp_tool_use", "id": "a", "name": "look", "input": {}, "server_name": "s"}
    assert call_in(item) == CallFound("a", "look", {}, executed_by="provider", server="s")


def test_a_free_text_call_holds_its_text_as_input() -> None:
    item = {"type": "custom_tool_call", "call_id": "a", "name": "patch", "input": "diff"}
    assert call_in(item) == CallFound("a", "patch", {"input": "diff"})


@pytest.mark.parametrize(
    "item",
    [
        {"type": "tool_result", "tool_use_id": "a", "content": "warm"},
        {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "warm"}]},
        {"type": "tool_call_response", "id": "a", "response": "warm"},
        {"type": "tool-result", "toolCallId": "a", "output": {"type": "text", "value": "warm"}},
        {"type": "function_call_output", "id": "fo", "call_id": "a", "output": "warm"},
        {"toolResult": {"toolUseId": "a", "content": [{"text": "warm"}]}},
    ],
)
def test_a_result_is_a_result_in_whatever_words(item: dict[str, Any]) -> None:
    assert loose_pieces(Draft(), [item]) == [ResultFound("a", None, [Text(text="warm")])]


@pytest.mark.parametrize(
    "mark", [{"is_error": True}, {"isError": True}, {"status": "error"}, {"status": "FAILED"}]
)
def test_a_result_says_that_it_failed(mark: dict[str, Any]) -> None:
    found = result_in(Draft(), {"tool_use_id": "a", "content": "gone", **mark})
    assert found == ResultFound("a", None, [Text(text="gone")], failed=True)


def test_a_status_of_success_is_no_failure() -> None:
    assert result_in(Draft(), {"id": "a", "result": 1, "status": "success"}).failed is None


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (None, []),
        ("", []),
        ("warm", [Text(text="warm")]),
        (7, [JsonPart(value=7)]),
        ({"t": 3}, [JsonPart(value={"t": 3})]),
        ([], [JsonPart(value=[])]),
        ([{"id": 1}], [JsonPart(value=[{"id": 1}])]),
        (
            [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            [Text(text="a"), Text(text="b")],
        ),
        ({"content": [{"type": "text", "text": "a"}]}, [Text(text="a")]),
        ([{"json": {"t": 3}}], [JsonPart(value={"t": 3})]),
        ({"type": "json", "value": {"t": 3}}, [JsonPart(value={"t": 3})]),
    ],
)
def test_a_value_that_came_back_is_kept_as_what_it_is(value: Any, parts: list[Any]) -> None:
    assert result_parts(Draft(), value) == parts


def test_one_part_of_an_interface_holds_call_and_result() -> None:
    item = {"type": "tool-look", "toolCallId": "a", "state": "output-available", "input": CITY,
            "output": "warm"}  # fmt: skip
    call = CallFound("a", "look", CITY)
    assert loose_pieces(Draft(), [item]) == [call, ResultFound("a", "look", [Text(text="warm")])]
    failed = {**item, "state": "output-error", "output": None, "errorText": "gone"}
    assert loose_pieces(Draft(), [failed]) == [
        call, ResultFound("a", "look", [Text(text="gone")], failed=True),
    ]  # fmt: skip
    waiting = {"type": "dynamic-tool", "toolName": "look", "toolCallId": "a", "input": CITY}
    assert loose_pieces(Draft(), [waiting]) == [call]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "image_url", "image_url": {"url": "https://e.example/a.png"}},
        {"type": "image", "image": "https://e.example/a.png"},
        {"type": "image", "source": {"type": "url", "url": "https://e.example/a.png"}},
        {"type": "uri", "modality": "image", "uri": "https://e.example/a.png"},
    ],
)
def test_an_image_elsewhere_is_kept_by_its_address(item: dict[str, Any]) -> None:
    [found] = loose_pieces(Draft(), [item])
    assert isinstance(found, Media)
    assert (found.media, found.uri) == ("image", "https://e.example/a.png")


@pytest.mark.parametrize(
    "item",
    [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "DATA"}},
        {"type": "blob", "modality": "image", "mime_type": "image/png", "content": "DATA"},
    ],
)
def test_bytes_of_an_image_become_a_blob(item: dict[str, Any]) -> None:
    text = base64.b64encode(b"bytes").decode()
    holder = item.get("source", item)
    holder["data" if "data" in holder else "content"] = text
    draft = Draft()
    [found] = loose_pieces(draft, [item])
    assert isinstance(found, Media)
    assert (found.media, found.mime) == ("image", "image/png")
    assert list(draft.blobs.values()) == [b"bytes"]


def test_a_text_that_is_the_json_of_calls_is_calls() -> None:
    one = '{"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}'
    assert calls_in_text(one) == [CallFound("a", "look", "{}")]
    assert calls_in_text(f"[{one}, {one}]") == [CallFound("a", "look", "{}")] * 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the function",
        '{"function": "look"}',
        '{"function": {"name": "look"}}',
        '[{"function": {"name": "look", "arguments": "{}"}}, 1]',
        '[{"function": {"name": "look", "arguments": ',
        'Call {"function": {"name": "look", "arguments": "{}"}}',
    ],
)
def test_other_texts_are_no_calls(text: str) -> None:
    assert calls_in_text(text) == []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        (" [1]", [1]),
        ("{broken", "{broken"),
        ("plain", "plain"),
        ("17", "17"),
        (None, None),
        ({"a": "[1]"}, {"a": "[1]"}),
    ],
)
def test_a_text_of_json_is_what_it_holds(value: Any, found: Any) -> None:
    assert decoded(value) == found
