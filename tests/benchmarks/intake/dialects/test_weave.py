import json
from typing import Any

import pytest

from benchmarks.intake.dialects.weave import Weave
from benchmarks.intake.reading import Reading
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Conversation

DIALECT = Weave()
HELP = {"role": "system", "content": "You help."}
ASK = {"role": "user", "content": "Weather in Oslo?"}
CALLS = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "look", "arguments": '{"city": "Oslo"}'},
        }
    ],
}
CAME = {"role": "tool", "tool_call_id": "c1", "content": "rain"}
SAYS = {"role": "assistant", "content": "It rains."}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}]


def call(call_id: str, parent: str | None, operation: str, second: int, **about: Any) -> dict:
    return {
        "id": call_id,
        "project_id": "p",
        "op_name": f"weave:///team/desk/op/{operation}:Ab12",
        "trace_id": "t1",
        "parent_id": parent,
        "thread_id": "th-1",
        "started_at": f"2026-05-01T10:00:{second:02d}.250000Z",
        "ended_at": f"2026-05-01T10:00:{second:02d}.750000Z",
        "exception": None,
        "attributes": {"weave": {"client_version": "0.52"}},
        "inputs": {},
        "output": None,
        "summary": {"usage": {}, "weave": {"status": "success"}},
        **about,
    }


def spent(model: str, asked: int, said: int) -> dict[str, Any]:
    counts = {"requests": 1, "prompt_tokens": asked, "completion_tokens": said}
    return {"usage": {model: {**counts, "total_tokens": asked + said}}}


def asked(call_id: str, second: int, heard: list[Any], said: dict[str, Any], **more: Any) -> dict:
    choice = {"index": 0, "finish_reason": "stop", "message": said}
    return call(
        call_id, "a", "openai.chat.completions.create", second,
        inputs={"self": "x", "model": "m", "messages": heard, "tools": TOOLS, "temperature": 0.5},
        output={"object": "chat.completion", "model": "m-1", "choices": [choice]},
        summary=spent("m-1", 10 * second, 5), **more,
    )  # fmt: skip


RUN = call("b", "a", "Desk.look", 3, inputs={"self": "weave:///x", "city": "Oslo"}, output="rain")
TRACE = [
    call("a", None, "Desk.run", 0, inputs={"question": "?"}, summary=spent("m-1", 60, 10)),
    asked("c", 1, [HELP, ASK], CALLS),
    RUN,
    asked("d", 5, [HELP, ASK, CALLS, CAME], SAYS),
]


def pieces(*records: Any) -> list[Any]:
    founds = [
        Found(one, f"f#L{at + 1}", f"s{at}", f"r{at}", "f", "c") for at, one in enumerate(records)
    ]
    keys = dict.fromkeys(key for one in founds for key in DIALECT.keys(one))
    groups = {key: [one for one in founds if key in DIALECT.keys(one)] for key in keys}
    return [piece for key, group in groups.items() for piece in DIALECT.read(key, group)]


def read(*records: Any) -> Reading:
    (piece,) = pieces(*records)
    assert isinstance(piece.result, Reading)
    return piece.result


def shape(found: Conversation) -> list[tuple[str, str, list[str], list[str]]]:
    return [
        (
            turn.role,
            turn.text(),
            [call.name for call in turn.calls()],
            [result.status for result in turn.results()],
        )
        for turn in found.turns
    ]


WHOLE = [
    ("system", "You help.", [], []),
    ("user", "Weather in Oslo?", [], []),
    ("assistant", "", ["look"], []),
    ("tool", "", [], ["ok"]),
    ("assistant", "It rains.", [], []),
]


def test_calls_of_models_and_tools_of_a_trace_are_one_conversation() -> None:
    found = read(*TRACE).conversation
    assert shape(found) == WHOLE
    (asked_,) = found.turns[2].calls()
    (result,) = found.turns[3].results()
    assert (asked_.call_id, asked_.arguments) == ("c1", {"city": "Oslo"})
    assert (result.call.turn, result.call.part, result.parts[0].text) == (2, 0, "rain")
    assert (found.dialect, found.end.reason, found.issues) == ("weave", "reply", [])
    assert [(tool.name, tool.parameters) for tool in found.tools] == [("look", SCHEMA)]


def test_usage_model_and_time_stand_at_the_call_and_sums_around_it_are_not_counted() -> None:
    got = read(*TRACE)
    found = got.conversation
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (60, 10, 2)
    assert (found.turns[2].usage.input_tokens, found.turns[4].usage.input_tokens) == (10, 50)
    assert (found.turns[2].model, found.turns[2].at) == ("m-1", "2026-05-01T10:00:01.250Z")
    assert found.loss is None
    assert (got.frame.routing.requested_model, got.frame.routing.upstream_model) == ("m", "m-1")
    assert (got.frame.identity.session_id, got.frame.identity.trace_id) == ("th-1", "t1")
    assert got.request.settings == {"model": "m-1", "temperature": 0.5}


@pytest.mark.parametrize("key", ["calls", "data"])
def test_a_page_is_read_like_its_calls(key: str) -> None:
    assert shape(read({key: TRACE}).conversation) == WHOLE


def test_inputs_and_outputs_as_texts_of_json_are_read_as_what_they_hold() -> None:
    told = [
        {**one, **{key: json.dumps(one[key]) for key in ("inputs", "output", "summary")}}
        for one in TRACE
    ]
    assert shape(read(*told).conversation) == WHOLE
    assert read(*told).conversation.usage.input_tokens == 60


def test_a_result_that_no_later_call_holds_is_that_of_its_run() -> None:
    assert shape(read(*TRACE[:3]).conversation) == WHOLE[:4]


def test_a_run_that_raised_is_an_error() -> None:
    failed = {**RUN, "output": None, "exception": "ValueError: no city"}
    (result,) = read(*TRACE[:2], failed).conversation.turns[3].results()
    assert (result.status, result.parts[0].text) == ("error", "ValueError: no city")


def test_a_kind_that_the_operation_says_wins() -> None:
    kind = {"attributes": {"weave": {"kind": "tool"}}}
    found = read(call("x", None, "fetch", 1, inputs={"a": 1}, output="b", **kind)).conversation
    assert [one.name for one in found.turns[0].calls()] == ["fetch"]
    assert [issue.code for issue in found.issues] == ["call_inferred"]
    llm = {"attributes": {"weave": {"kind": "llm"}}}
    said = call("x", None, "mine", 1, inputs={"prompt": "Hi"}, output="Hello.", **llm)
    assert shape(read(said).conversation) == [
        ("user", "Hi", [], []), ("assistant", "Hello.", [], []),
    ]  # fmt: skip


def test_operations_of_langchain_are_known_by_their_names() -> None:
    human = {"lc": 1, "type": "constructor", "id": ["HumanMessage"], "kwargs": {"content": "Hi"}}
    said = {"message": {"type": "ai", "content": "Hello.", "tool_calls": []}, "text": "Hello."}
    found = read(
        call(
            "m", None, "langchain.Llm.ChatX", 1,
            inputs={"messages": [[human]]}, output={"generations": [[said]]},
        ),
        call("n", None, "langchain.Tool.find", 2, inputs={"q": 1}, output={"output": "x"}),
    ).conversation  # fmt: skip
    assert [turn.text() for turn in found.turns][:2] == ["Hi", "Hello."]
    assert [one.name for turn in found.turns for one in turn.calls()] == ["find"]


def test_an_answer_of_anthropic_counts_what_was_cached() -> None:
    answer = {
        "type": "message", "role": "assistant", "model": "c-1", "stop_reason": "tool_use",
        "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {"city": "Oslo"}}],
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 7},
    }  # fmt: skip
    inputs = {"model": "c", "system": "You help.", "messages": [ASK], "tools": []}
    found = read(
        call("m", None, "anthropic.Messages.create", 1, inputs=inputs, output=answer)
    ).conversation
    assert shape(found) == WHOLE[:3]
    assert (found.usage.input_tokens, found.usage.cache_read_tokens) == (105, 100)
    assert found.stop.reason == "tool_use"


def test_an_answer_of_the_responses_api_is_one_turn() -> None:
    item = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    thought = {"type": "reasoning", "id": "r", "summary": []}
    inputs = {"instructions": "You help.", "input": [ASK, thought, item, {
        "type": "function_call_output", "call_id": "c1", "output": "rain"}]}  # fmt: skip
    output = {"object": "response", "model": "m-1", "output": [
        {"type": "message", "role": "assistant", "content": [
            {"type": "output_text", "text": "It rains."}]}]}  # fmt: skip
    found = read(call("m", None, "openai.responses.create", 1, inputs=inputs, output=output))
    assert shape(found.conversation) == WHOLE


def test_an_agent_inside_a_tool_is_a_helper() -> None:
    inner = asked("e", 4, [{"role": "user", "content": "Sub?"}], SAYS)
    orchestrator, helper = pieces(*TRACE[:3], {**inner, "parent_id": "b"})
    assert shape(orchestrator.result.conversation) == WHOLE[:4]
    assert (helper.parent, shape(helper.result.conversation)) == (
        0, [("user", "Sub?", [], []), ("assistant", "It rains.", [], [])],
    )  # fmt: skip


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"op_name": "x", "trace_id": "t"},
        {"op_name": 3, "trace_id": "t", "inputs": {}},
        {"op_name": "x", "trace_id": None, "inputs": {}},
        {"calls": []},
        {"calls": [3]},
        {"data": [{"trace_id": "t", "inputs": {}}]},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


ODD: list[Any] = [None, True, 3, 1.5, "x", [], [1], {}, {"type": 5}, [{"role": 4}], [[]]]


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for at, one in enumerate(TRACE):
        for key in one.keys() - {"op_name", "trace_id"}:
            assert pieces(*TRACE[:at], {**one, key: odd}, *TRACE[at + 1 :])
        for key in one["inputs"]:
            assert pieces(*TRACE[:at], {**one, "inputs": {**one["inputs"], key: odd}})
    for key in ("choices", "model", "usage", "type"):
        one = TRACE[1]
        assert pieces({**one, "output": {**one["output"], key: odd}})
    for summary in ({"usage": odd}, {"usage": {"m": odd}}, {"usage": {"m": {"input_tokens": odd}}}):
        assert pieces({**TRACE[1], "summary": summary})
