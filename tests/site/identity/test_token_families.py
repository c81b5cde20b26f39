"""Tokens that tokens ask for: no longer than theirs, revoked with them, seen within limits."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group, User

from benchmarks.api.missing import UnknownRoute
from benchmarks.doors.identity import Identity
from benchmarks.errors import Unauthenticated
from tests.rest import Rest
from understudy_site.identity.models import Token
from understudy_site.identity.tokens import (
    Asked,
    Issued,
    identity_of,
    issue_token,
    list_tokens,
    recognised,
    revoke_token,
    token_document,
)

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def owner(db: None) -> User:
    user = User.objects.create(username="ada")
    user.groups.add(Group.objects.get(name="admin"))
    return user


def issue(
    owner: User,
    name: str,
    *,
    of: Issued | None = None,
    days: int | None = None,
    benchmarks: tuple[str, ...] = (),
) -> Issued:
    asked = Asked(name, ("read", "admin"), benchmarks=benchmarks, days=days)
    return issue_token(owner=owner, asked=asked, within=who(of) if of else None, now=NOW)


def who(issued: Issued) -> Identity:
    return identity_of(issued.token)


@pytest.mark.parametrize(
    ("parent_days", "days", "end"),
    [(1, None, NOW + DAY), (1, 3650, NOW + DAY), (5, 2, NOW + 2 * DAY), (None, None, None)],
)
def test_a_child_ends_no_later_than_its_parent(
    owner: User, parent_days: int | None, days: int | None, end: datetime | None
) -> None:
    parent = issue(owner, "short", days=parent_days)
    child = issue(owner, "child", of=parent, days=days)
    assert child.token.expires_at == end
    assert token_document(child.token)["parent_id"] == parent.token.pk
    assert token_document(parent.token)["parent_id"] is None


def test_revoking_a_token_revokes_all_that_came_of_it(owner: User) -> None:
    first = issue(owner, "first")
    second = issue(owner, "second", of=first)
    third = issue(owner, "third", of=second)
    other = issue(owner, "other")
    revoke_token(token_id=third.token.pk, now=NOW - DAY)
    revoke_token(token_id=first.token.pk, now=NOW)
    ends = Token.objects.order_by("pk").values_list("name", "revoked_at")
    assert list(ends) == [("first", NOW), ("second", NOW), ("third", NOW - DAY), ("other", None)]
    assert recognised(second.secret, NOW) is None
    assert recognised(other.secret, NOW) is not None


def test_a_token_that_is_revoked_meanwhile_makes_none(owner: User) -> None:
    parent = issue(owner, "parent")
    revoke_token(token_id=parent.token.pk, now=NOW)
    with pytest.raises(Unauthenticated):
        issue(owner, "child", of=parent)
    assert Token.objects.count() == 1


def test_a_limited_token_sees_and_revokes_within_its_limits_only(owner: User) -> None:
    everything = issue(owner, "everything")
    a = issue(owner, "a", benchmarks=("local--a", "local--b"))
    b = issue(owner, "b", benchmarks=("local--b",))
    c = issue(owner, "c", benchmarks=("local--b", "local--c"))
    assert [each.name for each in list_tokens(who(a))] == ["b", "a"]
    assert [each.name for each in list_tokens(who(everything))] == ["c", "b", "a", "everything"]
    for other in (everything, c):
        with pytest.raises(UnknownRoute) as caught:
            revoke_token(token_id=other.token.pk, within=who(a), now=NOW)
        assert caught.value.hint == "2 are there"
    assert revoke_token(token_id=b.token.pk, within=who(a), now=NOW).revoked_at == NOW


def test_over_rest_a_limited_admin_cannot_end_the_others() -> None:
    whole = Rest("read", "admin", name="whole")
    limited = Rest("read", "admin", name="limited", benchmarks=("local--a",))
    listed = limited.get("/api/tokens").document["results"]
    assert [each["name"] for each in listed] == ["limited"]
    other = Token.objects.get(name="whole")
    assert limited.send("DELETE", f"/api/tokens/{other.pk}", b"").status == 404
    assert whole.get("/api/me").status == 200
