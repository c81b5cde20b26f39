"""The name that an answer is about (spec/build.md 4.5)."""

from typing import Any

import pytest

from benchmarks.contract.asked_names import main_name, names_in
from benchmarks.contract.compiling import compile_contract
from benchmarks.contract.observed import ObservedCall
from tests.benchmarks.contract.making import POLICY, TOOLS, Talk, call, rejected, tool

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]
INNS = "Inns: Old Mill\nBlue Boar Inn\nThe Two Keys\nMoulin de la Tour"


def chosen(text: str, *calls: ObservedCall, given: str = "") -> str | None:
    found = main_name(text, given, calls or (call("get_order", INNS, order_id="x"),))
    return found[0] if found else None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Take the Blue Boar Inn, or Old Mill.", ["Take the Blue Boar Inn", "Old Mill"]),
        ("**Inn Name**: Old Mill", ["Old Mill"]),
        ("Moulin de la Tour is best", ["Moulin de la Tour"]),
        ("Old\nMill", ["Old", "Mill"]),
        ("École Élan 北京", ["École Élan"]),
        ("no names at all", []),
    ],
)
def test_names_are_runs_of_capitalised_words(text: str, names: list[str]) -> None:
    assert [" ".join(run) for run in names_in(text)] == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I recommend Old Mill.", "Old Mill"),
        ("Old Mill and Blue Boar Inn: take Blue Boar Inn.", "Blue Boar Inn"),
        ("Dear Guest Blue Boar Inn Yours", "Blue Boar Inn"),
        ("MOULIN DE LA TOUR", "MOULIN DE LA TOUR"),
        ("Golden Lion", None),
        ("Mill", None),
        ("", None),
    ],
)
def test_the_name_said_most_that_a_result_holds(text: str, name: str | None) -> None:
    assert chosen(text) == name


def test_a_name_that_was_given_or_that_only_a_rejected_call_brought_is_none() -> None:
    assert chosen("Old Mill.", given="Is the Old Mill open?") is None
    assert chosen("Old Mill.", rejected("get_order", order_id="Old Mill")) is None


def values(talk: Talk) -> list[tuple[Any, str | None, Any]]:
    found = compile_contract(talk.ends(), POLICY)
    return [
        (entry.value, entry.as_, entry.source)
        for entry in found.contract.required
        if entry.type == "value_propagation"
    ]


def looked(question: str) -> Talk:
    return Talk(*OFFERED).user(question).calls("get_order", {"order_id": "x"}, INNS)


SOURCE = {"kind": "tool_result", "call_id": "c1"}


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Recommend me an inn.", True),
        ("What is the best inn?", True),
        ("Empfiehl mir ein Gasthaus.", True),
        ("Which inn is the best", True),
        ("Cancel my booking.", False),
    ],
)
def test_one_instruction_that_asks_for_a_thing_wants_its_name(question: str, asks: bool) -> None:
    found = [("Old Mill", "text", SOURCE)] if asks else []
    assert values(looked(question).says("Old Mill it is.")) == found


def test_a_dialogue_or_a_task_that_writes_wants_no_name() -> None:
    talk = looked("Which inn is best?").says("Old Mill.").user("Thanks").says("Old Mill it is.")
    assert values(talk) == []
    writes = looked("Which inn is best? Close T-1.").calls("close-ticket", {"ticket_id": "T-1"})
    assert values(writes.says("Old Mill it is.")) == []
