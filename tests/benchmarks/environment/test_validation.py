"""The oracle goes through the world, and every sentinel must fail strictly."""

from typing import Any

import pytest

from benchmarks.environment.package import TaskSource
from benchmarks.environment.validation import (
    is_solvable,
    passing_sentinels,
    stamped,
    validate,
)
from benchmarks.records.blocks import Hashes
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Conversation
from benchmarks.records.environment import OfflineValidation, TaskValidation
from tests.benchmarks.environment.hotel import (
    CANCELLED,
    LEAK,
    POLICY,
    REFUSED,
    conversation,
    packaged,
    source,
)

AT = "2026-11-02T09:21:00.000Z"


def validation(*sources: TaskSource, others: tuple[Conversation, ...] = ()) -> OfflineValidation:
    return validate(packaged(*sources, others=others), sources, POLICY, generated_at=AT)


def row(spoken: Conversation, **about: Any) -> TaskValidation:
    return validation(source("t1", spoken, **about)).tasks[0]


def contract(*required: dict[str, Any], **fields: Any) -> Contract:
    return Contract.read({"status": "operator", "writes": "forbid", "required": required, **fields})


@pytest.mark.parametrize("spoken", [CANCELLED, LEAK, REFUSED])
def test_source_solves_its_own_task(spoken: Conversation) -> None:
    found = row(spoken)
    assert is_solvable(found)
    assert found.oracle.strict == 1
    assert found.oracle.fidelity is not None
    assert found.oracle.fidelity["not_recorded"] == 0
    assert found.oracle.missing_gold is None
    assert passing_sentinels(found) == []


def test_id_that_the_source_made_is_the_worlds_own_in_later_calls() -> None:
    found = row(LEAK)
    assert found.oracle.met == ["o1", "o2", "o3"]
    assert found.oracle.fidelity is not None
    assert found.oracle.fidelity["echoed"] == 2


def test_id_inside_a_reply_of_text_is_followed_too() -> None:
    spoken = conversation(
        "Water!",
        ("create_ticket", {"title": "Leak"}, "Ticket tkt-81 created."),
        ("notify_desk", {"ticket_id": "tkt-81"}, "ok"),
        "> Done.",
    )
    assert is_solvable(row(spoken))


@pytest.mark.parametrize("reply", ["Number 26 of 2026-05-01, size 102.", "size: 10245\nid_: '26'"])
def test_short_id_in_a_text_is_the_one_that_a_later_call_names(reply: str) -> None:
    spoken = conversation(
        "Water!",
        ("create_ticket", {"title": "Leak"}, reply),
        ("notify_desk", {"ticket_id": "26"}, "ok"),
        "> Done.",
    )
    assert is_solvable(row(spoken))


def test_id_inside_an_inner_object_is_followed_too() -> None:
    spoken = conversation(
        "Water!",
        ("create_ticket", {"title": "Leak"}, {"data": {"ticket": {"id": "tkt-81"}}}),
        ("notify_desk", {"ticket_id": "tkt-81"}, "ok"),
        "> Done.",
    )
    assert is_solvable(row(spoken))


def test_call_that_was_first_rejected_and_then_accepted_is_played_until_it_is() -> None:
    spoken = conversation(
        "Cancel A-7.",
        ("cancel_booking", {"booking_id": "A-7"}, "Error: try again"),
        ("cancel_booking", {"booking_id": "A-7"}, "Cancelled."),
        "> Done.",
    )
    found = row(spoken)
    assert is_solvable(found)
    assert found.oracle.fidelity == {
        "calls": 2,
        "served": 1,
        "not_recorded": 0,
        "echoed": 1,
        "simulated": 0,
        "live": 0,
        "rejected": 0,
        "share": 1,
    }


def test_post_state_read_of_the_source_is_simulated_not_missing() -> None:
    spoken = conversation(
        "Cancel A-7.",
        ("get_booking", {"booking_id": "A-7"}, {"booking_id": "A-7", "status": "open"}),
        ("cancel_booking", {"booking_id": "A-7"}, "Cancelled."),
        ("get_booking", {"booking_id": "A-7"}, {"booking_id": "A-7", "status": "cancelled"}),
        "> Done.",
    )
    found = row(spoken)
    assert is_solvable(found)
    assert found.oracle.fidelity is not None
    assert found.oracle.fidelity["simulated"] == 1


def test_post_state_read_that_no_row_can_answer_is_not_solvable() -> None:
    spoken = conversation(
        "Cancel A-7.",
        ("cancel_booking", {"booking_id": "A-7"}, "Cancelled."),
        ("get_booking", {"booking_id": "A-7"}, {"status": "cancelled"}),
        "> Done.",
    )
    found = row(spoken)
    assert found.oracle.strict == 1
    assert not is_solvable(found)


def test_read_without_a_captured_result_is_not_asked_again() -> None:
    spoken = conversation(
        "Cancel A-7.",
        ("cancel_booking", {"booking_id": "A-7"}, "Cancelled."),
        ("get_booking", {"booking_id": "B-8"}, None),
        "> Done.",
    )
    found = row(spoken)
    assert is_solvable(found)
    assert found.oracle.fidelity is not None
    assert found.oracle.fidelity["calls"] == 1


def test_hand_off_without_a_captured_result_is_played() -> None:
    spoken = conversation(
        "Cancel A-7.",
        ("cancel_booking", {"booking_id": "A-7"}, "Cancelled."),
        ("transfer_to_human_agents", {"summary": "angry"}, None),
    )
    found = row(spoken)
    assert is_solvable(found)
    assert found.oracle.fidelity is not None
    assert found.oracle.fidelity["calls"] == 2


def test_sentinels_that_do_not_apply_are_absent() -> None:
    assert set(row(CANCELLED).sentinels) == {"noop", "wrong_value", "write_everything"}
    assert set(row(LEAK).sentinels) == {
        "noop",
        "wrong_value",
        "write_everything",
        "enum_violation",
    }
    assert set(row(REFUSED).sentinels) == {"noop", "write_everything"}


def test_noop_is_absent_where_nothing_needs_a_call_or_a_text() -> None:
    nothing = contract({"id": "o1", "type": "no_state_change"})
    assert set(row(REFUSED, contract=nothing).sentinels) == {"write_everything"}


def test_write_everything_is_absent_where_extra_writes_are_allowed() -> None:
    effect = {"id": "o1", "type": "state_effect", "tool": "cancel_booking", "arguments": {}}
    free = contract(effect, writes="allow")
    assert "write_everything" not in row(CANCELLED, contract=free).sentinels


def test_verifier_that_takes_any_argument_lets_wrong_values_pass() -> None:
    anything = {"booking_id": {"match": "any"}}
    effect = {"id": "o1", "type": "state_effect", "tool": "cancel_booking", "arguments": anything}
    assert "wrong_value" not in row(CANCELLED, contract=contract(effect)).sentinels


def test_entry_that_another_of_its_group_stands_in_for_proves_nothing() -> None:
    said = {
        "id": "o1",
        "type": "value_propagation",
        "value": "cancelled",
        "must_reach": {"kind": "response"},
        "any_of": "g",
    }
    closed = {"id": "o2", "type": "response_obligation", "kind": "answered", "any_of": "g"}
    found = row(CANCELLED, contract=contract(said, closed, writes="allow"))
    assert set(found.sentinels) == {"noop"}


def test_every_call_that_meets_an_entry_is_spoiled() -> None:
    spoken = conversation(
        "Cancel A-7.",
        ("cancel_booking", {"booking_id": "A-7", "note": "a"}, "Cancelled."),
        ("cancel_booking", {"booking_id": "A-7", "note": "b"}, "Cancelled."),
        "> Done.",
    )
    effect = {
        "id": "o1",
        "type": "state_effect",
        "tool": "cancel_booking",
        "arguments": {"booking_id": {"match": "exact", "value": "A-7"}},
    }
    assert passing_sentinels(row(spoken, contract=contract(effect, writes="allow"))) == []


def test_sentinel_that_passes_is_named() -> None:
    found = row(CANCELLED)
    passed = found.sentinels["noop"].with_(strict=1)
    holed = found.with_(sentinels={**found.sentinels, "noop": passed})
    assert passing_sentinels(holed) == ["noop"]


@pytest.mark.parametrize(
    "forbidden",
    [
        {"id": "x1", "type": "forbidden", "tool": "create_ticket", "reason": "not asked"},
        {"id": "x1", "type": "forbidden_value", "value": "refund", "reason": "never promise"},
    ],
)
def test_forbidden_thing_is_tried(forbidden: dict[str, Any]) -> None:
    effect = {
        "id": "o1",
        "type": "state_effect",
        "tool": "cancel_booking",
        "arguments": {"booking_id": {"match": "exact", "value": "A-7"}},
    }
    found = row(CANCELLED, contract=contract(effect, writes="allow", forbidden=[forbidden]))
    assert found.oracle.strict == 1
    assert found.sentinels["forbidden_write"].strict == 0
    assert found.sentinels["forbidden_write"].violated == ["x1"]


def test_preserved_entity_is_touched() -> None:
    effect = {"id": "o1", "type": "state_effect", "tool": "cancel_booking", "arguments": {}}
    kept = {"id": "p1", "type": "preserved", "entity": {"type": "booking", "id": "B-8"}}
    found = row(CANCELLED, contract=contract(effect, writes="allow", preserved=[kept]))
    assert found.sentinels["forbidden_write"].violated == ["p1"]


def test_contract_that_cannot_be_judged_has_no_numbers_and_no_sentinels() -> None:
    found = row(CANCELLED, contract=contract())
    assert found.oracle.judgeable is False
    assert found.oracle.strict is None
    assert found.sentinels == {}
    assert not is_solvable(found)


def test_text_that_was_never_captured_is_missing_gold_not_a_broken_task() -> None:
    spoken = conversation("Cancel A-7.", ("cancel_booking", {"booking_id": "A-7"}, "Cancelled."))
    said = {
        "id": "o1",
        "type": "value_propagation",
        "value": "A-7",
        "must_reach": {"kind": "final_response"},
    }
    assert row(spoken, contract=contract(said)).oracle.missing_gold == ["response"]


def test_trials_fidelity_leaves_the_trial_itself_out() -> None:
    trial = conversation(
        "Cancel booking A-7, please.",
        ("get_booking", {"booking_id": "A-7"}, {"booking_id": "A-7", "status": "open"}),
        ("list_rooms", {"hotel": "Adler"}, ["11", "12"]),
        ("get_booking", {"booking_id": "Z-1"}, {"booking_id": "Z-1"}),
        "> Done.",
    )
    rooms = conversation("?", ("list_rooms", {"hotel": "Adler"}, ["11", "12"]), "> Two.")
    (found,) = validation(source("t1", CANCELLED, trials=(trial,)), others=(rooms,)).tasks
    assert found.trials_fidelity == {
        "trials": 1,
        "lookups": 3,
        "served": 2,
        "share": 2 / 3,
        "own_served": 1,
        "own_share": 1 / 3,
    }


def test_task_without_other_trials_has_no_trials_fidelity() -> None:
    assert row(CANCELLED).trials_fidelity is None


def test_validation_carries_the_verifier_it_was_made_for() -> None:
    found = validation(source("t1", CANCELLED))
    hashes = Hashes(env_sha256="e", verifier_sha256="v", meta_sha256="m")
    task = source("t1", CANCELLED).task.with_(content_hashes=hashes)
    assert found.engine == "native.v1"
    assert found.generated_at == AT
    assert [one.verifier_sha256 for one in stamped(found, {"t1": task}).tasks] == ["v"]


def test_every_task_has_a_row() -> None:
    found = validation(source("t1", CANCELLED), source("t2", LEAK), source("t3", REFUSED))
    assert [one.task_id for one in found.tasks] == ["t1", "t2", "t3"]
