from benchmarks.intake.reporting.leaves import leaves
from benchmarks.records.conversation import ToolCall, Turn
from tests.benchmarks.intake.made import capture, conversation, said


def growing(*texts: str, session: bool = False):
    roles = ("user", "assistant")
    turns = [said(at, roles[at % 2], text) for at, text in enumerate(texts)]
    return conversation(*turns, session=session)


def ids(*captures) -> list[str]:
    return [item.capture_id for item in leaves(captures)]


def test_a_call_that_a_later_one_repeats_is_no_conversation() -> None:
    one = capture("1", conversation=growing("hi", "hello"))
    two = capture("2", conversation=growing("hi", "hello", "more", "here"))
    assert ids(one, two) == ids(two, one) == ["2"]


def test_blanks_do_not_tell_two_turns_apart() -> None:
    one = capture("1", conversation=growing("hi", "hello  there"))
    two = capture("2", conversation=growing("hi", "hello there\n", "more", "here"))
    assert ids(one, two) == ["2"]


def test_the_words_beside_a_call_do_not_tell_two_turns_apart() -> None:
    call = ToolCall(call_id="a", name="get", arguments={"n": 1})
    with_words = Turn(index=1, role="assistant", origin="response",
                      parts=[*said(1, "assistant", "Let me look.").parts, call])  # fmt: skip
    without = Turn(index=1, role="assistant", origin="request",
                   parts=[call.with_(call_id="other")])  # fmt: skip
    one = capture("1", conversation=conversation(said(0, "user", "hi"), with_words))
    two = capture(
        "2", conversation=conversation(said(0, "user", "hi"), without, said(2, "user", "go"))
    )
    assert ids(one, two) == ["2"]


def test_a_failed_call_that_was_sent_again_is_no_conversation() -> None:
    failed = capture("1", conversation=growing("hi"))
    again = capture("2", conversation=growing("hi", "hello"))
    assert ids(failed, again) == ["2"]


def test_two_answers_to_one_question_are_two() -> None:
    one = capture("1", conversation=growing("hi", "hello"))
    two = capture("2", conversation=growing("hi", "go away"))
    assert ids(one, two) == ["1", "2"]


def test_another_workload_continues_nothing() -> None:
    one = capture("1", conversation=growing("hi", "hello"), workload="a")
    two = capture("2", conversation=growing("hi", "hello", "more", "x"), workload="b")
    assert ids(one, two) == ["1", "2"]


def test_a_whole_session_is_always_a_conversation() -> None:
    one = capture("1", conversation=growing("hi", "hello", session=True))
    two = capture("2", conversation=growing("hi", "hello", "more", "x", session=True))
    assert ids(one, two) == ["1", "2"]
