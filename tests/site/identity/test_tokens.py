"""Tokens: what they may, when they end, and that their secret is nowhere."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User

from benchmarks.api.missing import UnknownRoute
from benchmarks.doors.permissions import Permission
from benchmarks.errors import AlreadyExists, Forbidden, InvalidArguments
from understudy_site.identity.models import Token
from understudy_site.identity.tokens import (
    Asked,
    identity_of,
    issue_token,
    recognised,
    revoke_token,
)

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def owner(db: None) -> User:
    user = User.objects.create(username="ada")
    user.groups.add(Group.objects.get(name="operator"))
    return user


def issue(owner: User, name: str = "ci", *permissions: str, **more: Any) -> str:
    asked = Asked(name, permissions or ("read", "review"), **more)
    return issue_token(owner=owner, asked=asked, now=NOW).secret


def test_the_three_groups_are_made_by_the_migration() -> None:
    assert sorted(Group.objects.values_list("name", flat=True)) == ["admin", "operator", "reviewer"]


def test_of_a_secret_only_its_digest_is_kept(owner: User) -> None:
    secret = issue(owner)
    assert secret.startswith("understudy_")
    assert len(secret) == len("understudy_") + 43
    token = Token.objects.get()
    assert token.sha256 == hashlib.sha256(secret.encode()).hexdigest()
    kept = [str(getattr(token, field.attname)) for field in Token._meta.concrete_fields]
    assert not any(secret in each for each in kept)


def test_a_token_is_recognised_as_what_it_was_given(owner: User) -> None:
    secret = issue(owner, "bot", "read", "review", benchmarks=("local--*",), agent=True)
    token = recognised(secret, NOW)
    assert token is not None
    identity = identity_of(token)
    assert identity.actor == "token:bot"
    assert identity.permissions == {Permission.READ, Permission.REVIEW}
    assert (identity.agent, identity.patterns, identity.door) == (True, ("local--*",), "rest")


@pytest.mark.parametrize(
    "secret", ["", "understudy_", "x" * 200, "understudy_" + "A" * 43, "\ud800"]
)
def test_anything_else_is_recognised_as_nobody(owner: User, secret: str) -> None:
    issue(owner)
    assert recognised(secret, NOW) is None


def test_a_token_ends_at_its_expiry_to_the_second(owner: User) -> None:
    secret = issue(owner, days=1)
    end = NOW + timedelta(days=1)
    assert recognised(secret, end - timedelta(seconds=1)) is not None
    assert recognised(secret, end) is None


def test_a_revoked_token_is_nobodys_and_stays_revoked_since_the_first_time(owner: User) -> None:
    secret = issue(owner)
    token = Token.objects.get()
    revoke_token(token_id=token.pk, now=NOW)
    again = revoke_token(token_id=token.pk, now=NOW + timedelta(hours=1))
    assert again.revoked_at == NOW
    assert recognised(secret, NOW) is None


def test_revoking_what_is_not_there_is_refused(owner: User) -> None:
    with pytest.raises(UnknownRoute):
        revoke_token(token_id=99, now=NOW)


def test_a_token_of_an_owner_who_is_not_active_is_nobodys(owner: User) -> None:
    secret = issue(owner)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert recognised(secret, NOW) is None


def test_a_token_shrinks_with_its_owner(owner: User) -> None:
    secret = issue(owner, "ci", "read", "queue")
    owner.groups.set([Group.objects.get(name="reviewer")])
    token = recognised(secret, NOW)
    assert token is not None
    assert identity_of(token).permissions == {Permission.READ}


def test_a_token_may_nothing_that_its_owner_may_not(owner: User) -> None:
    with pytest.raises(Forbidden) as caught:
        issue(owner, "ci", "read", "admin")
    assert caught.value.message == "ada has not admin"
    assert not Token.objects.exists()


def test_a_name_is_used_once_also_after_it_was_revoked(owner: User) -> None:
    issue(owner)
    revoke_token(token_id=Token.objects.get().pk, now=NOW)
    with pytest.raises(AlreadyExists):
        issue(owner)


def test_everything_that_is_wrong_is_named_at_once(owner: User) -> None:
    with pytest.raises(InvalidArguments) as caught:
        issue(owner, "no spaces", "read", "fly", benchmarks=("",), days=0)
    assert [each.path for each in caught.value.errors] == [
        "permissions",
        "name",
        "days",
        "benchmarks",
    ]


def test_a_token_is_made_within_the_one_that_asks_for_it(owner: User) -> None:
    secret = issue(owner, "limited", "read", "review", benchmarks=("local--*",), agent=True)
    token = recognised(secret, NOW)
    assert token is not None
    within = identity_of(token)

    def ask(**more: Any) -> Token:
        asked = Asked("child", **{"permissions": ("read",), **more})
        return issue_token(owner=owner, asked=asked, within=within, now=NOW).token

    with pytest.raises(Forbidden):
        ask(permissions=("queue",))
    with pytest.raises(Forbidden):
        ask(benchmarks=("*",))
    child = ask()
    assert (child.agent, child.benchmarks) == (True, ["local--*"])


def test_the_last_use_is_written_at_most_once_a_minute(
    owner: User, django_assert_num_queries: Any
) -> None:
    secret = issue(owner)
    with django_assert_num_queries(2):
        recognised(secret, NOW)
    assert Token.objects.get().last_used_at == NOW
    with django_assert_num_queries(1):
        recognised(secret, NOW + timedelta(seconds=59))
    assert Token.objects.get().last_used_at == NOW
    later = NOW + timedelta(seconds=60)
    recognised(secret, later)
    assert Token.objects.get().last_used_at == later
