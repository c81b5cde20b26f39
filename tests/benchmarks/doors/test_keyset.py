"""Pages by key: every row once, whatever ties, and cursors that are good for one list only."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.doors.cursors import Cursors
from benchmarks.doors.keyset import Keyset
from benchmarks.errors import CursorInvalid

SECRET = b"s" * 32
MORNING = datetime(2026, 11, 2, 9, tzinfo=UTC)


@given(place=st.binary(max_size=200))
def test_a_cursor_gives_back_its_place(place: bytes) -> None:
    cursors = Cursors(SECRET, {"split": "dev"})
    assert cursors.read(cursors.write(place)) == place


@given(place=st.binary(max_size=40), at=st.integers(0, 80), by=st.integers(1, 255))
def test_a_changed_cursor_leads_to_no_other_place(place: bytes, at: int, by: int) -> None:
    cursors = Cursors(SECRET, "list")
    cursor = cursors.write(place)
    at %= len(cursor)
    changed = cursor[:at] + chr((ord(cursor[at]) + by) % 256) + cursor[at + 1 :]
    with suppress(CursorInvalid):  # unused bits of the last character change nothing
        assert cursors.read(changed) == place


def test_a_signature_that_is_not_the_lists_own_is_refused() -> None:
    cursor = Cursors(SECRET, "list").write(b"7")
    flipped = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    with pytest.raises(CursorInvalid):
        Cursors(SECRET, "list").read(flipped)


@pytest.mark.parametrize("other", [Cursors(SECRET, "other"), Cursors(b"t" * 32, "list")])
def test_another_list_or_secret_refuses_it(other: Cursors) -> None:
    with pytest.raises(CursorInvalid):
        other.read(Cursors(SECRET, "list").write(b"7"))


def test_a_key_comes_back_as_it_was() -> None:
    key = (7, "t1", MORNING)
    page = Keyset(SECRET, 1, filter="x").document(1, key, None)
    assert Keyset(SECRET, 1, page["next_cursor"], "x").after() == key
    assert page == {
        "limit": 1,
        "returned": 1,
        "next_cursor": page["next_cursor"],
        "total": None,
        "cut": [],
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    "order", [("-date_joined", "-id"), ("date_joined", "id"), ("last_name", "-id")]
)
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_every_row_comes_once_also_where_rows_tie(order: tuple[str, ...], limit: int) -> None:
    for place in range(7):
        joined = MORNING + timedelta(seconds=place // 3)
        User.objects.create(username=f"u{place}", last_name="ab"[place % 2], date_joined=joined)
    wanted = list(User.objects.order_by(*order))
    found: list[User] = []
    cursor = None
    while True:
        taken, page = Keyset(SECRET, limit, cursor, "users").page(User.objects.all(), order)
        found += taken
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == wanted


@pytest.mark.django_db
def test_a_cursor_of_another_order_is_refused() -> None:
    for name in ("a", "b"):
        User.objects.create(username=name)
    _, page = Keyset(SECRET, 1, None, "users").page(User.objects.all(), ("username", "id"))
    with pytest.raises(CursorInvalid):
        Keyset(SECRET, 1, page["next_cursor"], "users").page(User.objects.all(), ("id",))


def test_no_cursor_looks_like_a_flag_in_a_shell() -> None:
    written = [Cursors(SECRET, number).write(b"7") for number in range(500)]
    assert {cursor[0] for cursor in written} == {"c"}
    assert [Cursors(SECRET, number).read(each) for number, each in enumerate(written)] == [
        b"7"
    ] * 500
