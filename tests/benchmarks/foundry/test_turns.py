import pytest

from benchmarks.foundry.turns import common_prefix, history_of, mark_of, system_text
from tests.benchmarks.foundry.factories import call, conversation, result


def history(*said: tuple[object, ...]) -> object:
    return history_of(conversation(said).turns)


def same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    left, right = conversation([one]).turns[0], conversation([other]).turns[0]
    return mark_of(left).same(mark_of(right))


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (("user", "Hi  there"), ("user", "hi there"), True),
        (("user", "hi"), ("assistant", "hi"), False),
        (("user", "hi"), ("user", "ho"), False),
        (
            ("assistant", "Let me look.", call("get", "c1", id=1)),
            ("assistant", call("get", "c2", id=1)),
            True,
        ),
        (
            ("assistant", call("get", "c1", id=1)),
            ("assistant", call("get", "c1", id="1")),
            True,
        ),
        (("assistant", call("get", "c1", id=1)), ("assistant", call("get", "c2", id=2)), False),
        (
            ("assistant", call("get", "call-1", id=1)),
            ("assistant", call("get", "call-1", id=2)),
            False,
        ),
        (("assistant", call("get", "c1", id=1)), ("assistant", call("put", "c2", id=1)), False),
        (("assistant", "bye"), ("assistant", "bye", call("get", id=1)), False),
        (("tool", result("a", call_id="c1")), ("tool", result("a", call_id="c2")), True),
        (("tool", result("a")), ("tool", result("b")), False),
    ],
)
def test_when_two_turns_are_the_same(
    one: tuple[object, ...], other: tuple[object, ...], equal: bool
) -> None:
    assert same(one, other) is equal


@pytest.mark.parametrize(
    ("left", "right", "length"),
    [
        ((), (), 0),
        ((("user", "a"),), (("user", "a"),), 1),
        ((("user", "a"), ("assistant", "b")), (("user", "a"), ("assistant", "c")), 1),
        ((("user", "a"), ("assistant", "b"), ("user", "c")), (("user", "a"),), 1),
        (
            (("user", "a"), ("assistant", call("g", "c1", id=1)), ("user", "c")),
            (("user", "a"), ("assistant", call("g", "c1", id=2)), ("user", "c")),
            3,
        ),
    ],
)
def test_common_prefix(left: tuple[object, ...], right: tuple[object, ...], length: int) -> None:
    one, other = history_of(conversation(left).turns), history_of(conversation(right).turns)
    assert common_prefix(one, other) == length
    assert common_prefix(other, one) == length


def test_system_turns_are_no_history() -> None:
    with_clock = history_of(conversation([("system", "It is 9:00."), ("user", "a")]).turns)
    later = history_of(conversation([("system", "It is 9:05."), ("user", "a")]).turns)
    assert common_prefix(with_clock, later) == 1


def test_the_system_text_is_all_system_turns() -> None:
    said = [("system", "One."), ("system", ""), ("user", "a"), ("system", "Two.")]
    assert system_text(conversation(said).turns) == "One.\n\nTwo."
