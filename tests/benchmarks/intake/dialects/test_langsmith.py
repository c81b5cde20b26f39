from typing import Any

import pytest

from benchmarks.intake.dialects.langsmith import LangSmith
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Conversation

DIALECT = LangSmith()
ASK = {"role": "user", "content": "Weather in Oslo?"}
ANSWER = {"role": "assistant", "content": "Rain."}


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


def run(run_id: str, run_type: str = "llm", **fields: Any) -> dict[str, Any]:
    return {"id": run_id, "trace_id": "t1", "run_type": run_type, "name": run_type, **fields}


def completion(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "c", "object": "chat.completion", "model": "m-1", "choices": [choice], **more}


USAGE = {
    "input_tokens": 100, "output_tokens": 50, "total_tokens": 150,
    "input_token_details": {"cache_read": 60}, "output_token_details": {"reasoning": 30},
}  # fmt: skip


def lines(found: Conversation) -> list[tuple[str, str]]:
    return [(turn.role, turn.text()) for turn in found.turns]


def test_a_posted_and_a_patched_run_are_one_call() -> None:
    batch = {
        "post": [run("a", inputs={"messages": [ASK]}, outputs={}, start_time=1_760_000_000_000)],
        "patch": [{"id": "a", "trace_id": "t1", "outputs": completion(ANSWER), "inputs": {}}],
    }
    found = conversation(batch)
    assert lines(found) == [("user", "Weather in Oslo?"), ("assistant", "Rain.")]
    assert found.dialect == "langsmith"


def test_a_patch_without_an_id_is_that_of_the_run_its_order_ends_in() -> None:
    order = "20260101T000000000000Zroot.20260101T000001000000Za"
    batch = {
        "post": [run("a", inputs={"messages": [ASK]}, dotted_order=order)],
        "patch": [{"trace_id": "t1", "dotted_order": order, "outputs": completion(ANSWER)}],
    }
    assert len(conversation(batch).turns) == 2


def test_halves_of_a_run_meet_over_batches_and_lines() -> None:
    post = {"post": [run("a", inputs={"messages": [ASK]})], "patch": []}
    patch = {"post": [], "patch": [{"id": "a", "trace_id": "t1", "outputs": completion(ANSWER)}]}
    assert len(conversation(post, patch).turns) == 2
    halves = [
        run("a", inputs={"messages": [ASK]}), run("a", inputs={}, outputs=completion(ANSWER)),
    ]  # fmt: skip
    assert len(conversation(*halves).turns) == 2


def test_usage_metadata_is_read_with_its_details() -> None:
    found = conversation(
        run("a", inputs={"messages": [ASK]}, outputs=completion(ANSWER, usage_metadata=USAGE))
    )
    usage = found.usage
    assert (usage.input_tokens, usage.output_tokens, usage.calls) == (100, 50, 1)
    assert (usage.cache_read_tokens, usage.reasoning_tokens) == (60, 30)


@pytest.mark.parametrize(
    "fields",
    [
        {"extra": {"metadata": {"usage_metadata": USAGE}}},
        {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150},
        {"outputs": {**completion(ANSWER), "llm_output": {"token_usage": {
            "prompt_tokens": 100, "completion_tokens": 50}}}},
    ],
)  # fmt: skip
def test_usage_is_found_wherever_it_stands(fields: dict[str, Any]) -> None:
    one = {**run("a", inputs={"messages": [ASK]}, outputs=completion(ANSWER)), **fields}
    usage = conversation(one).usage
    assert (usage.input_tokens, usage.output_tokens) == (100, 50)


def test_a_run_that_counted_nothing_has_no_usage() -> None:
    found = conversation(run("a", inputs={"messages": [ASK]}, outputs=completion(ANSWER)))
    assert found.usage is None
    assert "missing_usage" in [issue.code for issue in found.issues]


def test_what_a_run_cost_is_kept() -> None:
    one = run("a", inputs={"messages": [ASK]}, outputs=completion(ANSWER, usage_metadata=USAGE))
    assert conversation({**one, "total_cost": 0.25}).usage.reported_cost_usd == 0.25


def token(value: Any, **more: Any) -> dict[str, Any]:
    return {"name": "new_token", "kwargs": {"token": value, **more}}


def delta(**fields: Any) -> dict[str, Any]:
    return token({"id": "c", "model": "m", "choices": [{"index": 0, "delta": fields}]})


def test_a_stream_that_left_its_message_only_in_events_is_put_together() -> None:
    call = {"index": 0, "id": "c1", "function": {"name": "look", "arguments": '{"at": '}}
    rest = {"index": 0, "function": {"arguments": '"Oslo"}'}}
    events = [
        {"name": "start"}, delta(role="assistant", content="I "), delta(content="look."),
        delta(tool_calls=[call]), delta(tool_calls=[rest]),
    ]  # fmt: skip
    found = conversation(run("a", inputs={"messages": [ASK]}, outputs={}, events=events))
    last = found.turns[1]
    assert (last.text(), last.calls()[0].arguments) == ("I look.", {"at": "Oslo"})


def test_outputs_that_hold_the_message_win_over_events() -> None:
    events = [delta(content="Ra"), delta(content="in.")]
    found = conversation(
        run("a", inputs={"messages": [ASK]}, outputs=completion(ANSWER), events=events)
    )
    assert lines(found)[1:] == [("assistant", "Rain.")]


def test_tokens_of_langchain_are_joined_and_their_calls_by_index() -> None:
    def chunk(**part: Any) -> dict[str, Any]:
        message = {"lc": 1, "type": "constructor", "id": ["x", "AIMessageChunk"],
                   "kwargs": {"content": "", "tool_call_chunks": [part]}}  # fmt: skip
        return token("", chunk={"message": message})

    events = [
        token("I "), token("look."),
        chunk(index=0, id="c1", name="look", args='{"at":'), chunk(index=0, args=' "Oslo"}'),
        chunk(index=0, id="c2", name="look", args="{}"),
    ]  # fmt: skip
    found = conversation(run("a", inputs={"messages": [ASK]}, events=events))
    assert found.turns[1].text() == "I look."
    assert [(call.call_id, call.arguments) for call in found.turns[1].calls()] == [
        ("c1", {"at": "Oslo"}), ("c2", {}),
    ]  # fmt: skip


def test_a_reason_to_end_that_is_the_whole_last_choice_is_its_word() -> None:
    ended = {"index": 0, "delta": {}, "finish_reason": "length"}
    outputs = {"choices": [{"index": 0, "finish_reason": ended, "message": ANSWER}]}
    found = conversation(run("a", inputs={"messages": [ASK]}, outputs=outputs))
    assert (found.stop.reason, found.stop.raw) == ("length", "length")


def lc(name: str, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", name], "kwargs": kwargs}


def test_constructor_objects_of_langchain_are_unwrapped() -> None:
    call = {"id": "c1", "name": "look", "args": {"at": "Oslo"}}
    message = lc("AIMessage", content="", tool_calls=[call], usage_metadata=USAGE)
    found = conversation(
        run(
            "a",
            inputs={
                "messages": [
                    [lc("SystemMessage", content="Be brief."), lc("HumanMessage", content="Hi")]
                ]
            },
            outputs={"generations": [[{"text": "", "message": message}]]},
        )
    )
    assert lines(found) == [("system", "Be brief."), ("user", "Hi"), ("assistant", "")]
    assert found.turns[2].calls()[0].arguments == {"at": "Oslo"}
    assert found.usage.input_tokens == 100


CALLING = {
    "role": "assistant", "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {
        "name": "look", "arguments": '{"at": "Oslo"}'}}],
}  # fmt: skip


def traced(*between: dict[str, Any]) -> list[dict[str, Any]]:
    tool = {"role": "tool", "tool_call_id": "c1", "content": "rain"}
    return [
        run("root", "chain", inputs={"question": "Weather?"}, outputs={"output": "Rain."}),
        run("a", inputs={"messages": [ASK]}, outputs=completion(CALLING), parent_run_id="root",
            start_time="2026-01-01T00:00:01Z"),
        *between,
        run("b", inputs={"messages": [ASK, CALLING, tool]}, outputs=completion(ANSWER),
            parent_run_id="root", start_time="2026-01-01T00:00:03Z"),
    ]  # fmt: skip


def test_the_runs_of_a_trace_are_one_conversation_and_chains_are_no_calls() -> None:
    found = conversation(*traced())
    assert lines(found) == [
        ("user", "Weather in Oslo?"), ("assistant", ""), ("tool", ""), ("assistant", "Rain."),
    ]  # fmt: skip
    assert found.turns[2].results()[0].parts[0].text == "rain"


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        ({"input": "{'at': 'Oslo'}"}, {"output": "rain"}),
        ({"input": '{"at": "Oslo"}'}, {"output": "rain"}),
        ({"at": "Oslo"}, {"output": lc("ToolMessage", content="rain", tool_call_id="c1")}),
        ({"tool_call": {"id": "c1", "name": "look", "args": {"at": "Oslo"}}}, {"output": "rain"}),
    ],
)
def test_a_tool_run_gives_its_result_to_the_call(inputs: Any, outputs: Any) -> None:
    asked = run(
        "a", inputs={"messages": [ASK]}, outputs=completion(CALLING), start_time=1_760_000_000
    )
    look = run("x", "tool", inputs=inputs, outputs=outputs, start_time=1_760_000_001)
    found = conversation(asked, {**look, "name": "look"})
    assert [issue.code for issue in found.issues if issue.code == "call_inferred"] == []
    result = next(result for turn in found.turns for result in turn.results())
    assert (result.call.turn, result.parts[0].text, result.status) == (1, "rain", "ok")


def test_a_tool_message_that_says_error_is_an_error_result() -> None:
    failed = lc("ToolMessage", content="no such town", tool_call_id="c1", status="error")
    asked = run(
        "a", inputs={"messages": [ASK]}, outputs=completion(CALLING), start_time=1_760_000_000
    )
    look = run("x", "tool", inputs={}, outputs={"output": failed}, start_time=1_760_000_001)
    found = conversation(asked, {**look, "name": "look"})
    result = next(result for turn in found.turns for result in turn.results())
    assert (result.status, result.parts[0].text) == ("error", "no such town")


def test_child_runs_stand_in_the_run_that_holds_them() -> None:
    child = {"id": "a", "run_type": "llm", "inputs": {"messages": [ASK]},
             "outputs": completion(ANSWER)}  # fmt: skip
    root = run("root", "chain", inputs={}, outputs={}, child_runs=[child])
    assert lines(conversation(root)) == [("user", "Weather in Oslo?"), ("assistant", "Rain.")]


def test_a_page_of_runs_is_read_run_by_run() -> None:
    page = {"runs": traced(), "cursors": {}}
    assert DIALECT.detect(page)
    assert len(conversation(page).turns) == 4


def test_traces_are_told_apart_by_their_ids() -> None:
    other = {**run("z", inputs={"messages": [ASK]}, outputs=completion(ANSWER)), "trace_id": "t2"}
    one = run("a", inputs={"messages": [ASK]}, outputs=completion(ANSWER))
    assert list(DIALECT.keys(found({"post": [one, other], "patch": []})[0])) == ["t1", "t2"]
    assert len(pieces(one, other)) == 2


def test_offered_tools_and_the_thread_stand_in_extra() -> None:
    tool = {"type": "function", "function": {"name": "look", "description": "Looks."}}
    extra = {
        "invocation_params": {"tools": [tool], "model": "m-asked"},
        "metadata": {"thread_id": "th-1", "ls_provider": "openai"},
    }
    reading = read(
        run(
            "a",
            inputs={"messages": [ASK]},
            outputs={"output": "Rain."},
            extra=extra,
            session_name="prod",
        )
    )
    assert [tool.name for tool in reading.conversation.tools] == ["look"]
    assert reading.frame.identity.session_id == "th-1"
    assert reading.frame.scope.workload_name == "prod"


def test_a_failed_call_keeps_its_error() -> None:
    found = pieces(run("a", inputs={"messages": [ASK]}, error="RateLimitError: too many"))
    assert isinstance(found[0].result, Reading)
    assert found[0].result.conversation.end.reason == "error"


def test_a_batch_without_runs_has_no_messages() -> None:
    (piece,) = pieces({"post": [], "patch": []})
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NO_MESSAGES


@pytest.mark.parametrize(
    "record",
    [
        {"run_type": "llm"},
        {"run_type": "sprint", "inputs": {}},
        {"run_type": ["llm"], "inputs": {}},
        {"post": [], "patch": {}},
        {"post": []},
        {"runs": []},
        {"runs": [{"id": 1}]},
        [],
        "llm",
    ],
)
def test_what_only_looks_like_a_run_is_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", [None, 3, "x", [], {}, [None], {"a": []}, True, 1e308, -1])
def test_fields_of_any_type_are_read_or_left(odd: Any) -> None:
    whole = run("a", inputs={"messages": [ASK]}, outputs=completion(ANSWER))
    keys = (
        "extra", "events", "error", "parent_run_id", "dotted_order", "start_time", "end_time",
        "child_runs", "total_cost", "prompt_tokens", "name", "session_name", "tags",
    )  # fmt: skip
    for key in keys:
        assert [turn.role for turn in conversation({**whole, key: odd}).turns][:2] == [
            "user", "assistant",
        ], key  # fmt: skip
    for key in ("inputs", "outputs", "id", "trace_id"):
        pieces({**whole, key: odd}, {"post": [{**whole, key: odd}], "patch": [odd]})
    pieces({**whole, "outputs": {"choices": odd, "generations": odd, "usage_metadata": odd}})
    events = [{"name": "new_token", "kwargs": {"token": odd, "chunk": odd}}, {"kwargs": odd}]
    pieces({**whole, "outputs": {}, "events": events})


def test_many_runs_of_one_trace_are_merged_in_one_pass() -> None:
    runs = [run(f"r{at}", "chain", inputs={"a": at}) for at in range(5_000)]
    last = run("a", inputs={"messages": [ASK]}, outputs=completion(ANSWER))
    assert len(conversation({"post": [*runs, last], "patch": runs}).turns) == 2
