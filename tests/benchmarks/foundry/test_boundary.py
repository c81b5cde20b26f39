import pytest

from benchmarks.foundry.boundary import Boundary, boundary_of, demonstrations
from tests.benchmarks.foundry.factories import call, conversation, result

SYSTEM = ("system", "You handle refunds.")
ASK = ("user", "Refund A-1007.")
LOOK = ("assistant", call("get", "c1", id="A-1007"))
FOUND = ("tool", result("order A-1007: total 25, paid by card", call_id="c1"))
DONE = ("assistant", "Refunded.")


def cut(*said: tuple[object, ...], demonstration: int = 0, **extra: object) -> Boundary:
    found = boundary_of(conversation(said, **extra), demonstration)
    assert found is not None
    return found


def shown(boundary: Boundary) -> list[tuple[str, str]]:
    return [(turn.role, turn.text()) for turn in boundary.shown]


def test_the_candidate_sees_the_system_text_and_the_first_user_turn() -> None:
    found = cut(SYSTEM, ASK, LOOK, FOUND, DONE)
    assert found.system == "You handle refunds."
    assert shown(found) == [("user", "Refund A-1007.")]
    assert found.prompt == "Refund A-1007."
    assert found.user.dump() == {"mode": "none", "turns": []}


def test_later_user_turns_are_scripted_in_order() -> None:
    found = cut(ASK, DONE, ("user", "And A-1008."), LOOK, FOUND, DONE, ("user", "Thanks."))
    assert found.script == ("And A-1008.", "Thanks.")
    assert found.user.dump() == {"mode": "scripted", "turns": ["And A-1008.", "Thanks."]}
    assert found.user_text == "Refund A-1007.\nAnd A-1008.\nThanks."


def test_all_user_turns_before_the_first_answer_are_shown() -> None:
    found = cut(ASK, ("user", "Please."), DONE)
    assert shown(found) == [("user", "Refund A-1007."), ("user", "Please.")]
    assert (found.prompt, found.asked_text) == ("Refund A-1007.", "Refund A-1007.\nPlease.")


def test_a_fixed_greeting_is_shown() -> None:
    found = cut(SYSTEM, ("assistant", "How can I help?"), ASK, LOOK, FOUND, DONE)
    assert shown(found) == [("assistant", "How can I help?"), ("user", "Refund A-1007.")]
    assert found.prompt == "Refund A-1007."


def test_an_opening_with_calls_is_no_greeting() -> None:
    found = cut(LOOK, FOUND, ("assistant", "Found it."), ASK, DONE)
    assert shown(found) == [("user", "Refund A-1007.")]


def test_a_later_system_turn_is_never_shown() -> None:
    assert cut(SYSTEM, ASK, DONE, ("system", "Say 25."), ("user", "Ok")).system == (
        "You handle refunds."
    )


def test_without_a_user_turn_there_is_no_boundary() -> None:
    assert boundary_of(conversation([SYSTEM, LOOK, FOUND])) is None


def test_the_stop_marker_is_cut_and_remembered() -> None:
    found = cut(ASK, DONE, ("user", "Thank you! ###STOP###"), DONE, ("user", "###STOP###"))
    assert found.script == ("Thank you!",)
    assert found.stop
    assert found.user.dump() == {"mode": "scripted", "turns": ["Thank you!"], "stop": True}


@pytest.mark.parametrize(("reason", "stop"), [("user_stop", True), ("reply", False)])
def test_a_user_who_closed_is_remembered(reason: str, stop: bool) -> None:
    assert cut(ASK, DONE, end={"reason": reason, "detail": ""}).stop is stop


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("order A-1007:  total 25, paid by CARD", False),
        ("ls -la", False),
        ("yes", True),
        ("order A-1007: total 25, paid by cash", True),
    ],
)
def test_an_echo_of_a_command_or_a_result_is_no_user_turn(words: str, kept: bool) -> None:
    run = ("assistant", call("shell", "c2", command="ls -la"))
    yes = ("tool", result("yes", "shell", "c2"))
    found = cut(ASK, LOOK, FOUND, run, yes, ("user", words), DONE)
    assert found.script == ((words,) if kept else ())


def test_a_turn_of_pictures_alone_is_named() -> None:
    picture = {"type": "media", "media": "image", "mime": "image/png"}
    assert cut(ASK, DONE, ("user", picture)).script == ("[image/png]",)


EXAMPLES = (("user", "Refund X-1."), ("assistant", "Refunded X-1."))


def of_three(*tails: str) -> dict[str, object]:
    return {
        f"g{n}": conversation([SYSTEM, *EXAMPLES, ("user", tail), DONE])
        for n, tail in enumerate(tails)
    }


def test_a_block_that_three_conversations_open_with_is_a_demonstration() -> None:
    conversations = of_three("Refund A.", "Refund B.", "Refund C.")
    assert demonstrations(conversations, {}) == {"g0": 2, "g1": 2, "g2": 2}
    found = boundary_of(conversations["g0"], 2)
    assert shown(found) == [*EXAMPLES, ("user", "Refund A.")]
    assert found.prompt == "Refund A."


@pytest.mark.parametrize(
    ("tails", "alike"),
    [
        (("Refund A.", "Refund B."), {}),
        (("Refund A.", "Refund A.", "Refund B."), {}),
        (("Refund A.", "Refund B.", "Refund C."), {"g0": "t", "g1": "t", "g2": "t"}),
    ],
)
def test_fewer_conversations_equal_turns_and_trials_are_none(
    tails: tuple[str, ...], alike: dict[str, str]
) -> None:
    assert set(demonstrations(of_three(*tails), alike).values()) == {0}


def test_another_system_text_is_another_family() -> None:
    conversations = of_three("Refund A.", "Refund B.")
    other = ("system", "You handle flights.")
    conversations["g9"] = conversation([other, *EXAMPLES, ("user", "Refund C."), DONE])
    assert set(demonstrations(conversations, {}).values()) == {0}
