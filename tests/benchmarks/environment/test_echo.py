"""Writes are answered in the shape of their recorded replies, with ids of the world's own."""

import hashlib
from typing import Any

import pytest

from benchmarks.environment.echo import (
    echo,
    echo_id,
    id_prefix,
    new_ids,
    reply_shape,
    stands_in,
)


def test_echo_id_is_a_digest_of_task_call_and_count() -> None:
    text = b'["task-1","create_ticket",{"title":"leak"},1]'
    assert echo_id("tkt-", "task-1", ("create_ticket", {"title": "leak"}), 1) == (
        "tkt-" + hashlib.sha256(text).hexdigest()[:8]
    )


def test_same_call_again_gets_another_id() -> None:
    key = ("create_ticket", {"title": "leak"})
    assert echo_id("", "t", key, 1) != echo_id("", "t", key, 2)


@pytest.mark.parametrize(
    ("ids", "prefix"),
    [
        (["tkt-9f3a", "tkt-0a11"], "tkt-"),
        (["tkt-ab12"], "tkt-"),
        (["certificate_7504069"], "certificate_"),
        (["gift_card_5094406"], "gift_card_"),
        (["RF-88213"], "RF-"),
        (["INC0012345"], "INC"),
        (["ZFA04Y"], ""),
        (["88213"], ""),
        (["tkt-1", "RF-2"], ""),
        (["abcdefab-1234-1234-1234-1234567890ab"], ""),
        ([], ""),
        (["plain"], ""),
    ],
)
def test_prefix_is_what_stands_before_the_digits(ids: list[str], prefix: str) -> None:
    assert id_prefix(ids) == prefix


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
    ],
)
def test_shape_holds_keys_and_types_and_no_value(replies: list[Any], shape: Any) -> None:
    assert reply_shape(replies) == shape


def test_object_is_echoed_from_what_is_known() -> None:
    shape = {
        "type": "object",
        "properties": {"id": "string", "title": "string", "rank": "integer", "ok": "boolean"},
        "id_key": "id",
    }
    assert echo(shape, "create_ticket", {"title": "Leak", "extra": 1}, "tkt-1") == {
        "id": "tkt-1",
        "title": "Leak",
        "rank": None,
        "ok": True,
    }


def test_number_id_stays_a_number() -> None:
    shape = {"type": "object", "properties": {"id": "integer"}, "id_key": "id"}
    assert echo(shape, "create", {}, "0000002a") == {"id": 42}


def test_text_is_echoed_as_text() -> None:
    assert echo({"type": "string"}, "send_note", {}, "n-1") == "OK: send_note accepted (n-1)"


def test_write_without_recorded_replies_echoes_its_arguments() -> None:
    assert echo(None, "cancel", {"order_id": "A-7", "id": "x"}, "1f") == {
        "ok": True,
        "id": "1f",
        "order_id": "A-7",
    }


@pytest.mark.parametrize(
    ("reply", "known", "made"),
    [
        ({"ticket_id": "tkt-1", "title": "Leak"}, [], {"ticket_id": "tkt-1"}),
        ('{"ticket_id": "tkt-1"}', [], {"ticket_id": "tkt-1"}),
        ({"order_id": "A-7"}, ["cancel A-7"], {}),
        ({"order_id": "A-7"}, ["cancel A-70"], {"order_id": "A-7"}),
        ({"id": 4711}, [], {"id": 4711}),
        ({"email": "mia@x.example"}, [], {}),
        ({"id": None, "key": True}, [], {}),
        ("Certificate certificate_7504069 added.", [], {"": "certificate_7504069"}),
        ("Done in 3 steps", [], {}),
        (None, [], {}),
    ],
)
def test_new_ids_stood_nowhere_before(reply: Any, known: list[str], made: dict[str, Any]) -> None:
    assert new_ids(reply, known) == {key: str(value) for key, value in made.items()}


@pytest.mark.parametrize(
    ("text", "found"),
    [("A-7", True), ("(A-7)", True), ("A-70", False), ("XA-7", False), ("A-70 A-7.", True)],
)
def test_id_stands_as_a_whole_token(text: str, found: bool) -> None:
    assert stands_in("A-7", text) is found
