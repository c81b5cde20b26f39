"""What several successes say where the user spoke on: only what each was asked for counts."""

from typing import Any

from benchmarks.contract.learning.learn import learn_contract, read_success
from tests.benchmarks.contract.making import POLICY, TOOLS, Talk, tool

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]
DESK = '{"desk": "B-12", "floor": "south"}'


def values(*talks: Talk) -> list[tuple[Any, str | None]]:
    successes = [read_success(str(place), talk.ends(), POLICY) for place, talk in enumerate(talks)]
    return [
        (entry.value, entry.as_)
        for entry in learn_contract(successes, POLICY).contract.required
        if entry.type == "value_propagation"
    ]


def closing(*questions: str, request: str = "Close T-1.") -> Talk:
    talk = Talk(*OFFERED).user(request).calls("get_order", {"order_id": "A-7"}, DESK)
    talk.calls("close-ticket", {"ticket_id": "T-1"})
    for question in questions:
        talk.says("Closed.").user(question)
    return talk.says("The desk code is B-12, floor south.")


def test_in_a_dialogue_what_all_say_is_required_only_where_all_were_asked() -> None:
    asked = closing("Which is the desk code?")
    assert values(asked, closing("May I have the desk code?")) == [("B-12", "exact")]
    assert values(asked, closing("Thanks.")) == []


def test_without_a_dialogue_what_all_say_is_required_beside_work_where_the_user_asks() -> None:
    request = "Close T-1 and tell me the desk code."
    asked = [closing(request=request), closing(request=request)]
    assert ("B-12", "exact") in values(*asked)
    assert values(closing(), closing()) == []
