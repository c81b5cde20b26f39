"""What a later history lacks, given back from the captures that held it."""

from typing import Any

from benchmarks.foundry.grouping import Thread, threads_of
from benchmarks.records.capture import Capture
from tests.benchmarks.foundry.factories import call, capture, conversation, result

ASK = ("user", "Refund order A-1007, it came broken.")
LONG = "total 25, paid by card, shipped on Monday, broken on arrival"
THOUGHT = {"type": "reasoning", "text": "Look first."}
LOOK, PAY = call("get_order", "c1", id="A-1007"), call("issue_refund", "c2", id="A-1007")
FOUND = ("tool", result(LONG, "get_order", "c1"))
PAID = ("tool", result("RF-1", "issue_refund", "c2"))
DONE = ("assistant", "Refunded.")
ONE = {"input_tokens": 10, "output_tokens": 2, "calls": 1}


def only(*captures: Capture) -> Thread:
    (thread,) = threads_of(captures, lambda _: True)
    assert [one.capture_key for one in captures] == list(thread.capture_keys())
    return thread


def said(thread: Thread, at: int) -> list[Any]:
    return [
        getattr(part, "text", None) or part.type for part in thread.conversation.turns[at].parts
    ]


def answers(thread: Thread) -> list[tuple[str, tuple[int, int]]]:
    """Each result's words with the place of its call."""
    return [
        (found.parts[0].text, (found.call.turn, found.call.part))
        for turn in thread.conversation.turns
        for found in turn.results()
    ]


def test_text_reasoning_and_usage_of_an_answer_stay_and_results_find_the_call() -> None:
    first = capture([ASK], [("assistant", THOUGHT, "Let me look.", LOOK)], line=1, usage=ONE)
    second = capture([ASK, ("assistant", LOOK), FOUND], [DONE], line=2, usage=ONE)
    thread = only(first, second)
    assert said(thread, 1) == ["Look first.", "Let me look.", "tool_call"]
    assert answers(thread) == [(LONG, (1, 2))]
    assert [turn.usage and turn.usage.output_tokens for turn in thread.conversation.turns] == [
        None, 2, None, 2,
    ]  # fmt: skip
    assert thread.conversation.usage.output_tokens == 4


def test_what_a_providers_tool_answered_stays_though_the_history_leaves_it_out() -> None:
    own = {**call("search", "s1", q="x"), "executed_by": "provider"}
    first = capture([ASK], [("assistant", own, result("two hits", "search", "s1"), "Two.")], line=1)
    later = [ASK, ("assistant", own, "Two."), ("user", "Which?")]
    missing = [{"code": "missing_result", "turn": 1, "part": 0, "detail": "search"}]
    thread = only(first, capture(later, [("assistant", "Both.")], line=2, issues=missing))
    assert said(thread, 1) == ["tool_call", "tool_result", "Two."]
    assert answers(thread) == [("two hits", (1, 0))]
    assert thread.conversation.issues == []


def test_an_answer_whose_reasoning_a_client_drops_is_gone_on_from() -> None:
    first = capture([ASK], [("assistant", THOUGHT, "Which order?")], line=1)
    second = capture([ASK, ("assistant", "Which order?"), ("user", "A-1007")], [DONE], line=2)
    assert said(only(first, second), 1) == ["Look first.", "Which order?"]


def test_a_result_that_a_later_history_cuts_is_kept_whole() -> None:
    cut = ("tool", result("total 25, paid by", "get_order", "c1"))
    first = capture([ASK], [("assistant", LOOK)], line=1)
    second = capture([ASK, ("assistant", LOOK), FOUND], [("assistant", PAY)], line=2)
    third = capture(
        [ASK, ("assistant", LOOK), cut, ("assistant", PAY), PAID], [DONE], line=3
    )  # fmt: skip
    thread = only(first, second, third)
    assert answers(thread) == [(LONG, (1, 0)), ("RF-1", (3, 0))]


def test_a_result_that_a_later_history_leaves_out_is_put_back() -> None:
    first = capture([ASK], [("assistant", LOOK)], line=1)
    second = capture([ASK, ("assistant", LOOK), FOUND], [("assistant", THOUGHT, PAY)], line=2)
    third = capture([ASK, ("assistant", LOOK), ("assistant", PAY), PAID], [DONE], line=3)
    thread = only(first, second, third)
    assert [turn.role for turn in thread.conversation.turns] == [
        "user", "assistant", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert answers(thread) == [(LONG, (1, 0)), ("RF-1", (3, 1))]
    assert [turn.index for turn in thread.conversation.turns] == [0, 1, 2, 3, 4, 5]


def test_another_result_of_the_same_call_is_another_line() -> None:
    other = ("tool", result("no such order", "get_order", "c1"))
    first = capture([ASK], [("assistant", LOOK)], line=1)
    second = capture([ASK, ("assistant", LOOK), FOUND], [("assistant", PAY)], line=2)
    third = capture([ASK, ("assistant", LOOK), other], [DONE], line=3)
    (thread,) = threads_of([first, second, third], lambda found: len(found.turns) == 4)
    assert len(thread.beside) == 1


def test_media_that_a_later_history_names_by_reference_stay() -> None:
    image = {"type": "media", "media": "image", "mime": "image/png"}
    shown = ("user", "See here.", {**image, "content": {"$blob": "9f"}})
    named = ("user", "See here.", {**image, "uri": "file-7"})
    asked = [ASK, ("assistant", "Which order?")]
    first = capture([ASK], [asked[1]], line=1)
    second = capture([*asked, shown], [("assistant", PAY)], line=2)
    third = capture([*asked, named, ("assistant", PAY), PAID], [DONE], line=3)
    thread = only(first, second, third)
    assert thread.conversation.turns[2].parts[1].content == {"$blob": "9f"}


def test_an_answer_asked_for_again_is_the_later_one() -> None:
    first = capture([ASK], [("assistant", "One.", LOOK)], line=1, at="10:00:00", session="s")
    again = call("get_order", "c9", id="A-1007")
    second = capture([ASK], [("assistant", "Two.", again)], line=2, at="10:00:05", session="s")
    found = ("tool", result(LONG, "get_order", "c9"))
    third = capture([ASK, ("assistant", again), found], [DONE], line=3, at="10:00:09", session="s")
    thread = only(first, second, third)
    assert said(thread, 1) == ["Two.", "tool_call"]
    assert answers(thread) == [(LONG, (1, 1))]


def test_what_stood_before_a_summary_keeps_what_its_echo_lacks() -> None:
    more = call("note", "c3", text="broken")
    first = capture([ASK], [("assistant", THOUGHT, LOOK)], line=1, session="s")
    second = capture(
        [ASK, ("assistant", LOOK), FOUND], [("assistant", THOUGHT, PAY)], line=2, session="s"
    )
    folded = capture(
        [("user", "So far: a broken order."), ("assistant", PAY), PAID],
        [("assistant", more)], line=3, session="s",
    )  # fmt: skip
    thread = only(first, second, folded)
    assert [turn.role for turn in thread.conversation.turns] == [
        "user", "assistant", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert said(thread, 3) == ["Look first.", "tool_call"]
    assert answers(thread) == [(LONG, (1, 1)), ("RF-1", (3, 1))]


def test_a_system_that_says_the_same_again_says_it_once() -> None:
    note = ("system", "Be brief.")
    first = capture([("system", "S"), ASK, note], [("assistant", LOOK)], line=1, session="s")
    second = capture(
        [("system", "S at 9:05"), ASK, ("assistant", LOOK), FOUND, note],
        [DONE],
        line=2,
        session="s",
    )
    thread = only(first, second)
    assert [turn.text() for turn in thread.conversation.turns if turn.role == "system"] == [
        "S", "Be brief.",
    ]  # fmt: skip
    assert conversation([ASK]).turns[0].text() == thread.conversation.turns[1].text()
