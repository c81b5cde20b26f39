"""Writes are answered in the shape of their recorded replies, with ids of the world's own."""

import hashlib
from typing import Any

import pytest

from benchmarks.environment.echo import created_thing, echo, echo_id, reply_shape

KEY = ("create_ticket", '{"title":"leak"}')


def test_echo_id_is_a_digest_of_task_call_and_count() -> None:
    text = b'["task-1","create_ticket","{\\"title\\":\\"leak\\"}",1]'
    assert echo_id("task-1", KEY, 1) == hashlib.sha256(text).hexdigest()[:8]


def test_same_call_again_gets_another_id() -> None:
    assert len({echo_id("t", KEY, 1), echo_id("t", KEY, 2), echo_id("t", KEY, 1, "/other")}) == 3


@pytest.mark.parametrize(
    ("replies", "shape"),
    [
        ([], None),
        (["Cancelled.", "Cancelled too."], {"type": "string"}),
        ([7], {"type": "integer"}),
        (
            [{"id": "a-1", "n": 2, "x": None}, {"id": "a-2", "n": 3, "x": 1.5}],
            {"type": "object", "properties": {"id": "string", "n": "integer", "x": "number"}},
        ),
        (['{"id": "a-1"}'], {"type": "object", "properties": {"id": "string"}}),
        (
            [{"k1": 1, "all": 1}, {"k2": 1, "all": 1}, {"k3": 1, "all": 1}],
            {"type": "object", "properties": {"all": "integer"}},
        ),
        (
            [{"ticket": {"id": "a-1", "tags": ["x"]}, "none": None}],
            {
                "type": "object",
                "properties": {
                    "ticket": {"type": "object", "properties": {"id": "string", "tags": "array"}},
                    "none": "null",
                },
            },
        ),
    ],
)
def test_shape_holds_keys_and_types_and_no_value(replies: list[Any], shape: Any) -> None:
    assert reply_shape(replies) == shape


def test_object_is_echoed_from_what_is_known() -> None:
    shape = {
        "type": "object",
        "properties": {"id": "string", "title": "string", "rank": "integer", "ok": "boolean"},
        "ids": {"/id": "tkt-"},
    }
    made = {"": "tkt-1", "/id": "tkt-1"}
    assert echo(shape, "create_ticket", {"title": "Leak", "extra": 1}, made) == {
        "id": "tkt-1",
        "title": "Leak",
        "rank": None,
        "ok": True,
    }


def test_inner_object_takes_its_id_and_the_arguments() -> None:
    shape = reply_shape([{"ticket": {"id": "t-1", "title": "x", "at": "y"}, "queue": "q"}])
    assert echo(shape, "create", {"title": "Leak"}, {"": "t-2", "/ticket/id": "t-2"}) == {
        "ticket": {"id": "t-2", "title": "Leak", "at": None},
        "queue": None,
    }


def test_number_id_stays_a_number() -> None:
    shape = {"type": "object", "properties": {"id": "integer"}}
    assert echo(shape, "create", {}, {"": "0000002a", "/id": "0000002a"}) == {"id": 42}


def test_text_is_echoed_as_text() -> None:
    shape = {"type": "string"}
    assert echo(shape, "send_note", {}, {"": "n-1"}) == "OK: send_note accepted (n-1)"


def test_write_without_recorded_replies_echoes_its_arguments() -> None:
    assert echo(None, "cancel", {"order_id": "A-7", "id": "x"}, {"": "1f"}) == {
        "ok": True,
        "id": "1f",
        "order_id": "A-7",
    }


def test_created_thing_is_its_arguments_under_its_echo_id() -> None:
    thing = created_thing(None, {"ok": True, "id": "1f"}, {"title": "Leak"}, "1f")
    assert (thing.id, thing.object_) == ("1f", {"id": "1f", "title": "Leak"})


def test_created_thing_stands_where_its_id_stands() -> None:
    shape = {"type": "object", "ids": {"/ticket/id": "t-"}}
    content = {"ok": True, "ticket": {"id": "t-2", "title": "Leak", "at": None}}
    thing = created_thing(shape, content, {"title": "Leak", "rank": 1}, "t-2")
    assert (thing.id, thing.object_) == ("t-2", {"id": "t-2", "title": "Leak", "rank": 1})
