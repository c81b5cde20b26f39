import pytest

from benchmarks.intake.reporting.places import first_places
from benchmarks.records.conversation import CallRef, Conversation, Issue, ToolCall, ToolResult, Turn
from tests.benchmarks.intake.made import capture, conversation, said


def calling(index: int) -> Turn:
    call = ToolCall(call_id=str(index), name="get", arguments={})
    return Turn(index=index, role="assistant", origin="request", parts=[call])


def answering(index: int, at: CallRef | None) -> Turn:
    result = ToolResult(call_id="0", name="get", status="ok", parts=[], call=at)
    return Turn(index=index, role="tool", origin="request", parts=[result])


WHOLE = conversation(calling(0), answering(1, CallRef(turn=0, part=0)), said(2, "assistant", "ok"))
MISSING = Issue(code="missing_result", turn=0, part=0)
SHOWING = {
    "truncated_stream": WHOLE.with_(issues=[Issue(code="truncated_stream", turn=0, part=0)]),
    "orphan_results": conversation(answering(0, None), said(1, "assistant", "ok")),
    "missing_results": conversation(calling(0), calling(1)).with_(issues=[MISSING]),
    "orphan_spans": WHOLE.with_(loss={"orphan_spans": 1}),
    "wrapper_usage": WHOLE.with_(loss={"wrapper_spans": 1}),
    "cut_texts": conversation(said(0, "assistant", "abc [truncated]")),
}


@pytest.mark.parametrize(("code", "shown"), SHOWING.items(), ids=SHOWING)
def test_the_first_capture_that_shows_it_is_named(code: str, shown: Conversation) -> None:
    captures = [
        capture("1", conversation=WHOLE, pointer="f#L1"),
        capture("2", conversation=shown, pointer="f#L2"),
        capture("3", conversation=shown, pointer="f#L3"),
    ]
    assert first_places(captures, {code}) == {code: "f#L2"}
    assert first_places(captures[:1], {code}) == {}


def test_a_conversation_that_ends_on_a_call_lacks_no_result() -> None:
    ended = conversation(calling(0)).with_(issues=[MISSING])
    assert first_places([capture("1", conversation=ended)], {"missing_results"}) == {}


def test_a_secret_is_named_by_its_place() -> None:
    found = capture("1", pointer="f#L1").with_(secrets={"api_key": 1})
    assert first_places([found], {"secrets_redacted"}) == {"secrets_redacted": "f#L1"}


def test_what_no_capture_can_show_has_no_place() -> None:
    assert first_places([capture("1")], {"loss_above_bar", "duplicates"}) == {}
