from typing import Any

import pytest

from benchmarks.intake.dialects.anthropic_managed import AnthropicManaged
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.session_lines import conversation, pieces, readings, shape

MANAGED = AnthropicManaged()
Event = dict[str, Any]


def text(words: str) -> list[Event]:
    return [{"type": "text", "text": words}]


def event(number: int, kind: str, **fields: Any) -> Event:
    at = f"2026-05-01T10:00:{number:02}.000Z"
    return {"id": f"e{number}", "processed_at": at, "type": kind, **fields}


def came(*events: Event) -> list[Any]:
    return [["client.beta.sessions.events.stream", one] for one in events]


def sent(**fields: Any) -> list[Any]:
    return ["client.beta.sessions.events.send", ["sesn_1", {"events": [fields]}]]


def created(session: str = "sesn_1", **agent: Any) -> list[Any]:
    schema = {"type": "object", "properties": {"place": {}}, "required": ["place"]}
    tool = {"type": "custom", "name": "get_weather", "input_schema": schema}
    tools = [{"type": "agent_toolset_20260401", "configs": []}, tool]
    own = {"system": "Be kind.", "model": {"id": "claude-x"}, "tools": tools, **agent}
    return ["client.beta.sessions.create", {"id": session, "agent": own, "type": "session"}]


ASKED = sent(type="user.message", content=text("weather?"))
CALLED = event(3, "agent.custom_tool_use", name="get_weather", input={"place": "P"})
USAGE = {"input_tokens": 2, "cache_read_input_tokens": 8, "output_tokens": 5}
SPENT = event(4, "span.model_request_end", is_error=False, model_usage=USAGE)
WAITS = {"type": "requires_action", "event_ids": ["e3"]}
ANSWERED = sent(type="user.custom_tool_result", custom_tool_use_id="e3", content=text("sunny"))
TALK = [
    created(),
    ASKED,
    *came(
        event(0, "session.status_running"),
        event(1, "user.message", content=text("weather?")),
        event(2, "span.model_request_start"),
        CALLED,
        SPENT,
        event(5, "session.status_idle", stop_reason=WAITS),
    ),
    ANSWERED,
    *came(
        event(6, "user.custom_tool_result", custom_tool_use_id="e3", content=text("sunny"),
              is_error=False),
        event(7, "span.model_request_start"),
        event(8, "agent.message", content=text("It is sunny.")),
        event(9, "span.model_request_end", is_error=False,
              model_usage={"input_tokens": 3, "output_tokens": 4}),
        event(10, "session.status_idle", stop_reason={"type": "end_turn"}),
    ),
]  # fmt: skip


def test_a_session_is_one_conversation_and_what_was_sent_is_told_once() -> None:
    (reading,) = readings(MANAGED, TALK)
    told = reading.conversation
    assert shape(told) == [
        "system Be kind.", "user weather?", "assistant !get_weather", "tool ?get_weather:ok",
        "assistant It is sunny.",
    ]  # fmt: skip
    assert [turn.id for turn in told.turns] == [None, "e1", None, None, "e8"]
    assert told.turns[2].usage.dump() == {
        "input_tokens": 10, "output_tokens": 5, "cache_read_tokens": 8, "calls": 1,
    }  # fmt: skip
    assert (told.usage.input_tokens, told.usage.output_tokens, told.usage.calls) == (13, 9, 2)
    assert (told.stop.reason, told.stop.raw, told.end.reason) == ("end", "end_turn", "reply")
    assert [(tool.name, tool.required) for tool in told.tools] == [("get_weather", ["place"])]
    assert told.turns[2].calls()[0].executed_by is None
    frame = reading.frame
    assert (frame.capture_id, frame.identity.session_id) == ("sesn_1", "sesn_1")
    assert frame.routing.requested_model == "claude-x"
    assert frame.captured_at == "2026-05-01T10:00:00.000Z"


def test_a_call_that_waits_for_the_client_is_not_the_end() -> None:
    told = conversation(MANAGED, TALK[:8])
    assert (told.stop.reason, told.end.reason) == ("unknown", "open")


def test_what_never_came_back_counts_as_sent() -> None:
    told = conversation(MANAGED, [created(system=None), ASKED, sent(type="user.interrupt")])
    assert shape(told) == ["user weather?"]


def test_the_same_words_sent_twice_are_two_turns() -> None:
    come_back = [event(n, "user.message", content=text("weather?")) for n in (1, 2)]
    told = conversation(MANAGED, [ASKED, ASKED, *came(*come_back)])
    assert shape(told) == ["user weather?", "user weather?"]


def test_events_listed_again_are_one() -> None:
    again = ["client.beta.sessions.events.list", {"data": [one[1] for one in TALK[2:8]]}]
    told = conversation(MANAGED, [*TALK, again])
    assert len(told.turns) == 5


def test_bare_events_are_read_too() -> None:
    told = conversation(MANAGED, [one[1] for one in TALK if one[0].endswith("stream")])
    assert shape(told)[0] == "user weather?"
    assert len(told.turns) == 4


MCP = event(3, "agent.mcp_tool_use", name="find", input={"q": 1}, mcp_server_name="docs",
            evaluated_permission="ask")  # fmt: skip


def confirmed(result: str, **more: Any) -> Event:
    return event(4, "user.tool_confirmation", tool_use_id="e3", result=result, **more)


def test_a_call_that_the_user_allowed_waits_for_its_result() -> None:
    told = conversation(MANAGED, came(
        event(1, "user.message", content=text("find")),
        event(2, "agent.thinking"),
        MCP,
        confirmed("allow"),
        event(5, "agent.mcp_tool_result", mcp_tool_use_id="e3", content=text("found"),
              is_error=False),
    ))  # fmt: skip
    assert shape(told) == ["user find", "assistant !find", "tool ?find:ok"]
    assert told.turns[1].parts[0].encrypted is True
    made = told.turns[1].calls()[0]
    assert (made.executed_by, made.server) == ("provider", "docs")


def test_a_users_no_is_an_error_result_told_once() -> None:
    no = confirmed("deny", deny_message="not now")
    asked = event(1, "user.message", content=text("find"))
    told = conversation(MANAGED, came(asked, MCP, no))
    result = told.turns[2].results()[0]
    assert (result.status, result.parts[0].text) == ("error", "not now")
    answer = event(5, "agent.mcp_tool_result", mcp_tool_use_id="e3", content=text("denied"),
                   is_error=True)  # fmt: skip
    told = conversation(MANAGED, came(asked, MCP, no, answer))
    assert [r.parts[0].text for turn in told.turns for r in turn.results()] == ["denied"]


def test_two_requests_in_a_row_are_two_turns() -> None:
    told = conversation(MANAGED, came(
        event(1, "agent.message", content=text("one")),
        event(2, "span.model_request_start"),
        event(3, "agent.message", content=text("two")),
        event(4, "agent.message", content=text("three")),
    ))  # fmt: skip
    assert shape(told) == ["assistant one", "assistant two\nthree"]


def test_an_error_is_the_end_unless_another_request_follows() -> None:
    asked = event(1, "user.message", content=text("find"))
    failed = event(2, "session.error", error={"type": "overloaded", "message": "try later"})
    told = conversation(MANAGED, came(asked, failed))
    assert (told.end.reason, told.end.detail) == ("error", "try later")
    broken = event(2, "span.model_request_end", is_error=True)
    assert conversation(MANAGED, came(asked, broken)).end.detail == "the model request failed"
    again = event(3, "span.model_request_start")
    assert conversation(MANAGED, came(asked, failed, again)).end.reason == "open"


def test_each_session_of_a_file_begins_where_it_is_created() -> None:
    second = [created("sesn_2"), *came(event(20, "agent.message", content=text("hello")))]
    found = pieces(MANAGED, [*TALK, *second])
    assert [piece.result.frame.capture_id for piece in found] == ["sesn_1", "sesn_2"]
    assert [piece.at for piece in found] == [0, len(TALK)]
    assert shape(found[1].result.conversation) == ["system Be kind.", "assistant hello"]


def test_a_session_without_a_message_is_no_capture() -> None:
    (piece,) = pieces(MANAGED, [created(), *came(event(1, "session.status_running"))])
    assert piece.result == Refused(Reason.NOT_A_CAPTURE, "session sesn_1 holds no message")


@pytest.mark.parametrize(
    "record",
    [
        {"type": "agent.start", "agentId": "main", "prompt": "hi", "messages": []},
        {"type": "agent.message"},
        {"type": "user.said", "id": "e"},
        {"type": ["agent.message"], "id": "e"},
        {"type": "agentless", "id": "e"},
        ["client.beta.messages.create", {}],
        ["client.beta.sessions.create"],
        [],
        "agent.message",
        None,
    ],
)
def test_other_records_are_none_of_its_events(record: Any) -> None:
    assert not MANAGED.detect(record)


@pytest.mark.parametrize("wrong", [None, 7, "x", [], {}, [None, 3, {"type": 5}], True])
@pytest.mark.parametrize(
    "key",
    ["id", "type", "content", "name", "input", "processed_at", "model_usage", "stop_reason",
     "custom_tool_use_id", "error", "agent", "events"],
)  # fmt: skip
def test_no_field_of_a_wrong_kind_makes_it_raise(key: str, wrong: Any) -> None:
    for at, one in enumerate(TALK):
        inner = one[1] if isinstance(one[1], dict) else one[1][1]
        changed = {**inner, key: wrong}
        payload = changed if isinstance(one[1], dict) else ["sesn_1", changed]
        for piece in pieces(MANAGED, [*TALK[:at], [one[0], payload], *TALK[at + 1 :]]):
            assert isinstance(piece.result, Reading | Refused)


@pytest.mark.parametrize(
    "payload", [None, 7, "x", [], {}, [None], ["s", None], [[], {"events": 3}]]
)
def test_no_payload_of_a_wrong_kind_makes_it_raise(payload: Any) -> None:
    found = pieces(MANAGED, [*TALK, ["client.beta.sessions.events.send", payload]])
    assert [isinstance(piece.result, Reading) for piece in found] == [True]
