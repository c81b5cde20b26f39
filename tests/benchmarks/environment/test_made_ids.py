"""An id that a write made stands in its reply and nowhere before."""

from typing import Any

import pytest

from benchmarks.environment.made_ids import id_prefix, looks_like_id, new_ids, stands_in


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
    ("reply", "known", "made"),
    [
        ({"ticket_id": "tkt-1", "title": "Leak"}, [], {"/ticket_id": "tkt-1"}),
        ('{"ticket_id": "tkt-1"}', [], {"/ticket_id": "tkt-1"}),
        ({"order_id": "A-7"}, ["cancel A-7"], {}),
        ({"order_id": "A-7"}, ["cancel A-70"], {"/order_id": "A-7"}),
        ({"id": 4711}, [], {"/id": 4711}),
        ({"email": "mia@x.example"}, [], {}),
        ({"id": None, "key": True}, [], {}),
        ({"data": {"ticket": {"id": "t-1"}}}, [], {"/data/ticket/id": "t-1"}),
        ({"tracking": "TRK99", "ref_id": "r"}, [], {"/ref_id": "r", "/tracking": "TRK99"}),
        ({"created_at": "2026-05-12T09:00:00Z", "total": 12}, [], {}),
        ({"items": [{"id": "i-1"}]}, [], {}),
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


@pytest.mark.parametrize("text", ["tkt-1", "ZFA04Y", "88213", "RF-88213"])
def test_word_of_letters_and_digits_may_be_an_id(text: str) -> None:
    assert looks_like_id(text)


@pytest.mark.parametrize("text", ["", "open", "12", "2026-05-12", "12.50", "a b1", "m1@x.example"])
def test_plain_words_small_numbers_and_dates_are_no_ids(text: str) -> None:
    assert not looks_like_id(text)
