from collections.abc import Sequence

from benchmarks.intake.spans.calls import calls_of
from benchmarks.intake.spans.conventions import Reader
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.spans.threads import Thread, threads_of
from benchmarks.intake.spans.tool_runs import run_of
from benchmarks.intake.spans.tree import tree_of
from tests.benchmarks.intake.spans.making import calls, chat, result, says, span, tool, user

SYSTEM = {"role": "system", "parts": [{"type": "text", "content": "Be kind."}]}
OTHER = {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]}


def threads(*spans: Span) -> list[Thread]:
    tree, reader = tree_of(spans), Reader()
    found = [call for call in calls_of(tree, reader) if not call.is_empty]
    runs = [run_of(tree.spans[place], place, {}) for place in tree.by_start(SpanKind.TOOL)]
    return threads_of(tree, found, runs)


def places(found: Sequence[Thread]) -> list[list[int]]:
    return [[call.place for call in thread.calls] for thread in found]


def agent(number: int, parent: int | None = None) -> Span:
    return span(number, parent=parent, attributes={"gen_ai.operation.name": "invoke_agent"})


def test_growing_histories_are_one_conversation() -> None:
    first = chat(1, [user("a")], says("b"))
    second = chat(2, [user("a"), says("b"), user("c")], says("d"), at=1)
    third = chat(3, [user("a"), says("b"), user("c"), says("d"), user("e")], says("f"), at=2)
    assert places(threads(first, second, third)) == [[0, 1, 2]]


def test_calls_that_go_on_with_nothing_are_conversations_of_their_own() -> None:
    first = chat(1, [user("a")], says("b"))
    second = chat(2, [user("c")], says("d"), at=1)
    same = chat(3, [user("a")], says("z"), at=2)
    assert places(threads(first, second, same)) == [[0], [1], [2]]


def test_a_call_met_after_those_that_go_on_with_it_takes_its_place() -> None:
    third = chat(3, [user("a"), says("b"), user("c"), says("d"), user("e")], says("f"), at=None)
    first = chat(1, [user("a")], says("b"), at=None)
    second = chat(2, [user("a"), says("b"), user("c")], says("d"), at=None)
    assert places(threads(third, first, second)) == [[1, 2, 0]]


def test_two_conversations_that_take_turns_are_told_apart() -> None:
    spans = [
        chat(1, [user("a")], says("b")),
        chat(2, [user("x")], says("y"), at=1),
        chat(3, [user("a"), says("b"), user("c")], says("d"), at=2),
        chat(4, [user("x"), says("y"), user("z")], says("w"), at=3),
    ]
    assert places(threads(*spans)) == [[0, 2], [1, 3]]


def test_an_answer_that_lost_its_call_in_the_history_is_still_gone_on_with() -> None:
    first = chat(1, [user("a")], calls("find", {}))
    second = chat(2, [user("a"), says(""), result("7", "c")], says("d"), at=1)
    assert places(threads(first, second)) == [[0, 1]]


def test_another_system_text_with_the_same_question_is_another_conversation() -> None:
    first = chat(1, [SYSTEM, user("a")], says("sales"))
    second = chat(2, [OTHER, user("a")], calls("find", {}), at=1)
    third = chat(3, [OTHER, user("a"), calls("find", {}), result("7", "c")], says("d"), at=2)
    assert places(threads(first, second, third)) == [[0], [1, 2]]


def test_a_system_text_may_change_where_the_whole_history_goes_on() -> None:
    first = chat(1, [SYSTEM, user("a")], says("b"))
    second = chat(2, [OTHER, user("a"), says("b"), user("c")], says("d"), at=1)
    assert places(threads(first, second)) == [[0, 1]]


def test_a_call_that_was_never_answered_is_sent_again() -> None:
    failed = chat(1, [user("a")], None, error="overloaded")
    assert places(threads(failed, chat(2, [user("a")], says("b"), at=1))) == [[0, 1]]


def test_inputs_that_were_lost_go_on_with_their_agents_conversation() -> None:
    spans = [
        agent(1),
        chat(2, [user("a")], says("b"), parent=1),
        agent(3),
        chat(4, [user("x")], says("y"), parent=3, at=1),
        chat(5, [], says("c"), parent=1, at=2),
        chat(6, [], says("z"), parent=3, at=3),
    ]
    assert places(threads(*spans)) == [[1, 4], [3, 5]]


def test_inputs_that_come_after_lost_ones_go_on_with_their_answers() -> None:
    first = chat(1, [], says("b"))
    second = chat(2, [user("a"), says("b"), user("c")], says("d"), at=1)
    assert places(threads(first, second)) == [[0, 1]]


def test_calls_inside_a_tool_run_are_a_helpers() -> None:
    spans = [
        chat(1, [user("a")], calls("ask", {"q": 1}, "c1")),
        tool(2, "ask", {"q": 1}, "7", at=1, call_id="c1"),
        chat(3, [user("q 1")], says("7"), parent=2, at=2),
        chat(4, [user("a"), calls("ask", {"q": 1}, "c1"), result("7", "c1")], says("7!"), at=3),
    ]
    main, helper = threads(*spans)
    assert places([main, helper]) == [[0, 3], [2]]
    assert (helper.parent, helper.call_id) == (main, "c1")
    assert [run.name for run in main.runs] == ["ask"]
    assert main.parent is None


def test_an_agent_below_anothers_agent_with_another_system_text_is_its_helper() -> None:
    spans = [
        agent(1),
        chat(2, [SYSTEM, user("a")], says("b"), parent=1),
        agent(3, parent=1),
        chat(4, [OTHER, user("x")], says("y"), parent=3, at=1),
    ]
    main, helper = threads(*spans)
    assert (helper.parent, helper.call_id) == (main, None)


def test_agents_side_by_side_are_nobodys_helpers() -> None:
    root = agent(1)
    one = chat(3, [SYSTEM, user("a")], says("b"), parent=2)
    two = chat(5, [OTHER, user("x")], says("y"), parent=4, at=1)
    found = threads(root, agent(2, 1), one, agent(4, 1), two)
    assert [thread.parent for thread in found] == [None, None]


def test_the_orchestrator_comes_before_its_helpers_whenever_it_began() -> None:
    spans = [
        tool(1, "ask", {"q": 1}, "7", call_id="c1"),
        chat(2, [user("q")], says("7"), parent=1, at=1),
        chat(3, [user("a"), calls("ask", {"q": 1}, "c1"), result("7", "c1")], says("d"), at=2),
    ]
    main, helper = threads(*spans)
    assert places([main, helper]) == [[2], [1]]
    assert helper.parent is main


def test_a_run_goes_to_the_call_with_its_id_then_to_the_call_around_it() -> None:
    spans = [
        chat(1, [user("a")], calls("find", {}, "c1")),
        chat(2, [user("x")], calls("find", {}, "c2"), at=1),
        tool(3, "find", {}, "7", at=2, call_id="c1"),
        tool(4, "log", {}, "8", parent=1, at=3),
    ]
    first, second = threads(*spans)
    assert [run.place for run in first.runs] == [2, 3]
    assert second.runs == []


def test_a_run_goes_to_the_call_with_its_name_and_arguments_then_to_the_latest() -> None:
    spans = [
        chat(1, [user("a")], calls("find", {"q": 1})),
        chat(2, [user("x")], says("y"), at=1),
        tool(3, "find", {"q": 1}, "7", at=2),
        tool(4, "log", {}, "8", at=3),
    ]
    first, second = threads(*spans)
    assert [run.place for run in first.runs] == [2]
    assert [run.place for run in second.runs] == [3]


def test_one_run_seen_by_two_kits_is_given_once_and_what_a_tool_runs_inside_is_its_own() -> None:
    spans = [
        chat(1, [user("a")], calls("find", {}, "c1")),
        tool(2, "find", {}, "7", at=1, call_id="c1"),
        tool(3, "find", {}, "7", parent=2, at=2, call_id="c1"),
        tool(4, "fetch", {}, "8", parent=2, at=3),
    ]
    (main,) = threads(*spans)
    assert [run.place for run in main.runs] == [1]


def test_runs_alone_are_one_conversation() -> None:
    found = threads(tool(1, "find", {}, "7"), tool(2, "log", {}, "8", at=1))
    assert [[run.name for run in thread.runs] for thread in found] == [["find", "log"]]


def test_thousands_of_conversations_in_one_trace_are_found_quickly() -> None:
    spans = [chat(number, [user(f"q {number}")], says("a"), at=number) for number in range(1, 3001)]
    assert len(threads(*spans)) == 3000
