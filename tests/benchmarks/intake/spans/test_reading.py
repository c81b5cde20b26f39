from benchmarks.intake.spans.reading import about_trace, session_of
from benchmarks.intake.spans.span import Span
from tests.benchmarks.intake.spans.making import chat, codes, conversation, says, tool, user


def test_the_langfuse_session_wins_over_the_conversation_and_over_other_sessions() -> None:
    names = [
        "ai.telemetry.metadata.sessionId", "session.id",
        "traceloop.association.properties.session_id", "gen_ai.conversation.id",
        "langfuse.session.id",
    ]  # fmt: skip
    spans = [Span("t", name, attributes={name: name}) for name in names]
    for last in range(len(names), 0, -1):
        assert session_of(spans[:last]) == names[last - 1]
    assert session_of([Span("t", "s", session_id="own")]) == "own"
    assert session_of([Span("t", "s", attributes={"session.id": 3})]) is None


def test_what_is_the_same_for_all_of_a_trace() -> None:
    about = about_trace([Span("t", "s", attributes={"gen_ai.conversation.id": "c"})], "box")
    assert (about.container, about.session_id, about.conversation_id) == ("box", "c", "c")


def test_a_call_whose_run_held_no_result_misses_it_once() -> None:
    asked = {"role": "assistant", "parts": [
        {"type": "tool_call", "id": "c1", "name": "find", "arguments": {}}]}  # fmt: skip
    first = chat(1, [user("a")], asked)
    run = tool(2, "find", {}, at=1, call_id="c1")
    assert codes(conversation(first, run)).count("missing_result") == 1
    went_on = chat(3, [user("a"), asked], says("b"), at=2)
    assert codes(conversation(first, run, went_on)).count("missing_result") == 1


def test_an_open_call_that_no_run_is_known_of_may_still_be_answered() -> None:
    asked = {"role": "assistant", "parts": [
        {"type": "tool_call", "id": "c1", "name": "find", "arguments": {}}]}  # fmt: skip
    found = conversation(chat(1, [user("a")], asked))
    assert codes(found) == ["missing_usage"]
    assert found.end is not None
    assert found.end.reason == "open"


def test_an_answer_cut_for_length_ends_at_the_limit() -> None:
    found = conversation(
        chat(1, [user("a")], says("b"), more={"gen_ai.response.finish_reasons": ["length"]})
    )
    assert found.end is not None
    assert (found.end.reason, found.stop.reason) == ("limit", "length")
