import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from tests.benchmarks.intake.code_lines import (
    CODE,
    MAIN,
    Line,
    answer,
    call,
    result,
    spent,
    streamed,
    text,
    user,
)
from tests.benchmarks.intake.session_lines import conversation, found, pieces, pieces_of, shape


def side(uuid: str, parent: str | None, made: Line, **more: Any) -> Line:
    return {**made, "uuid": uuid, "parentUuid": parent, "isSidechain": True, **more}


HELPER = [
    side("x1", None, user("x1", None, "look around")),
    side("x2", "x1", answer("x2", "x1", call("d1", "Bash"))),
    side("x3", "x2", user("x3", "x2", [result("d1", "src")])),
    side("x4", "x3", answer("x4", "x3", text("two folders"))),
]


def check_helper(helper: Any, name: str) -> None:
    assert isinstance(helper.result, Reading)
    assert shape(helper.result.conversation) == [
        "user look around", "assistant !Bash", "tool ?Bash:ok", "assistant two folders",
    ]  # fmt: skip
    assert helper.result.frame.capture_id == f"s-1 {name}"
    assert helper.result.frame.identity.session_id == "s-1"


@pytest.mark.parametrize("named", [True, False])
def test_a_helpers_file_is_a_conversation_hung_on_the_call_that_started_it(named: bool) -> None:
    own = [{**one, "agentId": "ag7"} for one in HELPER] if named else HELPER
    founds = [found(one, 1, "a/agent-ag7.jsonl") for one in own]
    main, helper = pieces_of(CODE, [*founds, *(found(one, 1, "s-1.jsonl") for one in MAIN)])
    assert shape(main.result.conversation)[0] == "user explore"
    assert (main.parent, main.call_id) == (None, None)
    check_helper(helper, "ag7")
    assert (helper.parent, helper.call_id) == (0, "c1")
    assert {turn.agent for turn in helper.result.conversation.turns} == {"ag7"}


def test_helpers_without_a_name_are_told_apart_by_where_they_begin() -> None:
    other = [
        side("y1", None, user("y1", None, "count")),
        side("y2", "y1", answer("y2", "y1", text("9"))),
    ]
    mixed = [*MAIN[:2], HELPER[0], other[0], *HELPER[1:], other[1], *MAIN[2:]]
    main, first, second = pieces(CODE, mixed)
    assert len(main.result.conversation.turns) == 4
    check_helper(first, "x1")
    assert shape(second.result.conversation) == ["user count", "assistant 9"]
    assert (first.parent, second.parent) == (None, None)


def test_a_helper_of_a_helper_comes_after_it() -> None:
    inner = [
        side("z1", None, user("z1", None, "deeper"), agentId="ag9"),
        side("z2", "z1", answer("z2", "z1", text("found")), agentId="ag9"),
    ]
    outer = [
        side("x1", None, user("x1", None, "look around"), agentId="ag7"),
        side("x2", "x1", answer("x2", "x1", call("d1", "Task")), agentId="ag7"),
        side("x3", "x2", user("x3", "x2", [result("d1")], toolUseResult={"agentId": "ag9"}),
             agentId="ag7"),
    ]  # fmt: skip
    main, first, second = pieces(CODE, [*inner, *outer, *MAIN])
    assert (main.parent, first.parent, first.call_id) == (None, 0, "c1")
    assert (second.parent, second.call_id) == (1, "d1")


def test_a_helper_alone_is_a_conversation_of_the_session_it_names() -> None:
    (only,) = pieces(CODE, HELPER, path="agent-ag7.jsonl")
    check_helper(only, "ag7")
    assert only.parent is None


def test_one_session_in_two_copies_is_one() -> None:
    twice = [
        *(found(one, 1, "a.jsonl") for one in MAIN),
        *(found(one, 1, "b.jsonl") for one in MAIN),
    ]
    (only,) = pieces_of(CODE, twice)
    assert len(only.result.conversation.turns) == 4


STREAM = [
    {"type": "control_response", "response": {"subtype": "success", "request_id": "r"}},
    streamed("system", subtype="init", uuid="i", tools=["Bash"], model="claude-x"),
    streamed("assistant", uuid="1", message={"id": "m1", "model": "claude-x", "role": "assistant",
             "content": [call("c1", "Agent", prompt="p")], **spent(1)}),
    streamed("user", "c1", uuid="2", message={"role": "user", "content": [text("p")]}),
    streamed("assistant", "c1", uuid="3", message={"id": "m2", "role": "assistant",
             "content": [text("42")], **spent(1)}),
    streamed("user", uuid="4", message={"role": "user", "content": [result("c1", "42")]}),
    streamed("stream_event", uuid="5", event={"type": "ping"}),
    streamed("assistant", uuid="6", message={"id": "m3", "role": "assistant",
             "content": [text("It is 42")], **spent(1)}),
    streamed("result", subtype="success", is_error=False, usage={"input_tokens": 9,
             "output_tokens": 77}),
]  # fmt: skip


def check_stream(found_pieces: list[Any], first: list[str]) -> None:
    main, helper = found_pieces
    assert shape(main.result.conversation) == [
        *first, "assistant !Agent", "tool ?Agent:ok", "assistant It is 42",
    ]  # fmt: skip
    assert shape(helper.result.conversation) == ["user p", "assistant 42"]
    assert (helper.parent, helper.call_id) == (0, "c1")
    assert main.result.conversation.usage.output_tokens == 77
    assert main.result.conversation.usage.calls == 2
    assert (main.result.frame.capture_id, helper.result.frame.capture_id) == ("live", "live c1")
    assert [tool.name for tool in main.result.conversation.tools] == ["Bash"]
    assert helper.result.conversation.tools == []


def test_a_stream_of_the_sdk_is_read_line_by_line() -> None:
    check_stream(pieces(CODE, STREAM), [])


def test_a_stream_in_one_document_is_read_too() -> None:
    check_stream(pieces(CODE, [{"messages": STREAM}]), [])


def test_what_was_sent_stands_in_a_recording_with_directions() -> None:
    asked = {
        "type": "user",
        "message": {"role": "user", "content": "what?"},
        "session_id": "default",
    }
    echo = {**asked, "session_id": "live", "uuid": "e", "isReplay": True}
    sent = {"direction": "send", "message": asked}
    got = [{"direction": "recv", "message": one} for one in [*STREAM[:2], echo, *STREAM[2:]]]
    check_stream(pieces(CODE, [{"metadata": {}, "messages": [sent, *got]}]), ["user what?"])
    check_stream(pieces(CODE, [sent, *got]), ["user what?"])


def test_a_stream_that_ran_into_its_limit_says_so() -> None:
    cut = [*STREAM[1:3], streamed("result", subtype="error_max_turns", is_error=True)]
    told = conversation(CODE, cut)
    assert (told.end.reason, told.end.detail) == ("limit", "error_max_turns")


@pytest.mark.parametrize("wrong", [None, 7, "x", [], {}, [None, 3, {"type": 5}], {"id": [1]}, True])
@pytest.mark.parametrize("key", ["uuid", "parentUuid", "message", "timestamp", "toolUseResult",
                                 "isSidechain", "agentId", "sessionId"])  # fmt: skip
def test_no_field_of_a_wrong_kind_makes_it_raise(key: str, wrong: Any) -> None:
    for at in range(len(MAIN)):
        lines = [*MAIN[:at], {**MAIN[at], key: wrong}, *MAIN[at + 1 :]]
        kept = [one for one in lines if CODE.detect(one)]
        assert len(kept) >= 3
        for piece in pieces(CODE, kept):
            assert isinstance(piece.result, Reading | Refused)


@pytest.mark.parametrize("wrong", [None, 7, "x", {}, [None, 3, {"type": 5}], [{"type": "text"}]])
@pytest.mark.parametrize("key", ["id", "content", "usage", "model", "stop_reason"])
def test_no_part_of_a_message_of_a_wrong_kind_makes_it_raise(key: str, wrong: Any) -> None:
    for at, one in enumerate(MAIN):
        broken = {**one, "message": {**one["message"], key: wrong}}
        for piece in pieces(CODE, [*MAIN[:at], broken, *MAIN[at + 1 :]]):
            assert isinstance(piece.result, Reading | Refused)


def test_twenty_thousand_lines_are_read_fast() -> None:
    lines = []
    for at in range(5000):
        before = f"a{at - 1}" if at else None
        lines += [user(f"u{at}", before, f"say {at}"), answer(f"a{at}", f"u{at}", text(f"{at}"))]
    assert len(conversation(CODE, lines).turns) == 10_000


def test_a_stream_recorded_as_yaml_is_read(tmp_path: Path) -> None:
    # Every JSON document is a YAML document; the first key tells that it is a recording.
    path = tmp_path / "stream.yaml"
    path.write_text(f"messages: {json.dumps(STREAM)}\n", encoding="utf-8")
    intake = ingest([path], options=IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC)))
    captures = intake.captures
    assert [capture.capture_id for capture in captures] == ["live", "live c1"]
    assert captures[1].helper_of.capture_key == captures[0].capture_key
    assert captures[1].helper_of.call_id == "c1"
