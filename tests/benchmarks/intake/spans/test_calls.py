from typing import Any

from benchmarks.intake.spans.calls import ModelCall, Recount, calls_of, differs, model_of
from benchmarks.intake.spans.conventions import Reader
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.spans.tree import tree_of
from benchmarks.records.blocks import Usage
from tests.benchmarks.intake.spans.making import calls, chat, says, span, tool, user


def read(*spans: Span) -> list[ModelCall]:
    return calls_of(tree_of(spans), Reader())


def counted(spent: int, answered: int) -> dict[str, int]:
    return {"gen_ai.usage.input_tokens": spent, "gen_ai.usage.output_tokens": answered}


def usage(spent: int, answered: int) -> Usage:
    return Usage(input_tokens=spent, output_tokens=answered, calls=1)


def test_a_call_seen_by_a_framework_and_by_its_client_is_one() -> None:
    outer = chat(1, [user("hi")], says("hello"), more=counted(10, 2))
    inner = chat(2, [user("hi")], says("hello"), parent=1, more=counted(10, 2))
    (call,) = read(outer, inner)
    assert call.places == [1, 0]
    assert call.usage.usage == usage(10, 2)
    assert call.recounts == [Recount(usage(10, 2), usage(10, 2))]


def test_the_content_with_more_parts_wins_and_the_innermost_usage() -> None:
    outer = chat(1, [user("hi")], calls("find", {"a": 1}), more=counted(12, 2))
    inner = span(2, parent=1, attributes={
        "gen_ai.system": "x", "gen_ai.request.model": "m", "input": "user: hi", **counted(10, 2),
    })  # fmt: skip
    (call,) = read(outer, inner)
    assert call.answer is not None
    assert [one.name for one in call.answer.calls] == ["find"]
    assert call.usage.usage == usage(10, 2)


def test_what_one_of_them_lacks_the_other_gives() -> None:
    outer = chat(1, [], says("hello"))
    inner = chat(2, [user("a"), says("b"), user("c")], None, parent=1)
    (call,) = read(outer, inner)
    assert [one.text for one in call.content.messages] == ["a", "b", "c", "hello"]


def test_a_wrapper_with_usage_and_no_leaf_with_usage_keeps_its_own() -> None:
    outer = chat(1, [user("hi")], says("hello"), more=counted(10, 2))
    (call,) = read(outer, chat(2, [user("hi")], says("hello"), parent=1))
    assert (call.usage.usage, call.recounts) == (usage(10, 2), [])


def test_depth_does_not_matter() -> None:
    between = [span(number, parent=number - 1) for number in range(2, 11)]
    outer = chat(1, [user("hi")], says("hello"))
    (call,) = read(outer, *between, chat(11, [user("hi")], says("hello"), parent=10))
    assert len(call.places) == 2


def test_a_tool_run_between_makes_two_calls() -> None:
    outer = chat(1, [user("hi")], says("hello"))
    inner = chat(3, [user("hi")], says("hello"), parent=2)
    assert [call.places for call in read(outer, tool(2, "ask", parent=1), inner)] == [[0], [2]]


def test_calls_that_asked_and_answered_something_else_are_not_one() -> None:
    outer = chat(1, [user("one")], says("first"))
    inner = chat(2, [user("two")], says("second"), parent=1, at=1)
    assert [call.places for call in read(outer, inner)] == [[0], [1]]


def test_a_wrapper_of_several_calls_is_none_of_them() -> None:
    outer = chat(1, [user("a")], says("d"), more=counted(30, 6))
    first = chat(2, [user("a")], calls("find", {}), parent=1, at=1, more=counted(10, 2))
    second = chat(3, [user("a"), calls("find", {})], says("d"), parent=1, at=2,
                  more=counted(20, 4))  # fmt: skip
    found = read(outer, first, second)
    assert [call.places for call in found] == [[1], [2]]
    assert found[1].recounts == [
        Recount(usage(30, 6), Usage(input_tokens=30, output_tokens=6, calls=2))
    ]


def test_a_wrapper_of_calls_without_content_tells_it_for_them() -> None:
    outer = chat(1, [user("a")], says("d"))
    first = chat(2, [], None, parent=1, at=1, more=counted(10, 2))
    second = chat(3, [], None, parent=1, at=2, more=counted(20, 4))
    (call,) = read(outer, first, second)
    assert call.answer is not None
    assert call.answer.text == "d"
    assert call.usage.usage == Usage(input_tokens=30, output_tokens=6, calls=2)


def test_what_an_agent_counts_of_its_calls_is_told_apart() -> None:
    agent = span(1, attributes={"gen_ai.operation.name": "invoke_agent", **counted(31, 6)})
    first = chat(2, [user("a")], says("b"), parent=1, more=counted(10, 2))
    second = chat(3, [user("a"), says("b"), user("c")], says("d"), parent=1, at=1,
                  more=counted(21, 4))  # fmt: skip
    found = read(agent, first, second)
    (recount,) = found[1].recounts
    assert not differs(recount)
    assert found[0].recounts == []


def test_more_than_a_hundredth_apart_differs() -> None:
    assert not differs(Recount(usage(100, 0), usage(99, 0)))
    assert differs(Recount(usage(100, 0), usage(98, 0)))
    assert not differs(Recount(usage(0, 0), usage(0, 0)))


def sdk(number: int, name: str, **more: Any) -> Span:
    parent, at = more.pop("parent", None), more.pop("at", 0)
    return span(number, parent=parent, at=at, attributes={"ai.operationId": name, **more})


def test_a_kits_wrapper_is_the_call_where_the_call_was_not_exported() -> None:
    told = {"ai.prompt": {"prompt": "hi"}, "ai.response.text": "hello"}
    wrapper = sdk(1, "ai.generateText", **told)
    (alone,) = read(wrapper)
    assert [one.text for one in alone.content.messages] == ["hi", "hello"]
    inner = sdk(2, "ai.generateText.doGenerate", parent=1, **told)
    (call,) = read(wrapper, inner)
    assert call.places == [1]


def test_an_agent_that_tells_its_messages_is_a_call_only_without_calls() -> None:
    told = {"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": [user("hi")],
            "gen_ai.output.messages": [says("hello")]}  # fmt: skip
    agent = span(1, attributes=told)
    assert [call.places for call in read(agent)] == [[0]]
    inside = chat(2, [user("hi")], says("hello"), parent=1)
    assert [call.places for call in read(agent, inside)] == [[1]]


def test_an_agent_with_plain_values_is_no_call() -> None:
    chain = span(1, attributes={"openinference.span.kind": "CHAIN", "input.value": "a",
                                "output.value": "b"})  # fmt: skip
    assert read(chain) == []


def test_the_model_that_answered_wins_over_the_one_asked_for() -> None:
    both = {"gen_ai.request.model": "asked", "gen_ai.response.model": "answered"}
    assert model_of(Span("t", "s", attributes=both)) == "answered"
    assert model_of(Span("t", "s", model="own", kind=SpanKind.INFERENCE)) == "own"
    assert model_of(Span("t", "s")) is None


HISTORY = [user("hi"), calls("find", {"a": 1}), says("it is 4")]


def roles(call: ModelCall) -> list[str]:
    return [message.role for message in call.content.messages]


def test_an_agent_that_holds_the_whole_exchange_is_the_call_that_was_not_exported() -> None:
    agent = span(1, attributes={"pydantic_ai.all_messages": HISTORY})
    step = span(2, parent=1, attributes={"pydantic_ai.all_messages": HISTORY})
    (call,) = read(agent, step, tool(3, "find", {"a": 1}, "4", parent=1))
    assert (call.places, roles(call)) == ([0], ["user", "assistant", "assistant"])


def test_an_answer_beside_what_was_asked_tells_an_exchange_where_no_tool_ran() -> None:
    agent = span(1, attributes={
        "openinference.span.kind": "AGENT", "input.value": [{"role": "user", "content": "hi"}],
        "output.value": "yo",
    })  # fmt: skip
    (call,) = read(agent)
    assert roles(call) == ["user", "assistant"]
    assert read(agent, tool(2, "find", {"a": 1}, "4", parent=1)) == []


def test_no_exchange_is_made_of_bare_texts_nor_beside_a_call_of_a_model() -> None:
    step = span(1, attributes={"input.value": "hi", "output.value": "yo"})
    assert read(step) == []
    agent = span(1, attributes={"pydantic_ai.all_messages": HISTORY})
    (call,) = read(agent, chat(2, [user("hi")], says("it is 4"), parent=1))
    assert call.places == [1]
