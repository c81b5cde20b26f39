import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.intake.ingest import Intake, IntakeOptions, ingest

URL = "https://api.openai.com/v1/responses"
CALL = {"type": "function_call", "call_id": "a", "name": "get", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "a", "output": "seven"}


def said(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant",
            "content": [{"type": "output_text", "text": text}]}  # fmt: skip


def call(name: str, given: Any, *output: Any, status: str = "completed", **more: Any) -> Any:
    """A call of Responses whose answer has the id `name`."""
    answer = {"id": f"resp_{name}", "object": "response", "status": status, "output": list(output)}
    request = {"model": "m", "input": given, **more}
    return {"url": URL, "request": request, "response": answer}


def look(name: str, *output: Any, status: str = "completed") -> Any:
    """A later look at the answer `name`."""
    made = call(name, None, *output, status=status)
    return {**made, "url": f"{URL}/resp_{name}", "request": None, "request_raw": {"text": ""}}


def read(folder: Path, *records: Any) -> Intake:
    path = folder / "calls.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return ingest([path], options=IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC)))


def last(intake: Intake) -> list[tuple[str, str, str]]:
    """The turns of the last capture."""
    conversation = intake.captures[-1].conversation
    assert conversation.issues == [] or {issue.code for issue in conversation.issues} == {
        "missing_usage"
    }
    return [
        (turn.role, turn.origin, turn.text() or "".join(part.type for part in turn.parts))
        for turn in conversation.turns
    ]


WHOLE = [
    ("system", "request", "Be brief."), ("user", "request", "Hi"),
    ("assistant", "request", "tool_call"), ("tool", "request", "tool_result"),
    ("assistant", "response", "Seven."),
]  # fmt: skip


def test_a_call_that_names_the_answer_before_it_gets_its_history(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        call("1", "Hi", CALL, instructions="Be brief."),
        call("2", [RESULT], said("Seven."), instructions="Be brief.",
             previous_response_id="resp_1"),
    )  # fmt: skip
    assert last(found) == WHOLE
    assert (found.report.captures, found.report.conversations) == (2, 1)
    assert found.captures[-1].conversation.turns[3].results()[0].call.turn == 2


def test_calls_of_a_conversation_that_the_provider_keeps_follow_each_other(tmp_path: Path) -> None:
    kept = {"instructions": "Be brief.", "conversation": "conv_1"}
    found = read(
        tmp_path,
        call("1", "Hi", CALL, **kept),
        call("x", "Other", said("x"), conversation={"id": "conv_2"}),
        call("2", [RESULT], said("Seven."), **kept),
    )  # fmt: skip
    assert last(found) == WHOLE
    assert (found.report.captures, found.report.conversations) == (3, 2)


def test_a_failed_call_adds_nothing_to_a_conversation_that_is_kept(tmp_path: Path) -> None:
    kept = {"instructions": "Be brief.", "conversation": "conv_1"}
    failed = {
        **call("f", [RESULT], **kept),
        "status": 500,
        "response": {"error": {"message": "no"}},
    }
    found = read(
        tmp_path, call("1", "Hi", CALL, **kept), failed, call("2", [RESULT], said("Seven."), **kept)
    )
    assert last(found) == WHOLE
    assert found.report.conversations == 1


def test_a_queued_call_is_completed_by_a_later_look(tmp_path: Path) -> None:
    asked = call("1", "Hi", status="queued", instructions="Be brief.", background=True)
    found = read(tmp_path, asked, look("1", status="in_progress"), look("1", said("Yo")))
    assert last(found) == [
        ("system", "request", "Be brief."), ("user", "request", "Hi"),
        ("assistant", "response", "Yo"),
    ]  # fmt: skip
    assert found.report.conversations == 1
    assert found.report.dropped == {}


def test_a_history_that_no_source_holds_is_missing(tmp_path: Path) -> None:
    kept = {"conversation": "conv_1"}
    found = read(
        tmp_path,
        call("2", [RESULT], said("Seven."), previous_response_id="resp_1"),
        call("3", [RESULT], said("Seven."), **kept),
        look("4", said("Yo")),
    )  # fmt: skip
    assert found.captures == []
    assert [(drop.reason.value, drop.detail) for drop in found.dropped] == [
        ("missing_history", f"goes on from {name}, which no source holds")
        for name in ("resp_1", "conv_1", "resp_4")
    ]


def test_a_kept_conversation_may_begin_here(tmp_path: Path) -> None:
    found = read(tmp_path, call("1", "Hi", said("Yo"), conversation="conv_1"))
    assert [turn.role for turn in found.captures[0].conversation.turns] == ["user", "assistant"]


def test_calls_that_go_on_from_one_another_in_a_circle_have_no_history(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        call("1", "Hi", said("x"), previous_response_id="resp_2"),
        call("2", "Ho", said("y"), previous_response_id="resp_1"),
    )
    report = found.report
    assert report.records == 2 == report.captures + sum(report.dropped.values())


def test_an_integer_of_thousands_of_digits_is_kept_exactly(tmp_path: Path) -> None:
    digits = "7" * 5000
    call = f'{{"id": "c", "function": {{"name": "go", "arguments": {{"n": {digits}}}}}}}'
    path = tmp_path / "f.jsonl"
    path.write_text(
        '{"request": {"messages": [{"role": "user", "content": "hi"}]},'
        f' "response": {{"choices": [{{"message": {{"tool_calls": [{call}]}}}}]}}}}\n',
        encoding="utf-8",
    )
    (line,) = ingest([path], options=IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))).lines()
    assert digits.encode() in line
