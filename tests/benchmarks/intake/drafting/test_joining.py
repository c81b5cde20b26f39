import time

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.drafting.joining import Joiner
from benchmarks.records.conversation import CallRef


def at(turn: int) -> CallRef:
    return CallRef(turn=turn, part=0)


def answered(joiner: Joiner, raw_id: str | None, name: str | None) -> int | None:
    call = joiner.answer(raw_id, name)
    return call.at.turn if call else None


def test_a_result_joins_the_call_with_its_id() -> None:
    joiner = Joiner()
    joiner.open(at(0), "a", "look")
    joiner.open(at(1), "b", "look")
    assert answered(joiner, "b", "look") == 1
    assert answered(joiner, "a", "look") == 0


def test_an_id_used_again_is_a_new_call_and_is_answered_in_order() -> None:
    joiner = Joiner()
    first = joiner.open(at(0), "a", "look")
    assert answered(joiner, "a", None) == 0
    second = joiner.open(at(2), "a", "book")
    assert answered(joiner, "a", None) == 2
    assert (first, second) == (("a", False), ("a", True))


def test_two_open_calls_of_one_id_are_answered_first_to_last() -> None:
    joiner = Joiner()
    joiner.open(at(0), "a", "look")
    joiner.open(at(1), "a", "look")
    assert [answered(joiner, "a", None), answered(joiner, "a", None)] == [0, 1]


def test_without_an_id_the_first_open_call_of_the_name_is_answered() -> None:
    joiner = Joiner()
    joiner.open(at(0), None, "look")
    joiner.open(at(1), None, "book")
    joiner.open(at(2), None, "book")
    assert [answered(joiner, None, "book"), answered(joiner, None, "book")] == [1, 2]


def test_without_id_and_name_only_the_one_open_call_is_answered() -> None:
    joiner = Joiner()
    joiner.open(at(0), None, "look")
    joiner.open(at(1), None, "look")
    assert answered(joiner, None, None) is None
    assert answered(joiner, None, "look") == 0
    assert answered(joiner, None, None) == 1


def test_a_name_that_was_not_called_answers_only_the_one_open_call() -> None:
    joiner = Joiner()
    joiner.open(at(0), "a", "look")
    assert answered(joiner, None, "other") == 0
    assert answered(joiner, None, "other") is None


def test_an_id_that_was_answered_before_is_an_orphan() -> None:
    joiner = Joiner()
    joiner.open(at(0), "a", "look")
    joiner.open(at(1), "b", "look")
    assert answered(joiner, "a", "look") == 0
    assert answered(joiner, "a", "look") is None


def test_an_id_that_no_call_has_never_takes_a_call_that_has_another() -> None:
    joiner = Joiner()
    joiner.open(at(0), "a", "look")
    assert answered(joiner, "zzz", "look") is None


def test_an_id_given_later_answers_the_call_that_had_none() -> None:
    joiner = Joiner()
    joiner.open(at(0), None, "look")
    assert answered(joiner, "made-up-later", None) == 0


def test_an_id_made_for_a_call_is_no_id_of_the_source() -> None:
    joiner = Joiner()
    joiner.open(at(0), "call-2", "look")
    assert joiner.open(at(1), None, "look") == ("call-3", False)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abc"))))
def test_no_call_is_answered_twice(steps: list[tuple[bool, str]]) -> None:
    joiner = Joiner()
    seen: list[int] = []
    for turn, (is_call, raw_id) in enumerate(steps):
        if is_call:
            joiner.open(at(turn), raw_id, "look")
        elif (call := joiner.answer(raw_id, None)) is not None:
            assert call.raw_id == raw_id
            seen.append(call.at.turn)
    assert len(seen) == len(set(seen))


def test_twenty_thousand_open_calls_are_answered_fast_from_either_end() -> None:
    joiner = Joiner()
    for turn in range(20_000):
        joiner.open(at(turn), f"id-{turn}" if turn % 2 else None, f"tool-{turn % 7}")
    start = time.process_time()
    assert answered(joiner, "id-19999", None) == 19_999
    assert [answered(joiner, f"id-{turn}", None) for turn in range(19_997, 0, -2)] == list(
        range(19_997, 0, -2)
    )
    assert [answered(joiner, None, f"tool-{turn % 7}") for turn in range(0, 20_000, 2)] == list(
        range(0, 20_000, 2)
    )
    assert joiner.waiting == []
    assert time.process_time() - start < 2
