from typing import Any

import pytest

from benchmarks.intake.dialects.opencode import OpenCodeExport, OpenCodeMessages, OpenCodeRun
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

EXPORT = OpenCodeExport()
MESSAGES = OpenCodeMessages()
START = 1_777_629_600_000


def message(role: str, second: int, *parts: dict[str, Any], **info: Any) -> dict[str, Any]:
    return {
        "info": {"id": f"msg_{second}", "sessionID": "ses_1", "role": role,
                 "time": {"created": START + second * 1000}, **info},
        "parts": [*parts],
    }  # fmt: skip


def tool(call_id: str, name: str, given: Any, status: str, **state: Any) -> dict[str, Any]:
    return {"type": "tool", "callID": call_id, "tool": name,
            "state": {"status": status, "input": given, **state}}  # fmt: skip


def tokens(spent: int, read: int = 0) -> dict[str, Any]:
    return {"input": spent, "output": 5, "reasoning": 1, "cache": {"read": read, "write": 0}}


def finish(spent: int, read: int = 0) -> dict[str, Any]:
    return {"type": "step-finish", "reason": "stop", "cost": 0.25, "tokens": tokens(spent, read)}


ANSWER = {"modelID": "m-1", "providerID": "lab", "tokens": tokens(99), "cost": 9}
SESSION = [
    message("user", 0, {"type": "text", "text": "List."}),
    message(
        "assistant", 1,
        {"type": "step-start"}, {"type": "reasoning", "text": "hm"},
        {"type": "text", "text": "I look."},
        tool("c1", "bash", {"command": "ls"}, "completed", output="a.txt"),
        tool("c2", "read", {"path": "x"}, "error", error="no file"), finish(10, 100),
        {"type": "step-start"}, {"type": "text", "text": "One file."}, finish(20),
        {"type": "patch", "files": []}, system=["You code."], **ANSWER,
    ),
]  # fmt: skip
WHOLE = [
    ("system", "You code.", [], []),
    ("user", "List.", [], []),
    ("assistant", "I look.", ["bash", "read"], []),
    ("tool", "", [], ["ok"]),
    ("tool", "", [], ["error"]),
    ("assistant", "One file.", [], []),
]


def exported(*messages: Any, **info: Any) -> Reading:
    record = {"info": {"id": "ses_1", **info}, "messages": [*messages]}
    assert EXPORT.detect(record)
    return reading_of(list(EXPORT.read(record)))


def test_each_step_of_an_answer_is_a_turn_with_its_results_behind_it() -> None:
    found = exported(*SESSION).conversation
    assert shape(found) == WHOLE
    assert calls_in(found) == [("c1", {"command": "ls"}), ("c2", {"path": "x"})]
    assert results_in(found) == [((2, 2), "a.txt"), ((2, 3), "no file")]
    assert found.turns[2].parts[0].text == "hm"
    assert (found.dialect, found.end.reason, found.issues) == ("opencode", "reply", [])


def test_each_step_costs_by_itself_with_what_was_cached() -> None:
    got = exported(*SESSION)
    found = got.conversation
    first, second = found.turns[2], found.turns[5]
    assert (first.usage.input_tokens, first.usage.cache_read_tokens) == (110, 100)
    assert (second.usage.input_tokens, found.usage.calls) == (20, 2)
    assert (found.usage.output_tokens, found.usage.reported_cost_usd) == (10, 0.5)
    assert (first.model, first.id, first.at) == ("m-1", "msg_1", "2026-05-01T10:00:01.000Z")
    assert (got.frame.identity.session_id, got.frame.routing.provider) == ("ses_1", "lab")
    assert got.frame.captured_at == "2026-05-01T10:00:00.000Z"


def test_an_answer_without_steps_costs_what_the_message_says() -> None:
    found = exported(SESSION[0], message("assistant", 1, {"type": "text", "text": "Hi."}, **ANSWER))
    assert found.conversation.usage.input_tokens == 99


def test_messages_as_records_are_the_conversation_of_their_session() -> None:
    other = message("user", 0, {"type": "text", "text": "Hi."}, sessionID="ses_2")
    first, second = pieces_of(MESSAGES, SESSION[0], other, SESSION[1])
    assert shape(first.result.conversation) == WHOLE
    assert shape(second.result.conversation) == [("user", "Hi.", [], [])]
    assert second.result.frame.identity.session_id == "ses_2"


def test_a_file_of_the_user_is_media_and_an_open_call_has_no_result() -> None:
    file = {"type": "file", "mime": "image/png", "filename": "a", "url": "https://x/a.png"}
    found = exported(
        message("user", 0, file),
        message("assistant", 1, tool("c1", "bash", {}, "running"), error={
            "name": "MessageAbortedError", "data": {"message": "aborted"}}),
    ).conversation  # fmt: skip
    assert (found.turns[0].parts[0].type, found.turns[0].parts[0].uri) == (
        "media", "https://x/a.png",
    )  # fmt: skip
    assert shape(found)[1:] == [("assistant", "", ["bash"], [])]
    assert (found.end.reason, found.end.detail) == ("error", "aborted")


def test_a_count_that_is_none_is_said() -> None:
    bad = message("assistant", 1, {"type": "text", "text": "x"}, tokens={"input": -1})
    assert [issue.code for issue in exported(SESSION[0], bad).conversation.issues] == ["bad_usage"]


def test_a_session_of_the_programs_own_notes_is_no_conversation() -> None:
    (piece,) = pieces_of(MESSAGES, message("user", 0, {"type": "patch"}))
    assert piece.result == Refused(Reason.NO_MESSAGES, "a session without a message")


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"info": {"role": "user"}},
        {"info": {"role": "system"}, "parts": []},
        {"info": {"role": ["user"]}, "parts": []},
        {"info": "x", "parts": []},
        {"info": {}, "messages": []},
        {"info": {}, "messages": [{"role": "user", "content": "x"}]},
        {"messages": [{"info": {"role": "user"}, "parts": []}]},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not EXPORT.detect(record)
    assert not MESSAGES.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(SESSION):
        for key in one["info"].keys() - {"role"}:
            assert pieces_of(MESSAGES, {**one, "info": {**one["info"], key: odd}})
        for part in one["parts"]:
            for key in part:
                assert pieces_of(MESSAGES, SESSION[0], {**one, "parts": [{**part, key: odd}, odd]})
        for state in ({"status": odd}, {"status": "completed", "output": odd, "input": odd}):
            assert pieces_of(
                MESSAGES, {**one, "parts": [{**tool("c", "t", 1, "x"), "state": state}]}
            )
        record = {"info": {"id": odd}, "messages": [*SESSION[:place], one, odd]}
        assert list(EXPORT.read(record))


def printed(name: str, second: int, part: dict[str, Any]) -> dict[str, Any]:
    return {"type": part["type"], "timestamp": START + second * 1000, "sessionID": "ses_1",
            "part": {"messageID": name, **part}}  # fmt: skip


PRINTED = [
    printed("m1", 1, {"type": "step-start"}),
    printed("m1", 2, tool("c1", "bash", {"command": "ls"}, "completed", output="a.txt")),
    printed("m1", 3, finish(10)),
    printed("m2", 4, {"type": "text", "text": "One file."}),
]


def test_parts_that_a_run_prints_are_the_messages_that_they_name() -> None:
    run = OpenCodeRun()
    assert all(map(run.detect, PRINTED))
    got = reading_of(pieces_of(run, *PRINTED))
    assert shape(got.conversation) == [
        ("assistant", "", ["bash"], []), ("tool", "", [], ["ok"]),
        ("assistant", "One file.", [], []),
    ]  # fmt: skip
    assert (got.conversation.usage.input_tokens, got.frame.identity.session_id) == (10, "ses_1")
    assert got.frame.captured_at == "2026-05-01T10:00:01.000Z"


@pytest.mark.parametrize("odd", ODD)
def test_odd_printed_parts_are_survived(odd: Any) -> None:
    run = OpenCodeRun()
    assert not run.detect({"sessionID": "s", "part": odd if not isinstance(odd, dict) else {}})
    for one in PRINTED:
        for key in ("timestamp", "sessionID"):
            assert pieces_of(run, {**one, key: odd})
        for key in one["part"].keys() - {"type"}:
            assert pieces_of(run, {**one, "part": {**one["part"], key: odd}})
