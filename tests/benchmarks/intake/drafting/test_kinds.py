from typing import Any

import pytest

from benchmarks.intake.dialects.messages import MessageLines
from benchmarks.intake.drafting.kinds import by_kind
from tests.benchmarks.intake.session_lines import conversation, shape


def kinded(kind: str, *parts: tuple[str, Any], wrapped: bool = False) -> dict[str, Any]:
    body = {"message_id": "m", "content": [{"kind": name, "data": data} for name, data in parts]}
    return {"version": "v1", "kind": kind, "data": body} if wrapped else {"kind": kind, **body}


@pytest.mark.parametrize("wrapped", [False, True])
def test_lines_of_kinds_are_a_conversation(wrapped: bool) -> None:
    call = {"toolUseId": "t1", "name": "look", "input": {"a": 1}}
    result = {"toolUseId": "t1", "content": [{"text": "seen"}], "status": "success"}
    told = conversation(MessageLines(), [
        kinded("Prompt", ("text", "hello"), wrapped=wrapped),
        kinded("AssistantMessage", ("text", "I look"), ("toolUse", call), wrapped=wrapped),
        kinded("ToolResults", ("toolResult", result), wrapped=wrapped),
        kinded("AssistantMessage", ("text", "done"), wrapped=wrapped),
    ])  # fmt: skip
    assert shape(told) == [
        "user hello", "assistant I look !look", "tool ?look:ok", "assistant done",
    ]  # fmt: skip
    assert told.turns[1].calls()[0].arguments == {"a": 1}


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "CLIENT", "content": []},
        {"kind": "Prompt"},
        {"kind": "Prompt", "content": "hello"},
        {"kind": ["Prompt"], "content": []},
        {"role": "user", "content": []},
        {"kind": "Compaction", "data": {"content": []}},
        ["Prompt"],
        None,
    ],
)
def test_what_says_another_kind_is_left_as_it_is(value: Any) -> None:
    assert by_kind(value) is None


def test_parts_without_a_kind_or_with_other_data_stay_whole() -> None:
    found = by_kind({"kind": "Prompt", "content": [{"text": "a"}, {"kind": "json", "data": 1}, 3]})
    assert found == {
        "role": "user",
        "content": [{"text": "a"}, {"kind": "json", "data": 1, "type": "json"}],
    }
