import json
from typing import Any

from benchmarks.intake.spans.events import choices, event_value, prompt_messages
from benchmarks.intake.spans.span import Span, SpanEvent


def span(*events: tuple[str, dict[str, Any]], **attributes: Any) -> Span:
    return Span(
        "t",
        "s",
        attributes=attributes,
        events=tuple(SpanEvent(name, body) for name, body in events),
    )


def test_events_are_messages_by_their_name() -> None:
    found = span(
        ("gen_ai.system.message", {"content": "Be kind."}),
        ("gen_ai.user.message", {"content": "hi"}),
        ("gen_ai.assistant.message", {"tool_calls": '[{"id": "c"}]'}),
        ("gen_ai.tool.message", {"id": "c", "content": "7"}),
        ("exception", {"content": "no"}),
    )
    assert prompt_messages(found) == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]},
        {"role": "tool", "content": "7", "tool_call_id": "c", "name": None},
    ]


def test_choices_come_in_the_order_of_their_index() -> None:
    found = span(
        ("gen_ai.choice", {"index": 1, "message": {"content": "b"}}),
        ("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": '{"content": "a"}'}),
        ("gen_ai.choice", {"index": 2, "content": "c", "tool_calls": [{"id": "x"}]}),
    )
    assert choices(found) == [
        {"content": "a", "role": "assistant", "finish_reason": "stop"},
        {"content": "b", "role": "assistant", "finish_reason": None},
        {"role": "assistant", "content": "c", "tool_calls": [{"id": "x"}], "finish_reason": None},
    ]


def test_a_choice_that_is_a_text_is_its_content() -> None:
    assert choices(span(("gen_ai.choice", {"message": "plain"}))) == [
        {"content": "plain", "role": "assistant", "finish_reason": None}
    ]


def test_older_events_hold_prompt_and_completion_as_text_or_as_lists() -> None:
    found = span(
        ("gen_ai.content.prompt", {"gen_ai.prompt": '[{"role": "user", "content": "hi"}]'}),
        ("gen_ai.content.completion", {"gen_ai.completion": "hello"}),
    )
    assert prompt_messages(found) == [{"role": "user", "content": "hi"}]
    assert choices(found) == [{"role": "assistant", "content": "hello"}]


def test_an_event_may_keep_all_it_says_as_one_text() -> None:
    whole = {"gen_ai.event.content": json.dumps({"content": "hi"})}
    assert prompt_messages(span(("gen_ai.user.message", whole))) == [
        {"role": "user", "content": "hi"}
    ]


def test_events_may_stand_in_an_attribute() -> None:
    listed = [{"event.name": "gen_ai.user.message", "content": "hi"}, {"content": "nameless"}, 3]
    assert prompt_messages(span(events=json.dumps(listed))) == [{"role": "user", "content": "hi"}]
    assert prompt_messages(span(events="not json")) == []


def test_the_details_of_a_call_stand_on_one_event() -> None:
    found = span(
        ("gen_ai.client.inference.operation.details", {"gen_ai.input.messages": []}),
        ("gen_ai.client.inference.operation.details", {"gen_ai.output.messages": [1]}),
    )
    assert event_value(found, "gen_ai.output.messages") == [1]
    assert event_value(found, "gen_ai.tool.definitions") is None
