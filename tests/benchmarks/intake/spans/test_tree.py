from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.spans.tree import known_starts, tree_of
from tests.benchmarks.intake.spans.making import chat, span, tool


def test_a_parent_that_is_missing_or_its_own_child_makes_a_root() -> None:
    tree = tree_of([span(1, parent=1), span(2, parent=99), span(3, parent=1)])
    assert tree.parents == [None, None, 0]


def test_a_circle_is_cut() -> None:
    tree = tree_of([span(1, parent=3), span(2, parent=1), span(3, parent=2), span(4, parent=3)])
    assert sorted(tree.order) == [0, 1, 2, 3]
    assert tree.parents.count(None) == 1
    assert list(tree.above(3))[0] == 2
    assert len(list(tree.above(3))) == 3


def test_every_span_comes_after_its_parent() -> None:
    tree = tree_of([span(3, parent=2), span(2, parent=1), span(1)])
    assert tree.order == [2, 1, 0]


def test_the_nearest_tool_run_and_agent_above() -> None:
    agent = span(1, attributes={"gen_ai.operation.name": "invoke_agent"})
    tree = tree_of([
        agent,
        tool(2, "ask", parent=1),
        span(3, parent=2),
        chat(4, [], None, parent=3),
    ])
    assert tree.tools == [None, None, 1, 1]
    assert tree.agents == [None, 0, 0, 0]


def test_a_span_met_twice_is_one_with_what_each_knows() -> None:
    first = Span("t", "abcd", "chat", attributes={"a": 1}, start=5)
    again = Span("t", "abcd", "chat", attributes={"a": 2, "b": 3}, end=9, error="no")
    other = Span("t", "abcd", "other")
    tree = tree_of([first, again, other])
    assert len(tree.spans) == 2
    merged = tree.spans[0]
    assert (merged.attributes, merged.start, merged.end, merged.error) == (
        {"a": 1, "b": 3}, 5, 9, "no",
    )  # fmt: skip


def test_spans_come_by_their_start_and_unknown_starts_keep_their_place() -> None:
    late, unknown, early = chat(1, [], None, at=9), chat(2, [], None, at=None), chat(3, [], None)
    assert tree_of([late, unknown, early]).by_start(SpanKind.INFERENCE) == [2, 0, 1]
    assert known_starts([Span("t", "a"), Span("t", "b", start=4), Span("t", "c")]) == [0, 4, 4]


def test_a_deep_chain_is_walked_without_recursion() -> None:
    spans = [span(number + 1, parent=number or None) for number in range(20_000)]
    assert len(tree_of(spans).order) == 20_000
