from typing import Any

import pytest

from benchmarks.intake.drafting.langchain import unwrapped


def constructor(name: str, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["core", "messages", name], "kwargs": kwargs}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("HumanMessage", "human"),
        ("AIMessage", "ai"),
        ("AIMessageChunk", "ai"),
        ("ToolMessage", "tool"),
        ("SystemMessage", "system"),
    ],
)
def test_a_constructor_is_the_message_that_its_class_says(name: str, kind: str) -> None:
    assert unwrapped(constructor(name, content="x")) == {"content": "x", "type": kind}


def test_what_the_message_says_of_itself_wins_over_its_class() -> None:
    assert unwrapped(constructor("ChatMessage", content="x", role="judge")) == {
        "content": "x", "role": "judge",
    }  # fmt: skip
    assert unwrapped(constructor("AIMessage", content="x", type="ai")) == {
        "content": "x", "type": "ai",
    }  # fmt: skip


def test_a_constructor_inside_a_constructor_is_unwrapped_too() -> None:
    inner = constructor("HumanMessage", content="x")
    outer = {"lc": 1, "id": ["core", "Generation"], "kwargs": inner}
    assert unwrapped(outer) == {"content": "x", "type": "human"}


def test_a_pair_of_type_and_data_is_the_message_in_data() -> None:
    assert unwrapped({"type": "human", "data": {"content": "x"}}) == {
        "content": "x", "type": "human",
    }  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        [1],
        {},
        {"lc": 1},
        {"kwargs": "x", "lc": 1},
        {"kwargs": {"content": "x"}},
        {"type": "human", "data": "x"},
        {"type": "human", "data": {"x": 1}},
        {"type": "human", "data": {"content": "x"}, "role": "user"},
        {"role": "user", "content": "x"},
    ],
)
def test_anything_else_stays_as_it_is(value: Any) -> None:
    assert unwrapped(value) == value


def test_a_class_that_is_no_message_gives_no_type() -> None:
    assert unwrapped(constructor("Message", content="x")) == {"content": "x"}
    assert unwrapped(constructor("PromptValue", content="x")) == {"content": "x"}
