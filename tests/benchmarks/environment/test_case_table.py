"""The table of cases of spec/build.md 6.4, cell by cell, and what of it a frozen world does."""

import re
from typing import Any

import pytest

from benchmarks.environment.world import World
from benchmarks.records.environment import FixtureRow
from tests.benchmarks.environment.bookings import GET_A, A, own, said, world

B = {"booking_id": "B-2", "cabin": "eco", "status": "open"}
CALL = tuple[str, dict[str, Any]]
GAP = {
    "error": "not_recorded",
    "message": "get_booking: no recorded result for these arguments in this environment.",
}
FIRST, SECOND = {**A, "n": 1}, {**A, "n": 2}
GET: CALL = ("get_booking", {"booking_id": "A-7"})


def contents(here: World, *calls: CALL) -> list[Any]:
    return [here.call(name, arguments).content for name, arguments in calls]


@pytest.mark.parametrize(
    ("rows", "calls", "answers"),
    [
        pytest.param(
            [
                own("get_booking", FIRST, booking_id="A-7"),
                own("get_booking", SECOND, booking_id="A-7"),
            ],
            [GET, GET, GET],
            [FIRST, SECOND, SECOND],
            id="get(A) recorded twice, called three times",
        ),
        pytest.param(
            [GET_A],
            [("cancel_booking", {"booking_id": "A-7"}), GET],
            [..., {**A, "status": "cancelled"}],
            id="cancel(A), then get(A)",
        ),
        pytest.param(
            [GET_A],
            [("update_booking", {"booking_id": "A-7", "cabin": "first"}), GET],
            [..., {**A, "cabin": "first"}],
            id="update(A, cabin), get(A)",
        ),
        pytest.param(
            [GET_A, own("get_booking", B, booking_id="B-2")],
            [
                ("get_booking", {"booking_id": "B-2"}),
                ("update_booking", {"booking_id": "A-7", "cabin": "first"}),
                ("get_booking", {"booking_id": "B-2"}),
            ],
            [B, ..., B],
            id="get(B), update(A), get(B)",
        ),
        pytest.param(
            [GET_A],
            [("get_booking", {"booking_id": "Z-9"})],
            [GAP],
            id="get(Z) never recorded",
        ),
        pytest.param(
            [own("pay", "Error: card declined", "error", method="card", amount=5)],
            [("pay", {"method": "card", "amount": 5})],
            ["Error: card declined"],
            id="pay with a bad method, recorded as rejected",
        ),
        pytest.param(
            [own("search_rooms", ["R-1"], views=["sea", "park"], floor=2)],
            [("search_rooms", {"views": ["park", "sea"], "floor": 2})],
            [["R-1"]],
            id="search with list arguments in another order",
        ),
    ],
)
def test_a_case_is_answered_as_the_page_says(
    rows: list[FixtureRow], calls: list[CALL], answers: list[Any]
) -> None:
    found = contents(world(*rows), *calls)
    assert [got for got, wanted in zip(found, answers, strict=True) if wanted is not ...] == [
        wanted for wanted in answers if wanted is not ...
    ]


def test_what_was_never_recorded_is_one_more_gap() -> None:
    here = world(GET_A)
    assert here.call(*GET).counted == "served"
    assert here.call("get_booking", {"booking_id": "Z-9"}).status == "not_recorded"
    assert (here.fidelity().served, here.fidelity().not_recorded) == (1, 1)
    assert here.fidelity().share == 0.5


def test_a_created_thing_is_read_under_its_new_id() -> None:
    here = world()
    made = here.call("create_ticket", {"title": "Leak", "priority": "p1"}).content
    assert re.fullmatch("tkt-[0-9a-f]{8}", made["ticket_id"])
    again = here.call("get_ticket", {"ticket_id": made["ticket_id"]})
    assert said(again) == (
        "ok",
        {"ticket_id": made["ticket_id"], "title": "Leak", "priority": "p1"},
        "simulated",
        "overlay",
    )


def test_two_rollouts_of_one_task_share_no_state() -> None:
    one = world(GET_A)
    other = World.of(one.scene)
    one.call("cancel_booking", {"booking_id": "A-7"})
    assert one.call(*GET).content["status"] == "cancelled"
    assert said(other.call(*GET)) == ("ok", A, "served", "fixture")
    assert (one.fidelity().calls, other.fidelity().calls) == (2, 1)


# Frozen: recorded rows and shared rows; writes are echoed; nothing later changes


def test_in_a_frozen_world_a_write_is_echoed_and_nothing_later_changes() -> None:
    here = world(GET_A, simulated=False)
    written = here.call("cancel_booking", {"booking_id": "A-7"})
    assert (written.status, written.counted, written.write) == ("ok", "echoed", True)
    assert said(here.call(*GET)) == ("ok", A, "served", "fixture")


def test_in_a_frozen_world_what_was_made_cannot_be_read() -> None:
    here = world(simulated=False)
    made = here.call("create_ticket", {"title": "Leak", "priority": "p1"}).content
    assert re.fullmatch("tkt-[0-9a-f]{8}", made["ticket_id"])
    assert here.call("get_ticket", {"ticket_id": made["ticket_id"]}).status == "not_recorded"


def test_in_a_frozen_world_nothing_is_computed() -> None:
    assert world(simulated=False).call("calculate", {"expression": "1 + 1"}).status == (
        "not_recorded"
    )
    assert world().call("calculate", {"expression": "1 + 1"}).content == "2.0"


def test_a_recorded_rejection_is_served_in_a_frozen_world_too() -> None:
    here = world(own("pay", "Error: declined", "error", method="card"), simulated=False)
    assert here.call("pay", {"method": "card"}).content == "Error: declined"
    assert here.call("pay", {"method": "card"}).counted == "echoed"
