"""Writes change what later reads of the same entity return, and nothing else."""

from typing import Any

import pytest

from benchmarks.contract.mutating import describe_tool
from benchmarks.environment.overlay import (
    Change,
    Overlay,
    change_of,
    entity_of_call,
    is_same,
)
from benchmarks.records.environment import Entity

ORDER = Entity(type="order", id="A-7")


def write(tool: str, **arguments: Any) -> Change:
    entry = describe_tool(tool, None, [arguments])
    entity = entity_of_call(entry, arguments)
    assert entity is not None
    return change_of(tool, entry, entity, arguments)


def after(*changes: Change) -> Overlay:
    overlay = Overlay()
    for change in changes:
        overlay.record(change)
    return overlay


@pytest.mark.parametrize(
    ("verb", "word"),
    [
        ("cancel", "cancelled"),
        ("close", "closed"),
        ("archive", "archived"),
        ("complete", "completed"),
        ("approve", "approved"),
        ("reject", "rejected"),
    ],
)
def test_verb_sets_an_existing_status(verb: str, word: str) -> None:
    overlay = after(write(f"{verb}_order", order_id="A-7"))
    seen = overlay.seen({"order_id": "A-7", "status": "open"}, ORDER)
    assert seen.content == {"order_id": "A-7", "status": word}
    assert seen.changed


def test_status_is_not_invented() -> None:
    seen = after(write("cancel_order", order_id="A-7")).seen({"order_id": "A-7"}, ORDER)
    assert (seen.content, seen.changed) == ({"order_id": "A-7"}, False)


def test_arguments_named_like_keys_replace_their_values() -> None:
    overlay = after(write("update_order", order_id="A-7", cabin="first", unheard="of"))
    seen = overlay.seen({"order_id": "A-7", "cabin": "eco", "seat": 3}, ORDER)
    assert seen.content == {"order_id": "A-7", "cabin": "first", "seat": 3}


def test_nested_objects_merge_and_lists_are_replaced() -> None:
    change = write("update_order", order_id="A-7", address={"city": "Ulm"}, items=["b"])
    recorded = {"order_id": "A-7", "address": {"city": "Bonn", "zip": "53111"}, "items": ["a"]}
    assert after(change).seen(recorded, ORDER).content == {
        "order_id": "A-7",
        "address": {"city": "Ulm", "zip": "53111"},
        "items": ["b"],
    }


def test_text_that_spells_a_list_replaces_the_list() -> None:
    change = write("update_order", order_id="A-7", items='["b", "c"]')
    seen = after(change).seen({"order_id": "A-7", "items": ["a"]}, ORDER)
    assert seen.content["items"] == ["b", "c"]


def test_later_write_stands_over_an_earlier_one() -> None:
    overlay = after(
        write("update_order", order_id="A-7", cabin="first"),
        write("update_order", order_id="A-7", seat=4),
        write("update_order", order_id="A-7", cabin="business"),
    )
    seen = overlay.seen({"cabin": "eco", "seat": 3}, ORDER)
    assert seen.content == {"cabin": "business", "seat": 4}


def test_other_entity_is_unchanged() -> None:
    overlay = after(write("update_order", order_id="A-7", cabin="first"))
    recorded = {"order_id": "B-8", "cabin": "eco"}
    seen = overlay.seen(recorded, Entity(type="order", id="B-8"))
    assert (seen.content, seen.changed) == (recorded, False)


def test_object_inside_a_list_is_found_by_its_id() -> None:
    overlay = after(write("cancel_order", order_id="A-7"))
    listed = {"orders": [{"id": "A-7", "status": "open"}, {"id": "B-8", "status": "open"}]}
    seen = overlay.seen(listed, Entity(type="guest", id="g1"))
    assert seen.content["orders"] == [
        {"id": "A-7", "status": "cancelled"},
        {"id": "B-8", "status": "open"},
    ]


def test_bare_number_is_no_other_things_id() -> None:
    overlay = after(write("cancel_order", order_id=7))
    listed = {"guest": {"id": 7, "status": "member"}, "order": {"order_id": 7, "status": "open"}}
    assert overlay.seen(listed, None).content == {
        "guest": {"id": 7, "status": "member"},
        "order": {"order_id": 7, "status": "cancelled"},
    }


def test_removed_entity_is_not_found() -> None:
    overlay = after(write("delete_order", order_id="A-7"))
    seen = overlay.seen({"order_id": "A-7"}, ORDER)
    assert (seen.content, seen.removed) == ({"error": "not_found"}, True)


def test_removed_entity_leaves_its_lists() -> None:
    overlay = after(write("delete_order", order_id="A-7"))
    assert overlay.seen([{"order_id": "A-7"}, {"order_id": "B-8"}], None).content == [
        {"order_id": "B-8"}
    ]


def test_removing_a_part_does_not_remove_the_whole() -> None:
    change = write("remove_member", group_id="g-1", user_name="Mia")
    assert not change.removed


def test_text_that_holds_an_object_stays_text() -> None:
    overlay = after(write("update_order", order_id="A-7", name="Zoë"))
    seen = overlay.seen('{"order_id": "A-7", "name": "Mia"}', ORDER)
    assert seen.content == '{"order_id": "A-7", "name": "Zoë"}'


def test_plain_text_is_never_changed() -> None:
    overlay = after(write("update_order", order_id="A-7", name="Zoë"))
    seen = overlay.seen("Order A-7 of Mia", ORDER)
    assert (seen.content, seen.changed) == ("Order A-7 of Mia", False)


def test_write_of_the_recorded_value_changes_nothing() -> None:
    overlay = after(write("update_order", order_id="A-7", cabin="eco"))
    assert not overlay.seen({"order_id": "A-7", "cabin": "eco"}, ORDER).changed


def test_created_object_takes_what_later_writes_say() -> None:
    overlay = Overlay(created={"tkt-1": {"id": "tkt-1", "title": "Leak"}})
    overlay.record(write("update_ticket", ticket_id="tkt-1", priority="p1"))
    overlay.record(write("close_ticket", ticket_id="tkt-1"))
    assert overlay.made_by_id({"ticket_id": "tkt-1"}) == {
        "id": "tkt-1",
        "title": "Leak",
        "priority": "p1",
        "status": "closed",
    }


def test_created_object_that_is_deleted_is_gone() -> None:
    overlay = Overlay(created={"tkt-1": {"id": "tkt-1"}})
    overlay.record(write("delete_ticket", ticket_id="tkt-1"))
    assert overlay.made_by_id({"ticket_id": "tkt-1"}) is None
    change = overlay.change_to(Entity(type="ticket", id="tkt-1"))
    assert change is not None
    assert change.removed


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (ORDER, Entity(type="order", id="A-7"), True),
        (ORDER, Entity(type="booking", id="A-7"), True),
        (ORDER, Entity(type="", id="A-7"), True),
        (ORDER, Entity(type="order", id="A-8"), False),
        (Entity(type="order", id="7"), Entity(type="guest", id="7"), False),
        (Entity(type="order", id="7"), Entity(type="", id="7"), True),
    ],
)
def test_entities_are_one_by_id_and_kind(one: Entity, other: Entity, same: bool) -> None:
    assert is_same(one, other) is same


@pytest.mark.parametrize("value", [None, True, 1.5, "", "  ", ["a"], {}])
def test_what_cannot_be_an_id_names_no_entity(value: Any) -> None:
    entry = describe_tool("get_order", None, [{"order_id": "x"}])
    assert entity_of_call(entry, {"order_id": value}) is None
