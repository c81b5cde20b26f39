"""Records: frozen, unknown keys kept, absent is not null, numbers finite."""

from enum import StrEnum

import pytest
from pydantic import Field, ValidationError

from benchmarks.records.base import Record, as_given, nullable, plain


class Colour(StrEnum):
    RED = "red"


class Part(Record):
    name: str
    note: str | None = None


class Whole(Record):
    schema_version: str = "whole.v1"
    parts: list[Part] = Field(default_factory=list)
    from_: str | None = Field(default=None, alias="from")
    score: float | None = nullable()
    error: str | None = as_given()
    extra_count: int = 0


def test_a_written_record_has_page_order_then_unknown_keys():
    value = {"x": 1, "extra_count": 2, "from": "a", "parts": [{"y": None, "name": "p"}], "w": []}
    assert list(Whole.read(value).dump().items()) == [
        ("schema_version", "whole.v1"),
        ("parts", [{"name": "p", "y": None}]),
        ("from", "a"),
        ("score", None),
        ("extra_count", 2),
        ("x", 1),
        ("w", []),
    ]


def test_an_absent_field_is_left_out_a_nullable_one_is_null_and_a_given_null_stays():
    assert Whole().dump() == {
        "schema_version": "whole.v1",
        "parts": [],
        "score": None,
        "extra_count": 0,
    }
    assert Whole(error=None).dump()["error"] is None
    assert Whole.read({"from": None}).dump().get("from", "left out") == "left out"


def test_a_changed_copy_is_checked_and_says_no_null_that_was_not_said():
    changed = Whole.read({"x": {"y": None}}).with_(extra_count=3)
    assert changed.dump() == Whole.read({"x": {"y": None}, "extra_count": 3}).dump()
    with pytest.raises(ValidationError):
        changed.with_(extra_count="many")


def test_a_record_cannot_be_changed_in_place():
    with pytest.raises(ValidationError, match="frozen"):
        Part(name="a").name = "b"


def test_whole_floats_become_integers_and_others_stay():
    whole = Whole(score=1.0).dump()
    assert (whole["score"], type(whole["score"])) == (1, int)
    assert Whole(score=0.5).dump()["score"] == 0.5
    assert Whole(score=2.0**60).dump()["score"] == 2.0**60


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_refused_by_its_key(number):
    with pytest.raises(ValueError, match="score: .* is not a finite number"):
        Whole(score=number).dump()
    with pytest.raises(ValueError, match=r"x\.deep"):
        Whole.read({"x": {"deep": [number]}}).dump()


def test_values_in_unknown_keys_are_made_plain_too():
    found = Whole.read({"x": (Colour.RED, {2, 1}, Part(name="p"), {1: True})}).dump()["x"]
    assert found == ["red", [1, 2], {"name": "p"}, {"1": True}]
    assert type(found[0]) is str


def test_what_has_no_json_form_is_refused_by_its_key():
    with pytest.raises(TypeError, match="x: object has no JSON form"):
        plain(object(), "x")
