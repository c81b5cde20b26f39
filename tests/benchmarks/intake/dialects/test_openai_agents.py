from typing import Any

import pytest

from benchmarks.intake.detect import detect
from benchmarks.intake.dialects.openai_agents import OpenAiAgents
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Conversation

DIALECT = OpenAiAgents()
TRACE = "trace_1"
DESK = {
    "object": "trace", "id": TRACE, "workflow_name": "Weather desk", "group_id": "chat_7",
    "metadata": None,
}  # fmt: skip
ASK = {"role": "user", "content": "Weather in Oslo and Rome?"}
HELP = {"role": "system", "content": "You help."}


def called(*calls: tuple[str, str, str]) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": i, "type": "function", "function": {"name": name, "arguments": arguments}}
            for i, name, arguments in calls
        ],
    }


def told(call_id: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def span(
    span_id: str, parent: str | None, second: int, data: dict[str, Any], error: Any = None
) -> dict[str, Any]:
    return {
        "object": "trace.span",
        "id": span_id,
        "trace_id": TRACE,
        "parent_id": parent,
        "started_at": f"2026-05-01T10:00:{second:02d}.250000+00:00",
        "ended_at": f"2026-05-01T10:00:{second:02d}.750000+00:00",
        "span_data": data,
        "error": error,
    }


def generation(heard: list[Any], said: dict[str, Any], spent: int, **more: Any) -> dict[str, Any]:
    return {
        "type": "generation",
        "input": heard,
        "output": [said],
        "model": "m-1",
        "model_config": {"temperature": 0.5, "top_p": None},
        "usage": {"input_tokens": spent, "output_tokens": 5},
        **more,
    }


def run(name: str, given: str | None, came: str | None) -> dict[str, Any]:
    return {"type": "function", "name": name, "input": given, "output": came, "mcp_data": None}


def agent(name: str, *tools: str) -> dict[str, Any]:
    return {
        "type": "agent", "name": name, "handoffs": [], "tools": [*tools], "output_type": "str",
    }  # fmt: skip


BOTH = called(("c1", "look", '{"city": "Oslo"}'), ("c2", "look", '{"city": "Rome"}'))
FAILED = "An error occurred while running the tool."
ERROR = {"message": "Error running tool", "data": {"tool_name": "look", "error": "no city"}}
RUNS = [
    span("s2", None, 0, agent("Desk", "look", "send")),
    span("s3", "s2", 1, generation([HELP, ASK], BOTH, 10)),
    span("s4", "s2", 3, run("look", '{"city": "Oslo"}', "rain")),
    span("s5", "s2", 3, run("look", '{"city": "Rome"}', FAILED), ERROR),
    span(
        "s6", "s2", 5,
        generation(
            [HELP, ASK, BOTH, told("c1", "rain"), told("c2", FAILED)],
            {"role": "assistant", "content": "Rain in Oslo."}, 30,
        ),
    ),
]  # fmt: skip


def found(*records: Any) -> list[Found]:
    return [
        Found(one, f"f#L{at + 1}", f"s{at}", f"r{at}", "f", "c") for at, one in enumerate(records)
    ]


def pieces(*records: Any) -> list[Any]:
    founds = found(*records)
    keys = dict.fromkeys(key for one in founds for key in DIALECT.keys(one))
    groups = {key: [one for one in founds if key in DIALECT.keys(one)] for key in keys}
    return [piece for key, group in groups.items() for piece in DIALECT.read(key, group)]


def read(*records: Any) -> Reading:
    (piece,) = pieces(*records)
    assert isinstance(piece.result, Reading)
    return piece.result


def conversation(*records: Any) -> Conversation:
    return read(*records).conversation


def shape(told: Conversation) -> list[tuple[str, str, list[str], list[str]]]:
    return [
        (
            turn.role,
            turn.text(),
            [call.call_id for call in turn.calls()],
            [result.status for result in turn.results()],
        )
        for turn in told.turns
    ]


WHOLE = [
    ("system", "You help.", [], []),
    ("user", "Weather in Oslo and Rome?", [], []),
    ("assistant", "", ["c1", "c2"], []),
    ("tool", "", [], ["ok"]),
    ("tool", "", [], ["error"]),
    ("assistant", "Rain in Oslo.", [], []),
]


def test_generations_and_functions_of_a_trace_are_one_conversation() -> None:
    found = conversation(DESK, *RUNS)
    assert shape(found) == WHOLE
    calls = found.turns[2].calls()
    assert [(call.name, call.arguments) for call in calls] == [
        ("look", {"city": "Oslo"}), ("look", {"city": "Rome"}),
    ]  # fmt: skip
    results = [result for turn in found.turns for result in turn.results()]
    assert [(r.call.turn, r.call.part, r.parts[0].text) for r in results] == [
        (2, 0, "rain"), (2, 1, FAILED),
    ]  # fmt: skip
    assert (found.dialect, found.granularity, found.end.reason) == (
        "openai_agents", "session", "reply",
    )  # fmt: skip
    assert found.issues == []


def test_the_order_in_which_spans_were_written_does_not_matter() -> None:
    assert shape(conversation(*reversed(RUNS), DESK)) == WHOLE


@pytest.mark.parametrize(
    "page",
    [
        {"data": [DESK, *RUNS]},
        {"spans": RUNS, "trace": DESK},
        {**DESK, "spans": RUNS},
    ],
)
def test_a_payload_and_a_trace_with_its_spans_are_read_like_lines(page: dict) -> None:
    assert detect(page) is not None
    assert detect(page).name == "openai_agents"
    got = read(page)
    assert shape(got.conversation) == WHOLE
    assert got.frame.identity.session_id == "chat_7"


def test_usage_model_and_time_stand_at_the_call_that_spent_it() -> None:
    found = conversation(DESK, *RUNS)
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (40, 10, 2)
    first, last = found.turns[2], found.turns[5]
    assert (first.usage.input_tokens, first.model, first.at) == (
        10, "m-1", "2026-05-01T10:00:01.250Z",
    )  # fmt: skip
    assert (last.usage.input_tokens, last.origin) == (30, "response")


def test_the_workflow_the_group_and_the_settings_are_kept() -> None:
    got = read(DESK, *RUNS)
    assert got.frame.scope.workload_name == "Weather desk"
    assert (got.frame.identity.session_id, got.frame.identity.trace_id) == ("chat_7", "trace_1")
    assert got.frame.routing.requested_model == "m-1"
    assert got.request.settings == {"model": "m-1", "temperature": 0.5}
    assert got.frame.captured_at == "2026-05-01T10:00:01.250Z"


def test_tools_of_which_the_agent_only_says_the_names_are_to_be_defined_by_their_calls() -> None:
    tools = conversation(DESK, *RUNS).tools
    assert [(tool.name, tool.parameters, tool.inferred) for tool in tools] == [
        ("look", None, True), ("send", None, True),
    ]  # fmt: skip


SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
THOUGHT = {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "hm"}]}
CALL = {
    "type": "function_call", "id": "fc", "call_id": "c1", "name": "look",
    "arguments": '{"city": "Oslo"}',
}  # fmt: skip
SAID = {
    "type": "message", "role": "assistant",
    "content": [{"type": "output_text", "text": "Rain.", "annotations": []}],
}  # fmt: skip
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "rain"}


def answer(response_id: str, *output: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": response_id,
        "object": "response",
        "model": "m-1-2026",
        "instructions": "You help.",
        "output": [*output],
        "tools": [
            {"type": "function", "name": "look", "description": "Looks.", "parameters": SCHEMA},
            {"type": "web_search"},
        ],
        "usage": {
            "input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
            "input_tokens_details": {"cached_tokens": 4},
            "output_tokens_details": {"reasoning_tokens": 2},
        },
    }  # fmt: skip


def response(given: Any, whole: Any, key: str = "response", heard: str = "input") -> dict[str, Any]:
    return {"type": "response", "response_id": whole["id"], key: whole, heard: given}


@pytest.mark.parametrize(("key", "heard"), [("response", "input"), ("_response", "_input")])
def test_answers_of_the_responses_api_are_read_where_they_were_written_down(
    key: str, heard: str
) -> None:
    found = conversation(
        span("s2", None, 0, agent("Desk", "look")),
        span("s3", "s2", 1, response("Weather?", answer("r1", THOUGHT, CALL), key, heard)),
        span("s4", "s2", 2, run("look", '{"city": "Oslo"}', "rain")),
        span(
            "s5", "s2", 3,
            response(
                [{"role": "user", "content": "Weather?"}, THOUGHT, CALL, OUTPUT],
                answer("r2", SAID), key, heard,
            ),
        ),
    )  # fmt: skip
    assert shape(found) == [
        ("system", "You help.", [], []),
        ("user", "Weather?", [], []),
        ("assistant", "", ["c1"], []),
        ("tool", "", [], ["ok"]),
        ("assistant", "Rain.", [], []),
    ]
    assert found.turns[2].parts[0].text == "hm"
    assert (found.turns[2].model, found.turns[2].usage.cache_read_tokens) == ("m-1-2026", 4)
    assert (found.usage.input_tokens, found.usage.reasoning_tokens) == (20, 4)
    assert [(tool.name, tool.kind, tool.parameters) for tool in found.tools] == [
        ("look", "function", SCHEMA), ("web_search", "provider", None),
    ]  # fmt: skip


def test_answers_that_the_sdk_left_out_are_named_by_their_id() -> None:
    bare = {"type": "response", "response_id": "r1", "usage": {"input_tokens": 9}}
    got = pieces(
        span("s3", None, 1, bare), span("s4", None, 2, run("look", '{"city": "Oslo"}', "rain"))
    )
    (call,) = got[0].result.conversation.turns[0].calls()
    assert (call.name, call.arguments) == ("look", {"city": "Oslo"})
    assert [issue.code for issue in got[0].result.conversation.issues] == ["call_inferred"]
    assert got[1].result == Refused(
        Reason.NO_MESSAGES, "response: neither input nor output; response id r1"
    )


def test_a_handoff_goes_on_with_the_conversation_and_an_agent_as_a_tool_is_a_helper() -> None:
    over = called(("c1", "transfer_to_refunds", "{}"))
    ask = called(("c2", "ask_lawyer", '{"input": "Legal?"}'))
    heard = [ASK, over, told("c1", '{"assistant": "Refunds"}')]
    orchestrator, helper = pieces(
        span("a1", None, 0, agent("Triage")),
        span("g1", "a1", 1, generation([{"role": "system", "content": "Triage."}, ASK], over, 1)),
        span("h1", "a1", 2, {"type": "handoff", "from_agent": "Triage", "to_agent": "Refunds"}),
        span("a2", None, 3, agent("Refunds", "ask_lawyer")),
        span(
            "g2", "a2", 4, generation([{"role": "system", "content": "Refunds."}, *heard], ask, 2)
        ),
        span("f1", "a2", 5, run("ask_lawyer", '{"input": "Legal?"}', "Yes.")),
        span("a3", "f1", 6, agent("Lawyer")),
        span(
            "g3", "a3", 7,
            generation(
                [{"role": "user", "content": "Legal?"}],
                {"role": "assistant", "content": "Yes."}, 3,
            ),
        ),
    )  # fmt: skip
    assert shape(orchestrator.result.conversation) == [
        ("system", "Refunds.", [], []),
        ("user", "Weather in Oslo and Rome?", [], []),
        ("assistant", "", ["c1"], []),
        ("tool", "", [], ["ok"]),
        ("assistant", "", ["c2"], []),
        ("tool", "", [], ["ok"]),
    ]
    assert (helper.parent, shape(helper.result.conversation)) == (
        0, [("user", "Legal?", [], []), ("assistant", "Yes.", [], [])],
    )  # fmt: skip


def test_an_agent_that_was_given_no_further_turn_ended_at_its_limit() -> None:
    limit = {"message": "Max turns exceeded", "data": {"max_turns": 1}}
    found = conversation(
        span("a1", None, 0, agent("Desk", "look"), limit),
        span("g1", "a1", 1, generation([ASK], BOTH, 10)),
        span("f1", "a1", 2, run("look", '{"city": "Oslo"}', "rain")),
    )
    assert (found.end.reason, found.end.detail) == ("limit", "Max turns exceeded")


def test_what_turns_and_runs_say_that_they_cost_is_not_counted_again() -> None:
    turn = {
        "type": "custom",
        "name": "turn",
        "data": {"sdk_span_type": "turn", "usage": {"input_tokens": 10, "output_tokens": 5}},
    }
    found = conversation(
        span("t1", None, 0, turn), span("g1", "t1", 1, generation([ASK], BOTH, 10))
    )
    assert (found.usage.input_tokens, found.usage.output_tokens) == (10, 5)
    assert found.loss == {
        "wrapper_spans": 1, "wrapper_input_tokens": 10, "wrapper_output_tokens": 5,
    }  # fmt: skip


def test_a_failed_call_has_an_error_and_no_answer() -> None:
    broken = span("g1", None, 1, {"type": "generation", "input": [ASK]}, {"message": "Timeout"})
    found = conversation(broken)
    assert shape(found) == [("user", "Weather in Oslo and Rome?", [], [])]
    assert (found.stop.reason, found.end.reason, found.end.detail) == ("error", "error", "Timeout")


def test_a_trace_without_a_span_is_no_capture() -> None:
    (piece,) = pieces(DESK)
    assert piece.result == Refused(Reason.NOT_A_CAPTURE, "a trace without a span")


def test_what_is_told_later_of_a_span_counts() -> None:
    started = span("s3", "s2", 1, {"type": "generation", "input": [HELP, ASK], "output": None})
    assert shape(conversation(DESK, started, *RUNS)) == WHOLE


@pytest.mark.parametrize(
    "record",
    [
        {"object": "trace", "id": "t"},
        {"object": "trace.span", "id": "s"},
        {"object": "trace.span", "span_data": []},
        {"object": "chat.completion", "span_data": {}},
        {"data": []},
        {"data": [1]},
        {"data": {"object": "trace.span"}},
        {"spans": [{"name": "chat"}]},
        [],
        "trace.span",
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


ODD: list[Any] = [None, True, 3, 1.5, "x", [], [1], {}, {"type": 5}, [{"role": 4}], [[]]]


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    plain = span("s3", None, 1, generation([ASK], BOTH, 10))
    for key in ("id", "trace_id", "parent_id", "started_at", "ended_at", "error"):
        assert pieces({**plain, key: odd})
    data = {**plain["span_data"], "response": answer("r", CALL)}
    for key in [*data, "response_id"]:
        assert pieces({**plain, "span_data": {**data, key: odd}})
        assert pieces(
            span("a", None, 0, {**agent("Desk"), "tools": odd}),
            {**plain, "parent_id": "a", "span_data": {**data, "type": "response", key: odd}},
        )
    for key in DESK:
        assert pieces({**DESK, "workflow_name": "w", "object": "trace", key: odd}, plain)


def test_calls_that_go_on_with_nothing_are_conversations_of_their_own() -> None:
    turns = [
        span(f"g{at}", None, 1, generation([{"role": "user", "content": f"{at}"}], HELP, 1))
        for at in range(300)
    ]
    assert len(pieces(*turns)) == 300
