import time
from typing import Any

from benchmarks.intake.dialects.inspect_events import Conversations, Conversed

SYSTEM = {"role": "system", "content": "Be brief."}
GO = {"role": "user", "content": "go"}
OK = {"role": "assistant", "content": "ok"}
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "c1", "function": "look", "arguments": {"q": 1}}],
}
FOUND = {"role": "tool", "content": "found", "tool_call_id": "c1", "function": "look"}


def model(answer: Any, *asked: Any, span: str | None = None, **more: Any) -> dict[str, Any]:
    output = {"choices": [{"message": answer}]} if answer else {}
    return {"event": "model", "span_id": span, "input": list(asked), "output": output, **more}


def ran(result: Any = "found", call_id: str = "c1", **more: Any) -> dict[str, Any]:
    return {"event": "tool", "id": call_id, "function": "look", "result": result, **more}


def begin(span: str, parent: str | None = None, kind: str = "agent") -> dict[str, Any]:
    return {"event": "span_begin", "id": span, "parent_id": parent, "type": kind}


def read(*events: Any) -> list[Conversed]:
    return Conversations({}).read(list(events)).found


def words(one: Conversed) -> list[str]:
    return [f"{said.message['role']}: {said.message['content']}" for said in one.said]


def test_a_growing_history_is_one_conversation() -> None:
    (one,) = read(model(CALL, SYSTEM, GO), ran(), model(OK, SYSTEM, GO, CALL, FOUND))
    assert words(one) == [
        "system: Be brief.", "user: go", "assistant: ", "tool: found", "assistant: ok",
    ]  # fmt: skip
    assert not one.stitched


def test_a_system_text_that_changes_is_the_same_conversation() -> None:
    clock = {"role": "system", "content": "It is five."}
    (one,) = read(model(OK, SYSTEM, GO), model(OK, clock, GO, OK, GO))
    assert words(one)[0] == "system: Be brief."
    assert len(one.said) == 5


def test_an_input_without_history_goes_on_with_a_loop_that_was_answered() -> None:
    (one,) = read(model(CALL, SYSTEM, GO, span="s"), ran(), model(OK, SYSTEM, GO, span="s"))
    assert words(one) == [
        "system: Be brief.", "user: go", "assistant: ", "tool: found", "assistant: ok",
    ]  # fmt: skip
    assert one.stitched


def test_a_loop_may_go_on_with_a_new_question() -> None:
    ask = {"role": "user", "content": "Answer."}
    (one,) = read(model(CALL, SYSTEM, GO, span="s"), ran(), model(OK, SYSTEM, ask, span="s"))
    assert words(one)[-2:] == ["user: Answer.", "assistant: ok"]


def test_a_call_that_nothing_answered_goes_on_with_nothing() -> None:
    assert len(read(model(CALL, SYSTEM, GO, span="s"), model(OK, SYSTEM, GO, span="s"))) == 2


def test_another_agent_of_the_span_does_not_go_on_with_its_loop() -> None:
    guard = {"role": "system", "content": "You are a guard."}
    ask = {"role": "user", "content": "safe?"}
    found = read(model(CALL, SYSTEM, GO, span="s"), ran(), model(OK, guard, ask, span="s"))
    assert [len(one.said) for one in found] == [3, 3]


def test_without_a_system_text_only_shared_words_go_on_with_a_loop() -> None:
    other = {"role": "user", "content": "safe?"}
    found = read(model(CALL, GO), ran(), model(OK, other), model(OK, GO))
    assert [len(one.said) for one in found] == [2, 2, 2]


def test_equal_openings_are_no_history() -> None:
    assert len(read(model(OK, SYSTEM, GO), model(OK, SYSTEM, GO), model(OK, SYSTEM, GO))) == 3


def test_a_fork_is_a_conversation_of_its_own() -> None:
    one = {"role": "user", "content": "this"}
    other = {"role": "user", "content": "that"}
    found = read(model(OK, GO), model(OK, GO, OK, one), model(OK, GO, OK, other))
    assert [words(each)[2:3] for each in found] == [["user: this"], ["user: that"]]


def test_spans_inside_an_agent_s_are_its_helpers() -> None:
    found = read(
        begin("root"),
        begin("main", "root"),
        model(CALL, GO, span="main"),
        begin("step", "main", "solver"),
        begin("inner", "step"),
        model(OK, {"role": "user", "content": "help"}, span="inner"),
    )
    assert found[0].parent is None
    assert found[1].parent is found[0]
    assert found[1].call_id is None


def test_a_branch_is_nobody_s_helper() -> None:
    found = read(
        begin("main"),
        model(CALL, GO, span="main"),
        begin("b", "main", "branch"),
        model(OK, GO, span="b"),
    )
    assert [one.parent for one in found] == [None, None]


def test_events_inside_a_call_are_those_of_its_helper() -> None:
    inner = model(OK, {"role": "user", "content": "help"})
    found = read(model(CALL, GO), ran(events=[{"event": "info"}, inner]))
    assert (found[1].pointer, found[1].call_id) == ("/events/1/events/1", "c1")
    assert found[1].parent is found[0]


def test_graders_are_left_out() -> None:
    events = [
        begin("scorers", None, "scorers"),
        begin("mine", "scorers", "scorer"),
        begin("deep", "mine"),
        model(OK, GO, span="mine"),
        model(OK, GO, span="deep"),
        {"event": "step", "action": "begin", "type": "scorer"},
        model(OK, GO),
        {"event": "step", "action": "end", "type": "scorer"},
        model(OK, GO),
    ]
    assert [one.pointer for one in read(*events)] == ["/events/8"]


def test_failed_and_pending_calls_say_nothing() -> None:
    read_all = Conversations({}).read([
        model(OK, GO, error="Timeout"), model(OK, GO, pending=True), model(None), model(None, GO),
    ])  # fmt: skip
    assert read_all.failures == ["Timeout"]
    assert read_all.empty == 1
    assert [words(one) for one in read_all.found] == [["user: go"]]


def test_results_that_no_input_repeats_are_kept() -> None:
    (one,) = read(model(CALL, GO), ran("42"))
    assert [answer["content"] for answer in one.take_answers([])] == ["42"]


def test_a_tool_without_a_result_or_a_call_answers_nothing() -> None:
    lost = {"event": "tool", "id": "c1", "function": "look"}
    (one,) = read(model(CALL, GO), lost, ran("x", "other"))
    assert one.take_answers([]) == []


def test_attachments_of_events_are_put_in_place() -> None:
    asked = {"role": "user", "content": "attachment://a"}
    (one,) = Conversations({"a": "words"}).read([model(OK, asked)]).found
    assert words(one)[0] == "user: words"


def test_tools_are_those_of_all_calls() -> None:
    tools = [{"name": "a"}, {"name": "b"}, {"no": "name"}]
    (one,) = read(model(OK, GO, tools=tools[:1]), model(OK, GO, OK, GO, tools=tools))
    assert list(one.tools) == ["a", "b"]


def test_ten_thousand_calls_and_deep_events_stay_fast() -> None:
    calls = [model(OK, {"role": "user", "content": str(at)}) for at in range(10_000)]
    deep: list[Any] = calls
    for _ in range(100):
        deep = [{"event": "subtask", "events": deep}, {"event": "info"}]
    spans = [begin(str(at), str(at - 1)) for at in range(10_000)]
    inside = [model(OK, GO, span=str(at)) for at in range(0, 10_000, 10)]
    start = time.process_time()
    assert len(read(*deep)) == 10_000
    assert len(read(*spans, *inside)) == 1_000
    assert time.process_time() - start < 5
