import pytest

from benchmarks.foundry.grouping import threads_of
from benchmarks.foundry.stitching import counted, with_answers
from tests.benchmarks.foundry.factories import call, capture, conversation, session_record

ASK, LATER = ("user", "Refund A-1007."), ("user", "And A-1008.")
DONE, AGAIN = ("assistant", "Refunded."), ("assistant", "Both are refunded.")
ONE = {"input_tokens": 10, "output_tokens": 2, "calls": 1}
BOTH = {"input_tokens": 25, "output_tokens": 5, "calls": 2}
CALL, WHOLE, FOLDED = (False, False), (True, False), (True, True)


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ([CALL, CALL], [0, 1]),
        ([WHOLE, WHOLE, WHOLE], [2]),
        ([WHOLE, FOLDED, WHOLE], [0, 2]),
        ([WHOLE, CALL], [0, 1]),
        ([], []),
    ],
)
def test_a_conversation_that_grew_holds_what_its_earlier_forms_spent(
    line: list[tuple[bool, bool]], places: list[int]
) -> None:
    assert counted(line) == places


def test_a_session_captured_twice_while_it_grew_is_one_conversation_paid_once() -> None:
    short = session_record([ASK, DONE], line=1, name="session-1", usage=ONE)
    long = session_record([ASK, DONE, LATER, AGAIN], line=2, name="session-1", usage=BOTH)
    (thread,) = threads_of([long, short], lambda _: True)
    assert thread.main_line == (short, long)
    assert len(thread.conversation.turns) == 4
    assert thread.conversation.usage.input_tokens == 25
    assert thread.conversation.usage.calls == 2


def test_a_session_with_an_id_of_its_own_grows_likewise() -> None:
    short = session_record([ASK, DONE], line=1, session="s-1", usage=ONE)
    long = session_record([ASK, DONE, LATER, AGAIN], line=2, session="s-1", usage=BOTH)
    (thread,) = threads_of([long, short], lambda _: True)
    assert (thread.label, thread.conversation.usage.input_tokens) == ("session_grouped", 25)


def test_trials_under_one_id_are_not_one_growing_conversation() -> None:
    first = session_record([ASK, DONE], line=1, name="task-7", task="7", trial="0")
    second = session_record([ASK, DONE, LATER, AGAIN], line=2, name="task-7", task="7", trial="1")
    assert len(threads_of([first, second], lambda _: True)) == 2


def test_records_of_one_id_that_went_apart_are_two_conversations() -> None:
    first = session_record([ASK, DONE, LATER, DONE], line=1, name="7")
    second = session_record([ASK, DONE, ("user", "No, wait."), AGAIN], line=2, name="7")
    assert len(threads_of([first, second], lambda _: True)) == 2


def test_calls_of_one_conversation_are_paid_one_by_one() -> None:
    first = capture([ASK], [DONE], line=1, usage=ONE)
    second = capture([ASK, DONE, LATER], [AGAIN], line=2, usage=BOTH)
    (thread,) = threads_of([first, second], lambda _: True)
    assert thread.conversation.usage.input_tokens == 35


def test_an_answer_stands_right_after_its_call_and_what_follows_moves_on() -> None:
    looked = ("assistant", call("get", "c1", id=1))
    found = ("tool", {"type": "tool_result", "call_id": "c1", "name": "get", "status": "ok",
                      "parts": [{"type": "text", "text": "x"}]})  # fmt: skip
    asked = ("assistant", call("Task", "t1"), call("Task", "t2"))
    talk = conversation([ASK, asked, looked, found, DONE])
    turns = with_answers(talk, {"t2": "second", "c1": "never"}).turns
    assert [turn.role for turn in turns] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    (answer,) = turns[2].results()
    assert (answer.call_id, answer.call.turn, answer.call.part) == ("t2", 1, 1)
    (kept,) = turns[4].results()
    assert (kept.call.turn, kept.parts[0].text) == (3, "x")


def test_whole_conversations_of_one_session_that_went_apart_in_an_answer_are_two() -> None:
    first = session_record([ASK, DONE], line=1, session="s")
    second = session_record([ASK, ("assistant", "No."), LATER, AGAIN], line=2, session="s")
    threads = threads_of([first, second], lambda _: True)
    assert [thread.main_line for thread in threads] == [(first,), (second,)]


def test_whole_conversations_that_the_users_words_part_are_two_of_one_lineage() -> None:
    first = session_record([ASK, DONE, LATER, DONE], line=1, session="s")
    second = session_record([ASK, DONE, ("user", "No, wait."), AGAIN], line=2, session="s")
    threads = threads_of([first, second], lambda _: True)
    assert len(threads) == 2
    assert {thread.root for thread in threads} == {threads[0].root}
