import json
from typing import Any

import pytest

from benchmarks.intake.spans.inputs import asked_of_root, heard_in, system_message
from benchmarks.intake.spans.messages import Memory

MESSAGES = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "hi"}]
TOLD = [("system", "Be kind."), ("user", "hi")]


def heard(value: Any) -> tuple[list[tuple[str, str]], bool]:
    found = heard_in(value, Memory())
    return [(one.role, one.text) for one in found.messages], found.lossy


@pytest.mark.parametrize(
    "value",
    [
        MESSAGES,
        json.dumps(MESSAGES),
        json.dumps(json.dumps(MESSAGES)),
        [MESSAGES],
        {"messages": MESSAGES},
        {"messages": [MESSAGES]},
        {"messages": json.dumps(MESSAGES)},
        {"model": "m", "system": "Be kind.", "messages": MESSAGES[1:]},
        {"instructions": "Be kind.", "input": MESSAGES[1:]},
        {"systemInstruction": {"parts": [{"text": "Be kind."}]},
         "contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
        {"config": {"system_instruction": "Be kind."},
         "contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
        {"system": [{"text": "Be kind."}],
         "messages": [{"role": "user", "content": [{"text": "hi"}]}]},
        str(MESSAGES),
    ],
)  # fmt: skip
def test_messages_are_found_in_lists_and_bodies(value: Any) -> None:
    assert heard(value) == (TOLD, False)


@pytest.mark.parametrize(
    ("value", "told", "lossy"),
    [
        ({"prompt": "hi"}, [("user", "hi")], False),
        ({"input": "hi"}, [("user", "hi")], False),
        ({"instructions": "Be kind.", "input": "hi"}, TOLD, False),
        ({"prompt": "hi", "system": "Be kind."}, TOLD, False),
        ({"contents": "hi"}, [("user", "hi")], False),
        ({"role": "user", "content": "hi"}, [("user", "hi")], False),
        ({"question": "hi"}, [("user", "hi")], True),
        ({"content": "hi"}, [("user", "hi")], True),
        ({"input": {"messages": MESSAGES}}, TOLD, False),
        ("hi", [("user", "hi")], True),
        (["hi"], [("user", "hi")], True),
        ({"prompts": ["Human: hi\nAI: "]}, [("user", "hi")], True),
    ],
)
def test_a_text_is_the_users(value: Any, told: list[Any], lossy: bool) -> None:
    assert heard(value) == (told, lossy)


def test_flattened_lines_lost_the_calls_and_the_results_are_nobodys() -> None:
    text = "system: Be kind.\nuser: a\nb: c\nassistant: None\ntool: 7\nassistant: done"
    assert heard(text) == (
        [("system", "Be kind."), ("user", "a\nb: c"), ("assistant", "done")],
        True,
    )


@pytest.mark.parametrize(
    "value",
    [None, "", "None", "null", {}, [], [None], 3, True, {"content": "role"}, ["role='user'"] * 2,
     {"content": "None"}, {"messages": []}, {"messages": 3}, {"messages": ["x", "y"]}],
)  # fmt: skip
def test_what_says_nothing_is_nothing(value: Any) -> None:
    assert heard(value)[0] == []


def test_a_system_text_may_be_text_parts_or_an_object() -> None:
    memory = Memory()
    for value in (
        "Be kind.",
        [{"type": "text", "content": "Be kind."}],
        '[{"type": "text", "content": "Be kind."}]',
        {"parts": [{"text": "Be kind."}]},
        {"role": "system", "parts": [{"text": "Be kind."}]},
    ):
        message = system_message(value, memory)
        assert message is not None
        assert (message.role, message.text) == ("system", "Be kind.")
    for nothing in (None, "", [], 3, {}):
        assert system_message(nothing, memory) is None


def test_what_the_root_was_asked_may_be_the_argument_of_a_function() -> None:
    def asked(value: Any) -> list[tuple[str, str]]:
        return [(one.role, one.text) for one in asked_of_root(value, Memory())]

    assert asked({"prompt": "hi", "system": "Be kind."}) == TOLD
    assert asked({"args": ["hi", 2], "kwargs": {}}) == [("user", "hi")]
    assert asked(None) == asked({}) == asked({"content": "role"}) == []


def test_a_root_that_was_asked_a_value_was_asked_that() -> None:
    (message,) = asked_of_root({"order": 7}, Memory())
    assert [piece.dump() for piece in message.pieces if hasattr(piece, "dump")] == [
        {"type": "json", "value": {"order": 7}}
    ]
