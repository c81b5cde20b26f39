"""Pre-state is decided row by row: by the entity a write touched and the ids it made."""

from benchmarks.contract.mutating import Policy, effective_policy
from benchmarks.environment.prestate import JudgedCall, judge_calls
from benchmarks.records.conversation import Tool
from tests.benchmarks.environment.hotel import Step, conversation

POLICY: Policy = effective_policy(
    None,
    [
        Tool(name=name, parameters={"properties": {argument: {"type": "string"}}})
        for name, argument in [
            ("get_booking", "booking_id"),
            ("cancel_booking", "booking_id"),
            ("list_bookings", "guest_id"),
            ("create_ticket", "title"),
            ("get_ticket", "ticket_id"),
            ("sync", "name"),
            ("transfer_to_human_agents", "summary"),
        ]
    ],
)


def pre(*steps: Step) -> list[bool]:
    return [item.pre_state for item in judged(*steps)]


def judged(*steps: Step) -> list[JudgedCall]:
    return judge_calls(conversation(*steps), POLICY)


A, B = {"booking_id": "A-7"}, {"booking_id": "B-8"}
GET_A, GET_B = ("get_booking", A, {"s": 1}), ("get_booking", B, {"s": 1})
CANCEL_A = ("cancel_booking", A, "Cancelled.")


def test_read_before_any_write_is_pre_state() -> None:
    assert pre(GET_A, GET_B) == [True, True]


def test_accepted_write_is_gold() -> None:
    assert pre(CANCEL_A) == [False]


def test_read_of_the_written_entity_is_gold_and_of_another_is_pre_state() -> None:
    assert pre(GET_A, CANCEL_A, GET_A, GET_B) == [True, False, False, True]


def test_rejected_write_is_pre_state_and_touches_nothing() -> None:
    assert pre(("cancel_booking", A, "Error: too late"), GET_A) == [True, True]


def test_read_that_shows_an_id_the_write_made_is_gold() -> None:
    assert pre(
        ("create_ticket", {"title": "Leak"}, {"ticket_id": "tkt-9"}),
        ("get_ticket", {"ticket_id": "tkt-1"}, {"ticket_id": "tkt-1", "open": ["tkt-2"]}),
        ("get_ticket", {"ticket_id": "tkt-1"}, {"ticket_id": "tkt-1", "open": ["tkt-9"]}),
    ) == [False, True, False]


def test_id_that_the_user_named_first_was_not_made_by_the_write() -> None:
    assert pre(
        "Please name it tkt-9.",
        ("create_ticket", {"title": "Leak"}, {"ticket_id": "tkt-9"}),
        ("list_bookings", {"guest_id": "g-1"}, {"tickets": ["tkt-9"]}),
    ) == [False, True]


def test_id_that_a_look_up_showed_first_was_not_made_by_the_write() -> None:
    assert pre(
        ("list_bookings", {"guest_id": "g-1"}, {"bookings": ["A-7"]}),
        ("cancel_booking", {"booking_id": "B-8"}, {"booking_id": "B-8", "next_id": "A-7"}),
        ("list_bookings", {"guest_id": "g-1"}, {"bookings": ["A-7"]}),
    ) == [True, False, True]


def test_result_that_was_never_captured_is_nothing_to_serve() -> None:
    assert pre(("get_booking", A, None), GET_B) == [False, True]


def test_error_of_a_read_is_pre_state() -> None:
    (item,) = judged(("get_booking", A, "Error: no such booking"))
    assert item.pre_state
    assert item.call.status == "error"


def test_hand_off_is_neither_read_nor_write() -> None:
    (item,) = judged(("transfer_to_human_agents", {"summary": "x"}, "ok"))
    assert (item.is_lookup, item.is_write, item.pre_state) == (False, False, False)


def test_unknown_call_is_judged_like_a_read_but_is_none() -> None:
    items = judged(("sync", {"name": "A-7"}, "done"), CANCEL_A, ("sync", {"name": "A-7"}, "done"))
    assert [item.pre_state for item in items] == [True, False, False]
    assert not items[0].is_lookup


def test_made_ids_are_named_by_their_place() -> None:
    (item,) = judged(("create_ticket", {"title": "Leak"}, {"data": {"ticket_id": "tkt-9"}}))
    assert item.made_ids == {"/data/ticket_id": "tkt-9"}
