import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.foundry.grouping import threads_of
from benchmarks.intake.dialects.messages import MessageLines, Messages
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.intake.reading import Reading
from benchmarks.records.blocks import Usage
from benchmarks.records.conversation import Outcome

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))
HI = {"role": "user", "content": "Where is my parcel?"}
ASK = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "a", "function": {"name": "find", "arguments": '{"id": 7}'}}],
}
SEEN = {"role": "tool", "tool_call_id": "a", "content": "at the door"}
REPLY = {"role": "assistant", "content": "At your door."}


def reading(record: Any) -> Reading:
    [piece] = Messages().read(record)
    assert isinstance(piece.result, Reading)
    return piece.result


def taken(tmp_path: Path, *lines: Any) -> Intake:
    path = tmp_path / "f.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return ingest([path], options=OPTIONS)


def test_the_last_answer_is_the_response_and_the_rest_the_request() -> None:
    found = reading({"messages": [HI, ASK, SEEN, REPLY]})
    conversation = found.conversation
    assert (conversation.dialect, conversation.granularity) == ("messages", "session")
    assert [(turn.role, turn.origin) for turn in conversation.turns] == [
        ("user", "request"), ("assistant", "request"), ("tool", "request"),
        ("assistant", "response"),
    ]  # fmt: skip
    assert conversation.end is not None
    assert conversation.end.reason == "reply"
    assert found.response.body == {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "At your door."}}]
    }


def test_several_answers_are_the_response_where_the_source_parts_them() -> None:
    found = reading({"input": [HI], "output": [ASK, {**REPLY, "content": "Wait."}]})
    assert [turn.origin for turn in found.conversation.turns] == [
        "request", "response", "response",
    ]  # fmt: skip


def test_a_prompt_without_an_answer_has_only_a_request() -> None:
    found = reading({"messages": [HI]}).conversation
    assert [turn.origin for turn in found.turns] == ["request"]
    assert found.end is not None
    assert found.end.reason == "open"


def test_ids_time_and_model_of_the_record_are_kept() -> None:
    frame = reading({
        "messages": [HI, REPLY],
        "thread_id": 12,
        "task_id": "t",
        "id": "row-3",
        "created": 1_790_000_000,
        "model": "m-1",
    }).frame
    identity = frame.identity
    assert (identity.session_id, identity.task_id, identity.request_id) == ("12", "t", "row-3")
    assert frame.captured_at == "2026-09-21T14:13:20.000Z"
    assert frame.routing.requested_model == "m-1"


def test_what_a_record_says_of_itself_is_its_outcome() -> None:
    assert reading({"messages": [HI, REPLY], "reward": 0.5}).conversation.outcome == Outcome(
        reward=0.5, source="reward"
    )
    assert reading({"messages": [HI, REPLY], "success": True}).conversation.outcome == Outcome(
        success=True, source="success"
    )
    assert reading({"messages": [HI, REPLY], "success": "yes"}).conversation.outcome is None


def test_offered_tools_are_kept_though_none_was_called() -> None:
    tool = {"type": "function", "function": {"name": "find", "parameters": {"required": ["id"]}}}
    found = reading({"messages": [HI, REPLY], "tools": [tool]})
    assert [(tool.name, tool.required) for tool in found.conversation.tools] == [("find", ["id"])]
    assert found.request.tools == [
        {"type": "function", "function": {"name": "find", "parameters": {"required": ["id"]}}}
    ]


def test_what_the_answers_cost_adds_up() -> None:
    counted = {"input_tokens": 48, "output_tokens": 17, "total_tokens": 65,
               "input_token_details": {"cache_read": 8}}  # fmt: skip
    first = {**ASK, "usage_metadata": counted}
    last = {**REPLY, "usage": {"input": 2, "output": 31, "cacheRead": 60, "totalTokens": 93}}
    found = reading({"messages": [HI, first, SEEN, last]}).conversation
    assert found.granularity == "session"
    assert found.turns[1].usage == Usage(
        input_tokens=48, output_tokens=17, cache_read_tokens=8, calls=1
    )
    assert found.usage is not None
    assert (found.usage.input_tokens, found.usage.output_tokens) == (110, 48)


def test_records_that_repeat_their_history_are_one_conversation(tmp_path: Path) -> None:
    report = taken(
        tmp_path,
        {"messages": [HI, ASK]},
        {"messages": [HI, ASK, SEEN, REPLY]},
        {"messages": [{**HI, "content": "Another thing"}, REPLY]},
    ).report
    assert (report.dialects, report.captures) == ({"messages": 3}, 3)
    assert (report.conversations, report.turns) == (2, 6)
    assert (report.tool_calls, report.joined_results) == (1, 1)


def test_what_opens_alike_and_goes_apart_is_two_conversations(tmp_path: Path) -> None:
    no = {**REPLY, "content": "Not here."}
    intake = taken(
        tmp_path, {"messages": [HI, ASK, SEEN, REPLY]}, {"messages": [HI, ASK, SEEN, no]}
    )
    assert len({one.capture_id for one in intake.captures}) == 1
    threads = threads_of(list(intake.captures), lambda _: True)
    assert [len(thread.main_line) for thread in threads] == [1, 1]


def test_what_grew_is_one_conversation_that_was_paid_once(tmp_path: Path) -> None:
    paid = {**ASK, "usage": {"prompt_tokens": 10, "completion_tokens": 2}}
    intake = taken(tmp_path, {"messages": [HI, paid]}, {"messages": [HI, paid, SEEN, REPLY]})
    [thread] = threads_of(list(intake.captures), lambda _: True)
    assert len(thread.main_line) == 2
    assert thread.conversation.usage.input_tokens == 10


def test_an_answer_met_again_with_nothing_new_is_one_capture(tmp_path: Path) -> None:
    told = [HI, {**REPLY, "id": "m-7"}]
    thanks = {"role": "user", "content": "Thanks."}
    report = taken(
        tmp_path,
        {"messages": told, "at": 1},
        {"messages": told, "at": 2},
        {"messages": [*told, thanks], "at": 3},
        {"messages": [*told, thanks], "at": 4},
        {"messages": [*told, {**thanks, "content": "No."}], "at": 5},
    ).report
    assert (report.records, report.captures, report.duplicates) == (5, 3, 2)
    assert (report.conversations, report.turns) == (2, 6)


def test_every_entry_of_a_document_is_a_record_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    entry = {"input": {"data": [HI]}, "output": {"data": [REPLY]}}
    other = {"input": {"data": [HI]}, "output": {"data": [ASK]}}
    path.write_text(
        json.dumps({"x": entry, "y": {"note": 1}, "z": other}, indent=1), encoding="utf-8"
    )
    intake = ingest([path], options=OPTIONS)
    assert [one.source.pointer for one in intake.captures] == ["f.json#/x", "f.json#/z"]
    assert (intake.report.records, intake.report.dropped) == (3, {"not_a_capture": 1})


def test_entries_of_a_document_grow_in_whichever_order_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    whole = {"input": [HI, ASK, SEEN], "output": [REPLY]}
    path.write_text(json.dumps({"a": whole, "b": {"input": [HI], "output": [ASK]}}))
    report = ingest([path], options=OPTIONS).report
    assert (report.captures, report.conversations, report.turns) == (2, 1, 4)


def entries(tmp_path: Path, document: dict[str, Any]) -> Intake:
    path = tmp_path / "f.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return ingest([path], options=OPTIONS)


def test_entries_that_tell_the_same_are_one_capture(tmp_path: Path) -> None:
    whole = [HI, ASK]
    intake = entries(
        tmp_path,
        {
            "call": {"input": [HI], "output": [ASK]},
            "around it": {"output": {"data": whole}},
            "its answer": {"input": {"error": "unreadable"}, "output": [ASK]},
        },
    )
    [capture] = intake.captures
    assert [turn.role for turn in capture.conversation.turns] == ["user", "assistant"]
    assert len(capture.source.pointers) == 3
    assert (intake.report.records, intake.report.duplicates) == (3, 2)


def test_an_id_of_an_answer_keeps_no_entry_apart_from_its_equal(tmp_path: Path) -> None:
    report = entries(
        tmp_path,
        {"a": {"messages": [HI, {**REPLY, "id": "m-7"}]}, "b": {"messages": [HI, REPLY]}},
    ).report
    assert (report.captures, report.duplicates, report.conversations) == (1, 1, 1)


def test_an_answer_that_two_questions_have_stays_by_itself(tmp_path: Path) -> None:
    other = {**HI, "content": "And the other?"}
    report = entries(
        tmp_path,
        {
            "a": {"input": [HI], "output": [REPLY]},
            "b": {"input": [other], "output": [REPLY]},
            "c": {"input": None, "output": [REPLY]},
        },
    ).report
    assert (report.captures, report.conversations, report.turns) == (3, 3, 5)


def test_equal_entries_of_two_documents_stay_apart(tmp_path: Path) -> None:
    same = {"messages": [HI, REPLY]}
    lines = [{"a": same, "b": {"messages": [HI, {**REPLY, "content": one}]}} for one in ("x", "y")]
    report = taken(tmp_path, *({**line, "n": at} for at, line in enumerate(lines))).report
    assert (report.captures, report.duplicates) == (3, 1)


def test_an_earlier_form_of_an_entry_is_no_conversation_of_its_own(tmp_path: Path) -> None:
    report = entries(
        tmp_path,
        {
            "echo": {"input": [HI], "output": [HI]},
            "state": {"input": [HI], "output": {"error": "unreadable"}},
            "node": {"input": {"error": "unreadable"}, "output": [HI]},
            "whole": {"messages": [HI, REPLY]},
            "asked": {"messages": [{**HI, "content": "Who?"}]},
        },
    ).report
    assert (report.records, report.captures, report.duplicates) == (5, 2, 2)
    assert (report.conversations, report.turns) == (1, 2)
    assert report.dropped == {"no_response": 1}


def test_answers_without_a_question_are_conversations(tmp_path: Path) -> None:
    report = entries(
        tmp_path, {"a": {"input": 0, "output": [REPLY]}, "b": {"input": 0, "output": [ASK]}}
    ).report
    assert (report.conversations, report.turns, report.tool_calls) == (2, 2, 1)


def test_lines_in_which_nobody_answers_have_no_response(tmp_path: Path) -> None:
    report = taken(tmp_path, HI, {**HI, "content": "Hello?"}).report
    assert (report.records, report.dropped) == (1, {"no_response": 1})
    (tmp_path / "f.jsonl").unlink()
    assert taken(tmp_path, REPLY, REPLY).report.dropped == {"not_a_capture": 1}


def test_lines_that_are_messages_are_one_conversation(tmp_path: Path) -> None:
    intake = taken(tmp_path, HI, ASK, SEEN, REPLY)
    [capture] = intake.captures
    assert [turn.role for turn in capture.conversation.turns] == [
        "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert (intake.report.records, intake.report.joined_results) == (1, 1)


def test_lines_of_two_sessions_are_two_conversations(tmp_path: Path) -> None:
    lines = [{**one, "session_id": name} for name in "ab" for one in (HI, REPLY)]
    intake = taken(tmp_path, lines[0], lines[2], lines[1], lines[3])
    assert [one.source.identity.session_id for one in intake.captures] == ["a", "b"]
    assert [len(one.conversation.turns) for one in intake.captures] == [2, 2]


def test_other_records_are_not_taken_for_messages() -> None:
    others = [
        {},
        {"messages": []},
        {"role": "user"},
        [],
        "hi",
        {"from": "a@b.example", "text": "x"},
    ]
    assert not any(Messages().detect(one) or MessageLines().detect(one) for one in others)


def test_as_many_turns_as_a_conversation_may_have_are_read() -> None:
    record = {"messages": [HI, ASK, SEEN, REPLY] * 5_000}
    assert len(reading(record).conversation.turns) == 20_000
