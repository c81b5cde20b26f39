"""Values that were asked for in a task that also writes (spec/build.md 4.5, 4.9)."""

from typing import Any

import pytest

from benchmarks.contract.compiling import compile_contract
from tests.benchmarks.contract.making import POLICY, TOOLS, Talk, tool

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]


def values(talk: Talk, end: str = "reply") -> list[tuple[Any, str | None]]:
    found = compile_contract(talk.ends(end), POLICY)
    return [
        (entry.value, entry.as_)
        for entry in found.contract.required
        if entry.type == "value_propagation"
    ]


def closing(*questions: str) -> Talk:
    """A user who asks, has a ticket closed, and asks again."""
    talk = Talk(*OFFERED).system("At most 5 a day.").user(questions[0])
    talk.calls("get_order", {"order_id": "A-7"}, '{"price": 12.5, "ref": "4410", "desk": "B-12"}')
    talk.calls("close-ticket", {"ticket_id": "T-1"}).says("Closed.")
    for question in questions[1:]:
        talk.user(question)
    return talk


def test_a_quantity_asked_after_the_write_is_required() -> None:
    assert values(closing("Close it.", "How much is it in all?").says("In all 37.5.")) == [
        (37.5, "number")
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "It is 12.5.",  # looked up
        "At most 5.",  # the system text
        "Order A-7 for 99.",  # an argument of a later call
        "Between 30 and no more.",  # said by the user
        "3-4 days, or 8 to 10.",  # ranges
        "Ⅷ … ™ ﬁrst: 3–4 days",
        "It is -37.5.",
        "1. Yes",
    ],
)
def test_a_number_that_stands_elsewhere_is_no_answer(answer: str) -> None:
    talk = closing("Close it.", "How much is it? I have 30.").says(answer)
    talk.calls("get_order", {"order_id": "99"})
    assert values(talk) == []


def test_a_sum_that_a_tool_worked_out_is_an_answer() -> None:
    talk = closing("Close it.", "How much is it in all?")
    talk.calls("get_order", {"order_id": "12.5 * 3"}, "37.50")
    assert values(talk.says("It comes to $37.50.")) == [(37.5, "number")]


def test_only_the_text_that_directly_follows_the_question_answers_it() -> None:
    talk = closing("How much is it?").user("Well?").says("It is 37.5.")
    assert values(talk) == []


def test_a_number_before_the_last_write_is_a_forecast() -> None:
    def talk(last: str) -> Talk:
        talk = Talk(*OFFERED).user("How much would it be?").says("It would be 37.5.").user("Do.")
        return talk.calls("close-ticket", {"ticket_id": "T-1"}).says(last)

    assert values(talk("Done.")) == []
    assert values(talk("Done, for 37.50.")) == [(37.5, "number")]


def test_more_than_three_numbers_are_none_and_claimed() -> None:
    talk = closing("Close it.", "How many?").says("10, 11, 12 and 13.")
    found = compile_contract(talk.ends(), POLICY)
    assert [entry.type for entry in found.contract.required] == [
        "state_effect",
        "response_obligation",
    ]
    assert found.claims[-1]["claim"] == "4 values answer the question: none is required"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Can you give me the claim number?", "The claim number is **4410**."),
        ("Could you find the desk code?", "Done. Your desk code: B-12, have fun."),
        ("Hast du die Vorgangsnummer?", "Die Vorgangsnummer lautet 4410."),
        ("¿Me das el número de reclamo?", "Tu número de reclamo es 4410."),
        ("Vous avez le numéro de dossier ?", "Le numéro de dossier est 4410."),
        ("受付番号は？", "受付番号は 4410 です。"),
    ],
)
def test_what_was_asked_for_by_its_name_is_required(question: str, answer: str) -> None:
    code = "B-12" if "B-12" in answer else "4410"
    assert values(closing(question, "Well?").says(answer)) == [(code, "exact")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Give me the claim number.", "The claim number is 4410."),  # no question
        ("Have you the number?", "The number is 4410."),  # no name
        ("Which is the claim number?", "It is 4410."),  # not in one sentence
        ("Which is the claim number?", "You asked for the claim number. It is 4410."),
        ("Which is the claim number?", "The claim number is 9999."),  # in no result
        ("Which is the claim number, 4410?", "The claim number is 4410."),  # said by the user
        ("Which is the order number?", "The order number is A-7."),  # an argument
        ("Which is the claim number?", "The claim number costs 12.5."),  # a figure
    ],
)
def test_what_only_stands_nearby_is_not_required(question: str, answer: str) -> None:
    assert values(closing(question, "Well?").says(answer)) == []


def test_the_first_answer_after_the_last_asking_counts() -> None:
    talk = closing("Which is the desk code?").says("The desk code is 4410.")
    talk.user("No, the desk code?").says("Sorry, the desk code is B-12.").says("Desk code 4410.")
    assert values(talk) == [("B-12", "exact")]


def test_a_hand_off_or_an_open_end_asks_for_nothing() -> None:
    talk = closing("Close it.", "How much is it in all?").says("In all 37.5.")
    assert values(talk, "limit") == []
    talk.calls("transfer_to_human_agents", {"summary": "x"})
    assert values(talk, "handoff") == []


def test_the_entries_name_where_the_values_come_from() -> None:
    talk = closing("How many, and the desk code?").says("It is 17. The desk code is B-12.")
    talk.user("How many?").says("18")
    required = compile_contract(talk.ends(), POLICY).contract.required
    assert [(entry.value, entry.source, entry.provenance) for entry in required if entry.value] == [
        (17, {"kind": "answer"}, {"kind": "trace", "note": "asked_value"}),
        (18, {"kind": "answer"}, {"kind": "trace", "note": "asked_value"}),
        (
            "B-12",
            {"kind": "tool_result", "call_id": "c1"},
            {"kind": "trace", "note": "asked_value"},
        ),
    ]
