from typing import Any

import pytest

from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.kit_parts import plain_part, whole_body
from benchmarks.intake.drafting.loose_messages import spoken
from benchmarks.intake.drafting.loose_parts import loose_pieces
from benchmarks.records.conversation import JsonPart, Text
from tests.benchmarks.intake.shapes import ODD

CAME = [Text(text="rain")]
GIVEN = {"city": "Oslo"}
INVOCATION = {
    "type": "tool-invocation",
    "toolInvocation": {
        "state": "result",
        "toolCallId": "c1",
        "toolName": "look",
        "args": GIVEN,
        "result": "rain",
    },
}


def pieces(*parts: dict[str, Any]) -> list[Any]:
    return loose_pieces(Draft(), [*parts])


def test_a_call_of_an_older_user_interface_is_a_call_with_its_result() -> None:
    assert pieces(INVOCATION) == [
        CallFound("c1", "look", GIVEN), ResultFound("c1", "look", CAME),
    ]  # fmt: skip
    begun = {
        "type": "tool-invocation",
        "toolInvocation": {"state": "call", "toolCallId": "c1", "toolName": "look"},
    }
    assert pieces(begun) == [CallFound("c1", "look", None)]


def test_the_start_of_a_step_is_nothing() -> None:
    assert pieces({"type": "step-start"}, {"type": "text", "text": "Hi."}) == [Text(text="Hi.")]


def test_a_request_and_its_response_that_went_well_or_not_are_call_and_result() -> None:
    well = {"status": "success", "value": {"name": "look", "arguments": GIVEN}}
    assert pieces({"type": "toolRequest", "id": "t1", "toolCall": well}) == [
        CallFound("t1", "look", GIVEN)
    ]
    badly = {"status": "error", "error": "bad"}
    assert pieces({"type": "toolRequest", "id": "t1", "toolCall": badly}) == [
        CallFound("t1", None, None)
    ]
    told = {"type": "text", "text": "rain"}
    for value, failed in (([told], None), ({"content": [told]}, None),
                          ({"content": [told], "isError": True}, True)):  # fmt: skip
        found = {"type": "toolResponse", "id": "t1", "toolResult": {"value": value}}
        assert pieces(found) == [ResultFound("t1", None, CAME, failed=failed)]
    found = {"type": "toolResponse", "id": "t1", "toolResult": {"error": "no"}}
    assert pieces(found) == [ResultFound("t1", None, [Text(text="no")], failed=True)]


@pytest.mark.parametrize(
    ("run", "text", "failed"),
    [
        ({"status": "done", "result": "rain"}, "rain", None),
        ({"status": "error", "error": "no city"}, "no city", True),
        ({"status": "rejected-by-user", "error": "no"}, "no", True),
    ],
)
def test_a_result_that_is_the_run_of_its_tool_is_what_it_came_to(
    run: dict[str, Any], text: str, failed: bool | None
) -> None:
    found = pieces({"type": "tool_result", "toolUseID": "t1", "run": run})
    assert found == [ResultFound("t1", None, [Text(text=text)], failed=failed)]
    plain = {"type": "tool_result", "tool_use_id": "t1", "content": "x", "run": run}
    assert plain_part(plain) is plain


def test_a_result_that_holds_the_call_which_it_answers_is_that_of_the_call() -> None:
    origin = {"id": "c1", "tool_name": "look", "arguments": GIVEN}
    for error, failed in ((False, None), (True, True)):
        found = {"tool_call_result": {"result": "rain", "origin": origin, "error": error}}
        assert pieces(found) == [ResultFound("c1", "look", CAME, failed=failed)]


def test_parts_whose_kind_stands_under_another_key_are_read_by_it() -> None:
    assert pieces({"block_type": "text", "text": "Hi."}) == [Text(text="Hi.")]
    call = {"tool_call_id": "c1", "tool_name": "look", "tool_kwargs": GIVEN}
    assert pieces({"block_type": "tool_call", **call}) == [CallFound("c1", "look", GIVEN)]
    named = {"id": "c1", "name": "W-look", "arguments": "{}"}
    assert pieces({"content_type": "function_call", **named}) == [CallFound("c1", "W-look", "{}")]
    came = {"id": "c1", "name": "W-look", "result": {"t": 5}}
    assert pieces({"content_type": "function_result", **came}) == [
        ResultFound("c1", "W-look", [JsonPart(value={"t": 5})])
    ]


def test_a_content_that_names_its_format_is_its_parts() -> None:
    content = {"format": 2, "parts": [INVOCATION], "content": "It rains."}
    assert [type(piece) for piece in loose_pieces(Draft(), content)] == [CallFound, ResultFound]


@pytest.mark.parametrize(
    "more",
    [
        {"parts": [INVOCATION, {"type": "text", "text": "It rains."}]},
        {"toolInvocations": [INVOCATION["toolInvocation"]]},
    ],
)
def test_what_stands_beside_the_words_of_a_message_is_said_too(more: dict[str, Any]) -> None:
    message = {"role": "assistant", "content": "It rains.", **more}
    role, found = spoken(Draft(), message)
    assert role == "assistant"
    assert found == [
        CallFound("c1", "look", GIVEN), ResultFound("c1", "look", CAME), Text(text="It rains."),
    ]  # fmt: skip


def test_other_messages_have_no_other_body() -> None:
    for message in (
        {"content": "x"},
        {"content": ["x"], "parts": [1]},
        {"content": "x", "parts": []},
    ):
        assert whole_body(message) is None


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for kind in ("tool-invocation", "toolRequest", "toolResponse", "step-start", odd):
        part = {"type": kind, "toolInvocation": odd, "toolCall": odd, "toolResult": odd}
        plain_part(part)
        pieces(part)
    for part in ({"tool_call_result": odd}, {"tool_call_result": {"origin": odd}},
                 {"block_type": odd},
                 {"content_type": "function_result", "result": odd}):  # fmt: skip
        pieces(part)
    whole_body({"content": "x", "parts": odd, "toolInvocations": odd})
