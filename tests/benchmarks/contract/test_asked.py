"""Values that were asked for and said (spec/build.md 4.5)."""

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


def asked(question: str) -> Talk:
    return Talk(*OFFERED).system("At most 5 bags each.").user(question)


def looked(question: str) -> Talk:
    return asked(question).calls("get_order", {"order_id": "A-7"}, '{"price": 12.5, "n": 3}')


@pytest.mark.parametrize(
    "question",
    [
        "How much is it in all",
        "how many bags?",
        "Tell me the number of bags.",
        "Give me the total refund",
        "What is the price?",
        "what were the total?",
        "What's my total spending?",
        "What is the maximum number of bags?",
        "Wie viel kostet das?",
        "Wie viele sind es?",
        "Combien ?",
        "¿Cuánto cuesta?",
        "¿cuántas son?",
        "Quantas malas?",
        "Quanti sono?",
        "Hoeveel is het?",
        "多少钱?",
        "いくらですか",
        "何個ありますか",
        "얼마예요?",
    ],
)
def test_a_quantity_asked_is_the_first_new_number_said(question: str) -> None:
    assert values(looked(question).says("It comes to 37.5 for 3.").says("Good bye 99")) == [
        (37.5, "number")
    ]


@pytest.mark.parametrize(
    "question",
    [
        "I want a refund.",
        "Make it cheap.",
        "Howmuch",
        "counting",
        "Take the desk with the smallest number of bags.",
        "I have a number of bags.",
    ],
)
def test_without_a_cue_or_a_question_nothing_is_asked(question: str) -> None:
    assert values(looked(question).says("It comes to 37.5 for 3.")) == []


def test_a_number_said_before_by_anyone_is_not_new() -> None:
    talk = looked("How much is it? I have 40").says("Let me see 3 of them, at most 5.")
    assert values(talk.says("It is 12.5, less than 40.").says("So 27.5.")) == [(27.5, "number")]


def test_a_number_in_the_arguments_of_an_earlier_call_is_not_new() -> None:
    talk = asked("How much is it?").calls("find_user", {"email": "2 * 8"}, "sixteen")
    assert values(talk.says("From 8, it is 16.")) == [(16, "number")]


def test_list_numbering_is_no_answer() -> None:
    assert values(looked("How many?").says("1. First.\n2. Then.\nSo 9.")) == [(9, "number")]


def test_a_percentage_keeps_its_sign() -> None:
    assert values(looked("How much off?").says("That is 15% off.")) == [("15%", "number")]


def test_more_than_three_new_numbers_are_none_and_claimed() -> None:
    found = compile_contract(looked("How many?").says("10, 11, 12 and 13").ends(), POLICY)
    assert [entry.type for entry in found.contract.required] == [
        "no_state_change",
        "response_obligation",
    ]
    assert [claim["claim"] for claim in found.claims] == [
        "4 new numbers answer the question: none is required"
    ]


def test_a_quantity_that_was_looked_up_is_required_without_the_ids_beside_it() -> None:
    talk = asked("How much did I pay for it?")
    talk.calls("get_order", {"order_id": "A-7"}, '{"order": "W-12", "price": 12.5, "last": "1065"}')
    assert values(talk.says("Order W-12 cost 12.5, on the card ending in 1065.")) == [
        (12.5, "number")
    ]


LOOKED_UP = '{"gate": "B-12", "leaves": "2024-05-20", "seats": 180, "code": "7"}'


@pytest.mark.parametrize(
    ("question", "said", "found"),
    [
        ("Which gate is it?", "Gate B-12.", [("B-12", "exact")]),
        ("When does it leave?", "On May 20, 2024.", [("2024-05-20", "date")]),
        ("When does it leave?", "On May 20.", [("May 20", "date")]),
        ("Where is it?", "Gate B-12, 180 seats.", [("B-12", "exact"), (180, "number")]),
        ("Which gate is it", "Gate B-12.", []),
        ("Please tell me the gate.", "Gate B-12.", [("B-12", "exact")]),
        ("Send us the gate", "[Gate](B-12).", [("B-12", "exact")]),
        ("The gate shows me nothing.", "Gate B-12.", []),
        ("Is it late?", "Gate B-12.", []),
        ("Which gate is B-12?", "Gate B-12.", []),
        ("Which gate is it?", "Gate C-99.", []),
        ("Which are there?", "1. one", []),
        ("Welches Gate ist es?", "B-12", [("B-12", "exact")]),
        ("¿Cuál es?", "B-12", [("B-12", "exact")]),
        ("哪个登机口？", "B-12", [("B-12", "exact")]),
    ],
)
def test_a_fact_asked_is_what_the_final_text_repeats_from_a_result(
    question: str, said: str, found: list[tuple[Any, str]]
) -> None:
    talk = Talk(*OFFERED).user(question).calls("get_order", {"order_id": "x"}, LOOKED_UP)
    assert values(talk.says(said)) == found


def test_in_a_dialogue_an_order_asks_for_nothing() -> None:
    talk = Talk(*OFFERED).user("Tell me the gate.").calls("get_order", {"order_id": "x"}, LOOKED_UP)
    assert values(talk.says("Gate B-12.").user("Thanks").says("Gate B-12 it is.")) == []


def test_a_fact_of_a_rejected_call_or_of_the_system_text_is_none() -> None:
    talk = Talk(*OFFERED).system("Gate B-12 is closed.").user("Which gate is it?")
    talk.calls("get_order", {"order_id": "x"}, "Error: gate C-3", "error")
    talk.calls("get_order", {"order_id": "y"}, LOOKED_UP)
    assert values(talk.says("B-12, not C-3.")) == []


def test_more_than_three_facts_are_none() -> None:
    talk = Talk(*OFFERED).user("Which gates are there?")
    talk.calls("get_order", {"order_id": "x"}, '["B-1", "B-2", "B-3", "B-4"]')
    assert values(talk.says("B-1, B-2, B-3, B-4")) == []


def test_only_the_first_user_turns_ask() -> None:
    talk = Talk(*OFFERED).user("Hello.").says("Hello!").user("How many bags?")
    assert values(talk.says("17 bags.")) == []


def test_a_greeting_before_the_user_is_passed_over() -> None:
    talk = Talk(*OFFERED).says("Welcome!").user("How many bags?")
    assert values(talk.says("17 bags.")) == [(17, "number")]


def test_a_task_that_hands_over_or_is_not_closed_asks_for_nothing() -> None:
    hands = asked("How many?").says("17.").calls("transfer_to_human_agents", {"summary": "x"})
    open_end = asked("How many?").says("17.")
    assert values(hands, "handoff") == []
    assert values(open_end, "limit") == []


def test_the_entry_names_where_the_value_comes_from() -> None:
    talk = Talk(*OFFERED).user("Which gate?").calls("get_order", {"order_id": "x"}, LOOKED_UP)
    entry = compile_contract(talk.says("B-12").ends(), POLICY).contract.required[-1]
    assert entry.dump() == {
        "id": "o3",
        "type": "value_propagation",
        "value": "B-12",
        "as": "exact",
        "source": {"kind": "tool_result", "call_id": "c1"},
        "must_reach": {"kind": "response"},
        "provenance": {"kind": "trace", "note": "asked_value"},
    }
