"""What has to be said because every success says it: facts, names and common words."""

import pytest

from benchmarks.contract.asked import Said
from benchmarks.contract.learning.answers import Answers, wants_report


def answers(*texts: str, given: str = "", results: str = "") -> Answers:
    return Answers(texts, given, results)


def entries(found: Answers) -> list[tuple[object, str | None, str | None]]:
    return [(entry.value, entry.as_, entry.any_of) for entry in found.entries()]


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ("Cancel order A-7 and tell me the refund.", True),
        ("Cancel it and let us know when it is done.", True),
        ("Storniere das und sagen Sie mir den Betrag.", True),
        ("Annulez-la et dites-moi le total", True),
        ("How much is it?", True),
        ("Where is my parcel?", True),
        ("キャンセルして教えて", True),
        ("Cancel order A-7.", False),
        ("I know what I want. Cancel it.", False),
        ("Could you cancel it?", False),
        ("Tell Bob about it.", False),
    ],
)
def test_a_report_is_wanted_where_a_question_or_an_order_asks_for_one(
    request_: str, wanted: bool
) -> None:
    assert wants_report(request_) is wanted


def test_facts_are_ids_and_dates_of_the_results_and_any_number() -> None:
    found = answers(
        "Ref A-77 of 2024-05-20 comes to $18,240.",
        "18240 dollars in all (May 20, 2024), reference A-77.",
        results="A-77 was made on 2024-05-20",
    )
    assert found.facts() == [
        Said("A-77", "exact"), Said("2024-05-20", "date"), Said(18240, "number"),
    ]  # fmt: skip


def test_an_id_or_a_date_that_no_result_holds_is_no_fact() -> None:
    assert answers("A-77 on 2024-05-20.", "On 2024-05-20: A-77.").facts() == []


def test_a_time_is_a_fact_wherever_it_comes_from() -> None:
    found = answers("It starts at 10:30.", "At 10:30 it starts.")
    assert Said("10:30", "exact") in found.facts()


def test_what_one_success_does_not_say_or_the_user_said_is_no_fact() -> None:
    found = answers("7 bags and 3 seats.", "7 bags, 4 seats.", given="I have 7 bags.")
    assert found.facts() == []


def test_words_are_those_of_the_results_the_rarest_there_first() -> None:
    found = answers(
        "The lamp and the blue sky.", "A blue sky, a lamp.", results="sky blue blue lamp lamp lamp"
    )
    assert [one.value for one in found.words] == ["sky", "blue", "lamp"]


def test_a_name_has_a_capital_in_the_midst_of_every_text_and_in_the_results() -> None:
    results = "Zurich, Bern and a lake; Lake Street"
    midst = answers("We go to Zurich.", "The city is Zurich.", results=results)
    assert midst.names() == [Said("zurich", "text")]
    at_the_start = answers("Zurich it is.", "The city is Zurich.", results=results)
    assert at_the_start.names() == []
    small_somewhere = answers("See the Lake.", "It is the Lake.", results=results)
    assert small_somewhere.names() == []


def test_few_facts_are_each_required_however_few_the_successes() -> None:
    found = answers("Pages 4, 5 and 6.", "6, 5 and 4 pages.")
    assert entries(found) == [(4, "number", None), (5, "number", None), (6, "number", None)]


def test_of_more_facts_from_two_successes_any_one_of_three_will_do() -> None:
    found = answers("Seats 4, 5, 6, 7.", "7, 6, 5 and 4.")
    assert entries(found) == [
        (4, "number", "facts 1"),
        (5, "number", "facts 1"),
        (6, "number", "facts 1"),
        (7, "number", "facts 2"),
    ]


def test_from_four_successes_on_every_fact_is_required() -> None:
    found = answers(*["Seats 4, 5, 6, 7."] * 4)
    assert [any_of for _, _, any_of in entries(found)] == [None] * 4


def test_at_most_twelve_facts_are_asked_for() -> None:
    text = ", ".join(str(number) for number in range(20, 40)) + "."
    assert [value for value, _, _ in entries(answers(*[text] * 4))] == list(range(20, 32))


def test_of_common_words_whole_groups_of_six_count_and_any_one_will_do() -> None:
    words = "red green blue black white brown grey"
    found = answers(f"It is {words}.", f"So {words}!", results=words)
    assert [value for value, _, _ in entries(found)] == words.split()[:6]
    assert {any_of for _, _, any_of in entries(found)} == {"words 1"}
    fewer = answers("It is red and blue.", "So red, blue!", results=words)
    assert entries(fewer) == []


def test_a_success_that_says_nothing_leaves_nothing_to_say() -> None:
    assert entries(answers("Seats 4 and 5.", "")) == []


def test_an_entry_says_where_it_comes_from_and_how_far_it_must_reach() -> None:
    (entry,) = answers("4 pages.", "4 of them.").entries()
    assert (entry.type, entry.must_reach) == ("value_propagation", {"kind": "final_response"})
    assert entry.provenance == {"kind": "trace", "note": "said_by_all"}
