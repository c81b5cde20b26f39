from typing import Any

import pytest

from benchmarks.intake.dialects.pi import Pi
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = Pi()
HEAD = {"type": "session", "version": 3, "id": "s-1", "cwd": "/w",
        "timestamp": "2026-05-01T10:00:00.250Z"}  # fmt: skip


def entry(name: str, parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "id": name, "parentId": parent,
            "timestamp": "2026-05-01T10:00:01.250Z",
            "message": {"role": role, "content": content, **more}}  # fmt: skip


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


CALL = {"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "a"}}
USED = {"input": 10, "output": 5, "cacheRead": 100, "cacheWrite": 3, "cost": {"total": 0.25}}
ABOUT = {"provider": "lab", "model": "m-1", "usage": USED, "stopReason": "stop"}
ALL = [
    HEAD,
    {"type": "model_change", "id": "m", "parentId": None, "modelId": "m-1"},
    entry("a", "m", "user", text("Read a.")),
    entry("b", "a", "assistant", [{"type": "thinking", "thinking": "hm"}, CALL], **ABOUT),
    entry("c", "b", "toolResult", text("hello"), toolCallId="t1", toolName="read", isError=False),
    entry("d", "c", "assistant", text("It says hello."), **ABOUT),
]
WHOLE = [
    ("user", "Read a.", [], []),
    ("assistant", "", ["read"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "It says hello.", [], []),
]


def test_messages_along_the_parents_are_turns() -> None:
    got = reading_of(pieces_of(DIALECT, *ALL))
    found = got.conversation
    assert shape(found) == WHOLE
    assert (calls_in(found), results_in(found)) == ([("t1", {"path": "a"})], [((1, 1), "hello")])
    turn = found.turns[1]
    assert (turn.parts[0].text, turn.model, turn.at) == ("hm", "m-1", "2026-05-01T10:00:01.250Z")
    assert (turn.usage.input_tokens, turn.usage.cache_read_tokens) == (113, 100)
    assert (found.usage.output_tokens, found.usage.reported_cost_usd) == (10, 0.5)
    assert (got.frame.identity.session_id, got.frame.routing.provider) == ("s-1", "lab")
    assert got.frame.captured_at == "2026-05-01T10:00:00.250Z"
    assert (found.dialect, found.end.reason, found.issues) == ("pi", "reply", [])


def test_what_was_left_aside_for_another_branch_is_none_of_it() -> None:
    aside = entry("x", "a", "assistant", text("No."), **ABOUT)
    assert shape(reading_of(pieces_of(DIALECT, *ALL[:3], aside, *ALL[3:])).conversation) == WHOLE


def test_an_error_of_a_tool_and_of_the_model_are_told() -> None:
    failed = entry("c", "b", "toolResult", text("no"), toolCallId="t1", isError=True)
    broken = entry("d", "c", "assistant", [], stopReason="error", errorMessage="overloaded")
    found = reading_of(pieces_of(DIALECT, *ALL[:4], failed, broken)).conversation
    assert shape(found)[2] == ("tool", "", [], ["error"])
    assert (found.end.reason, found.end.detail) == ("error", "overloaded")


def test_a_session_without_a_message_is_no_conversation() -> None:
    (piece,) = pieces_of(DIALECT, *ALL[:2])
    assert piece.result == Refused(Reason.NO_MESSAGES, "a session without a message")


@pytest.mark.parametrize(
    "record",
    [{}, [], {"type": "session", "id": "s"}, {"type": "message", "message": {"role": "user"}},
     {"type": "message", "id": "a", "parentId": None, "message": {}},
     {"type": "user", "id": "a", "parentId": None}, {"type": ["message"], "id": 1, "parentId": 2}],
)  # fmt: skip
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(ALL):
        for key in one.keys() - {"type", "message"}:
            assert pieces_of(DIALECT, *ALL[:place], {**one, key: odd}, *ALL[place + 1 :])
        for key in one.get("message", {}):
            changed = {**one, "message": {**one["message"], key: odd}}
            assert pieces_of(DIALECT, *ALL[:place], changed, *ALL[place + 1 :])
