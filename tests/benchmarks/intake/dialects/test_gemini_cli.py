from typing import Any

import pytest

from benchmarks.intake.dialects.gemini_cli import GeminiCli
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.session_lines import conversation, pieces, readings, shape

CLI = GeminiCli()
Line = dict[str, Any]
HEAD = {"sessionId": "s-1", "projectHash": "p", "startTime": "2026-05-01T10:00:00Z"}


def message(kind: str, number: int, content: Any, **more: Any) -> Line:
    at = f"2026-05-01T10:00:{number:02}.000Z"
    return {"id": f"m{number}", "timestamp": at, "type": kind, "content": content, **more}


def called(name: str, response: Any, status: str = "success", **more: Any) -> Line:
    answer = {"functionResponse": {"id": f"{name}-1", "name": name, "response": response}}
    own = {"id": f"{name}-1", "name": name, "args": {"a": 1}, "status": status}
    return {**own, "result": None if response is None else [answer], **more}


def document(*messages: Line) -> list[Line]:
    return [{**HEAD, "messages": list(messages)}]


def lines(*messages: Line) -> list[Line]:
    return [HEAD, *messages]


TALK = (
    message("user", 1, "read it"),
    message("gemini", 2, "I will.", model="gemini-x",
            toolCalls=[called("read", {"output": "text"})],
            thoughts=[{"subject": "Reading", "description": "with the tool"}],
            tokens={"input": 10, "output": 5, "cached": 0, "thoughts": 2, "tool": 1, "total": 18}),
    message("info", 3, "Request cancelled."),
    message("gemini", 4, "It says text.", model="gemini-x",
            tokens={"input": 20, "output": 6, "cached": 4, "thoughts": 0, "tool": 0, "total": 30}),
)  # fmt: skip


@pytest.mark.parametrize("form", [document, lines])
def test_a_session_is_one_conversation_in_either_form(form: Any) -> None:
    (reading,) = readings(CLI, form(*TALK))
    told = reading.conversation
    assert shape(told) == [
        "user read it", "assistant I will. !read", "tool ?read:ok", "assistant It says text.",
    ]  # fmt: skip
    assert told.turns[1].parts[0].text == "Reading\nwith the tool"
    assert told.turns[1].calls()[0].arguments == {"a": 1}
    assert told.turns[2].results()[0].parts[0].text == "text"
    assert (told.turns[1].usage.input_tokens, told.turns[1].usage.output_tokens) == (11, 7)
    assert told.usage.dump() == {
        "input_tokens": 35, "output_tokens": 13, "cache_read_tokens": 4, "reasoning_tokens": 2,
        "calls": 2,
    }  # fmt: skip
    assert (told.end.reason, told.issues) == ("reply", [])
    frame = reading.frame
    assert (frame.capture_id, frame.identity.session_id) == ("s-1", "s-1")
    assert frame.captured_at == "2026-05-01T10:00:00.000Z"
    assert frame.routing.requested_model == "gemini-x"


@pytest.mark.parametrize(
    ("made", "status", "text"),
    [
        (called("edit", {"error": "0 occurrences"}, "error"), "error", "0 occurrences"),
        (called("edit", {"error": "0 occurrences"}), "error", "0 occurrences"),
        (called("edit", {"output": "Cancelled"}, "cancelled"), "error", "Cancelled"),
        (called("edit", None, "error", error={"message": "no file"}), "error", "no file"),
        (called("edit", None, "error", resultDisplay="no such file"), "error", "no such file"),
        (called("edit", {"output": "done"}, "Success"), "ok", "done"),
        (called("edit", None, result="done"), "ok", "done"),
    ],
)
def test_a_call_that_failed_or_was_cancelled_has_an_error_result(
    made: Line, status: str, text: str
) -> None:
    told = conversation(CLI, document(message("gemini", 1, "", toolCalls=[made])))
    result = told.turns[1].results()[0]
    assert (result.status, result.parts[0].text) == (status, text)


def test_a_call_without_any_result_is_open() -> None:
    told = conversation(CLI, document(message("gemini", 1, "", toolCalls=[called("edit", None)])))
    assert shape(told) == ["assistant !edit"]
    assert told.end.reason == "open"


def test_other_parts_of_a_result_are_kept_and_a_value_stays_a_value() -> None:
    made = called("look", {"files": 2})
    made["result"].append({"inlineData": {"mimeType": "image/png", "data": "aGk="}})
    told = conversation(CLI, document(message("gemini", 1, "", toolCalls=[made])))
    value, picture = told.turns[1].results()[0].parts
    assert (value.value, picture.media) == ({"files": 2}, "image")


def test_what_the_user_gave_in_parts_is_one_turn() -> None:
    given = [{"text": "see"}, {"inlineData": {"mimeType": "image/png", "data": "aGk="}}]
    told = conversation(CLI, document(message("user", 1, given), message("model", 2, "seen")))
    assert shape(told) == ["user see", "assistant seen"]
    assert [part.type for part in told.turns[0].parts] == ["text", "media"]


def test_a_line_written_again_replaces_the_earlier() -> None:
    told = conversation(CLI, lines(
        message("user", 1, "go"),
        message("gemini", 2, "I wi"),
        {"$set": {"lastUpdated": "2026-05-01T10:01:00Z"}},
        message("gemini", 2, "I will", toolCalls=[called("read", {"output": "x"})]),
    ))  # fmt: skip
    assert shape(told) == ["user go", "assistant I will !read", "tool ?read:ok"]


def test_what_the_user_went_back_over_is_gone() -> None:
    told = conversation(CLI, lines(
        message("user", 1, "go"), message("gemini", 2, "one"),
        message("user", 3, "left"), message("gemini", 4, "two"),
        {"$rewindTo": "m3"},
        message("user", 5, "right"), message("gemini", 4, "three"),
        {"$rewindTo": "m99"},
    ))  # fmt: skip
    assert shape(told) == ["user go", "assistant one", "user right", "assistant three"]


def test_an_error_at_the_end_is_the_end() -> None:
    told = conversation(
        CLI, document(*TALK[:1], message("gemini", 2, ""), message("error", 3, "429"))
    )
    assert (told.end.reason, told.end.detail) == ("error", "429")


def test_counts_that_are_none_are_said() -> None:
    told = conversation(CLI, document(message("gemini", 1, "hi", tokens={"input": -1})))
    assert [(one.code, one.turn) for one in told.issues] == [("bad_usage", 0)]


def log(session: str, number: int, kind: str, text: str) -> Line:
    return {"sessionId": session, "messageId": number, "type": kind, "message": text,
            "timestamp": "2026-05-01T10:00:00Z"}  # fmt: skip


def test_a_log_is_a_conversation_only_where_a_model_answers_in_it() -> None:
    first, second = pieces(CLI, [
        log("a", 0, "user", "explain"), log("a", 1, "gemini", "it is this"),
        log("a", 2, "user", "/clear"), log("b", 0, "user", "only typed"),
    ])  # fmt: skip
    assert shape(first.result.conversation) == ["user explain", "assistant it is this"]
    assert first.result.frame.capture_id == "a"
    assert second.result == Refused(
        Reason.NO_RESPONSE, "session b: a list of what was typed, no answer"
    )


def test_a_session_in_which_only_the_user_speaks_has_no_response() -> None:
    (piece,) = pieces(CLI, document(message("user", 1, "hello?")))
    assert piece.result == Refused(
        Reason.NO_RESPONSE, "session s-1: nothing but what the user said, no answer"
    )


def test_a_session_in_which_nobody_speaks_is_no_capture() -> None:
    (piece,) = pieces(CLI, document())
    assert isinstance(piece.result, Refused)
    assert piece.result.reason == Reason.NOT_A_CAPTURE
    (command,) = pieces(CLI, [log("a", 0, "user", "/clear")])
    assert isinstance(command.result, Refused)
    assert command.result.reason == Reason.NOT_A_CAPTURE


@pytest.mark.parametrize(
    "record",
    [
        {"id": "m", "timestamp": "t", "type": "user", "content": "hi", "uuid": "u"},
        {"id": "m", "timestamp": "t", "type": "assistant", "content": "hi"},
        {"id": "m", "type": "gemini", "content": "hi"},
        {"id": "m", "timestamp": "t", "type": 3, "content": "hi"},
        {"sessionId": "s", "messages": []},
        {"sessionId": "s", "messageId": 1, "type": "other", "message": ""},
        {"$set": {}, "more": 1},
        {},
        [],
        None,
    ],
)
def test_other_records_are_none_of_its(record: Any) -> None:
    assert not CLI.detect(record)


@pytest.mark.parametrize("wrong", [None, 7, "x", [], {}, [None, 3, {"text": 5}], True])
@pytest.mark.parametrize("key", ["id", "timestamp", "type", "content", "toolCalls", "thoughts",
                                 "tokens", "model", "messages", "sessionId"])  # fmt: skip
def test_no_field_of_a_wrong_kind_makes_it_raise(key: str, wrong: Any) -> None:
    for at, one in enumerate(TALK):
        broken = [*TALK[:at], {**one, key: wrong}, *TALK[at + 1 :]]
        for records in (document(*broken), [HEAD, *broken], [{**document(*TALK)[0], key: wrong}]):
            kept = [record for record in records if CLI.detect(record)]
            assert kept
            for piece in pieces(CLI, kept):
                assert isinstance(piece.result, Reading | Refused)


@pytest.mark.parametrize("wrong", [None, 7, "x", [], {}, [None, 3, {"functionResponse": 5}], True])
@pytest.mark.parametrize("key", ["id", "name", "args", "result", "status", "error"])
def test_no_part_of_a_call_of_a_wrong_kind_makes_it_raise(key: str, wrong: Any) -> None:
    made = {**called("read", {"output": "x"}), key: wrong}
    told = conversation(CLI, document(message("gemini", 1, "hi", toolCalls=[made])))
    assert len(told.turns[0].calls()) == 1
