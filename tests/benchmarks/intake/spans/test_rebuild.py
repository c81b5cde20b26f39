"""The five rules of `Rebuilding a conversation from spans`, end to end."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.span import Span, SpanEvent, SpanKind
from tests.benchmarks.intake.spans.making import (
    calls,
    chat,
    codes,
    conversation,
    pieces,
    readings,
    result,
    says,
    span,
    told,
    tool,
    user,
)


def counted(spent: int, answered: int) -> dict[str, int]:
    return {"gen_ai.usage.input_tokens": spent, "gen_ai.usage.output_tokens": answered}


def test_calls_of_a_trace_are_one_conversation_in_the_order_of_their_start() -> None:
    history = [user("Weather?"), calls("look", {"city": "Rome"}, "c1"), result("sun", "c1")]
    second = chat(4, history, says("Sunny."), at=3, parent=1)
    run = tool(3, "look", {"city": "Rome"}, "sun", at=2, parent=1, call_id="c1")
    first = chat(2, history[:1], history[1], at=1, parent=1)
    agent = span(1, attributes={"gen_ai.operation.name": "invoke_agent"})
    found = conversation(second, run, first, agent)
    assert told(found) == [
        "user: Weather?",
        'assistant: look({"city": "Rome"})',
        "tool: look ok ['sun']",
        "assistant: Sunny.",
    ]
    assert (found.dialect, found.granularity) == ("otel_genai", "session")
    assert found.end is not None
    assert found.end.reason == "reply"
    assert [turn.origin for turn in found.turns] == ["request", "request", "request", "response"]


def test_a_framework_and_a_client_that_saw_one_call_count_it_once() -> None:
    outer = chat(1, [user("hi")], says("hello"), more=counted(10, 2))
    inner = chat(2, [user("hi")], says("hello"), parent=1, more=counted(10, 2))
    found = conversation(outer, inner)
    assert found.usage is not None
    assert found.usage.dump() == {"input_tokens": 10, "output_tokens": 2, "calls": 1}
    assert codes(found) == ["wrapper_usage"]


def test_counts_more_than_a_hundredth_apart_are_a_conflict() -> None:
    outer = chat(1, [user("hi")], says("hello"), more=counted(20, 2))
    inner = chat(2, [user("hi")], says("hello"), parent=1, more=counted(10, 2))
    found = conversation(outer, inner)
    assert codes(found) == ["wrapper_usage", "usage_conflict"]
    assert [issue.detail for issue in found.issues] == ["22 tokens", "22 around 12 tokens"]


def test_a_wrapper_alone_with_usage_keeps_it() -> None:
    agent = span(1, attributes={"gen_ai.operation.name": "invoke_agent", **counted(10, 2)})
    found = conversation(agent, chat(2, [user("hi")], says("hello"), parent=1))
    assert found.usage is not None
    assert found.usage.input_tokens == 10
    assert codes(found) == []


def test_lost_inputs_are_stitched_with_the_tool_runs_in_time() -> None:
    root = span(1, attributes={"input.value": {"prompt": "Weather?", "system": "Be brief."}})
    first = chat(2, [], calls("look", {"city": "Rome"}, "c1"), at=1, parent=1)
    run = tool(3, "look", {"city": "Rome"}, "sun", at=2, parent=1, call_id="c1")
    last = chat(4, [], says("Sunny."), at=3, parent=1)
    found = conversation(root, first, run, last)
    assert told(found) == [
        "system: Be brief.",
        "user: Weather?",
        'assistant: look({"city": "Rome"})',
        "tool: look ok ['sun']",
        "assistant: Sunny.",
    ]
    assert "stitched" in codes(found)


def test_a_tool_run_without_a_call_makes_one() -> None:
    found = conversation(
        chat(1, [user("hi")], says("hello"), at=5), tool(2, "log", {"a": 1}, "ok", at=1)
    )
    assert told(found) == [
        "user: hi", 'assistant: log({"a": 1})', "tool: log ok ['ok']", "assistant: hello",
    ]  # fmt: skip
    (issue,) = [issue for issue in found.issues if issue.code == "call_inferred"]
    assert (issue.turn, issue.part, issue.detail) == (1, 0, "log")


def test_a_failed_tool_run_is_an_error_result() -> None:
    asked = chat(1, [user("hi")], calls("find", {}, "c1"))
    found = conversation(asked, tool(2, "find", {}, at=1, call_id="c1", error="no such order"))
    assert told(found)[-1] == "tool: find error ['no such order']"


def test_calls_in_a_trace_without_an_agent_are_still_a_conversation() -> None:
    assert told(conversation(chat(1, [user("hi")], says("hello")))) == [
        "user: hi", "assistant: hello",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("more", "at", "key"),
    [
        ({"gen_ai.response.id": "resp-7", "gen_ai.conversation.id": "c"}, 0, "response id resp-7"),
        ({"gen_ai.conversation.id": "conv-1"}, 0, "conversation id conv-1"),
        ({}, 0, "from 2023-11-14T22:13:20.000Z to an unknown end"),
        ({}, None, "trace 0af7651916cd43dd8448eb211c80319c, no join key"),
    ],
)
def test_a_call_without_content_names_what_may_join_it_to_its_content(
    more: dict[str, Any], at: int | None, key: str
) -> None:
    told_one = chat(1, [user("hi")], says("hello"))
    _, orphan = pieces(told_one, chat(2, [], None, at=at, name="chat m", more=more))
    assert orphan.result == Refused(Reason.NO_MESSAGES, f"chat m: neither input nor output; {key}")


def test_a_trace_without_a_call_and_without_a_run_is_no_capture() -> None:
    (piece,) = pieces(span(1, name="GET /"), span(2, parent=1, record=3))
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NOT_A_CAPTURE
    assert piece.at == 0
    assert pieces() == []


def test_helpers_name_their_orchestrators_place_and_the_call_that_started_them() -> None:
    spans = [
        chat(1, [user("a")], calls("ask", {"q": 1}, "c1")),
        tool(2, "ask", {"q": 1}, "7", at=1, call_id="c1"),
        chat(3, [user("q 1")], says("7"), parent=2, at=2, record=4),
        chat(4, [user("a"), calls("ask", {"q": 1}, "c1"), result("7", "c1")], says("7!"), at=3),
    ]
    main, helper = pieces(*spans)
    assert (main.parent, helper.parent, helper.call_id) == (None, 0, "c1")
    assert (main.at, helper.at) == (0, 4)
    assert main.made_from != helper.made_from


def test_a_helper_without_messages_of_its_user_was_asked_what_its_tool_was() -> None:
    spans = [
        chat(1, [user("a")], calls("ask", {"question": "how many?"}, "c1")),
        tool(2, "ask", at=1, call_id="c1", input={"question": "how many?"}),
        chat(3, [], says("7"), parent=2, at=2),
    ]
    _, helper = readings(*spans)
    assert told(helper.conversation) == ["user: how many?", "assistant: 7"]


def test_a_failed_call_has_no_answer_and_says_why() -> None:
    found = conversation(chat(1, [user("hi")], None, error="overloaded"))
    assert told(found) == ["user: hi"]
    assert found.end is not None
    assert (found.end.reason, found.end.detail) == ("error", "overloaded")
    assert found.stop.reason == "error"


def test_ids_times_and_the_model_are_kept() -> None:
    attributes = {
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "m",
        "gen_ai.response.model": "m-1",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.response.id": "r1",
        "gen_ai.conversation.id": "conv",
        "langfuse.session.id": "session",
        "gen_ai.response.finish_reasons": ["stop"],
    }
    one = chat(1, [user("hi")], says("hello"), parent=9, more=attributes, at=2)
    one = Span(**{name: getattr(one, name) for name in one.__slots__} | {"end": one.start + 10**9})
    (reading,) = readings(one)
    frame = reading.frame
    assert frame.captured_at == "2023-11-14T22:13:22.000Z"
    assert (frame.identity.trace_id, frame.identity.session_id) == (one.trace_id, "session")
    assert (frame.identity.conversation_id, frame.identity.caller_span_id) == ("conv", f"{9:016x}")
    assert (frame.routing.provider, frame.routing.upstream_model) == ("openai", "m-1")
    assert frame.transport.latency_ms == 1000.0
    assert frame.trace is not None
    assert frame.trace.valid
    assert reading.request.settings == {"model": "m-1", "temperature": 0.5}
    assert reading.response_id == "r1"
    assert reading.conversation.granularity == "call"
    assert reading.conversation.stop.dump() == {"reason": "end", "raw": "stop"}
    assert reading.conversation.turns[-1].model == "m-1"


def test_the_session_of_the_container_is_known_to_all_its_spans() -> None:
    (reading,) = readings(span(1, session_id="s1"), chat(2, [user("hi")], says("hello"), parent=1))
    assert reading.frame.identity.session_id == "s1"


def test_tools_of_all_calls_are_offered_called_or_not() -> None:
    def offers(*names: str) -> dict[str, Any]:
        return {"gen_ai.tool.definitions": json.dumps([{"name": name} for name in names])}

    first = chat(1, [user("a")], says("b"), more=offers("x", "y"))
    second = chat(2, [user("a"), says("b"), user("c")], says("d"), at=1, more=offers("y", "z"))
    (reading,) = readings(first, second)
    assert [tool.name for tool in reading.conversation.tools] == ["x", "y", "z"]
    assert [one["function"]["name"] for one in reading.request.tools] == ["x", "y", "z"]


def test_other_choices_are_alternatives() -> None:
    one = span(1, attributes={
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": [user("hi")],
        "gen_ai.output.messages": [says("hello"), says("hey")],
    })  # fmt: skip
    found = conversation(one)
    assert told(found) == ["user: hi", "assistant: hello"]
    assert [turn.text() for turn in found.alternatives] == ["hey"]


def test_plain_values_belong_to_the_container() -> None:
    one = span(1, kind=SpanKind.INFERENCE, input="hi", output="hello")
    assert conversation(one).dialect == "box"


@pytest.mark.parametrize(
    ("attributes", "dialect"),
    [
        ({"gen_ai.operation.name": "execute_tool"}, "otel_genai"),
        ({"traceloop.span.kind": "tool"}, "openllmetry"),
        ({"openinference.span.kind": "TOOL"}, "openinference"),
        ({"ai.operationId": "ai.toolCall"}, "ai_sdk"),
        ({"langfuse.observation.type": "tool"}, "box"),
    ],
)
def test_runs_alone_are_of_the_convention_that_names_them(
    attributes: dict[str, Any], dialect: str
) -> None:
    assert conversation(span(1, name="find", attributes=attributes)).dialect == dialect


def test_bytes_inside_messages_are_kept_by_digest() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    one = chat(1, [{"role": "user", "content": [picture]}], says("a picture"))
    (reading,) = readings(one)
    assert list(reading.blobs.values()) == [b"\x00\x00\x00"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([
        "", "x", "user", "[]", "[1]", '{"role":"user","content":"hi"}', '[{"role":"tool"}]',
        '{"messages":[{"role":"user"}]}', '{"choices":[{}]}', "system: a\nuser: b",
    ]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["role", "content", "parts", "type", "messages", "name", "tool_calls"]),
        inner, max_size=3,
    ),
    max_leaves=6,
)  # fmt: skip
names = st.sampled_from([
    "gen_ai.operation.name", "gen_ai.input.messages", "gen_ai.output.messages", "input.value",
    "gen_ai.prompt.0.content", "gen_ai.prompt.0.tool_calls.0.name", "ai.prompt", "output",
    "llm.input_messages.0.message.contents.0.message_content.type", "gen_ai.tool.name",
    "openinference.span.kind", "gen_ai.tool.call.arguments", "gen_ai.usage.input_tokens",
    "gen_ai.tool.definitions", "events", "gen_ai.response.finish_reasons", "ai.response.toolCalls",
])  # fmt: skip
ids = st.sampled_from(["aaaa", "bbbb", "cccc"])
spans = st.builds(
    Span,
    trace_id=st.just("trace"),
    span_id=ids,
    name=st.sampled_from(["", "chat", "find"]),
    parent_id=st.none() | ids,
    start=st.none() | st.integers(1, 9),
    end=st.none() | st.integers(1, 9),
    attributes=st.dictionaries(names, json_values, max_size=5),
    events=st.lists(
        st.builds(
            SpanEvent,
            name=st.sampled_from(["gen_ai.choice", "gen_ai.user.message", "exception"]),
            attributes=st.dictionaries(st.sampled_from(["content", "message"]), json_values),
        ),
        max_size=2,
    ).map(tuple),
    error=st.none() | st.sampled_from(["", "no"]),
    kind=st.none() | st.sampled_from(SpanKind),
    input=json_values,
    output=json_values,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(spans, max_size=6))
def test_no_trace_is_too_odd_and_every_call_and_parent_stands_somewhere(found: list[Span]) -> None:
    given_pieces = rebuild(found, container="box")
    assert bool(given_pieces) == bool(found)
    for place, piece in enumerate(given_pieces):
        assert piece.parent is None or piece.parent < place
        if isinstance(piece.result, Reading):
            piece.result.conversation.dump()
            assert piece.result.conversation.turns


def test_what_wrappers_counted_again_and_parents_that_are_missing_are_left_out_by_name() -> None:
    agent = span(
        1, parent=99, attributes={"gen_ai.operation.name": "invoke_agent", **counted(12, 3)}
    )
    outer = chat(2, [user("hi")], says("hello"), parent=1, more=counted(11, 2))
    inner = chat(3, [user("hi")], says("hello"), parent=2, more=counted(10, 2))
    found = conversation(agent, outer, inner)
    assert found.usage is not None
    assert found.usage.dump() == {"input_tokens": 10, "output_tokens": 2, "calls": 1}
    assert found.loss == {
        "wrapper_spans": 2, "wrapper_input_tokens": 23, "wrapper_output_tokens": 5,
        "orphan_spans": 1,
    }  # fmt: skip


def test_a_call_without_content_is_told_by_itself_and_not_as_an_orphan() -> None:
    empty = chat(2, [], None, at=2, parent=98)
    first, last = pieces(chat(1, [user("hi")], says("hello"), at=1, parent=99), empty)
    assert isinstance(first.result, Reading)
    assert first.result.conversation.loss == {"orphan_spans": 1}
    assert isinstance(last.result, Refused)
    assert last.result.reason is Reason.NO_MESSAGES


def test_a_conversation_that_lost_nothing_says_nothing_of_losses() -> None:
    assert conversation(chat(1, [user("hi")], says("hello"))).loss is None
