from collections.abc import Sequence
from typing import Any

from benchmarks.intake.index import Index
from benchmarks.intake.spool import Place
from benchmarks.intake.told import told_of
from benchmarks.records.conversation import (
    CallRef,
    End,
    Issue,
    Text,
    ToolCall,
    ToolResult,
    Turn,
)
from tests.benchmarks.intake.made import capture, conversation, said

ASK = "What is it?"


def call(*words: str, at: str | None = None, failed: bool = False, path: str = "f") -> Any:
    """A call of a user's and an assistant's words in turn; the last ones are its answer."""
    turns = [said(index, "user" if index % 2 == 0 else "assistant", text)
             for index, text in enumerate(words)]  # fmt: skip
    made = conversation(*turns)
    if failed:
        made = made.with_(
            turns=[turn.with_(origin="request") for turn in turns],
            end=End(reason="error", detail="status 500"),
        )
    return told_of(capture("x", conversation=made, at=at, path=path))


def whole(*calls: Any) -> list[int]:
    """The numbers of the calls that no later one goes on from."""
    index = Index()
    for number, told in enumerate(calls):
        index.add(told, Place(number, 0))
    index.continuing.work_out()
    kept = [number for number, told in enumerate(calls)
            if not index.continuing.marked(number)]  # fmt: skip
    assert sum(counts.conversations for counts in index.totals().values()) == len(kept)
    return kept


def test_a_history_that_grows_is_one_conversation() -> None:
    assert whole(call(ASK, "a"), call(ASK, "a", "b", "c"), call(ASK, "a", "b", "c", "d", "e")) == [
        2
    ]


def test_calls_that_share_nothing_are_conversations_of_their_own() -> None:
    assert whole(call(ASK, "a"), call("Who?", "b"), call(ASK, "c", "d", "e")) == [0, 1, 2]


def test_equal_requests_that_succeeded_are_roots_of_their_own() -> None:
    assert whole(call(ASK, "a"), call(ASK, "a"), call(ASK, "a")) == [0, 1, 2]


def test_only_one_of_several_equal_calls_is_gone_on_from_the_latest() -> None:
    assert whole(call(ASK, "a"), call(ASK, "a"), call(ASK, "a", "b", "c")) == [0, 2]


def test_two_calls_may_go_on_from_one() -> None:
    assert whole(call(ASK, "a"), call(ASK, "a", "b", "c"), call(ASK, "a", "x", "y")) == [1, 2]


def test_what_came_before_goes_on_from_nothing_that_came_after() -> None:
    assert whole(call(ASK, "a", "b", "c"), call(ASK, "a")) == [0, 1]


def test_times_go_before_the_order_of_lines() -> None:
    first, second = "2026-11-02T09:00:00.000Z", "2026-11-02T09:00:01.000Z"
    assert whole(call(ASK, "a", "b", "c", at=second), call(ASK, "a", at=first)) == [0]


def test_a_call_without_a_time_was_made_after_the_call_before_it() -> None:
    late = "2026-11-02T09:00:01.000Z"
    assert whole(call(ASK, "a", at=late), call(ASK, failed=True)) == [0, 1]
    assert whole(call("Who?", "x", at=late), call(ASK, failed=True), call(ASK, "a")) == [0, 2]


def test_a_failed_call_is_gone_on_from_by_its_retry() -> None:
    failed = call(ASK, failed=True)
    assert whole(failed, call(ASK, "a")) == [1]
    assert whole(failed, failed, call(ASK, "a")) == [2]
    assert whole(failed, failed) == [1]


def test_a_failed_call_with_nothing_after_it_stays_alone() -> None:
    assert whole(call(ASK, "a"), call(ASK, failed=True)) == [0, 1]


SEARCH = ToolCall(call_id="s", name="search", arguments={"q": "x"}, executed_by="provider")
FOUND = ToolResult(call_id="s", name="search", status="ok", parts=[Text(text="found")],
                   call=CallRef(turn=1, part=0))  # fmt: skip
NOTHING_FOUND = Issue(code="missing_result", turn=1, part=0)


def searched(*words: str, shown: bool, more: Sequence[Turn] = ()) -> Any:
    """A call of which the second turn holds a search; `words` stand behind it."""
    parts = [SEARCH, FOUND] if shown else [SEARCH]
    answer = Turn(
        index=1, role="assistant", origin="response" if not words else "request", parts=parts
    )
    after = [said(at, "assistant" if at % 2 else "user", text)
             for at, text in enumerate(words, start=2)]  # fmt: skip
    made = conversation(said(0, "user", ASK), answer, *after, *more)
    issues = [NOTHING_FOUND] if words and not shown else []
    return told_of(capture("x", conversation=made.with_(issues=issues)))


def counted(*calls: Any) -> tuple[int, int, int, int]:
    """Of whole conversations the results, those joined, the calls without one; then the issues."""
    index = Index()
    for number, told in enumerate(calls):
        index.add(told, Place(number, 0))
    index.continuing.work_out()
    (found,) = index.totals().values()
    issues = index.counted("issues")
    return found.results, found.joined, found.unanswered, issues["missing_result"]


def test_a_history_may_leave_out_what_a_providers_own_tool_answered() -> None:
    first, second = searched(shown=True), searched("b", "c", shown=False)
    assert whole(first, second) == [1]


def test_what_a_history_leaves_out_is_counted_for_the_call_that_goes_on() -> None:
    first, second = searched(shown=True), searched("b", "c", shown=False)
    third = searched("b", "c", "d", "e", shown=False)
    assert counted(first, second) == (1, 1, 0, 0)
    assert counted(first, second, third) == (1, 1, 0, 0)
    assert counted(first, second, searched("b", "x", shown=False)) == (2, 2, 0, 0)


def test_a_result_that_no_call_holds_is_missing() -> None:
    more = Turn(index=4, role="assistant", origin="request",
                parts=[ToolCall(call_id="t", name="get", arguments={})])  # fmt: skip
    alone = searched("b", "c", shown=False, more=[more])
    assert counted(alone) == (0, 0, 1, 1)
    assert counted(searched(shown=True), alone) == (1, 1, 0, 0)
    assert counted(searched(shown=False), alone) == (0, 0, 1, 1)


def test_a_call_that_another_names_is_none_of_its_own() -> None:
    index = Index()
    for number, told in enumerate([call(ASK, "a"), call("Who?", "b")]):
        index.add(told, Place(number, 0))
    index.continuing.mark(0)
    index.continuing.work_out()
    assert [index.continuing.marked(number) for number in (0, 1)] == [True, False]


def test_a_long_history_is_gone_on_from_where_it_ended() -> None:
    words = [str(number) for number in range(2_001)]
    assert whole(call(*words[:1_201]), call(*words)) == [1]
