"""Public reports A19, A20, A21 and A23: session logs whose lines were counted twice or lost."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.intake.dialects.claude_code import ClaudeCode
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from tests.benchmarks.intake.session_lines import conversation, shape

CODE = ClaudeCode()
Line = dict[str, Any]


def user(uuid: str, parent: str | None, words: str) -> Line:
    return {"type": "user", "sessionId": "s", "uuid": uuid, "parentUuid": parent,
            "message": {"role": "user", "content": words}}  # fmt: skip


def answer(
    uuid: str, parent: str, message_id: str, *blocks: Line, at: int = 0, **more: Any
) -> Line:
    message = {"id": message_id, "type": "message", "role": "assistant", "model": "m"}
    return {"type": "assistant", "sessionId": "s", "uuid": uuid, "parentUuid": parent,
            "timestamp": f"2026-05-01T10:00:{at:02}.000Z",
            "message": {**message, "content": list(blocks), **more}}  # fmt: skip


def text(words: str) -> Line:
    return {"type": "text", "text": words}


def spent(output: int) -> Line:
    return {"input_tokens": 100, "output_tokens": output}


def intake_of(path: Path) -> Intake:
    return ingest([path], options=IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC)))


FOUR = ["user one", "assistant 1", "user two", "assistant 2"]


def test_a19_a_history_written_again_with_each_message_is_told_once() -> None:
    first = [user("u1", None, "one"), answer("a1", "u1", "m1", text("1"))]
    second = [user("u2", "a1", "two"), answer("a2", "u2", "m2", text("2"))]
    assert shape(conversation(CODE, [*first, *first, *second])) == FOUR


def test_a19_a_history_written_again_under_new_uuids_is_told_once() -> None:
    told = conversation(CODE, [
        user("u1", None, "one"), answer("a1", "u1", "m1", text("1")),
        user("x1", None, "one"), answer("y1", "x1", "m1", text("1")),
        user("u2", "y1", "two"), answer("a2", "u2", "m2", text("2")),
    ])  # fmt: skip
    assert shape(told) == FOUR


def test_a20_copies_without_a_request_id_are_one_message() -> None:
    copies = [answer(f"a{at}", "u1", "chatcmpl-7", text("1"), usage=spent(40)) for at in range(4)]
    told = conversation(CODE, [user("u1", None, "one"), *copies])
    assert shape(told) == ["user one", "assistant 1"]
    assert told.usage.dump() == {"input_tokens": 100, "output_tokens": 40, "calls": 1}


def test_a21_the_last_copy_of_a_message_counts_under_the_time_of_the_first() -> None:
    calls = [{"type": "tool_use", "id": f"c{at}", "name": name, "input": {}}
             for at, name in enumerate(["read", "mcp__docs__find"])]  # fmt: skip
    told = conversation(CODE, [
        user("u1", None, "one"),
        answer("a1", "u1", "m1", text("Let"), at=1, usage=spent(1), stop_reason=None),
        answer("a2", "u1", "m1", text("Let me see"), calls[0], at=2, usage=spent(20)),
        answer("a3", "u1", "m1", text("Let me see"), *calls, at=3, usage=spent(95),
               stop_reason="tool_use"),
    ])  # fmt: skip
    assert shape(told) == ["user one", "assistant Let me see !read !mcp__docs__find"]
    turn = told.turns[1]
    assert (turn.at, turn.stop) == ("2026-05-01T10:00:01.000Z", "tool_use")
    assert (turn.usage.output_tokens, told.usage.output_tokens) == (95, 95)


def test_a23_a_line_with_half_an_emoji_is_kept_and_noted(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "c", "name": "read", "input": {}}
    back = {"type": "tool_result", "tool_use_id": "c", "content": "cut \ud83d"}
    path = tmp_path / "s.jsonl"
    lines = [
        user("u1", None, "one"),
        answer("a1", "u1", "m1", call),
        {**user("u2", "a1", ""), "message": {"role": "user", "content": [back]}},
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    intake = intake_of(path)
    (capture,) = intake.captures
    assert shape(capture.conversation) == ["user one", "assistant !read", "tool ?read:ok"]
    assert capture.conversation.turns[2].results()[0].parts[0].text == "cut \ufffd"
    assert intake.report.repaired == {"surrogate_replaced": 1}


def test_a_session_that_grew_between_two_passes_keeps_its_name(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    lines = [user("u1", None, "one"), answer("a1", "u1", "m1", text("1")),
             user("u2", "a1", "two"), answer("a2", "u2", "m2", text("2"))]  # fmt: skip
    found = []
    for length in (2, 4):
        path.write_text(
            "".join(f"{json.dumps(line)}\n" for line in lines[:length]), encoding="utf-8"
        )
        intake = intake_of(path)
        found += intake.captures
    before, after = found
    assert (before.capture_id, after.capture_id) == ("s", "s")
    assert before.capture_key != after.capture_key
    assert (len(before.conversation.turns), len(after.conversation.turns)) == (2, 4)
